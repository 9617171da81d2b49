// Occurrence search. The address is the state: the view and the filters are in its query.
const VIEWS = { table: "Table", map: "Map", gallery: "Gallery", dashboard: "Dashboard" };
const COLUMNS = ["Scientific name", "Country or area", "Coordinates", "Month & year", "Basis of record", "Dataset"];
const FILTERS = ["taxonKey", "country", "year", "basisOfRecord"];
const KEPT = [...FILTERS, "countryCode", "occurrenceStatus", "offset", "view"];
const byId = (id) => document.getElementById(id);
const labels = {};
let latest = 0;

const escape = (text) => String(text).replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);
const state = () => new URLSearchParams([...new URLSearchParams(location.search)].filter(([key]) => KEPT.includes(key)));
const currentView = () => (state().get("view") || "table").toLowerCase();
const address = (params) => {
  const query = String(params).replaceAll("%2C", ",");
  return `/occurrence/search${query && `?${query}`}`;
};
const values = (params, name) =>
  (name === "country" ? [...params.getAll("country"), ...params.getAll("countryCode")] : params.getAll(name));

function go(params) {
  history.pushState(null, "", address(params));
  load();
}
/** The same view with one filter holding other values; back to the first page of results. */
function setFilter(name, chosen) {
  const params = state();
  for (const old of [name, "offset", ...(name === "country" ? ["countryCode"] : [])]) params.delete(old);
  for (const value of chosen) params.append(name, value);
  go(params);
}

async function load() {
  const ticket = ++latest;
  const view = currentView();
  const params = state();
  byId("count").textContent = "Loading";
  byId("panel").innerHTML = '<div class="skeleton"></div>'.repeat(6);
  byId("panel").setAttribute("aria-busy", "true");
  showTabs(view, params);
  showFilters(params);
  const answer = await (await fetch(`/api/occurrence/search?${params}`)).json();
  if (ticket !== latest) return;
  byId("panel").removeAttribute("aria-busy");
  byId("count").textContent = `${answer.count} result${answer.count === 1 ? "" : "s"}`;
  byId("panel").innerHTML = ({ gallery, map, dashboard: charts }[view] || table)(answer, params);
  Object.assign(labels, answer.labels);
  showFilters(params);
}

function showTabs(view, params) {
  document.querySelector("[role=tablist]").innerHTML = Object.entries(VIEWS).map(([key, label]) => {
    const other = new URLSearchParams(params);
    other.delete("offset");
    other.delete("view");
    if (key !== "table") other.set("view", key);
    return `<a role="tab" id="tab-${key}" href="${escape(address(other))}" aria-controls="panel"
      aria-selected="${key === view}" data-inside>${label}</a>`;
  }).join("");
  byId("panel").setAttribute("aria-labelledby", `tab-${view}`);
}

const labelOf = (name, value) => labels[`${name}=${value}`] || (name === "year" ? value.replace(",", " - ") : value);

