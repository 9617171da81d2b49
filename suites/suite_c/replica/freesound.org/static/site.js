// Play buttons only show their state; the sort menu and the grouping box apply themselves.
document.addEventListener("click", (event) => {
  const button = event.target.closest(".play");
  if (!button) return;
  const on = button.getAttribute("aria-pressed") !== "true";
  button.setAttribute("aria-pressed", String(on));
  button.textContent = on ? "❚❚" : "▶";
});
const form = document.getElementById("search-form");
form?.elements.s.addEventListener("change", () => form.requestSubmit());
document.getElementById("group")?.addEventListener("change", (event) => {
  form.elements.g.value = event.target.checked ? "1" : "0";
});
form?.addEventListener("formdata", (event) => {
  for (const name of ["d0", "d1"]) if (!event.formData.get(name)) event.formData.delete(name);
});
