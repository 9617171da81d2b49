// Occurrence search. The address is the state: the view in its path, the filters in its query.
const VIEWS = { search: "Table", gallery: "Gallery", map: "Map", charts: "Metrics" };
const COLUMNS = ["Scientific name", "Country or area", "Coordinates", "Month & year", "Basis of record", "Dataset"];
const PARAMS = ["taxon_key", "country", "year", "basis_of_record", "offset"];
const byId = (id) => document.getElementById(id);
const labels = {};
let latest = 0;
let shownYear = null;

const escape = (text) => String(text).replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);
const currentView = () => location.pathname.split("/")[2];
const filters = () => {
  const all = [...new URLSearchParams(location.search)];
  return new URLSearchParams(all.filter(([key]) => PARAMS.includes(key)));
};
const address = (view, params) => {
  const query = String(params).replaceAll("%2C", ",");
  return `/occurrence/${view}${query && `?${query}`}`;
};

function go(view, params) {
  history.pushState(null, "", address(view, params));
  load();
}
/** Goes to the same view with one filter holding other values; back to the first page of results. */
function setFilter(name, values) {
  const params = filters();
  params.delete(name);
  params.delete("offset");
  for (const value of values) params.append(name, value);
  go(currentView(), params);
}

async function load() {
  const ticket = ++latest;
  const view = currentView();
  const params = filters();
  byId("count").textContent = "Loading";
  byId("panel").innerHTML = '<div class="skeleton"></div>'.repeat(6);
  byId("panel").setAttribute("aria-busy", "true");
  showTabs(view, params);
  showFilters(params);
  const answer = await (await fetch(`/api/occurrence/search?${params}`)).json();
  if (ticket !== latest) return;
  byId("panel").removeAttribute("aria-busy");
  byId("count").textContent = `${answer.count} result${answer.count === 1 ? "" : "s"}`;
  byId("panel").innerHTML = { search: table, gallery, map, charts }[view](answer, params);
  Object.assign(labels, answer.labels);
  showFilters(params);
}

function showTabs(view, params) {
  const tabs = new URLSearchParams(params);
  tabs.delete("offset");
  document.querySelector("[role=tablist]").innerHTML = Object.entries(VIEWS).map(([key, label]) =>
    `<a role="tab" id="tab-${key}" href="${escape(address(key, tabs))}" aria-controls="panel"
      aria-selected="${key === view}" data-view="${key}">${label}</a>`).join("");
  byId("panel").setAttribute("aria-labelledby", `tab-${view}`);
}

function showFilters(params) {
  for (const picker of document.querySelectorAll(".picker")) {
    const name = picker.dataset.param;
    picker.querySelector(".chips").innerHTML = params.getAll(name).map((value) => {
      const label = escape(labels[`${name}=${value}`] || value);
      return `<span>${label}
        <button type="button" data-value="${escape(value)}" aria-label="Remove ${label}">×</button></span>`;
    }).join("");
  }
  const year = params.get("year") || "";
  if (year !== shownYear) {
    // What has been typed there but not applied yet stays.
    const [from, to = from] = year.split(",").map((text) => text.replace("*", ""));
    byId("from").value = from;
    byId("to").value = to;
    shownYear = year;
  }
  const bases = params.getAll("basis_of_record");
  for (const box of byId("bases").querySelectorAll("input")) box.checked = bases.includes(box.value);
}

const name = (row) => `<a href="/occurrence/${row.key}"><i>${escape(row.name)}</i></a>`;

function table({ results, count, offset, limit }, params) {
  if (!count) return "<p>No results. Use fewer filters.</p>";
  const cells = (row) => [name(row), escape(row.country_name), `${row.lat}, ${row.lon}`,
    `${row.year}-${String(row.month).padStart(2, "0")}`, row.basis_label, escape(row.dataset)];
  const rows = results.map((row) => `<tr>${cells(row).map((cell) => `<td>${cell}</td>`).join("")}</tr>`);
  const step = (to, label) => {
    const other = new URLSearchParams(params);
    other.set("offset", to);
    return `<a href="${escape(address("search", other))}" data-offset="${to}">${label}</a>`;
  };
  const head = COLUMNS.map((column) => `<th scope="col">${escape(column)}</th>`).join("");
  return `<table><thead><tr>${head}</tr></thead><tbody>${rows.join("")}</tbody></table>
    <nav class="pages" aria-label="Pages">${offset ? step(offset - limit, "Previous page") : ""}
    <span>${offset + 1} to ${Math.min(offset + limit, count)} of ${count}</span>
    ${offset + limit < count ? step(offset + limit, "Next page") : ""}</nav>`;
}

