// Charts with ranges: <div data-chart="/points"> holds a <canvas>, or an <svg> with <path class="line">,
// and buttons with data-range="1Y". The chosen button is marked aria-selected, and the points (a list of numbers)
// come from /points?range=1Y. Only what is chosen by hand is kept: with data-stores="KEY" as {"range": "1Y"}
// (merged with the JSON in data-also) in local storage, with data-in-address="window" as that parameter.
for (const chart of document.querySelectorAll("[data-chart]")) {
  const buttons = [...chart.querySelectorAll("[data-range]")];
  const { chart: source, stores, also, inAddress } = chart.dataset;
  const paths = (points, width, height) => {
    const low = Math.min(...points);
    const span = Math.max(...points) - low || 1;
    return points.map((value, at) => [
      (at * width) / Math.max(1, points.length - 1),
      height - ((value - low) / span) * height,
    ]);
  };
  const draw = (points) => {
    const canvas = chart.querySelector("canvas");
    if (canvas) {
      const pen = canvas.getContext("2d");
      pen.clearRect(0, 0, canvas.width, canvas.height);
      pen.beginPath();
      for (const [x, y] of paths(points, canvas.width, canvas.height)) pen.lineTo(x, y);
      pen.strokeStyle = getComputedStyle(canvas).color;
      pen.lineWidth = 2;
      pen.stroke();
      return;
    }
    const { width, height } = chart.querySelector("svg").viewBox.baseVal;
    const steps = paths(points, width, height).map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`);
    chart.querySelector("path.line").setAttribute("d", `M${steps.join("L")}`);
  };
  const show = async (range) => {
    for (const one of buttons) one.setAttribute("aria-selected", String(one.dataset.range === range));
    const answer = await fetch(`${source}?${new URLSearchParams({ range })}`);
    draw(await answer.json());
  };
  const keep = (range) => {
    if (stores) {
      const held = JSON.parse(localStorage.getItem(stores) ?? also ?? "{}");
      localStorage.setItem(stores, JSON.stringify({ ...held, range }));
    }
    if (inAddress) {
      const address = new URL(location);
      address.searchParams.set(inAddress, range);
      history.replaceState(null, "", address);
    }
  };
  chart.addEventListener("click", (event) => {
    const button = event.target.closest("[data-range]");
    if (!button) return;
    show(button.dataset.range);
    keep(button.dataset.range);
  });
  const held = () =>
    (inAddress && new URLSearchParams(location.search).get(inAddress)) ||
    (stores && JSON.parse(localStorage.getItem(stores) ?? "{}").range);
  const first = buttons.find((one) => one.getAttribute("aria-selected") === "true") ?? buttons[0];
  show(buttons.some((one) => one.dataset.range === held()) ? held() : first.dataset.range);
}
