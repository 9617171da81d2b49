// Suggestions: <input role="combobox" data-suggest="/suggest?q=" aria-controls="ID"> above <ul role="listbox" id="ID" hidden>.
// The address answers with [{label, href}] or [{label, fill: {name: value}}]: a choice opens the page, or sets the fields of
// the form by name, the input itself to the label. Arrow keys and Enter choose as well; Escape closes the list.
for (const input of document.querySelectorAll("[data-suggest]")) {
  const list = document.getElementById(input.getAttribute("aria-controls"));
  let asked = 0;
  let at = -1;
  const close = () => {
    list.hidden = true;
    at = -1;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  };
  const choose = (one) => {
    if (one.href) return location.assign(one.href);
    input.value = one.label;
    for (const [name, value] of Object.entries(one.fill ?? {})) {
      const field = input.form?.elements[name];
      if (field) field.value = value;
    }
    close();
    input.dispatchEvent(new Event("change", { bubbles: true }));
  };
  const mark = (step) => {
    const options = [...list.children];
    if (!options.length) return;
    at = at < 0 && step < 0 ? options.length - 1 : (at + step + options.length) % options.length;
    for (const [index, option] of options.entries()) option.setAttribute("aria-selected", String(index === at));
    input.setAttribute("aria-activedescendant", options[at].id);
  };
  const show = (found) => {
    list.replaceChildren(
      ...found.map((one, index) => {
        const option = document.createElement("li");
        option.id = `${list.id}-${index}`;
        option.setAttribute("role", "option");
        option.setAttribute("aria-selected", "false");
        option.textContent = one.label;
        option.choice = one;
        return option;
      }),
    );
    at = -1;
    list.hidden = !found.length;
    input.setAttribute("aria-expanded", String(!list.hidden));
  };
  close();
  input.addEventListener("input", async () => {
    const number = ++asked;
    if (!input.value.trim()) return close();
    const answer = await fetch(input.dataset.suggest + encodeURIComponent(input.value));
    if (answer.ok && number === asked) show(await answer.json());
  });
  input.addEventListener("keydown", (event) => {
    if (event.key === "Escape") close();
    if (list.hidden) return;
    if (event.key === "ArrowDown") mark(1);
    if (event.key === "ArrowUp") mark(-1);
    if (event.key === "Enter" && at >= 0) {
      event.preventDefault();
      choose(list.children[at].choice);
    }
  });
  list.addEventListener("mousedown", (event) => event.preventDefault());
  list.addEventListener("click", (event) => {
    const option = event.target.closest("[role=option]");
    if (option) choose(option.choice);
  });
  input.addEventListener("blur", close);
}
