// Single-page app: routes by pushState, shows a skeleton while the API answers, then the page.
const main = document.getElementById("main");
const form = document.getElementById("search");
const SITE = "crates.io: Rust Package Registry";
const SORTS = {
  relevance: "Relevance",
  downloads: "All-Time Downloads",
  "recent-downloads": "Recent Downloads",
  "recent-updates": "Recent Updates",
  new: "Newly Added",
};
const number = (value) => value.toLocaleString("en-US");

function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null) element.setAttribute(name, value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== false));
  return element;
}

async function api(path) {
  const answer = await fetch(`/api/v1/${path}`);
  return answer.ok ? answer.json() : null;
}

// -- parts of pages ----------------------------------------------------------------------------------------------

/** This page's address with query parameters changed; null removes one. */
function withParams(changes) {
  const params = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) params.delete(name);
    else params.set(name, value);
  }
  const query = params.toString();
  return location.pathname + (query ? `?${query}` : "");
}

/** A button that opens a menu of links. */
function sortMenu(options, current) {
  const items = Object.entries(options).map(([value, label]) =>
    h("a", { role: "menuitem", tabindex: "-1", href: withParams({ sort: value, page: null }), "aria-current": value === current ? "true" : null }, label));
  const menu = h("div", { role: "menu", id: "sort-menu", "aria-label": "Sort by", hidden: true }, items);
  const button = h("button", { type: "button", id: "sort-button", "aria-haspopup": "menu", "aria-expanded": "false", "aria-controls": "sort-menu", "aria-labelledby": "sort-label sort-button" }, options[current]);
  const show = (open) => {
    menu.hidden = !open;
    button.setAttribute("aria-expanded", String(open));
  };
  button.addEventListener("click", () => show(menu.hidden));
  const box = h("div", { class: "sort" }, h("span", { id: "sort-label" }, "Sort by"), h("span", { class: "dropdown" }, button, menu));
  box.addEventListener("keydown", (event) => {
    const at = items.indexOf(document.activeElement);
    if (event.key === "Escape") {
      show(false);
      button.focus();
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      show(true);
      const step = event.key === "ArrowDown" ? 1 : -1;
      items[at < 0 ? 0 : (at + step + items.length) % items.length].focus();
    }
  });
  box.addEventListener("focusout", (event) => {
    if (event.relatedTarget && !box.contains(event.relatedTarget)) show(false);
  });
  return box;
}

function crateRow(crate) {
  return h("li", { class: "row" },
    h("h2", {}, h("a", { href: `/crates/${crate.name}` }, crate.name), h("span", { class: "version" }, `v${crate.version}`)),
    h("p", {}, crate.description),
    h("p", { class: "meta" }, `All-Time: ${number(crate.downloads)} · Recent: ${number(crate.recent_downloads)} · Updated: ${crate.updated}`));
}

function pagination(meta) {
  const link = (page, label) => h("a", { href: withParams({ page }), "aria-label": label }, label.split(" ").pop());
  const numbers = Array.from({ length: meta.pages }, (_, index) => index + 1).map((page) =>
    page === meta.number ? h("span", { "aria-current": "page" }, String(page)) : link(page, `Go to page ${page}`));
  return meta.pages > 1 && h("nav", { class: "pages", "aria-label": "Pagination navigation" },
    meta.number > 1 && h("a", { href: withParams({ page: meta.number - 1 }), "aria-label": "previous page" }, "‹"),
    numbers,
    meta.number < meta.pages && h("a", { href: withParams({ page: meta.number + 1 }), "aria-label": "next page" }, "›"));
}

function crateHeader(crate, version, tab) {
  const at = version ? `/crates/${crate.name}/${version}` : `/crates/${crate.name}`;
  const tabs = [
    ["readme", "Readme", at],
    ["versions", `${crate.versions.length} Versions`, `/crates/${crate.name}/versions`],
    ["dependencies", "Dependencies", `${at}/dependencies`],
    ["dependents", "Dependents", `/crates/${crate.name}/reverse_dependencies`],
  ];
  return [
    h("div", { class: "heading" }, h("h1", {}, crate.name, h("small", {}, ` v${version || crate.version}`)), h("p", {}, crate.description),
      h("p", { class: "words" }, crate.keywords.map((word) => h("a", { href: `/search?q=${encodeURIComponent(word)}` }, `#${word}`)))),
    h("nav", { class: "tabs", "aria-label": `${crate.name} crate subpages` },
      tabs.map(([key, label, href]) => h("a", { href, "aria-current": key === tab ? "page" : null }, label))),
  ];
}

