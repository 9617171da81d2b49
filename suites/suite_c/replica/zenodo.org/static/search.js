// The search page: its state is the address, every change of it is one entry of the browser's history.
const SORTS = {
  bestmatch: "Best match", newest: "Newest", oldest: "Oldest", version: "Version",
  mostviewed: "Most viewed", mostdownloaded: "Most downloaded",
};
const TITLES = { access_status: "Access status", resource_type: "Resource types", file_type: "File type" };
const ALL_VERSIONS = "allversions:true";
const byId = (id) => document.getElementById(id);
const field = document.querySelector("#search input");
const open = new Set();
let latest = 0;

const escape = (text) => String(text).replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);
const state = () => {
  const params = new URLSearchParams(location.search);
  const q = params.get("q") || "";
  return {
    q, f: params.getAll("f"), l: params.get("l") || "list", p: params.get("p") || "1", s: params.get("s") || "10",
    sort: SORTS[params.get("sort")] ? params.get("sort") : q ? "bestmatch" : "newest",
  };
};
const address = ({ q, f, l, p, s, sort }) => {
  const pairs = [["q", q], ...f.map((value) => ["f", value]), ["l", l], ["p", p], ["s", s], ["sort", sort]];
  return `/search?${new URLSearchParams(pairs)}`;
};
const go = (changes) => {
  history.pushState(null, "", address({ ...state(), p: "1", ...changes }));
  load();
};
const toggle = (value) => {
  const { f } = state();
  go({ f: f.includes(value) ? f.filter((one) => one !== value) : [...f, value] });
};

async function load() {
  const now = state();
  const ticket = ++latest;
  field.value = now.q;
  byId("sort").textContent = SORTS[now.sort];
  byId("count").textContent = "Loading";
  byId("pages").innerHTML = "";
  byId("results").setAttribute("aria-busy", "true");
  byId("results").innerHTML = '<div class="skeleton"></div>'.repeat(4);
  const answer = await (await fetch(address(now).replace("/search", "/api/records"))).json();
  if (ticket !== latest) return;
  byId("results").removeAttribute("aria-busy");
  byId("count").textContent = `${answer.total} result${answer.total === 1 ? "" : "s"} found`;
  byId("results").innerHTML = answer.hits.map(card).join("") || "<p>We couldn't find any matches for your search.</p>";
  showFacets(answer.facets, now.f);
  showPages(answer, now);
}

function card(hit) {
  const version = hit.version ? ` (${escape(hit.version)})` : "";
  const more = hit.versions
    ? `<p class="more"><a href="/search?q=parent.id:${hit.parent}&f=${ALL_VERSIONS}&l=list&p=1&s=10&sort=version">
       ${hit.versions} more version${hit.versions === 1 ? "" : "s"} exist for this record</a></p>` : "";
  return `<article><p><span class="label">${hit.date}${version}</span> <span class="label type">${hit.type_label}</span>
    <span class="label ${hit.access}">${hit.access}</span></p>
    <h2><a href="/records/${hit.id}">${escape(hit.title)}</a></h2>
    <p class="by">${escape(hit.creators.join("; "))}</p><p>${escape(hit.description)}</p>${more}</article>`;
}