function gallery({ images }) {
  if (!images.length) return "<p>No results with images.</p>";
  const drawing = `<ellipse cx="42" cy="30" rx="20" ry="11" fill="#fff9"/>
    <ellipse cx="74" cy="28" rx="20" ry="11" fill="#fff9"/><ellipse cx="60" cy="46" rx="27" ry="17" fill="#222"/>
    <path d="M48 31q-5 15 0 30M74 33q5 13 0 26" stroke="#f2b632" stroke-width="7" fill="none"/>`;
  const colour = ({ key }) => `hsl(${(key % 60) + 60} 45% ${70 + (key % 15)}%)`;
  const tile = (row) => `<figure>
    <svg viewBox="0 0 120 80" aria-hidden="true" style="background:${colour(row)}">${drawing}</svg>
    <figcaption>${name(row)}<br>${escape(row.country_name)}, ${row.year}</figcaption></figure>`;
  return `<div class="gallery">${images.map(tile).join("")}</div>`;
}

function map({ points }) {
  const numbers = Array.from({ length: 11 }, (_, index) => index + 1);
  const lines = numbers.map((number) => `<path d="M${number * 60} 0V360M0 ${number * 30}H720"/>`);
  const dots = points.map(([lon, lat]) => `<circle cx="${(lon + 180) * 2}" cy="${(90 - lat) * 2}" r="4"/>`);
  return `<svg class="map" viewBox="0 0 720 360" role="img" aria-label="Map with ${points.length} records">
    <g stroke="#cdd8e0">${lines.join("")}</g><g fill="#e37e2d">${dots.join("")}</g></svg>`;
}

function charts({ years, bases }) {
  const bars = (title, pairs) => {
    const most = Math.max(...pairs.map(([, count]) => count), 1);
    const bar = ([key, count]) => `<tr><th scope="row">${key}</th>
      <td><div style="width:${(count / most) * 100}%"></div></td><td>${count}</td></tr>`;
    return `<h2>${title}</h2><table class="bars"><tbody>${pairs.map(bar).join("")}</tbody></table>`;
  };
  return bars("Occurrences per year", years) + bars("Occurrences per basis of record", bases);
}

// Autocomplete: a combobox with a listbox that is filled from the server.
for (const picker of document.querySelectorAll(".picker")) {
  const input = picker.querySelector("input");
  const list = picker.querySelector("ul");
  let timer = 0;
  let asked = 0;
  const active = () => byId(input.getAttribute("aria-activedescendant"));
  const close = () => {
    clearTimeout(timer);
    asked++;
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  };
  const mark = (option) => {
    for (const other of list.children) other.setAttribute("aria-selected", String(other === option));
    if (option) input.setAttribute("aria-activedescendant", option.id);
  };
  const pick = (option) => {
    close();
    input.value = "";
    const { param } = picker.dataset;
    labels[`${param}=${option.dataset.value}`] = option.firstChild.textContent.trim();
    setFilter(param, [...new Set([...filters().getAll(param), option.dataset.value])]);
  };
  const ask = async () => {
    const ticket = ++asked;
    const found = await (await fetch(`${picker.dataset.source}?q=${encodeURIComponent(input.value.trim())}`)).json();
    if (ticket !== asked) return;
    const option = (one, index) => `<li role="option" id="${input.id}-${index}" aria-selected="false"
      data-value="${one.value}">${escape(one.label)} <small>${one.note}</small></li>`;
    list.innerHTML = found.map(option).join("") || '<li class="none">No suggestions</li>';
    list.hidden = false;
    input.setAttribute("aria-expanded", "true");
    input.removeAttribute("aria-activedescendant");
  };
  input.addEventListener("input", () => {
    close();
    if (input.value.trim()) timer = setTimeout(ask, 120);
  });
  input.addEventListener("blur", close);
  list.addEventListener("mousedown", (event) => event.preventDefault());
  list.addEventListener("click", (event) => {
    const option = event.target.closest("[role=option]");
    if (option) pick(option);
  });
  input.addEventListener("keydown", (event) => {
    const options = [...list.querySelectorAll("[role=option]")];
    const place = options.indexOf(active());
    if (event.key === "Escape") close();
    else if (list.hidden) return;
    else if (event.key === "ArrowDown") mark(options[Math.min(place + 1, options.length - 1)]);
    else if (event.key === "ArrowUp") mark(options[Math.max(place - 1, 0)]);
    else if (event.key === "Enter" && place >= 0) pick(options[place]);
    else return;
    event.preventDefault();
  });
  picker.querySelector(".chips").addEventListener("click", (event) => {
    const value = event.target.dataset.value;
    if (value) setFilter(picker.dataset.param, filters().getAll(picker.dataset.param).filter((one) => one !== value));
  });
}

byId("years").addEventListener("submit", (event) => {
  event.preventDefault();
  const [from, to] = [byId("from").value, byId("to").value];
  const range = from && from === to ? from : `${from || "*"},${to || "*"}`;
  setFilter("year", from || to ? [range] : []);
});
byId("bases").addEventListener("change", () => {
  setFilter("basis_of_record", [...byId("bases").querySelectorAll("input:checked")].map((box) => box.value));
});
byId("reset").addEventListener("click", () => {
  shownYear = null;
  go(currentView(), new URLSearchParams());
});
document.querySelector("main").addEventListener("click", (event) => {
  const link = event.target.closest("[data-view], [data-offset]");
  if (!link || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  const url = new URL(link.href);
  go(link.dataset.view || "search", url.searchParams);
});
addEventListener("popstate", load);
load();