const missing = (what) => ({ title: SITE, nodes: [h("h1", {}, what), h("p", {}, "Nothing is here. Try a search.")] });

// -- pages: each gives a title and nodes -------------------------------------------------------------------------

async function homePage() {
  const summary = await api("summary");
  const column = (heading, key) => h("section", {}, h("h2", {}, heading),
    h("ul", {}, summary[key].map((crate) => h("li", {}, h("a", { href: `/crates/${crate.name}` }, crate.name), ` v${crate.version}`))));
  return {
    title: SITE,
    nodes: [
      h("h1", {}, "Find crates for your Rust project"),
      h("p", {}, `${number(summary.num_downloads)} downloads of ${number(summary.num_crates)} crates in stock`),
      h("div", { class: "columns" }, column("New Crates", "created"), column("Most Downloaded", "downloads"),
        column("Just Updated", "updated"), column("Most Recent Downloads", "recent_downloads")),
    ],
  };
}

async function searchPage() {
  const params = new URLSearchParams(location.search);
  const query = params.get("q") || "";
  const sort = SORTS[params.get("sort")] ? params.get("sort") : "relevance";
  form.elements.q.value = query;
  const { crates, meta } = await api(`crates?${params}`);
  const heading = query ? `Search Results for '${query}'` : "All Crates";
  const results = crates.length
    ? [h("div", { class: "bar" }, h("p", {}, "Displaying ", h("strong", {}, `${meta.first}-${meta.last}`), " of ", h("strong", {}, number(meta.total)), " total results"), sortMenu(SORTS, sort)),
      h("ol", { class: "rows" }, crates.map(crateRow)), pagination(meta)]
    : [h("p", {}, "0 crates found. Try fewer or other words.")];
  return { title: `${heading} - ${SITE}`, nodes: [h("h1", {}, heading), ...results] };
}

async function cratePage(name, version) {
  const data = await api(`crates/${name}`);
  if (!data) return missing(`${name}: Crate not found`);
  const { crate } = data;
  const shown = crate.versions.find((one) => one.num === (version || crate.version));
  if (!shown) return missing(`${name}: Version ${version} not found`);
  return {
    title: `${name} - ${SITE}`,
    nodes: [
      ...crateHeader(crate, version, "readme"),
      h("div", { class: "split" },
        h("section", {}, h("h2", {}, name), h("p", {}, `${crate.description}.`), h("h3", {}, "Usage"), h("pre", {}, `[dependencies]\n${name} = "${shown.num}"`)),
        h("aside", {}, h("h2", {}, "Metadata"), h("p", {}, shown.date), h("p", {}, crate.license), shown.yanked && h("p", { class: "yanked" }, "This version was yanked."),
          h("h2", {}, "Install"), h("pre", {}, `cargo add ${name}${version ? `@${version}` : ""}`))),
    ],
  };
}

const bySemver = (one, other) => {
  const [left, right] = [one, other].map((version) => version.num.split(".").map(Number));
  return right[0] - left[0] || right[1] - left[1] || right[2] - left[2];
};

async function versionsPage(name) {
  const data = await api(`crates/${name}`);
  if (!data) return missing(`${name}: Crate not found`);
  const { crate } = data;
  const sort = new URLSearchParams(location.search).get("sort") === "semver" ? "semver" : "date";
  const versions = sort === "semver" ? [...crate.versions].sort(bySemver) : crate.versions;
  return {
    title: `${name} - ${SITE}`,
    nodes: [
      ...crateHeader(crate, null, "versions"),
      h("div", { class: "bar" }, h("p", {}, `${versions.length} versions of `, h("strong", {}, name)), sortMenu({ date: "Date", semver: "SemVer" }, sort)),
      h("ul", { class: "rows" }, versions.map((version) => h("li", { class: "row" },
        h("h2", {}, h("a", { href: `/crates/${name}/${version.num}` }, version.num)),
        h("p", { class: "meta" }, `${version.date} · ${crate.license}`, version.yanked ? " · yanked" : "")))),
    ],
  };
}

