// Single-page app: search with filters, image pages with tabs, tag lists. All state lives in the address.
const main = document.getElementById("main");
const form = document.getElementById("search");
const BADGES = { official: "Docker Official Image", store: "Verified Publisher", open_source: "Sponsored OSS" };
const FILTERS = [
  ["Trusted content", "badges", BADGES],
  ["Categories", "categories", Object.fromEntries([
    "Content Management System", "Databases & Storage", "Integration & Delivery", "Languages & Frameworks",
    "Message Queues", "Monitoring & Observability", "Operating Systems", "Security", "Web Servers",
  ].map((name) => [name, name]))],
  ["Operating systems", "operating_system", { linux: "Linux", windows: "Windows" }],
  ["Architectures", "architecture", { 386: "x86", amd64: "x86-64", arm64: "ARM 64", ppc64le: "PowerPC 64 LE", s390x: "IBM Z" }],
];
const RESULT_SORTS = { "": "Suggested", "pull_count-desc": "Most pulled", "updated_at-desc": "Recently updated" };
const TAG_SORTS = { last_updated: "Newest", "-last_updated": "Oldest", name: "A-Z", "-name": "Z-A" };

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
  const answer = await fetch(path);
  return answer.ok ? answer.json() : null;
}

const params = () => new URLSearchParams(location.search);

/** This page's address with query parameters changed; null or "" removes one. */
function withParams(changes) {
  const changed = params();
  for (const [name, value] of Object.entries(changes)) {
    if (value) changed.set(name, value);
    else changed.delete(name);
  }
  const query = changed.toString();
  return location.pathname + (query ? `?${query}` : "");
}

function push(href) {
  if (href !== location.pathname + location.search) history.pushState(null, "", href);
}

function short(value) {
  const [unit, mark] = value >= 1e9 ? [1e9, "B+"] : value >= 1e6 ? [1e6, "M+"] : [1e3, "K+"];
  return `${Math.floor(value / unit)}${mark}`;
}

// -- parts of pages ----------------------------------------------------------------------------------------------

/** A custom select: a combobox button with a listbox; `choose` is called with the new value. */
function listbox(label, options, current, choose) {
  const values = Object.keys(options);
  let active = Math.max(0, values.indexOf(current));
  const items = values.map((value, index) =>
    h("li", { role: "option", id: `sort-${index}`, "aria-selected": String(index === active), onclick: () => pick(index) }, options[value]));
  const list = h("ul", { role: "listbox", id: "sort-list", "aria-label": label, hidden: true }, items);
  const button = h("button", { type: "button", role: "combobox", "aria-label": label, "aria-haspopup": "listbox", "aria-expanded": "false", "aria-controls": "sort-list" }, options[values[active]]);
  const show = (open) => {
    list.hidden = !open;
    button.setAttribute("aria-expanded", String(open));
    move(Math.max(0, items.findIndex((item) => item.getAttribute("aria-selected") === "true")));
  };
  const move = (index) => {
    active = index;
    items.forEach((item, at) => item.classList.toggle("active", at === index));
    if (list.hidden) button.removeAttribute("aria-activedescendant");
    else button.setAttribute("aria-activedescendant", items[index].id);
  };
  const pick = (index) => {
    items.forEach((item, at) => item.setAttribute("aria-selected", String(at === index)));
    button.textContent = options[values[index]];
    show(false);
    button.focus();
    choose(values[index]);
  };
  list.addEventListener("mousedown", (event) => event.preventDefault());
  button.addEventListener("click", () => show(list.hidden));
  button.addEventListener("blur", () => show(false));
  button.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      if (list.hidden) show(true);
      else move((active + step + items.length) % items.length);
    } else if ((event.key === "Enter" || event.key === " ") && !list.hidden) {
      event.preventDefault();
      pick(active);
    } else if (event.key === "Escape") {
      show(false);
    }
  });
  return h("div", { class: "select" }, h("span", { "aria-hidden": "true" }, label), h("span", { class: "popup" }, button, list));
}

