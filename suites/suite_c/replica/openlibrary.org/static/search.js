// Listens from the start, before the page is complete: facets show their first values until "more" is pressed, and
// choosing what to show submits at once. While the new results are on their way, the old ones are gone.
const results = () => document.querySelector(".columns");

document.addEventListener("click", ({ target }) => {
  if (!target.matches(".more")) return;
  const open = target.getAttribute("aria-expanded") !== "true";
  for (const entry of document.querySelectorAll(`#${target.getAttribute("aria-controls")} .rest`)) entry.hidden = !open;
  target.setAttribute("aria-expanded", open);
  target.textContent = open ? "less" : "more";
  target.setAttribute("aria-label", target.getAttribute("aria-label").replace(/^\w+/, target.textContent));
});
document.addEventListener("change", ({ target }) => {
  if (!target.matches(".mode input")) return;
  if (results()) results().hidden = true;
  target.form.requestSubmit();
});
addEventListener("pageshow", () => {
  if (results()) results().hidden = false;
});