async function dependenciesPage(name, version) {
  const data = await api(`crates/${name}`);
  if (!data) return missing(`${name}: Crate not found`);
  if (!version) {
    history.replaceState(null, "", `/crates/${name}/${data.crate.version}/dependencies`);
    return dependenciesPage(name, data.crate.version);
  }
  const found = await api(`crates/${name}/${version}/dependencies`);
  const list = (heading, rows) => rows.length > 0 && h("section", {}, h("h2", {}, heading), h("ul", { class: "rows" }, rows.map((row) =>
    h("li", { class: "row" }, h("code", {}, row.req), " ", h("a", { href: `/crates/${row.name}` }, row.name), row.optional ? " optional" : ""))));
  const [normal, dev] = [list("Dependencies", found.normal), list("Dev-Dependencies", found.dev)];
  return {
    title: `${name} - ${SITE}`,
    nodes: [...crateHeader(data.crate, version, "dependencies"), normal || h("p", {}, "This version of the crate has no dependencies"), dev].filter(Boolean),
  };
}

async function dependentsPage(name) {
  const [data, users] = await Promise.all([api(`crates/${name}`), api(`crates/${name}/reverse_dependencies`)]);
  if (!data) return missing(`${name}: Crate not found`);
  const { crates } = users;
  return {
    title: `${name} - ${SITE}`,
    nodes: [
      ...crateHeader(data.crate, null, "dependents"),
      crates.length ? h("ul", { class: "rows" }, crates.map(crateRow)) : h("p", {}, "No other crate here depends on this one."),
    ],
  };
}

// -- routing -----------------------------------------------------------------------------------------------------

const ROUTES = [
  [/^\/$/, homePage],
  [/^\/(?:search|crates)\/?$/, searchPage],
  [/^\/crates\/([^/]+)\/versions\/?$/, versionsPage],
  [/^\/crates\/([^/]+)\/reverse_dependencies\/?$/, dependentsPage],
  [/^\/crates\/([^/]+)\/dependencies\/?$/, dependenciesPage],
  [/^\/crates\/([^/]+)\/([^/]+)\/dependencies\/?$/, dependenciesPage],
  [/^\/crates\/([^/]+)(?:\/([^/]+))?\/?$/, cratePage],
];

function skeleton() {
  const lines = Array.from({ length: 6 }, () => h("div", { class: "skeleton" }));
  main.setAttribute("aria-busy", "true");
  main.replaceChildren(h("p", { class: "hidden", role: "status" }, "Loading"), ...lines);
}

let visit = 0;
async function render() {
  const ticket = ++visit;
  skeleton();
  scrollTo(0, 0);
  let page = missing("Page not found");
  for (const [pattern, show] of ROUTES) {
    const match = pattern.exec(location.pathname);
    if (match) {
      page = await show(...match.slice(1).map((part) => part && decodeURIComponent(part)));
      break;
    }
  }
  if (ticket !== visit) return;
  document.title = page.title;
  main.removeAttribute("aria-busy");
  main.replaceChildren(...page.nodes.filter(Boolean));
}

function go(href) {
  if (href !== location.pathname + location.search) history.pushState(null, "", href);
  render();
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href]");
  const plain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey;
  if (link && plain && link.origin === location.origin) {
    event.preventDefault();
    go(link.pathname + link.search);
  } else if (!event.target.closest(".sort")) {
    document.getElementById("sort-menu")?.setAttribute("hidden", "");
    document.getElementById("sort-button")?.setAttribute("aria-expanded", "false");
  }
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  const query = form.elements.q.value.trim();
  if (query) go(`/search?q=${encodeURIComponent(query)}`);
});
addEventListener("popstate", render);
render();
