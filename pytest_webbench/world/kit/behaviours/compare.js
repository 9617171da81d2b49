// Compare: <input type="checkbox" data-compare="ID"> beside each thing, and a bar <div data-compare-bar="/compare?ids=" data-most="4"
// hidden> with a link and an element data-count. What is ticked is kept in the storage entry "compare".
const bar = document.querySelector("[data-compare-bar]");
const boxes = [...document.querySelectorAll("[data-compare]")];
const kept = () => JSON.parse(localStorage.getItem("compare") ?? "[]");
const refresh = () => {
  const ids = kept();
  for (const box of boxes) {
    box.checked = ids.includes(box.dataset.compare);
    box.disabled = !box.checked && ids.length >= Number(bar?.dataset.most ?? 4);
  }
  if (!bar) return;
  bar.hidden = !ids.length;
  bar.querySelector("a").href = bar.dataset.compareBar + ids.join(",");
  bar.querySelector("[data-count]").textContent = ids.length;
};
for (const box of boxes) {
  box.addEventListener("change", () => {
    const ids = kept().filter((id) => id !== box.dataset.compare);
    if (box.checked) ids.push(box.dataset.compare);
    localStorage.setItem("compare", JSON.stringify(ids));
    refresh();
  });
}
refresh();
