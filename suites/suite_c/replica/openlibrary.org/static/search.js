// Listens from the start, before the page is complete: facets show their first values until "More" is pressed, and
// the toggle submits at once. While the new results are on their way, the old ones are gone.
const results = () => document.querySelector(".columns");

document.addEventListener("click", (event) => {
  const more = event.target.closest(".more");
  if (!more) return;
  event.preventDefault();
  for (const entry of document.querySelectorAll(`#${more.dataset.facet} .rest`)) entry.hidden = false;
  more.hidden = true;
});
document.addEventListener("change", ({ target }) => {
  if (!target.matches(".mode input")) return;
  if (results()) results().hidden = true;
  target.form.requestSubmit();
});
addEventListener("pageshow", () => {
  if (results()) results().hidden = false;
});
