// Search form: additional criteria fold out, "Any" excludes the other statuses, month and year belong to a range.
const form = document.querySelector("#query");
const more = document.querySelector("#more");
const additional = document.querySelector("#additional");
const statuses = [...form.querySelectorAll('[name="pubstatus[]"]')];
const any = statuses[0];
const dateType = document.querySelector("#pub_date_type");

const unfold = (open) => {
  more.setAttribute("aria-expanded", String(open));
  additional.hidden = !open;
};
const showRange = () => {
  for (const row of form.querySelectorAll(".range")) {
    row.hidden = dateType.value !== "range";
    for (const select of row.querySelectorAll("select")) select.disabled = row.hidden;
  }
};
const onStatus = (event) => {
  if (event.target === any && any.checked) for (const other of statuses.slice(1)) other.checked = false;
  else any.checked = !statuses.slice(1).some((other) => other.checked);
};
const clear = () => {
  for (const field of form.querySelectorAll("input[type=text]")) field.value = "";
  for (const box of form.querySelectorAll("input[type=checkbox]")) box.checked = box === any;
  for (const select of form.querySelectorAll("select")) select.selectedIndex = 0;
  showRange();
};

more.addEventListener("click", () => unfold(additional.hidden));
dateType.addEventListener("change", showRange);
for (const box of statuses) box.addEventListener("change", onStatus);
document.querySelector("#clear").addEventListener("click", clear);
showRange();
unfold(!any.checked || dateType.value !== "any" || [...additional.querySelectorAll("input[type=text]")].some((field) => field.value));
