// Instant search: the address holds the state and is replaced, not pushed, with every change of words or filters.
const RFCS = JSON.parse(document.querySelector("#rfcs").textContent);
const STATUSES = ["Internet Standard", "Proposed Standard", "Draft Standard", "Best Current Practice",
  "Informational", "Experimental", "Historic", "Unknown"];
const PER_PAGE = 20;
const $ = (selector) => document.querySelector(selector);
const escape = (text) => String(text).replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);

const readState = () => {
  const params = new URLSearchParams(location.search);
  const list = (name) => (params.get(name) || "").split(",").filter(Boolean);
  return {
    q: params.get("q") || "", status: list("status"), authors: list("authors"),
    stream: params.get("stream") || "", showObsoleted: params.get("showObsoleted") === "1",
    sort: params.get("sort") || "", page: Number(params.get("page")) || 1,
  };
};
let state = readState();

const writeState = () => {
  const params = new URLSearchParams();
  const put = (name, value) => value && params.set(name, value);
  put("q", state.q);
  put("status", state.status.join(","));
  put("stream", state.stream);
  put("authors", state.authors.join(","));
  put("showObsoleted", state.showObsoleted ? "1" : "");
  put("sort", state.sort);
  put("page", state.page > 1 ? String(state.page) : "");
  history.replaceState(null, "", `/search/${params.size ? `?${params}` : ""}`);
};

const surnames = (rfc) => rfc.authors.split(", ");
const rank = (rfc, words) => {
  const fields = [rfc.title, rfc.keywords.join(" "), `rfc${rfc.number} ${rfc.number} ${rfc.also}`, rfc.authors];
  const lower = fields.map((field) => field.toLowerCase());
  let score = 0;
  for (const word of words) {
    const place = lower.findIndex((field) => field.includes(word));
    if (place < 0) return 0;
    score += 10 - place;
  }
  return score || 1;
};
const words = () => state.q.toLowerCase().replaceAll('"', " ").split(/\s+/).filter(Boolean);
const found = (leaveOut) => RFCS
  .map((rfc) => ({ rfc, score: rank(rfc, words()) }))
  .filter(({ rfc, score }) => score
    && (state.showObsoleted || !rfc.hidden)
    && (leaveOut === "status" || !state.status.length || state.status.includes(rfc.status))
    && (leaveOut === "authors" || !state.authors.length || surnames(rfc).some((one) => state.authors.includes(one)))
    && (!state.stream || rfc.stream === state.stream))
  .sort((one, other) => other.score - one.score || one.rfc.number - other.rfc.number)
  .map(({ rfc }) => rfc);

const sorted = (list) => {
  const [field, direction] = state.sort.split(":");
  if (!field) return list;
  const key = field === "rfcNumber" ? (rfc) => rfc.number : (rfc) => Number(rfc.date.replace("-", ""));
  return [...list].sort((one, other) => (key(one) - key(other)) * (direction === "desc" ? -1 : 1));
};

const checkboxes = (list, name, values) => {
  const counts = new Map();
  for (const rfc of found(name)) for (const value of values(rfc)) counts.set(value, (counts.get(value) || 0) + 1);
  const order = name === "status" ? STATUSES.filter((one) => counts.has(one) || state.status.includes(one))
    : [...counts.keys()].sort((one, other) => counts.get(other) - counts.get(one) || one.localeCompare(other)).slice(0, 8);
  list.innerHTML = order.map((value) => `<li><label><input type="checkbox" data-list="${name}"
    value="${escape(value)}"${state[name].includes(value) ? " checked" : ""}> ${escape(value)}</label></li>`).join("");
};
const relation = (numbers) => numbers.map((number) => `<a href="/info/rfc${number}/">RFC${number}</a>`).join(", ");
const card = (rfc) => `<li class="card${rfc.hidden ? " old" : ""}">
  <h3><a href="/info/rfc${rfc.number}/">RFC ${rfc.number}</a> ${escape(rfc.title)}</h3>
  <p><span class="pill">${rfc.status}</span> ${rfc.also}</p>
  <p class="small">${escape(rfc.authors)} · ${rfc.when} · ${rfc.stream}</p>
  <p>${escape(rfc.abstract)}</p>
  ${rfc.obsoleted_by.length ? `<p class="relation">Obsoleted by ${relation(rfc.obsoleted_by)}</p>` : ""}</li>`;

const show = () => {
  const hits = sorted(found());
  const pages = Math.max(1, Math.ceil(hits.length / PER_PAGE));
  state.page = Math.min(state.page, pages);
  if (document.activeElement !== $("#q")) $("#q").value = state.q;
  $("#hide").checked = !state.showObsoleted;
  $("#sort").value = state.sort;
  $("#stats").textContent = `${hits.length} result${hits.length === 1 ? "" : "s"}`;
  $("#hits").innerHTML = hits.slice((state.page - 1) * PER_PAGE, state.page * PER_PAGE).map(card).join("")
    || `<li>No results. ${state.showObsoleted ? "" : 'Uncheck "Hide obsoleted / historic" for more.'}</li>`;
  $("#pages").innerHTML = pages < 2 ? "" : Array.from({ length: pages }, (_, index) =>
    `<button type="button" data-page="${index + 1}"${index + 1 === state.page ? ' aria-current="page"' : ""}>${index + 1}</button>`).join("");
  checkboxes($("#statuses"), "status", (rfc) => [rfc.status]);
  checkboxes($("#authors"), "authors", surnames);
  const streams = [...new Set(RFCS.map((rfc) => rfc.stream))].sort();
  $("#stream").innerHTML = ["", ...streams].map((one) =>
    `<option value="${one}"${one === state.stream ? " selected" : ""}>${one || "Any"}</option>`).join("");
};
const change = (changes) => {
  state = { ...state, page: 1, ...changes };
  writeState();
  show();
};

$("#q").addEventListener("input", () => change({ q: $("#q").value.trim() }));
$("#box").addEventListener("submit", (event) => {
  event.preventDefault();
  change({ q: $("#q").value.trim() });
});
$("#hide").addEventListener("change", () => change({ showObsoleted: !$("#hide").checked }));
$("#stream").addEventListener("change", () => change({ stream: $("#stream").value }));
$("#sort").addEventListener("change", () => change({ sort: $("#sort").value }));
$("#clear").addEventListener("click", () => change({ status: [], authors: [], stream: "", showObsoleted: false }));
$("#filters").addEventListener("submit", (event) => event.preventDefault());
$("#filters").addEventListener("change", (event) => {
  const { list } = event.target.dataset;
  if (!list) return;
  const { value, checked } = event.target;
  change({ [list]: checked ? [...state[list], value] : state[list].filter((one) => one !== value) });
});
$("#pages").addEventListener("click", (event) => {
  const { page } = event.target.dataset;
  if (page) change({ page: Number(page) });
});
addEventListener("popstate", () => { state = readState(); show(); });
show();
