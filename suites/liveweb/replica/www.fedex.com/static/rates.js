const form = document.getElementById("rates");
const offers = document.getElementById("offers");
const list = document.getElementById("list");
const problems = document.getElementById("problems");
const order = document.getElementById("order");
let found = [];
const element = (tag, className, text) => {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
};
const card = (quote) => {
  const made = element("div", "offer", "");
  made.append(
    element("h3", "service", quote.name),
    element("p", "delivery", `Delivery: ${quote.by}`),
    element("p", "price", `$${quote.price}`),
  );
  return made;
};
const amount = (quote) => Number(quote.price.replaceAll(",", ""));
const show = () => {
  const sorted = order.value === "price" ? [...found].sort((a, b) => amount(a) - amount(b)) : found;
  list.replaceChildren(...sorted.map(card));
  offers.hidden = !found.length;
};
const forget = () => {
  found = [];
  show();
};
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const answer = await fetch(`/en-us/online/quotes.json?${new URLSearchParams(new FormData(form))}`);
  const given = await answer.json();
  problems.replaceChildren(...given.problems.map((text) => element("p", "problem", text)));
  found = given.quotes;
  show();
});
// What is shown always belongs to what the form says.
form.addEventListener("input", forget);
form.addEventListener("change", forget);
order.addEventListener("change", show);
