// Filters, sort order and page size reload the page; the dialog decides which extra filters the sidebar lists.
const form = document.getElementById("filters");
const dialog = document.getElementById("dialog");
const LISTED = "pubmed-listed-filters";
const listed = () => JSON.parse(localStorage.getItem(LISTED) || "[]");

function listFilters() {
  for (const code of listed()) form.querySelector(`[value="${code}"]`).closest("label").hidden = false;
  for (const group of form.querySelectorAll("fieldset")) group.hidden = !group.querySelector("label:not([hidden])");
}

function chooseCategory(tab) {
  for (const other of dialog.querySelectorAll("[role=tab]")) {
    other.setAttribute("aria-selected", String(other === tab));
    document.getElementById(other.getAttribute("aria-controls")).hidden = other !== tab;
  }
}

document.addEventListener("change", (event) => {
  if (event.target.form !== form) return;
  const chosen = [...new FormData(form)].filter(([, value]) => value);
  location.assign(`/?${new URLSearchParams(chosen)}`);
});
document.getElementById("more").addEventListener("click", () => {
  for (const box of dialog.querySelectorAll("input")) box.checked = listed().includes(box.value);
  dialog.showModal();
});
document.getElementById("cancel").addEventListener("click", () => dialog.close());
document.getElementById("show").addEventListener("click", () => {
  const codes = [...dialog.querySelectorAll("input:checked")].map((box) => box.value);
  for (const code of listed()) {
    const box = form.querySelector(`[value="${code}"]`);
    if (!box.checked) box.closest("label").hidden = true;
  }
  localStorage.setItem(LISTED, JSON.stringify(codes));
  listFilters();
  dialog.close();
});
for (const tab of dialog.querySelectorAll("[role=tab]")) tab.addEventListener("click", () => chooseCategory(tab));
listFilters();
