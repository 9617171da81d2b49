// Filters and orders lead to their addresses; two years make one parameter.
document.addEventListener("change", ({ target }) => {
  if (target.dataset.href) location.assign(target.dataset.href);
  if ("sort" in target.dataset) location.assign(target.value);
});
document.querySelector("[data-years]")?.addEventListener("submit", (event) => {
  event.preventDefault();
  const { low, high } = event.target.elements;
  const to = new URL(location.href);
  to.searchParams.set("year", `${low.value}-${high.value}`);
  to.searchParams.delete("page");
  location.assign(to);
});