function showFilters(params) {
  for (const filter of document.querySelectorAll(".filter")) {
    const { param, label } = filter.dataset;
    const held = values(params, param);
    const text = held.length === 1 ? `${label}: ${labelOf(param, held[0])}` : `${label} ${held.length}`;
    const button = filter.querySelector(".open");
    button.textContent = held.length ? text : label;
    button.setAttribute("aria-label", button.textContent);
    filter.classList.toggle("set", held.length > 0);
    filter.querySelector(".unset").hidden = !held.length;
  }
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
    return `<a href="${escape(address(other))}" data-inside>${label}</a>`;
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

// Filters: a button unfolds a popover; what is chosen there counts once "Apply" is pressed.
for (const filter of document.querySelectorAll(".filter")) {
  const { param } = filter.dataset;
  const open = filter.querySelector(".open");
  const pop = filter.querySelector(".pop");
  const input = pop.querySelector("input[type=text]");
  const list = pop.querySelector("[role=listbox]");
  const boxes = [...pop.querySelectorAll(".choice input")];
  let chosen = [];
  let timer = 0;
  let asked = 0;

  const closeList = () => {
    clearTimeout(timer);
    asked++;
    if (!list) return;
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
  };
  const fold = (wide) => {
    closeList();
    pop.hidden = !wide;
    open.setAttribute("aria-expanded", String(wide));
  };
  const show = () => {
    pop.querySelector(".selected").textContent = `${chosen.length} selected`;
    for (const box of boxes) box.checked = chosen.includes(box.value);
    pop.querySelector(".options").innerHTML = boxes.length ? "" : chosen.map((value) =>
      `<label><input type="checkbox" value="${escape(value)}" checked> ${escape(labelOf(param, value))}</label>`).join("");
  };
  const add = (value) => {
    chosen = [...new Set([...chosen, value])];
    if (input) input.value = "";
    closeList();
    show();
  };
  const apply = () => {
    fold(false);
    setFilter(param, chosen);
  };

  open.addEventListener("click", () => {
    const wide = pop.hidden;
    for (const other of document.querySelectorAll(".filter .pop")) {
      other.hidden = true;
      other.parentElement.querySelector(".open").setAttribute("aria-expanded", "false");
    }
    chosen = values(state(), param);
    show();
    fold(wide);
    if (wide && input) input.focus();
  });
  filter.querySelector(".unset").addEventListener("click", () => setFilter(param, []));
  pop.querySelector(".cancel").addEventListener("click", () => fold(false));
  pop.querySelector(".apply").addEventListener("click", apply);
  pop.addEventListener("change", (event) => {
    if (event.target.type !== "checkbox") return;
    const { value, checked } = event.target;
    chosen = checked ? [...new Set([...chosen, value])] : chosen.filter((one) => one !== value);
    show();
  });
  if (!input) continue;

  if (!list) {
    // A range or a value: Enter takes it over, Enter on the empty field applies.
    input.addEventListener("input", () => {
      if (!/^-?\d{0,10}[,-]?\d{0,10}$/.test(input.value)) input.value = input.value.slice(0, -1);
    });
    input.addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      if (!input.value) return apply();
      const [from, to] = input.value.replace("-", ",").split(",");
      return add(to === undefined ? from : `${from || "*"},${to || "*"}`);
    });
    continue;
  }
  const ask = async () => {
    const ticket = ++asked;
    const found = await (await fetch(`${input.dataset.source}?q=${encodeURIComponent(input.value.trim())}`)).json();
    if (ticket !== asked) return;
    list.innerHTML = found.map((one, index) => `<li role="option" id="${input.id}-${index}" aria-selected="false"
      data-value="${one.value}">${escape(one.label)} <small>${one.note}</small></li>`).join("") || '<li class="none">No suggestions</li>';
    list.hidden = false;
    input.setAttribute("aria-expanded", "true");
    input.removeAttribute("aria-activedescendant");
  };
  const pick = (option) => {
    labels[`${param}=${option.dataset.value}`] = option.firstChild.textContent.trim();
    add(option.dataset.value);
  };
  const mark = (option) => {
    for (const other of list.children) other.setAttribute("aria-selected", String(other === option));
    if (option) input.setAttribute("aria-activedescendant", option.id);
  };
  input.addEventListener("input", () => {
    closeList();
    if (input.value.trim()) timer = setTimeout(ask, 120);
  });
  list.addEventListener("mousedown", (event) => event.preventDefault());
  list.addEventListener("click", (event) => {
    const option = event.target.closest("[role=option]");
    if (option) pick(option);
  });
  input.addEventListener("keydown", (event) => {
    const options = [...list.querySelectorAll("[role=option]")];
    const place = options.indexOf(byId(input.getAttribute("aria-activedescendant")));
    if (event.key === "Escape") closeList();
    else if (list.hidden) {
      if (event.key === "Enter") apply();
      return;
    } else if (event.key === "ArrowDown") mark(options[Math.min(place + 1, options.length - 1)]);
    else if (event.key === "ArrowUp") mark(options[Math.max(place - 1, 0)]);
    else if (event.key === "Enter" && place >= 0) pick(options[place]);
    else return;
    event.preventDefault();
  });
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-inside]");
  if (!link || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  go(new URL(link.href).searchParams);
});
addEventListener("popstate", load);
load();
