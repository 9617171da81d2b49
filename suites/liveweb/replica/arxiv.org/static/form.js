// Rows of search terms come and go; filling in a date or a physics archive also makes the choice it belongs to.
const renumber = () => {
  for (const [number, row] of document.querySelectorAll(".term").entries()) {
    for (const field of row.querySelectorAll("[name]")) field.name = field.name.replace(/\d+/, number);
  }
};
document.addEventListener("click", ({ target }) => {
  if (target.matches(".add")) {
    const rows = document.querySelectorAll(".term");
    const row = rows[0].cloneNode(true);
    for (const part of row.querySelectorAll(".unseen")) part.classList.remove("unseen");
    for (const select of row.querySelectorAll("select")) select.selectedIndex = 0;
    row.querySelector("input").value = "";
    rows[rows.length - 1].after(row);
    renumber();
    row.querySelector("input").focus();
  } else if (target.matches(".remove")) {
    target.closest(".term").remove();
    renumber();
  }
});
document.addEventListener("input", ({ target }) => {
  if (target.dataset.for) document.querySelector(`[name="date-filter_by"][value="${target.dataset.for}"]`).checked = true;
  if (target.name === "classification-physics_archives") document.getElementById("classification-physics").checked = true;
});