function pagination(data) {
  const link = (page, text, label) => h("a", { href: withParams({ page }), "aria-label": label }, text);
  return data.pages > 1 && h("nav", { class: "pages", "aria-label": "Pagination" },
    data.number > 1 && link(data.number - 1, "‹", "Previous page"),
    Array.from({ length: data.pages }, (_, index) => index + 1).map((page) =>
      page === data.number ? h("span", { "aria-current": "page" }, String(page)) : link(page, String(page), `Page ${page}`)),
    data.number < data.pages && link(data.number + 1, "›", "Next page"));
}

const badge = (image) => image.badge && h("span", { class: `badge ${image.badge}` }, BADGES[image.badge]);

function skeleton(count) {
  return [h("p", { class: "hidden", role: "status" }, "Loading"), ...Array.from({ length: count }, () => h("div", { class: "skeleton" }))];
}

/** A region that is filled by `load`; only the newest of several fillings counts. */
function region(className, load) {
  const box = h("div", { class: className });
  let newest = 0;
  const refresh = async () => {
    const ticket = ++newest;
    box.setAttribute("aria-busy", "true");
    box.replaceChildren(...skeleton(6));
    const nodes = await load();
    if (ticket !== newest) return;
    box.removeAttribute("aria-busy");
    box.replaceChildren(...nodes.filter(Boolean));
  };
  return [box, refresh];
}

// -- pages -------------------------------------------------------------------------------------------------------

function card(image) {
  return h("li", { class: "card" },
    h("h2", {}, h("a", { href: image.path }, image.name)), badge(image),
    h("p", {}, image.description),
    h("p", { class: "meta" }, `${image.category} · Updated ${image.updated} · ${short(image.pulls)} pulls · ${image.stars.toLocaleString("en-US")} stars`));
}

function homePage() {
  document.title = "Docker Hub Container Image Library | App Containerization";
  const [box, refresh] = region("", async () => {
    const { results } = await api("/api/search/v4?sort=pull_count");
    return [h("ul", { class: "cards" }, results.slice(0, 8).map(card))];
  });
  refresh();
  return [h("h1", {}, "Find container images"), h("h2", {}, "Often pulled"), box];
}

function searchPage() {
  document.title = "Explore Docker's Container Image Repository | Docker Hub";
  form.elements.q.value = params().get("q") || "";
  const [box, refresh] = region("", async () => {
    const data = await api(`/api/search/v4?${params()}`);
    const query = params().get("q");
    return [
      h("p", { class: "count" }, `${data.first} - ${data.last} of ${data.total} results${query ? ` for ${query}` : ""}`),
      data.total ? h("ul", { class: "cards" }, data.results.map(card)) : h("p", {}, "No images match. Try other words or fewer filters."),
      pagination(data),
    ];
  });
  const toggle = (name, value, on) => {
    const chosen = new Set((params().get(name) || "").split(",").filter(Boolean));
    if (on) chosen.add(value);
    else chosen.delete(value);
    push(withParams({ [name]: [...chosen].join(","), page: null }));
    refresh();
  };
  const groups = FILTERS.map(([heading, name, options]) => {
    const chosen = (params().get(name) || "").split(",");
    return h("fieldset", {}, h("legend", {}, heading), Object.entries(options).map(([value, label]) =>
      h("label", {}, h("input", { type: "checkbox", checked: chosen.includes(value), onchange: (event) => toggle(name, value, event.target.checked) }), ` ${label}`)));
  });
  const current = params().get("sort") ? `${params().get("sort")}-${params().get("order") || "desc"}` : "";
  const sort = listbox("Sort by", RESULT_SORTS, current, (value) => {
    const [field, order] = value.split("-");
    push(withParams({ sort: field, order, page: null }));
    refresh();
  });
  refresh();
  return [h("div", { class: "columns" }, h("aside", { "aria-label": "Filters" }, h("h2", {}, "Filter by"), groups), h("div", {}, h("div", { class: "bar" }, h("h1", {}, "Explore images"), sort), box))];
}

