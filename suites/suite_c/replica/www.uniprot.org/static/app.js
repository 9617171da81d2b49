// Results and entries of UniProtKB. State: the address, and how results are viewed in localStorage.
const VIEW = "view-mode";
const COLUMNS = [["accession", "Entry"], ["id", "Entry Name"], ["", "Protein Names"], ["gene", "Gene Names"],
  ["organism_name", "Organism"], ["length", "Length"]];
const byId = (id) => document.getElementById(id);
const field = document.querySelector("#search input");
let latest = 0;
let shown = "";

const escape = (text) => String(text).replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);
const slug = (text) => text.toLowerCase().replace(/[^a-z]+/g, "_");
const view = () => JSON.parse(localStorage.getItem(VIEW));
const state = () => {
  const params = new URLSearchParams(location.search);
  return {
    query: params.get("query") || "", facets: (params.get("facets") || "").split(",").filter(Boolean),
    sort: params.get("sort") || "", dir: params.get("dir") || "",
  };
};
const address = ({ query, facets, sort, dir }) => {
  const pairs = [["query", query], ["facets", facets.join(",")], ["sort", sort], ["dir", dir]];
  return `/uniprotkb?${new URLSearchParams(pairs.filter(([, value]) => value))}`;
};
const go = (url) => {
  history.pushState(null, "", url);
  show();
};

function show() {
  const ticket = ++latest;
  shown = location.pathname + location.search;
  document.querySelector(".veil")?.remove();
  byId("page").inert = false;
  const [, , accession, section] = location.pathname.split("/");
  byId("side").innerHTML = "";
  byId("main").innerHTML = '<div class="skeleton"></div>'.repeat(5);
  byId("main").setAttribute("aria-busy", "true");
  if (accession) showEntry(accession, section, ticket);
  else showResults(ticket);
}

async function fetchJson(url, ticket) {
  const answer = await (await fetch(url)).json();
  if (ticket === latest) byId("main").removeAttribute("aria-busy");
  return ticket === latest ? answer : null;
}

async function showResults(ticket) {
  const now = state();
  field.value = now.query;
  const asked = address({ ...now, query: now.query === "*" ? "" : now.query }).replace("?", "/search?");
  const api = (chunk) => `/api${asked}&chunk=${chunk}`;
  const answer = await fetchJson(api(1), ticket);
  if (!answer) return;
  document.title = `${now.query} in UniProtKB search (${answer.total}) | UniProt`;
  const facets = answer.facets.filter((facet) => facet.values.length);
  byId("side").innerHTML = facets.map((facet) => facetList(facet, now)).join("");
  byId("main").innerHTML = `<h1>UniProtKB <small>${answer.total} result${answer.total === 1 ? "" : "s"}</small></h1>
    <div class="tools" role="radiogroup" aria-label="View"${view() ? "" : " hidden"}>View:
      <label><input type="radio" name="view" value="cards"> Cards</label>
      <label><input type="radio" name="view" value="table"> Table</label></div>
    <div id="list"></div><div id="more"></div>`;
  const rows = answer.results;
  drawList(rows, now);
  for (const radio of document.querySelectorAll("#main input[name=view]")) {
    radio.checked = radio.value === view();
    radio.addEventListener("change", () => setView(radio.value));
  }
  growOnScroll(rows, answer.chunks, api, now, ticket);
  if (!view()) askForView();
}

const toggled = (now, value) => {
  const facets = now.facets.includes(value) ? now.facets.filter((one) => one !== value) : [...now.facets, value];
  return address({ ...now, facets });
};

function facetList({ title, values }, now) {
  const item = ({ value, label, count }) => {
    const on = now.facets.includes(value);
    return `<li><a href="${escape(toggled(now, value))}" data-facet="${escape(value)}"
      ${on ? 'class="on" aria-current="true"' : ""}>${escape(label)} (${count})</a></li>`;
  };
  return `<section><h2>${title}</h2><ul>${values.map(item).join("")}</ul></section>`;
}

function drawList(rows, now) {
  byId("list").innerHTML = !rows.length ? "<p>Sorry, no results were found. Use fewer or other words.</p>"
    : view() === "table" ? table(rows, now) : rows.map(card).join("");
}

const badge = ({ reviewed }) =>
  `<span class="${reviewed ? "gold" : "grey"}">${reviewed ? "Reviewed" : "Unreviewed"}</span>`;
const link = (row, text) => `<a href="/uniprotkb/${row.accession}/entry">${text}</a>`;
const card = (row) => `<article><h2>${link(row, `${row.accession} · ${row.id}`)}</h2>
  <p>${escape(row.name)} · <i>${escape(row.organism)}</i> · Gene: ${escape(row.gene)} ·
  ${row.length} amino acids · ${badge(row)}</p>
  <p>${escape(row.function)}</p></article>`;

function table(rows, now) {
  const head = COLUMNS.map(([key, label]) => {
    const order = key && key === now.sort ? ` aria-sort="${now.dir}ing"` : "";
    return `<th scope="col"${order}>${key ? `<button type="button" data-sort="${key}">${label}</button>` : label}</th>`;
  });
  const body = rows.map((row) => `<tr><td>${link(row, row.accession)}</td><td>${row.id} ${badge(row)}</td>
    <td>${escape(row.name)}</td><td>${escape(row.gene)}</td>
    <td>${escape(row.organism)}</td><td>${row.length} AA</td></tr>`);
  return `<table><thead><tr>${head.join("")}</tr></thead><tbody>${body.join("")}</tbody></table>`;
}

