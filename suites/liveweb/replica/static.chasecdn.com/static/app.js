// The view that the address's fragment names, and each calculator's chart.
const views = [...document.querySelectorAll("[data-view]")];
const open = () => {
  const wanted = views.find((view) => view.dataset.view === location.hash) ?? views[0];
  for (const view of views) view.hidden = view !== wanted;
  document.title = `${wanted.querySelector("h1").textContent} | Chase`;
};
const SVG = "http://www.w3.org/2000/svg";
const draw = (chart, lines) => {
  const all = lines.flatMap((line) => line.dataPoints);
  const [left, right] = [all[0].x, Math.max(...all.map((point) => point.x), all[0].x + 1)];
  const top = Math.max(...all.map((point) => point.y), 1);
  const picture = document.createElementNS(SVG, "svg");
  picture.setAttribute("viewBox", "0 0 520 260");
  for (const line of lines) {
    const path = document.createElementNS(SVG, "polyline");
    const at = ({ x, y }) => `${10 + (500 * (x - left)) / (right - left)},${250 - (240 * y) / top}`;
    path.setAttribute("points", line.dataPoints.map(at).join(" "));
    path.setAttribute("fill", "none");
    path.setAttribute("stroke", line.lineColor);
    path.setAttribute("stroke-width", "3");
    picture.append(path);
  }
  chart.replaceChildren(picture);
  chart.setAttribute("lines", JSON.stringify(lines));
};
document.addEventListener("calculated", ({ target: form, detail: values }) => {
  const chart = form.querySelector("[data-lines]");
  const lines = JSON.parse(chart.dataset.lines).map(([lineName, name, lineColor]) => {
    const dataPoints = [];
    for (let x = values.age; x <= values.retire; x += 1) {
      const y = form.resultsOf({ ...values, retire: x })[name];
      dataPoints.push({ x, y: Math.round(y * 100) / 100 });
    }
    return { lineName, lineColor, dataPoints };
  });
  draw(chart, lines);
});
addEventListener("hashchange", open);
open();
