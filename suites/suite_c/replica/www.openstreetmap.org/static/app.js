// The map page: sidebar (search, objects) follows the path; position and layers follow the fragment.
import { box, draw, embedLayer, showScale, toLat, toLon, toX, toY } from "./map.js";

const EMBEDDED = { width: 300, height: 230, zoom: 15 };
const $ = (selector) => document.querySelector(selector);
const svg = $("#map");
const view = { lat: 51.2, lon: 10.4, zoom: 6, style: "", overlays: "", marker: null };
let places = [];
let how = "link";
let visit = 0;

// -- fragment -------------------------------------------------------------------------------------------------------

const fragment = () => {
  const digits = Math.max(2, Math.ceil(view.zoom / 4) + 1);
  const layers = view.style + view.overlays;
  const map = `#map=${view.zoom}/${view.lat.toFixed(digits)}/${view.lon.toFixed(digits)}`;
  return layers ? `${map}&layers=${layers}` : map;
};

const readFragment = () => {
  const asked = new URLSearchParams(location.hash.slice(1));
  const [zoom, lat, lon] = (asked.get("map") ?? "").split("/").map(Number);
  if ([zoom, lat, lon].every(Number.isFinite)) Object.assign(view, { zoom: clampZoom(zoom), lat, lon });
  if (!asked.has("map") && !asked.has("layers")) return;
  const codes = [...(asked.get("layers") ?? "")];
  view.style = codes.find((code) => "YCTPH".includes(code)) ?? "";
  view.overlays = [..."NDG"].filter((code) => codes.includes(code)).join("");
};

const clampZoom = (zoom) => Math.min(19, Math.max(2, Math.round(zoom)));

const redraw = () => {
  draw(svg, view, places);
  showScale($("#scale"), view);
  history.replaceState(null, "", location.pathname + location.search + fragment());
  for (const input of document.querySelectorAll("#layers input")) {
    input.checked = input.type === "radio" ? input.value === view.style : view.overlays.includes(input.value);
  }
};

// After a change that matters for what is shared.
const show = () => {
  redraw();
  showShare();
};

const moveTo = (place) => {
  Object.assign(view, { lat: place.lat, lon: place.lon, zoom: place.zoom, marker: [place.lat, place.lon] });
  show();
};

// -- sidebar --------------------------------------------------------------------------------------------------------

const element = (tag, attributes = {}, ...children) => {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
};
const skeleton = () => {
  const bars = ["i", "i", "i"].map((tag) => element(tag));
  return element("div", { class: "skeleton", role: "status", "aria-label": "Loading" }, ...bars);
};
const fill = (...nodes) => $("#sidebar-content").replaceChildren(...nodes);
const heading = (text) => {
  const close = element("a", { href: "/", "data-route": "", "aria-label": "Close" }, "✕");
  return element("div", { class: "heading" }, element("h2", {}, text), close);
};

const welcome = () =>
  fill(
    element("h2", {}, "Welcome to OpenStreetMap!"),
    element("p", {}, "A map of the world made by people like you and free to use under an open licence."),
  );

const found = new Map();
const resultItem = (row) => {
  found.set(`/${row.type}/${row.id}`, row);
  const link = element("a", { href: `/${row.type}/${row.id}`, "data-route": "" }, `${row.name}, ${row.address}`);
  return element("li", {}, `${row.kind} `, link);
};

const addResults = async (query, offset, list, button, token) => {
  const waiting = skeleton();
  list.after(waiting);
  const answer = await (await fetch(`/geocoder/search?${new URLSearchParams({ query, offset })}`)).json();
  waiting.remove();
  if (token !== visit) return;
  list.append(...answer.results.map(resultItem));
  if (!list.children.length) list.replaceWith(element("p", {}, "No results found"));
  button.hidden = answer.next === null;
  button.onclick = () => {
    button.hidden = true;
    addResults(query, answer.next, list, button, token);
  };
};

const searchPage = (query, token) => {
  const list = element("ul", { class: "results" });
  const button = element("button", { type: "button" }, "More results");
  button.hidden = true;
  $("#search input").value = query;
  fill(heading("Search Results"), list, button);
  return addResults(query, 0, list, button, token);
};

const elementPage = async (path, token, centre) => {
  fill(skeleton());
  const known = centre && found.get(path);
  if (known) moveTo(known);
  const answer = await fetch(`/api/0.6${path}.json`);
  const row = await answer.json();
  if (token !== visit) return;
  const tags = Object.entries(row.tags).map(([key, value]) =>
    element("tr", {}, element("th", { scope: "row" }, key), element("td", {}, value)),
  );
  document.title = `${row.title} | OpenStreetMap`;
  fill(
    heading(row.title),
    element("p", {}, row.address),
    element("h3", {}, "Tags"),
    element("table", {}, element("tbody", {}, ...tags)),
    element("p", { class: "place" }, `Location: ${row.lat}, ${row.lon}`),
  );
  if (centre && !known) moveTo(row);
  view.marker = [row.lat, row.lon];
  redraw();
};