function imagePage(namespace, name, isTags) {
  const path = namespace === "library" ? `/_/${name}` : `/r/${namespace}/${name}`;
  const source = `/v2/repositories/${namespace}/${name}`;
  const title = namespace === "library" ? `${name} - Official Image` : `${namespace}/${name} - Docker Image`;
  document.title = `${title} | Docker Hub`;
  const [box, refresh] = region("", async () => {
    const image = await api(source);
    if (!image) return [h("h1", {}, "404"), h("p", {}, "There is no such image.")];
    const tab = (label, href, on) => h("a", { role: "tab", href, "aria-selected": String(on) }, label);
    return [
      h("div", { class: "heading" }, h("h1", {}, image.name), badge(image), h("p", {}, image.description),
        h("p", { class: "meta" }, `${short(image.pulls)} pulls · ${image.stars.toLocaleString("en-US")} stars · Updated ${image.updated}`)),
      h("div", { role: "tablist", "aria-label": "About this image" }, tab("Overview", path, !isTags), tab("Tags", `${path}/tags`, isTags)),
      h("div", { role: "tabpanel", "aria-label": isTags ? "Tags" : "Overview" }, isTags ? tagsPanel(image, source) : overviewPanel(image)),
    ];
  });
  refresh();
  return [box];
}

function overviewPanel(image) {
  return [
    h("h2", {}, "Quick reference"), h("p", {}, `${image.description}.`),
    h("p", {}, `Architectures: ${image.architectures.join(", ")}`),
    h("h2", {}, "How to use this image"), h("pre", {}, `docker pull ${image.name}`),
  ];
}

function tagsPanel(image, source) {
  const [box, refresh] = region("tags", async () => {
    const data = await api(`${source}/tags?${params()}`);
    const row = (tag) => h("tr", {}, h("th", { scope: "row" }, tag.name), h("td", {}, tag.updated), h("td", {}, data.architectures.map((name) => `linux/${name}`).join(", ")), h("td", {}, `${tag.size} MB`));
    return data.total
      ? [h("table", {}, h("thead", {}, h("tr", {}, ["Tag", "Last pushed", "OS/ARCH", "Compressed size"].map((name) => h("th", { scope: "col" }, name)))), h("tbody", {}, data.results.map(row))), pagination(data)]
      : [h("p", {}, "No tags match this filter.")];
  });
  const field = h("input", { type: "search", "aria-label": "Filter tags", placeholder: "Filter tags", value: params().get("name") || "", autocomplete: "off" });
  let timer;
  const commit = (changes = {}) => {
    clearTimeout(timer);
    push(withParams({ ...changes, name: field.value.trim(), page: null }));
    refresh();
  };
  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(commit, 250);
  });
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter") commit();
  });
  refresh();
  return [h("div", { class: "bar" }, field, listbox("Sort by", TAG_SORTS, params().get("ordering") || "last_updated", (ordering) => commit({ ordering }))), box];
}

// -- routing -----------------------------------------------------------------------------------------------------

const ROUTES = [
  [/^\/$/, () => homePage()],
  [/^\/search\/?$/, () => searchPage()],
  [/^\/_\/([^/]+)(\/tags)?\/?$/, (name, tags) => imagePage("library", name, Boolean(tags))],
  [/^\/r\/([^/]+)\/([^/]+)(\/tags)?\/?$/, (namespace, name, tags) => imagePage(namespace, name, Boolean(tags))],
];

function render() {
  scrollTo(0, 0);
  for (const [pattern, show] of ROUTES) {
    const match = pattern.exec(location.pathname);
    if (match) {
      main.replaceChildren(...show(...match.slice(1)));
      return;
    }
  }
  document.title = "Page not found | Docker Hub";
  main.replaceChildren(h("h1", {}, "404"), h("p", {}, "There is no such page."));
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href]");
  const plain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey;
  if (!link || !plain || link.origin !== location.origin) return;
  event.preventDefault();
  push(link.pathname + link.search);
  render();
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  push(`/search?q=${encodeURIComponent(form.elements.q.value.trim())}`);
  render();
});
addEventListener("popstate", render);

const cookies = document.getElementById("cookies");
cookies.hidden = document.cookie.includes("cookie_choice=");
cookies.addEventListener("click", (event) => {
  if (!event.target.matches("button")) return;
  document.cookie = `cookie_choice=${event.target.matches(".primary") ? "all" : "none"}; path=/; max-age=31536000`;
  cookies.hidden = true;
});
render();
