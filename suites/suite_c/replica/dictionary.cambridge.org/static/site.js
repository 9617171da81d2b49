// Cookie dialog, choice of dictionary, suggestions while typing, and folding of further examples.
const $ = (selector) => document.querySelector(selector);

// -- cookies --------------------------------------------------------------------------------------------------------

// One cookie holds all groups, another says when the visitor decided; before that, what is preselected is on.
const PRESELECTED = ["C0002", "C0003"];
const OPTIONAL = [...PRESELECTED, "C0004"];
const write = (name, value) => {
  document.cookie = `${name}=${value}; path=/; max-age=31536000; SameSite=Lax`;
};
const readCookie = (name) => document.cookie.split("; ").some((one) => one.startsWith(`${name}=`));
const keep = (allowed, interactions) => {
  const groups = ["C0001:1", ...OPTIONAL.map((group) => `${group}:${allowed.includes(group) ? 1 : 0}`)].join(",");
  const parts = { isGpcEnabled: 0, version: "202510.2.0", interactionCount: interactions, groups };
  write("OptanonConsent", new URLSearchParams(parts));
};
const save = (allowed) => {
  keep(allowed, 1);
  write("OptanonAlertBoxClosed", new Date().toISOString());
  for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
};
const answers = {
  settings: () => {
    $("#consent").close();
    $("#settings").showModal();
  },
  accept: () => save(OPTIONAL),
  reject: () => save([]),
  confirm: () => save([...document.querySelectorAll("#settings input:checked")].map((input) => input.value)),
};
for (const button of document.querySelectorAll("dialog [data-do]")) {
  button.addEventListener("click", () => answers[button.dataset.do]());
}
for (const dialog of document.querySelectorAll("dialog")) {
  dialog.addEventListener("keydown", (event) => {
    if (event.key === "Escape") event.preventDefault();
  });
  dialog.addEventListener("cancel", (event) => event.preventDefault());
}
if (!readCookie("OptanonConsent")) keep(PRESELECTED, 0);
if (!readCookie("OptanonAlertBoxClosed")) $("#consent").showModal();

// -- choice of dictionary -------------------------------------------------------------------------------------------

const form = $("#search");
const menu = $("#dictionaries");
const choose = $("#choose");
const items = [...menu.querySelectorAll("[role=menuitemradio]")];
const toggleMenu = (open) => {
  menu.hidden = !open;
  choose.setAttribute("aria-expanded", String(open));
  if (open) items.find((item) => item.getAttribute("aria-checked") === "true").focus();
};
choose.addEventListener("click", () => toggleMenu(menu.hidden));
for (const item of items) {
  item.addEventListener("click", () => {
    form.elements.datasetsearch.value = item.dataset.slug;
    for (const other of items) other.setAttribute("aria-checked", String(other === item));
    choose.querySelector("span").textContent = item.textContent;
    form.elements.q.placeholder = `Search ${item.textContent}`;
    toggleMenu(false);
    form.elements.q.focus();
    suggest();
  });
}
menu.addEventListener("keydown", (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step) {
    event.preventDefault();
    items[(items.indexOf(document.activeElement) + step + items.length) % items.length].focus();
  } else if (event.key === "Escape") {
    toggleMenu(false);
    choose.focus();
  }
});
document.addEventListener("click", (event) => {
  if (!event.target.closest(".chooser") && !menu.hidden) toggleMenu(false);
  if (!event.target.closest(".field")) hideSuggestions();
});

// -- suggestions ----------------------------------------------------------------------------------------------------

const list = $("#suggestions");
const field = form.elements.q;
let asked = 0;
let active = -1;
const hideSuggestions = () => {
  list.hidden = true;
  active = -1;
  field.setAttribute("aria-expanded", "false");
  field.removeAttribute("aria-activedescendant");
};
const suggest = async () => {
  asked += 1;
  const number = asked;
  const q = field.value.trim();
  if (!q) return hideSuggestions();
  const query = new URLSearchParams({ dataset: form.elements.datasetsearch.value, q });
  const rows = await (await fetch(`/autocomplete/amp?${query}`)).json();
  if (number !== asked) return undefined;
  list.replaceChildren(
    ...rows.map((row, index) => {
      const option = Object.assign(document.createElement("li"), { textContent: row.word, id: `suggestion-${index}` });
      option.setAttribute("role", "option");
      option.setAttribute("aria-selected", "false");
      option.dataset.url = row.url;
      return option;
    }),
  );
  hideSuggestions();
  list.hidden = !rows.length;
  field.setAttribute("aria-expanded", String(rows.length > 0));
  return undefined;
};
field.addEventListener("input", suggest);
list.addEventListener("mousedown", (event) => event.preventDefault());
list.addEventListener("click", (event) => {
  const option = event.target.closest("[role=option]");
  if (option) location.assign(option.dataset.url);
});
field.addEventListener("keydown", (event) => {
  if (list.hidden) return;
  const options = [...list.children];
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step) {
    event.preventDefault();
    active = (Math.max(active, step < 0 ? 0 : -1) + step + options.length) % options.length;
    for (const [index, option] of options.entries()) option.setAttribute("aria-selected", String(index === active));
    field.setAttribute("aria-activedescendant", options[active].id);
  } else if (event.key === "Enter" && active >= 0) {
    event.preventDefault();
    location.assign(options[active].dataset.url);
  } else if (event.key === "Escape") {
    hideSuggestions();
  }
});

// -- further examples -----------------------------------------------------------------------------------------------

for (const button of document.querySelectorAll(".more")) {
  button.addEventListener("click", () => {
    const region = document.getElementById(button.getAttribute("aria-controls"));
    region.hidden = !region.hidden;
    button.setAttribute("aria-expanded", String(!region.hidden));
  });
}
