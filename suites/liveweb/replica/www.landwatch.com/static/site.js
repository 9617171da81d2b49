// Two prices become one part of the path.
document.querySelector("[data-price]")?.addEventListener("submit", (event) => {
  event.preventDefault();
  const { low, high } = event.target.elements;
  const kept = event.target.dataset.kept.split("/").filter((one) => one && !one.startsWith("price-"));
  if (low.value && high.value) kept.push(`price-${low.value}-${high.value}`);
  else if (high.value) kept.push(`price-under-${high.value}`);
  else if (low.value) kept.push(`price-over-${low.value}`);
  location.assign([event.target.dataset.price, ...kept].join("/"));
});
