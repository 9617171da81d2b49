// What is chosen above a chart is kept for all coins: {"value": {"range": "1Y", "chartType": "Line"}, "time": ...}.
// This runs before the chart is drawn, which starts with the range that is marked.
const KEY = "CMC_CDP_CHART_SETTINGS";
const held = () => JSON.parse(localStorage.getItem(KEY) ?? "{}").value ?? {};
const keep = (change) => {
  const value = { range: "24h", chartType: "Line", ...held(), ...change };
  localStorage.setItem(KEY, JSON.stringify({ value, time: Date.now() }));
};
const types = [...document.querySelectorAll("[data-type]")];
const mark = (type) => types.forEach((one) => one.setAttribute("aria-pressed", String(one.dataset.type === type)));
mark(held().chartType ?? "Line");
for (const one of document.querySelectorAll("[data-range]")) {
  if (held().range) one.setAttribute("aria-selected", String(one.dataset.range === held().range));
  one.addEventListener("keydown", (event) => event.key === "Enter" && one.click());
}
document.addEventListener("click", ({ target }) => {
  const { range, type } = target.dataset;
  if (range) keep({ range });
  if (!type) return;
  keep({ chartType: type });
  mark(type);
});
