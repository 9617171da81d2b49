// Menus: a button that opens a listbox; choosing an option asks again.
for (const menu of document.querySelectorAll(".menu")) {
  const button = menu.querySelector("button");
  const list = menu.querySelector("[role=listbox]");
  const options = [...list.children];
  const active = () => document.getElementById(list.getAttribute("aria-activedescendant"));
  const mark = (option) => {
    if (!option) return;
    for (const other of options) other.classList.toggle("active", other === option);
    list.setAttribute("aria-activedescendant", option.id);
  };
  const unfold = (shown) => {
    list.hidden = !shown;
    button.setAttribute("aria-expanded", String(shown));
    if (shown) {
      mark(options.find((option) => option.ariaSelected === "true"));
      list.focus();
    }
  };
  const choose = ({ dataset: { value } }) => go(button.id === "rows" ? { rows: Number(value) } : { sort: value });

  button.addEventListener("click", () => unfold(list.hidden));
  list.addEventListener("click", (event) => event.target.closest("[role=option]") && choose(event.target));
  list.addEventListener("focusout", (event) => event.relatedTarget !== button && unfold(false));
  list.addEventListener("keydown", (event) => {
    const steps = { ArrowDown: 1, ArrowUp: -1 };
    if (event.key === "Enter" || event.key === " ") choose(active());
    else if (event.key in steps) mark(options[options.indexOf(active()) + steps[event.key]]);
    else if (event.key === "Escape") { unfold(false); button.focus(); }
    else return;
    event.preventDefault();
  });
}
