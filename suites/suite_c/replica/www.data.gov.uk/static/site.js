"use strict";

// -- cookie banner: what may be kept is kept in one cookie, that a choice was made in another ------------------------

const find = (id) => document.getElementById(id);
const readCookie = (name) => document.cookie.split("; ").find((one) => one.startsWith(`${name}=`))?.slice(name.length + 1);
const writeCookie = (name, value) => {
  document.cookie = `${name}=${value}; path=/; max-age=31536000; Secure`;
};

function keepChoice(choice) {
  const on = choice === "accepted";
  writeCookie("cookies_policy", JSON.stringify({ essential: true, settings: on, usage: on, campaigns: on }));
}
const chosen = () => readCookie("cookies_preferences_set") === "true";

// Until visitors choose, nothing but the essential is allowed.
if (!readCookie("cookies_policy")) keepChoice("rejected");
find("cookie-banner").hidden = chosen();
for (const button of document.querySelectorAll("[data-cookies]")) {
  button.addEventListener("click", () => {
    keepChoice(button.dataset.cookies);
    writeCookie("cookies_preferences_set", "true");
    find("cookie-question").hidden = true;
    find("cookie-choice").textContent = button.dataset.cookies;
    find("cookie-answer").hidden = false;
  });
}
find("cookie-hide").addEventListener("click", () => (find("cookie-banner").hidden = true));

find("cookie-settings")?.addEventListener("submit", (event) => {
  event.preventDefault();
  const choice = new FormData(event.target).get("choice");
  if (choice) {
    keepChoice(choice);
    writeCookie("cookies_preferences_set", "true");
  }
  find("cookie-banner").hidden = chosen();
  find("cookie-saved").textContent = choice ? "Your cookie settings were saved." : "Choose yes or no.";
});

// -- search form ----------------------------------------------------------------------------------------------------

find("sort")?.addEventListener("change", (event) => event.target.form.requestSubmit());

// Turns a select into a text field with suggestions; the select stays, hidden, and is what the form sends.
function autocomplete(select) {
  const id = select.id;
  select.id = `${id}-select`;
  select.hidden = true;
  const box = document.createElement("span");
  box.className = "autocomplete";
  box.innerHTML = `<input type="text" id="${id}" role="combobox" aria-autocomplete="list" aria-expanded="false"
    aria-controls="${id}-list" autocomplete="off"><ul id="${id}-list" role="listbox" aria-label="${id}" hidden></ul>`;
  select.before(box);
  const [input, list] = box.children;
  const labelOf = () => select.selectedOptions[0]?.label || "";
  let options = [];
  let active = -1;

  const paint = () => {
    list.innerHTML = "";
    options.forEach((option, place) => {
      const item = list.appendChild(document.createElement("li"));
      item.id = `${id}-option-${place}`;
      item.setAttribute("role", "option");
      item.setAttribute("aria-selected", String(place === active));
      item.textContent = option.label;
      item.addEventListener("mousedown", (event) => event.preventDefault());
      item.addEventListener("click", () => choose(option));
    });
    list.hidden = options.length === 0;
    input.setAttribute("aria-expanded", String(!list.hidden));
    if (active < 0 || list.hidden) input.removeAttribute("aria-activedescendant");
    else input.setAttribute("aria-activedescendant", `${id}-option-${active}`);
  };
  const suggest = () => {
    const text = input.value.trim().toLowerCase();
    options = [...select.options].filter((option) => option.value && option.label.toLowerCase().includes(text));
    active = text && options.length ? 0 : -1;
    paint();
  };
  const close = () => {
    options = [];
    active = -1;
    paint();
  };
  const choose = (option) => {
    select.value = option.value;
    input.value = option.label;
    close();
  };

  input.value = labelOf();
  input.addEventListener("input", () => (input.value.trim() ? suggest() : close()));
  input.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      if (list.hidden) suggest();
      active = Math.min(Math.max(active + step, 0), options.length - 1);
      paint();
    } else if (event.key === "Enter" && active >= 0) {
      event.preventDefault();
      choose(options[active]);
    } else if (event.key === "Escape") {
      close();
    }
  });
  input.addEventListener("blur", () => {
    if (!input.value.trim()) select.value = "";
    else if (active >= 0) choose(options[active]);
    input.value = labelOf();
    close();
  });
}
document.querySelectorAll("[data-autocomplete]").forEach(autocomplete);

// -- dataset page ---------------------------------------------------------------------------------------------------

find("more")?.addEventListener("click", ({ target }) => {
  const open = target.getAttribute("aria-expanded") === "false";
  for (const row of document.querySelectorAll("tr.rest")) row.hidden = !open;
  target.setAttribute("aria-expanded", String(open));
  target.textContent = open ? "Show less" : "Show more";
});
