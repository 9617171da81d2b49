const sizes = document.getElementById("sizes");
const list = document.getElementById("list");
const state = document.getElementById("state");
const { query } = sizes.dataset;
const element = (tag, className, text = "") => {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
};
const named = (numbers) => numbers.map((size) => `Size ${size}`).join(", ");
const item = (row, index) => {
  const container = element("div", "locationContainer");
  container.id = `locationContainer_${index + 1}`;
  const entry = container.appendChild(element("div", "listItemLocation"));
  const heading = entry.appendChild(element("h2", "normal"));
  heading.append(element("span", "bold", row.city.toUpperCase()), ` ${row.miles} mi`);
  entry.append(element("p", "address", `${row.address}, ${row.city}, WI ${row.zip}`));
  entry.append(element("p", "availableSizes", `Available: ${named(row.free)}`));
  if (row.taken.length) entry.append(element("p", "unavailable", `None left: ${named(row.taken)}`));
  const link = entry.appendChild(element("a", "", "View boxes"));
  link.href = `/location/${row.zip}.html`;
  link.setAttribute("aria-label", `View boxes in ${row.city}`);
  return container;
};
let asked = 0;
const show = async () => {
  const mine = ++asked;
  const chosen = [...sizes.querySelectorAll("input:checked")].map((box) => box.value);
  const answer = await fetch(`/findBox/locations?${new URLSearchParams({ q: query, sizes: chosen.join(",") })}`);
  const { locations, known } = await answer.json();
  if (mine !== asked) return;
  list.replaceChildren(...locations.map(item));
  state.textContent = locations.length
    ? `${locations.length} locations within ${list.dataset.reach} miles of ${query}`
    : known ? "No location has boxes of this size." : `We could not find ${query}.`;
};
if (query) {
  sizes.addEventListener("change", show);
  show();
}
