// Places are found while typing and opened by a click on one of them; Enter alone does nothing.
const field = document.getElementById("InputField");
const found = document.getElementById("found");
let asked = 0;
field.addEventListener("input", async () => {
  const number = ++asked;
  const answer = await fetch(`/en/search/suggest?q=${encodeURIComponent(field.value)}`);
  const places = await answer.json();
  if (number !== asked) return;
  const count = document.createElement("p");
  count.textContent = `${places.length} ${places.length === 1 ? "result" : "results"} for ${field.value}`;
  const links = places.map(({ label, href }) => Object.assign(document.createElement("a"), { href: `${href}/current`, textContent: label }));
  found.replaceChildren(count, ...links);
  found.hidden = !field.value.trim();
});
// Temperatures in the unit that the visitor has chosen.
const show = (unit) => {
  for (const one of document.querySelectorAll("[data-celsius]")) {
    const celsius = Number(one.dataset.celsius);
    one.textContent = unit === "F" ? Math.round((celsius * 9) / 5 + 32) : celsius;
  }
  for (const one of document.querySelectorAll("[data-testid=temperature-unit]")) one.textContent = unit;
  for (const one of document.querySelectorAll("[data-unit]")) one.setAttribute("aria-pressed", String(one.dataset.unit === unit));
};
show(localStorage.getItem("twn-unit") ?? "C");
document.querySelector(".units").addEventListener("click", ({ target }) => {
  if (!target.dataset.unit) return;
  localStorage.setItem("twn-unit", target.dataset.unit);
  show(target.dataset.unit);
});
// Answers to frequent questions open below them.
for (const question of document.querySelectorAll(".faq > span")) {
  const toggle = () => question.setAttribute("aria-expanded", String(question.getAttribute("aria-expanded") !== "true"));
  question.addEventListener("click", toggle);
  question.addEventListener("keydown", (event) => event.key === "Enter" && toggle());
}
