// Suggestions while typing (a combobox with a listbox), tabs of package pages, sorting, deprecated versions.
const field = document.getElementById("q");
const list = document.getElementById("suggestions");
let options = [];
let active = -1;

const close = () => {
  list.hidden = true;
  active = -1;
  field.setAttribute("aria-expanded", "false");
  field.removeAttribute("aria-activedescendant");
};

const open = (name) => {
  location.href = `/package/${name}`;
};

const optionOf = (row, index) => {
  const option = document.createElement("li");
  option.id = `suggestion-${index}`;
  option.setAttribute("role", "option");
  option.setAttribute("aria-labelledby", `${option.id}-name`);
  const name = document.createElement("strong");
  name.id = `${option.id}-name`;
  name.textContent = row.name;
  const text = document.createElement("span");
  text.textContent = row.description;
  option.append(name, text);
  option.addEventListener("mousedown", (event) => event.preventDefault());
  option.addEventListener("click", () => open(row.name));
  option.dataset.name = row.name;
  return option;
};

const choose = (index) => {
  options.forEach((option, at) => option.setAttribute("aria-selected", String(at === index)));
  active = index;
  if (index >= 0) field.setAttribute("aria-activedescendant", options[index].id);
  else field.removeAttribute("aria-activedescendant");
};

let timer;
field.addEventListener("input", () => {
  clearTimeout(timer);
  const text = field.value.trim();
  if (!text) {
    close();
    return;
  }
  timer = setTimeout(async () => {
    const answer = await fetch(`/search/suggestions?q=${encodeURIComponent(text)}`);
    const rows = await answer.json();
    if (field.value.trim() !== text || document.activeElement !== field) return;
    options = rows.map(optionOf);
    list.replaceChildren(...options);
    list.hidden = !options.length;
    field.setAttribute("aria-expanded", String(!list.hidden));
    choose(-1);
  }, 100);
});
field.addEventListener("blur", close);
field.addEventListener("keydown", (event) => {
  if (event.key === "Escape") close();
  if (list.hidden) return;
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    const step = event.key === "ArrowDown" ? 1 : -1;
    choose((active + step + options.length + (active < 0 && step < 0 ? 1 : 0)) % options.length);
  } else if (event.key === "Enter" && active >= 0) {
    event.preventDefault();
    open(options[active].dataset.name);
  }
});

const sorting = document.getElementById("sorting");
if (sorting) sorting.addEventListener("change", () => sorting.requestSubmit());

const tabs = [...document.querySelectorAll("[role=tab]")];
const showTab = () => {
  const wanted = `tab-${new URLSearchParams(location.search).get("activeTab") || "readme"}`;
  const chosen = tabs.find((tab) => tab.id === wanted) || tabs[0];
  for (const tab of tabs) {
    tab.setAttribute("aria-selected", String(tab === chosen));
    tab.tabIndex = tab === chosen ? 0 : -1;
    document.getElementById(tab.getAttribute("aria-controls")).hidden = tab !== chosen;
  }
};
tabs.forEach((tab, index) => {
  tab.addEventListener("click", (event) => {
    event.preventDefault();
    if (tab.href !== location.href) history.pushState(null, "", tab.href);
    showTab();
  });
  tab.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step) tabs[(index + step + tabs.length) % tabs.length].focus();
    if (event.key === " ") tab.click();
  });
});
if (tabs.length) addEventListener("popstate", showTab);

const deprecated = document.getElementById("show-deprecated");
if (deprecated) {
  const update = () => document.querySelectorAll("tr.old").forEach((row) => { row.hidden = !deprecated.checked; });
  deprecated.addEventListener("change", update);
  addEventListener("pageshow", update);
}
