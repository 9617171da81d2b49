"use strict";

const SEARCH = "/art/collection/search";
const SUFFIX = " | The Metropolitan Museum of Art";
const SHOW_ONLY = [
  ["highlights", "Highlights"], ["withImage", "Artworks With Image"], ["onDisplay", "Artworks on Display"],
  ["openAccess", "Open Access"],
];
const FACETS = [
  ["material", "Object Type / Material"], ["geolocation", "Geographic Location"], ["era", "Date / Era"],
  ["department", "Department"],
];
const SORTS = [
  ["Relevance", "Relevance"], ["Title", "Title (a-z)"], ["TitleDesc", "Title (z-a)"],
  ["DateDesc", "Date (newest-oldest)"], ["Date", "Date (oldest-newest)"], ["ArtistMaker", "Artist/Maker (a-z)"],
  ["AccessionNumber", "Accession Number (0-9)"],
];
const SHOWN_OPTIONS = 8;
const app = document.getElementById("app");
let turn = 0; // counts page changes, so that late answers are dropped

const escapeHtml = (text) => String(text).replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
// Values are escaped, except lists of finished markup.
const asHtml = (value) => (Array.isArray(value) ? value.join("") : escapeHtml(value));
const html = (parts, ...values) => parts.reduce((all, part, i) => all + asHtml(values[i - 1]) + part);
const raw = (text) => [text];
const params = () => new URLSearchParams(location.search);
const valuesOf = (name) => (params().get(name) || "").split("|").filter(Boolean);

// -- navigation ---------------------------------------------------------------------------------------------------

function go(address) {
  history.pushState(null, "", address);
  route();
}

function goWith(changes) {
  const next = params();
  for (const [name, value] of Object.entries(changes)) value ? next.set(name, value) : next.delete(name);
  const query = next.toString();
  go(SEARCH + (query ? `?${query}` : ""));
}

function toggle(name, value, on) {
  const rest = valuesOf(name).filter((one) => one !== value);
  goWith({ [name]: (on ? [...rest, value] : rest).join("|") });
}

function route() {
  turn += 1;
  const match = location.pathname.match(/\/search\/(\d+)\/?$/);
  if (match) showObject(match[1]);
  else showSearch();
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  if (link.origin !== location.origin || !link.pathname.startsWith(SEARCH)) return;
  event.preventDefault();
  go(link.href);
  scrollTo(0, 0);
});
addEventListener("popstate", route);

// -- search page --------------------------------------------------------------------------------------------------

const picture = (id) => {
  const hue = (id * 47) % 360;
  const [light, dark] = [`hsl(${hue} 28% 72%)`, `hsl(${(hue + 50) % 360} 24% 46%)`];
  return `<div class="picture" style="background:linear-gradient(${id % 180}deg,${light},${dark})"></div>`;
};
const card = (row) => html`<li class="card">${raw(picture(row.id))}
  <h3><a href="${SEARCH}/${row.id}">${row.title}</a></h3>
  <p>${row.artist}</p><p>${row.date}</p><p>${row.medium}</p></li>`;
const skeletons = (number) =>
  '<li class="card skeleton" aria-hidden="true"><div class="picture"></div><i></i><i></i></li>'.repeat(number);

const SEARCH_PAGE = html`<h1>Search The Collection</h1>
<form class="search" role="search"><label class="hidden" for="q">Search the collection</label>
  <input type="search" id="q" name="q" placeholder="Search by keyword, title, artist or date" autocomplete="off">
  <button type="submit">Search</button></form>
<div class="columns"><aside aria-label="Filters">
  <fieldset><legend>Show Only</legend>${SHOW_ONLY.map(([value, label]) => html`<div class="choice">
    <input type="checkbox" id="only-${value}" data-name="showOnly" data-value="${value}">
    <label for="only-${value}">${label}</label></div>`)}</fieldset>
  ${FACETS.map(([name, label]) => html`<section class="facet">
    <h3><button type="button" aria-expanded="false" aria-controls="in-${name}">${label}</button></h3>
    <div class="in" id="in-${name}" hidden><label class="hidden" for="find-${name}">Find in ${label}</label>
      <input type="search" id="find-${name}" data-facet="${name}" placeholder="Find in ${label}" autocomplete="off">
      <div role="group" aria-label="${label}" id="options-${name}"></div></div></section>`)}
</aside><section aria-label="Results">
  <div class="bar"><p role="status" id="total"></p><span><label for="sort">Sort By</label>
    <select id="sort">${SORTS.map(([value, label]) => html`<option value="${value}">${label}</option>`)}</select>
  </span></div>
  <div class="chips" id="chips"></div>
  <ul class="cards" id="cards"></ul><div id="end"></div>
</section></div>`;

let facets = {};
let watcher = null;

function showSearch() {
  if (!document.getElementById("cards")) {
    app.innerHTML = SEARCH_PAGE;
    bindSearch();
  }
  document.title = "Search The Collection" + SUFFIX;
  document.getElementById("q").value = params().get("q") || "";
  const sort = params().get("sortBy");
  document.getElementById("sort").value = SORTS.some(([value]) => value === sort) ? sort : "Relevance";
  const shown = valuesOf("showOnly");
  for (const [value] of SHOW_ONLY) document.getElementById(`only-${value}`).checked = shown.includes(value);
  load(0);
}

