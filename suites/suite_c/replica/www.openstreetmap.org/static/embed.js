// The embedded map: shows the box it is given.
import { codeOfEmbedLayer, draw, showScale, toLat, toX, toY } from "./map.js";

const asked = new URLSearchParams(location.search);
const svg = document.querySelector(".map");
const [west, south, east, north] = (asked.get("bbox") ?? "-180,-60,180,75").split(",").map(Number);
const view = {
  lon: (west + east) / 2,
  lat: toLat((toY(south, 0) + toY(north, 0)) / 2, 0),
  zoom: Math.min(19, Math.max(1, Math.round(Math.log2(innerWidth / (toX(east, 0) - toX(west, 0)))))),
  style: codeOfEmbedLayer(asked.get("layer") ?? ""),
  marker: asked.get("marker")?.split(",").map(Number) ?? null,
};
let places = [];

const show = () => {
  draw(svg, view, places);
  showScale(document.querySelector(".embed-scale"), view);
};
const zoomBy = (levels) => {
  view.zoom = Math.min(19, Math.max(1, view.zoom + levels));
  show();
};
for (const [name, levels] of [["Zoom in", 1], ["Zoom out", -1]]) {
  const button = document.querySelector(`[aria-label="${name}"]`);
  button.addEventListener("click", () => zoomBy(levels));
  button.disabled = false;
}
show();
places = await (await fetch("/api/0.6/places.json")).json();
show();