const route = async (centre) => {
  visit += 1;
  document.title = "OpenStreetMap";
  view.marker = null;
  if (location.pathname === "/search") {
    await searchPage(new URLSearchParams(location.search).get("query") ?? "", visit);
  } else if (location.pathname === "/") {
    welcome();
  } else {
    await elementPage(location.pathname, visit, centre);
  }
};

const go = (path) => {
  history.pushState(null, "", path + fragment());
  route(true);
};

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-route]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  go(link.getAttribute("href"));
});
$("#search").addEventListener("submit", (event) => {
  event.preventDefault();
  const query = event.target.elements.query.value.trim();
  if (query) go(`/search?${new URLSearchParams({ query })}`);
});

// -- panels ---------------------------------------------------------------------------------------------------------

const openPanel = (name) => {
  for (const button of document.querySelectorAll("[data-panel]")) {
    const panel = $(`#${button.dataset.panel}`);
    panel.hidden = button.dataset.panel !== name || !panel.hidden;
    button.setAttribute("aria-expanded", String(!panel.hidden));
  }
  $("#content").classList.toggle("with-panel", Boolean(document.querySelector(".panel:not([hidden])")));
  show();
};

const embedUrl = (corners) => {
  const marker = $("#marker").checked ? `&marker=${view.lat.toFixed(5)},${view.lon.toFixed(5)}` : "";
  const asked = `bbox=${corners.join(",")}&layer=${embedLayer(view.style)}${marker}`;
  return `https://www.openstreetmap.org/export/embed.html?${asked}`;
};
const embedCode = (corners) => {
  const url = embedUrl(corners).replaceAll("&", "&amp;");
  return `<iframe width="425" height="350" src="${url}" style="border: 1px solid black"></iframe>`;
};

const shareTexts = {
  link: () => {
    const marker = $("#marker").checked ? `?mlat=${view.lat.toFixed(5)}&mlon=${view.lon.toFixed(5)}` : "";
    return `https://www.openstreetmap.org/${marker}${fragment()}`;
  },
  short: () => {
    const code = Math.round(toX(view.lon, 18)).toString(36) + Math.round(toY(view.lat, 18)).toString(36);
    return `https://osm.org/go/${code}-${view.zoom}${$("#marker").checked ? "?m" : ""}`;
  },
};

const showShare = () => {
  for (const tab of document.querySelectorAll("[data-how]")) {
    tab.setAttribute("aria-selected", String(tab.dataset.how === how));
  }
  if (how !== "html") {
    const value = shareTexts[how]();
    const field = element("input", { type: "text", readonly: "", "aria-label": "Address to copy", value });
    $("#share-body").replaceChildren(field);
    return;
  }
  const { width, height, zoom } = EMBEDDED;
  const corners = box({ ...view, zoom: Math.min(zoom, view.zoom) }, width, height);
  const code = element("textarea", { readonly: "", rows: "5", id: "embed_html" }, embedCode(corners));
  $("#share-body").replaceChildren(code, element("p", {}, "Paste HTML to embed in website"));
};

for (const button of document.querySelectorAll("[data-panel]")) {
  button.addEventListener("click", () => openPanel(button.dataset.panel));
}
for (const tab of document.querySelectorAll("[data-how]")) {
  tab.addEventListener("click", () => {
    how = tab.dataset.how;
    showShare();
  });
}
$("#marker").addEventListener("change", showShare);
$("#layers").addEventListener("change", () => {
  view.style = $("#layers input[name=style]:checked").value;
  const ticked = [...document.querySelectorAll("#layers input[name=overlay]:checked")];
  view.overlays = ticked.map((input) => input.value).join("");
  show();
});

// -- moving the map -------------------------------------------------------------------------------------------------

const shift = (dx, dy) => {
  view.lon = toLon(toX(view.lon, view.zoom) + dx, view.zoom);
  view.lat = toLat(toY(view.lat, view.zoom) + dy, view.zoom);
  show();
};
const zoomBy = (levels) => {
  view.zoom = clampZoom(view.zoom + levels);
  show();
};
for (const button of document.querySelectorAll("[data-zoom]")) {
  button.addEventListener("click", () => zoomBy(Number(button.dataset.zoom)));
}
svg.addEventListener("keydown", (event) => {
  const steps = { ArrowLeft: [-80, 0], ArrowRight: [80, 0], ArrowUp: [0, -80], ArrowDown: [0, 80] }[event.key];
  if (steps) shift(...steps);
  else if ("+=".includes(event.key)) zoomBy(1);
  else if (event.key === "-") zoomBy(-1);
});
let grip = null;
svg.addEventListener("pointerdown", (event) => {
  grip = [event.clientX, event.clientY];
});
addEventListener("pointerup", (event) => {
  const [dx, dy] = grip ? [grip[0] - event.clientX, grip[1] - event.clientY] : [0, 0];
  if (Math.hypot(dx, dy) > 4) shift(dx, dy);
  grip = null;
});

// -- start ----------------------------------------------------------------------------------------------------------

addEventListener("popstate", () => {
  readFragment();
  show();
  route(false);
});
addEventListener("resize", show);
readFragment();
const centre = !location.hash.includes("map=");
show();
route(centre);
places = await (await fetch("/api/0.6/places.json")).json();
redraw();