function growOnScroll(rows, chunks, api, now, ticket) {
  let chunk = 1;
  let busy = false;
  const more = byId("more");
  const watcher = new IntersectionObserver((seen) => seen.some((one) => one.isIntersecting) && grow());
  async function grow() {
    if (busy || chunk >= chunks || !more.isConnected) return;
    busy = true;
    const answer = await fetchJson(api(++chunk), ticket);
    if (!answer) return;
    rows.push(...answer.results);
    drawList(rows, now);
    more.innerHTML = chunk < chunks ? '<button type="button">Load more results</button>' : "";
    busy = false;
  }
  if (chunks < 2) return;
  more.innerHTML = '<button type="button">Load more results</button>';
  more.addEventListener("click", grow);
  watcher.observe(more);
}

function setView(mode) {
  localStorage.setItem(VIEW, JSON.stringify(mode));
  show();
}

function askForView() {
  const dialog = document.createElement("div");
  dialog.className = "veil";
  dialog.innerHTML = `<form role="dialog" aria-modal="true" aria-labelledby="ask">
    <p id="ask">Select how you would like to view your results</p>
    <div role="radiogroup" aria-labelledby="ask">
      <label><input type="radio" name="choice" value="cards"> Cards</label>
      <label><input type="radio" name="choice" value="table"> Table</label></div>
    <button type="submit" disabled>View results</button></form>`;
  document.body.append(dialog);
  byId("page").inert = true;
  dialog.addEventListener("change", () => { dialog.querySelector("button").disabled = false; });
  dialog.addEventListener("submit", (event) => {
    event.preventDefault();
    const mode = new FormData(event.target).get("choice");
    setView(mode);
  });
  dialog.querySelector("input").focus();
}

const TABS = { entry: "Entry", publications: "Publications", "external-links": "External links" };
const sectionTexts = (row) => ({
  "Function": row.function,
  "Names & Taxonomy": `Protein: ${row.name}. Gene: ${row.gene}. Organism: ${row.organism}, taxon ${row.taxid}.`,
  "Subcellular Location": row.location,
  "Structure": row.structure ? "Known from experiments." : "No experimental structure; a prediction is available.",
  "Family & Domains": `Belongs to the ${row.family}.`,
  "Sequence": `Length ${row.length}, mass ${row.mass.toLocaleString("en")} Da.`,
});
const facts = (row) => ({
  "Protein": row.name,
  "Gene": row.gene,
  "Status": row.reviewed ? "UniProtKB reviewed (Swiss-Prot)" : "UniProtKB unreviewed (TrEMBL)",
  "Organism": row.organism,
  "Amino acids": row.length,
  "Protein existence": row.existence_label,
  "Annotation score": `${row.score}/5`,
});
const part = (title, text) =>
  `<section class="part" id="${slug(title)}"><h2>${escape(title)}</h2><p>${escape(text)}</p></section>`;

async function showEntry(accession, section, ticket) {
  const row = await fetchJson(`/api/uniprotkb/${accession}`, ticket);
  if (!row) return;
  document.title = `${row.gene.split(" ")[0]} - ${row.name} - ${row.organism} | UniProtKB | UniProt`;
  const texts = section === "entry" ? Object.entries(sectionTexts(row))
    : [[TABS[section] || "Entry", `Items that concern ${row.name} are listed by source.`]];
  const jumps = texts.map(([title]) => `<li><a href="#${slug(title)}">${escape(title)}</a></li>`);
  const tabs = Object.entries(TABS).map(([key, label]) =>
    `<a href="/uniprotkb/${row.accession}/${key}"${key === section ? ' aria-current="page"' : ""}>${label}</a>`);
  const list = Object.entries(facts(row)).map(([key, value]) => `<dt>${key}</dt><dd>${escape(value)}</dd>`);
  byId("side").innerHTML = `<section><h2>${TABS[section] || "Entry"}</h2><ul>${jumps.join("")}</ul></section>`;
  byId("main").innerHTML = `<h1>${row.accession} · ${row.id}</h1><dl>${list.join("")}</dl>
    <nav class="tabs" aria-label="Parts of the entry">${tabs.join("")}</nav>
    ${texts.map(([title, text]) => part(title, text)).join("")}`;
}

byId("main").addEventListener("click", (event) => {
  const key = event.target.dataset?.sort;
  if (!key) return;
  const now = state();
  go(address({ ...now, sort: key, dir: now.dir === "ascend" ? "descend" : "ascend" }));
});
document.querySelector(".columns").addEventListener("click", (event) => {
  const anchor = event.target.closest("a");
  if (!anchor || anchor.getAttribute("href").startsWith("#") || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  go(anchor.dataset.facet ? toggled(state(), anchor.dataset.facet) : anchor.href);
  scrollTo(0, 0);
});
byId("search").addEventListener("submit", (event) => {
  event.preventDefault();
  go(address({ query: field.value.trim() || "*", facets: [], sort: "", dir: "" }));
});
addEventListener("popstate", () => location.pathname + location.search !== shown && show());
show();