function showFacets(facets, chosen) {
  const focused = document.activeElement?.id;
  const box = (value, label, count, id) => `<label><input type="checkbox" id="${id}" value="${escape(value)}"
    ${chosen.includes(value) ? "checked" : ""}> ${escape(label)}</label> <span class="badge">${count}</span>`;
  const bucket = (facet, one) => {
    const value = `${facet}:${one.value}`;
    const inner = (one.inner || []).map((sub) => [`${value}+inner:${sub.value}`, sub]);
    const shown = open.has(value) || inner.some(([key]) => chosen.includes(key));
    const button = inner.length ? `<button type="button" class="fold" id="fold-${one.value}" data-fold="${value}"
      aria-expanded="${shown}" aria-label="Subtypes of ${escape(one.label)}">${shown ? "▾" : "▸"}</button>` : "";
    const nested = inner.map(([key, sub]) => `<li>${box(key, sub.label, sub.count, `f-${sub.value}`)}</li>`);
    const list = shown ? `<ul>${nested.join("")}</ul>` : "";
    return `<li>${button}${box(value, one.label, one.count, `f-${facet}-${one.value}`)}${list}</li>`;
  };
  const groups = Object.entries(TITLES).map(([facet, title]) =>
    `<section><h2>${title}</h2><ul>${facets[facet].map((one) => bucket(facet, one)).join("")}</ul></section>`);
  const versions = `<section><h2>Versions</h2><label class="switch"><input type="checkbox" role="switch" id="versions"
    value="${ALL_VERSIONS}" ${chosen.includes(ALL_VERSIONS) ? "checked" : ""}> View all versions</label></section>`;
  byId("facets").innerHTML = versions + groups.join("");
  byId("facets").onclick = (event) => {
    const value = event.target.dataset?.fold;
    if (!value) return;
    if (!open.delete(value)) open.add(value);
    showFacets(facets, state().f);
  };
  if (focused) byId(focused)?.focus();
}

function showPages({ page, pages }, now) {
  if (pages < 2) return;
  const link = (number, label) =>
    `<a href="${escape(address({ ...now, p: number }))}" data-page="${number}">${label}</a>`;
  const numbers = Array.from({ length: pages }, (_, index) => index + 1)
    .map((number) => (number === page ? `<span aria-current="page">${number}</span>` : link(number, number)));
  if (page > 1) numbers.unshift(link(page - 1, "Previous page"));
  if (page < pages) numbers.push(link(page + 1, "Next page"));
  byId("pages").innerHTML = numbers.join(" ");
}

// The sort menu: a combobox with a listbox.
const sort = byId("sort");
const list = byId("sort-list");
list.innerHTML = Object.entries(SORTS)
  .map(([key, label]) => `<li role="option" id="sort-${key}">${label}</li>`).join("");
function mark(option) {
  for (const other of list.children) other.setAttribute("aria-selected", String(other === option));
  sort.setAttribute("aria-activedescendant", option.id);
}
function unfold(shown) {
  list.hidden = !shown;
  sort.setAttribute("aria-expanded", String(shown));
  if (shown) mark(byId(`sort-${state().sort}`));
  else sort.removeAttribute("aria-activedescendant");
}
function choose(option) {
  unfold(false);
  go({ sort: option.id.slice("sort-".length) });
}
sort.addEventListener("click", () => unfold(list.hidden));
sort.addEventListener("blur", () => unfold(false));
list.addEventListener("mousedown", (event) => event.preventDefault());
list.addEventListener("click", (event) => event.target.closest("[role=option]") && choose(event.target));
sort.addEventListener("keydown", (event) => {
  const active = byId(sort.getAttribute("aria-activedescendant"));
  if (event.key === "Escape") return unfold(false);
  if (!["ArrowDown", "ArrowUp", "Enter", " "].includes(event.key)) return;
  event.preventDefault();
  if (list.hidden) return unfold(true);
  if (event.key === "ArrowDown") mark(active.nextElementSibling || active);
  else if (event.key === "ArrowUp") mark(active.previousElementSibling || active);
  else choose(active);
});

byId("facets").addEventListener("change", (event) => toggle(event.target.value));
byId("pages").addEventListener("click", (event) => {
  const number = event.target.dataset?.page;
  if (!number || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  go({ p: number });
  scrollTo(0, 0);
});
byId("search").addEventListener("submit", (event) => {
  event.preventDefault();
  go({ q: field.value.trim(), f: [], sort: "bestmatch" });
});
addEventListener("popstate", load);
history.replaceState(null, "", address(state()));
load();
