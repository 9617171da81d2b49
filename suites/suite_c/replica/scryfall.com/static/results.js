// Loaded before the page is built, so that no choice is missed. A choice in the toolbar shows the results anew; until
// they come, the old ones cannot be used.
const lock = (locked) => {
  const results = document.querySelector("#results");
  if (results) results.inert = locked;
};
addEventListener("change", (event) => {
  if (!event.target.matches(".toolbar select")) return;
  lock(true);
  event.target.form.requestSubmit();
});
addEventListener("pageshow", () => lock(false));
