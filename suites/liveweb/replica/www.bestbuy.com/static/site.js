// Facets and orders lead to their addresses.
document.addEventListener("change", ({ target }) => target.dataset.href && location.assign(target.dataset.href));
const button = document.getElementById("sort-by-select-button");
const list = document.getElementById("sort-by-list");
button?.addEventListener("click", () => {
  list.hidden = !list.hidden;
  button.setAttribute("aria-expanded", String(!list.hidden));
});
const choose = (event) => {
  const option = event.target.closest("[role=option][data-href]");
  if (option && (event.type === "click" || event.key === "Enter")) location.assign(option.dataset.href);
};
list?.addEventListener("click", choose);
list?.addEventListener("keydown", choose);