function bindSearch() {
  app.querySelector("form").addEventListener("submit", (event) => {
    event.preventDefault();
    goWith({ q: document.getElementById("q").value.trim() });
  });
  document.getElementById("sort").addEventListener("change", (event) => goWith({ sortBy: event.target.value }));
  app.querySelector("aside").addEventListener("change", ({ target }) => {
    if (target.dataset.name) toggle(target.dataset.name, target.dataset.value, target.checked);
  });
  app.querySelector("aside").addEventListener("input", ({ target }) => {
    if (target.dataset.facet) showOptions(target.dataset.facet);
  });
  for (const button of app.querySelectorAll("[aria-controls]")) {
    button.addEventListener("click", () => {
      const open = button.getAttribute("aria-expanded") === "false";
      button.setAttribute("aria-expanded", open);
      document.getElementById(button.getAttribute("aria-controls")).hidden = !open;
    });
  }
  document.getElementById("chips").addEventListener("click", ({ target }) => {
    if (target.dataset.name) toggle(target.dataset.name, target.dataset.value, false);
  });
}

async function load(offset) {
  const mine = turn;
  const cards = document.getElementById("cards");
  watcher?.disconnect();
  if (!offset) cards.innerHTML = "";
  cards.insertAdjacentHTML("beforeend", skeletons(offset ? 3 : 6));
  const query = params();
  query.set("offset", offset);
  const answer = await (await fetch(`/api/collection/collectionlisting?${query}`)).json();
  if (mine !== turn) return;
  for (const skeleton of cards.querySelectorAll(".skeleton")) skeleton.remove();
  cards.insertAdjacentHTML("beforeend", answer.results.map(card).join(""));
  document.getElementById("total").textContent = `Showing ${answer.next} of ${answer.total} results`;
  if (!offset) {
    facets = answer.facets;
    for (const [name] of FACETS) showOptions(name);
    showChips();
  }
  if (answer.next < answer.total) watchEnd(answer.next);
}

function watchEnd(offset) {
  watcher = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && load(offset));
  watcher.observe(document.getElementById("end"));
}

function showOptions(name) {
  const wanted = document.getElementById(`find-${name}`).value.trim().toLowerCase();
  const chosen = valuesOf(name);
  const all = (facets[name] || []).filter((one) => one.label.toLowerCase().includes(wanted));
  const shown = all.filter((one, place) => place < SHOWN_OPTIONS || chosen.includes(one.value));
  const hidden = all.length - shown.length;
  const focused = document.activeElement?.id;
  document.getElementById(`options-${name}`).innerHTML = shown.map((one, place) => html`<div class="choice">
    <input type="checkbox" id="${name}-${place}" data-name="${name}" data-value="${one.value}"
      ${chosen.includes(one.value) ? "checked" : ""}>
    <label for="${name}-${place}">${one.label}</label><span class="count">${one.count}</span></div>`).join("") +
    (hidden ? html`<p class="more">${hidden} more, type above to find them</p>` : "");
  if (focused?.startsWith(`${name}-`)) document.getElementById(focused)?.focus();
}

function showChips() {
  const labelOf = (name, value) => facets[name]?.find((one) => one.value === value)?.label || value;
  const chip = (name, value) => html`<button type="button" data-name="${name}" data-value="${value}"
    aria-label="Remove ${labelOf(name, value)}">${labelOf(name, value)} ×</button>`;
  const chosen = FACETS.flatMap(([name]) => valuesOf(name).map((value) => chip(name, value)));
  document.getElementById("chips").innerHTML = chosen.join("");
}

// -- object page --------------------------------------------------------------------------------------------------

async function showObject(id) {
  const mine = turn;
  watcher?.disconnect();
  app.innerHTML =
    '<div class="object skeleton" aria-hidden="true"><div class="picture"></div><div><i></i><i></i></div></div>';
  const { object, related } = await (await fetch(`/api/collection/object/${id}`)).json();
  if (mine !== turn) return;
  if (!object) {
    app.innerHTML = "<h1>Page not found</h1>";
    return;
  }
  document.title = `${object.artist} - ${object.title} - ${object.culture}${SUFFIX.replace(" | ", " - ")}`;
  const facts = [
    ["Artist", object.artist], ["Culture", object.culture], ["Date", object.date], ["Medium", object.medium],
    ["Accession Number", object.accession], ["Department", object.departmentName],
    ["On view", object.display ? "On view at The Met Fifth Avenue" : "Not on view"],
  ];
  app.innerHTML = html`<article class="object">${raw(picture(object.id))}<div><h1>${object.title}</h1>
    <p>${object.artist}, ${object.date}</p>${raw(object.open ? '<p class="badge">Open Access</p>' : "")}
    <dl>${facts.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>
    <p><a href="${SEARCH}">Search the collection</a></p></div></article>
    ${raw(related.length ? html`<h2>Related Artworks</h2><ul class="cards">${related.map(card)}</ul>` : "")}`;
}

route();
