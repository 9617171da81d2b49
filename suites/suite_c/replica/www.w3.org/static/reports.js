// The list of reports: the address holds filters and order, local storage holds how the list is shown.
const VIEW_KEY = "tr-list-view";
const LISTS = ["status[]", "tags[]", "group[]"];
const form = document.querySelector("#filters");
const name = document.querySelector("#filter-tr-name");
const boxes = [...form.querySelectorAll("input[type=checkbox]")];
const list = document.querySelector("#list");
let reports = [];

const params = () => new URLSearchParams(location.search);
const element = (tag, properties = {}, ...children) => {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
};

const fold = (button, open) => {
  button.setAttribute("aria-expanded", String(open));
  document.getElementById(button.getAttribute("aria-controls")).hidden = !open;
};

const addressFromForm = () => {
  const wanted = new URLSearchParams({ "filter-tr-name": name.value });
  for (const box of boxes) if (box.checked) wanted.append(box.name, box.value);
  for (const key of ["sort", "order"]) if (params().get(key)) wanted.set(key, params().get(key));
  return `${location.pathname}?${wanted}`;
};
const formFromAddress = () => {
  const wanted = params();
  if (document.activeElement !== name) name.value = wanted.get("filter-tr-name") || "";
  for (const box of boxes) {
    box.checked = wanted.getAll(box.name).includes(box.value);
    if (box.checked) fold(form.querySelector(`[aria-controls=${box.closest("fieldset").id}]`), true);
  }
};

const matches = (report, wanted) => {
  const words = (wanted.get("filter-tr-name") || "").toLowerCase().split(/\s+/).filter(Boolean);
  const values = { "status[]": [report.status], "tags[]": report.tags, "group[]": [report.group] };
  const title = `${report.title} ${report.shortname}`.toLowerCase();
  return words.every((word) => title.includes(word)) &&
    LISTS.every((key) => !wanted.has(key) || wanted.getAll(key).some((value) => values[key].includes(value)));
};
const order = () => {
  const key = params().get("sort") === "date" ? "date" : "title";
  const normal = key === "date" ? "desc" : "asc";
  return { key, order: ["asc", "desc"].includes(params().get("order")) ? params().get("order") : normal };
};

const item = (report, view) => {
  const title = element("h2", {}, element("a", { href: `/TR/${report.shortname}/`, textContent: report.title }));
  if (view === "titles") return element("li", {}, title);
  const history = element("a", { href: `/standards/history/${report.shortname}/` }, "history",
    element("span", { className: "hidden", textContent: ` of ${report.title}` }));
  const facts = element("p", { className: "facts" },
    element("span", { className: `maturity ${report.status}`, textContent: report.maturity }),
    " ", element("time", { dateTime: report.date, textContent: report.day }), " – ", history);
  if (view === "compact") return element("li", {}, title, facts);
  return element("li", {}, title, facts,
    element("p", { textContent: `Tags: ${report.topics.join(", ")}` }),
    element("p", { textContent: `Group: ${report.group}` }),
    element("p", { textContent: report.summary }));
};

const showChoices = (view, key, direction) => {
  const names = { title: { asc: "A to Z", desc: "Z to A" }, date: { asc: "oldest first", desc: "newest first" } };
  document.querySelector("#direction").textContent = names[key][direction];
  for (const [kind, value] of [["sort", key], ["view", view]]) {
    for (const button of document.querySelectorAll(`[data-${kind}]`)) {
      button.setAttribute("aria-pressed", String(button.dataset[kind] === value));
    }
  }
};
const show = () => {
  const view = localStorage.getItem(VIEW_KEY) || "detailed";
  const { key, order: direction } = order();
  showChoices(view, key, direction);
  if (!reports.length) return;
  const sign = direction === "desc" ? -1 : 1;
  const found = reports.filter((report) => matches(report, params()));
  found.sort((a, b) => sign * a[key].localeCompare(b[key], "en") || a.title.localeCompare(b.title, "en"));
  list.className = `reports ${view}`;
  list.replaceChildren(...found.map((report) => item(report, view)));
  document.querySelector("#count").textContent = `Displaying ${found.length} of ${reports.length} results`;
};
const go = (address, { replace = false } = {}) => {
  history[replace ? "replaceState" : "pushState"](null, "", address);
  show();
};

const sortBy = (key) => {
  const now = order();
  const wanted = params();
  const first = key === "date" ? "desc" : "asc";
  wanted.set("sort", key);
  wanted.set("order", now.key === key ? (now.order === "asc" ? "desc" : "asc") : first);
  go(`${location.pathname}?${wanted}`);
};

for (const button of form.querySelectorAll(".fold")) {
  button.addEventListener("click", () => fold(button, button.getAttribute("aria-expanded") === "false"));
}
for (const box of boxes) box.addEventListener("change", () => go(addressFromForm()));
name.addEventListener("input", () => go(addressFromForm(), { replace: true }));
form.addEventListener("submit", (event) => {
  event.preventDefault();
  go(addressFromForm());
});
document.querySelector("#clear").addEventListener("click", () => {
  form.reset();
  go(addressFromForm());
});
for (const button of document.querySelectorAll("[data-sort]")) button.addEventListener("click", () => sortBy(button.dataset.sort));
for (const button of document.querySelectorAll("[data-view]")) {
  button.addEventListener("click", () => {
    localStorage.setItem(VIEW_KEY, button.dataset.view);
    show();
  });
}
addEventListener("popstate", () => {
  formFromAddress();
  show();
});
formFromAddress();
show();
fetch("/TR/specifications.json").then((answer) => answer.json()).then((data) => {
  reports = data;
  show();
});
