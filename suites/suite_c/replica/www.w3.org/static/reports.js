// The list of reports, by title; the address holds the filters. Within one filter any of the values will do.
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
const item = (report) => element("li", {},
  element("h3", {}, element("a", { href: `/TR/${report.shortname}/`, textContent: report.title })),
  element("p", { className: "facts" },
    element("span", { className: `maturity ${report.status}`, textContent: report.maturity }),
    " ", element("time", { dateTime: report.date, textContent: report.day }), " - ",
    element("a", { href: `/standards/history/${report.shortname}/`, textContent: "history" })),
  element("p", { textContent: `Tags: ${report.topics.join(", ")}` }),
  element("p", { textContent: `Group: ${report.group}` }),
  element("p", { textContent: report.summary }));

const show = () => {
  if (!reports.length) return;
  const found = reports.filter((report) => matches(report, params()));
  found.sort((one, other) => one.title.localeCompare(other.title, "en"));
  list.replaceChildren(...found.map(item));
  document.querySelector("#count").textContent = `Displaying ${found.length} of ${reports.length} results`;
};
const go = (address, { replace = false } = {}) => {
  history[replace ? "replaceState" : "pushState"](null, "", address);
  show();
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
