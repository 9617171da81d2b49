// Draws a coarse map of any spot on earth as SVG: streets and rivers follow from the coordinates, places are given.
const WORLD = 256;
const STYLES = {
  "": { ground: "#f2efe9", main: "#f7c97b", side: "#ffffff", water: "#aad3df", ink: "#444", wide: 7 },
  Y: { ground: "#f4f2ee", main: "#d5c9e8", side: "#ffffff", water: "#a9d4e8", ink: "#333", wide: 5 },
  C: { ground: "#eef3e2", main: "#e8b0b0", side: "#fdfdf8", water: "#9ecbea", ink: "#445", wide: 5 },
  T: { ground: "#ecebe8", main: "#d0403a", side: "#fafafa", water: "#c3d9e6", ink: "#222", wide: 4 },
  P: { ground: "#e4ecd4", main: "#f0d890", side: "#f7f4ec", water: "#8fc1e3", ink: "#553", wide: 6 },
  H: { ground: "#f5e7d8", main: "#ff9f5a", side: "#fff6ee", water: "#8fd3ee", ink: "#522", wide: 7 },
};
const EMBED_LAYERS = { "": "mapnik", Y: "cyclosm", C: "cyclemap", T: "transportmap", P: "tracestracktopo", H: "hot" };

export const embedLayer = (code) => EMBED_LAYERS[code] ?? "mapnik";
export const codeOfEmbedLayer = (name) => Object.keys(EMBED_LAYERS).find((code) => EMBED_LAYERS[code] === name) ?? "";

const size = (zoom) => WORLD * 2 ** zoom;
export const toX = (lon, zoom) => ((lon + 180) / 360) * size(zoom);
export const toY = (lat, zoom) => {
  const sine = Math.sin((lat * Math.PI) / 180);
  return (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * size(zoom);
};
export const toLon = (x, zoom) => (x / size(zoom)) * 360 - 180;
export const toLat = (y, zoom) => (Math.atan(Math.sinh(Math.PI * (1 - (2 * y) / size(zoom)))) * 180) / Math.PI;

// The corners of a view of `width` by `height` pixels: [west, south, east, north].
export const box = ({ lat, lon, zoom }, width, height) => {
  const [x, y] = [toX(lon, zoom), toY(lat, zoom)];
  return [
    toLon(x - width / 2, zoom), toLat(y + height / 2, zoom), toLon(x + width / 2, zoom), toLat(y - height / 2, zoom),
  ].map((value) => Number(value.toFixed(6)));
};

// Makes `bar` a scale bar of at most 100 pixels and a round length.
export const showScale = (bar, { lat, zoom }) => {
  const metres = ((40075016 * Math.cos((lat * Math.PI) / 180)) / size(zoom)) * 100;
  const power = 10 ** Math.floor(Math.log10(metres));
  const round = power * [5, 3, 2, 1].find((step) => step * power <= metres);
  bar.textContent = round >= 1000 ? `${round / 1000} km` : `${round} m`;
  bar.style.width = `${Math.round((round / metres) * 100)}px`;
};

const noise = (number) => {
  const value = Math.sin(number * 127.1) * 43758.5453;
  return value - Math.floor(value);
};
const line = (points, colour, width, extra = "") =>
  `<polyline points="${points.join(" ")}" fill="none" stroke="${colour}" stroke-width="${width}" ${extra}/>`;
const escape = (text) => text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);

// One family of roughly parallel streets; `across` is the axis they are spaced along.
const streets = (from, to, start, end, step, bend, swap) => {
  const found = [];
  for (let index = Math.floor(from / step) - 1; index <= to / step + 1; index += 1) {
    const at = (index + noise(index + bend) * 0.5) * step;
    const points = [];
    for (let along = start - 40; along <= end + 60; along += 60) {
      const place = at + Math.sin(along / 210 + index * bend) * step * 0.14;
      points.push(swap ? `${along - start},${place - from}` : `${place - from},${along - start}`);
    }
    found.push({ points, main: index % 4 === 0 });
  }
  return found;
};

const labels = (view, places, left, top, ink) =>
  places.filter(({ zoom }) => zoom <= view.zoom + (view.zoom < 11 ? 6 : 3) && zoom > view.zoom - 5).map((place) => {
    const [x, y] = [toX(place.lon, view.zoom) - left, toY(place.lat, view.zoom) - top].map(Math.round);
    const text = escape(place.name.split(" (")[0]);
    const dot = `<circle cx="${x}" cy="${y}" r="4" fill="#734a08"/>`;
    return `${dot}<text x="${x}" y="${y + 17}" text-anchor="middle" fill="${ink}">${text}</text>`;
  }).join("");

const pinAt = ([x, y]) => `<path d="M${x},${y}l-7,-16a8,8 0 1 1 14,0z" fill="#d33"/>`;
const overlays = (codes, width, height, main) => {
  const spots = [1, 2, 3, 4, 5].map((index) => [noise(index) * width, noise(index * 7) * height].map(Math.round));
  return (
    (codes.includes("D") ? main.map((street) => line(street.points, "#3366ff", 2)).join("") : "") +
    (codes.includes("G") ? line(spots, "#7a3db8", 2, 'stroke-dasharray="3 5"') : "") +
    (codes.includes("N") ? spots.map(pinAt).join("") : "")
  );
};

// view: {lat, lon, zoom, style, overlays, marker: [lat, lon] or null}
export const draw = (svg, view, places) => {
  const { width, height } = svg.getBoundingClientRect();
  const look = STYLES[view.style] ?? STYLES[""];
  const [left, top] = [toX(view.lon, view.zoom) - width / 2, toY(view.lat, view.zoom) - height / 2];
  const vertical = streets(left, left + width, top, top + height, 74, 1.7, false);
  const level = streets(top, top + height, left, left + width, 66, 2.3, true);
  const all = [...vertical, ...level];
  const main = all.filter((street) => street.main);
  const river = streets(top, top + height, left, left + width, 520, 3.1, true);
  const near = places.filter(({ lat, lon }) => {
    const [x, y] = [toX(lon, view.zoom) - left, toY(lat, view.zoom) - top];
    return x > 0 && y > 0 && x < width && y < height;
  });
  const pin = view.marker && [toX(view.marker[1], view.zoom) - left, toY(view.marker[0], view.zoom) - top];
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.innerHTML =
    `<rect width="${width}" height="${height}" fill="${look.ground}"/>` +
    river.map((street) => line(street.points, look.water, 30)).join("") +
    (view.zoom < 11 ? "" : all.map((street) => line(street.points, look.side, 5)).join("")) +
    main.map((street) => line(street.points, look.main, look.wide)).join("") +
    overlays(view.overlays ?? "", width, height, main) +
    labels(view, near, left, top, look.ink) +
    (pin ? `<path d="M${pin[0]},${pin[1]}l-9,-20a10,10 0 1 1 18,0z" fill="#2a6fd6" stroke="#fff"/>` : "");
};
