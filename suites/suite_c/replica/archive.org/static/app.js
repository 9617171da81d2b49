// The site's pages: top bar, search page with sort bar and endless list of tiles, item page.
import { Part, clause, fetchPage, plural, readState, safe, toParams } from "./part.js";
import "./facets.js";

const SORTS = {
  "": "Relevance", week: "Weekly views", downloads: "All-time views", title: "Title", date: "Date published", creator: "Creator",
};
const VIEWS = { tiles: "Tile view", lists: "List view" };
const UPWARDS = new Set(["title", "creator"]);

class TopNav extends Part {
  connectedCallback() {
    this.root.innerHTML = `<header class="nav"><a href="/">Internet Archive</a><form role="search">
      <input type="search" name="query" placeholder="Search" aria-label="Search the Archive"><button>Search</button></form></header>`;
    this.find("input").value = readState().query;
    this.on("submit", "form", (form, event) => {
      event.preventDefault();
      const state = { query: form.elements.query.value.trim(), and: [], not: [], sort: "" };
      const browser = document.querySelector("collection-browser");
      if (!state.query) return;
      if (browser) browser.change(state);
      else location.assign(`/search?${toParams(state)}`);
    });
    addEventListener("popstate", () => { this.find("input").value = readState().query; });
  }
}

class SortFilterBar extends Part {
  connectedCallback() {
    this.on("click", "[data-sort]", (button) => {
      const field = button.dataset.sort;
      this.say("state", { sort: field && !UPWARDS.has(field) ? `-${field}` : field });
    });
    this.on("click", "#direction", () => {
      this.say("state", { sort: this.sort.startsWith("-") ? this.sort.slice(1) : `-${this.sort}` });
    });
    this.on("click", "[data-view]", (button) => this.say("view", button.dataset.view));
  }

  show(sort, view) {
    const focused = this.root.activeElement?.id;
    this.sort = sort;
    const field = sort.replace("-", "");
    const order = sort.startsWith("-") ? "descending" : "ascending";
    this.root.innerHTML = `<div class="bar" role="toolbar" aria-label="Sort and view">
      <button type="button" class="plain" id="direction" aria-label="Sort direction: ${order}">${order === "ascending" ? "↑" : "↓"}</button>
      <span>Sort by</span>${this.buttons("sort", SORTS, field)}<span class="end"></span>${this.buttons("view", VIEWS, view)}</div>`;
    this.find("#direction").disabled = !sort;
    if (focused) this.find(`#${focused}`)?.focus();
  }

  buttons(kind, labels, chosen) {
    const one = ([key, label]) =>
      `<button type="button" class="plain" id="${kind}-${key}" data-${kind}="${key}" aria-pressed="${key === chosen}">${label}</button>`;
    return Object.entries(labels).map(one).join("");
  }
}

class ItemTile extends Part {
  show(item, weekly) {
    const views = weekly ? plural(item.week, "weekly view") : plural(item.downloads, "view");
    this.root.innerHTML = `<a class="tile" href="/details/${safe(item.identifier)}" aria-label="${safe(item.title)}">
      <b>${safe(item.title)}</b><small>by ${safe(item.creator)}</small><small>Published ${safe(item.year)}</small>
      <span class="foot"><small>${safe(item.mediatype)}</small><small>${views}</small></span></a>`;
  }
}

class InfiniteScroller extends Part {
  connectedCallback() {
    this.root.innerHTML = `<ul class="grid" aria-label="Results"></ul><div id="end" style="height:1px"></div>`;
    this.watcher = new IntersectionObserver(([entry]) => entry.isIntersecting && this.say("more-items"));
    this.watcher.observe(this.find("#end"));
  }

  wait(first) {
    if (first) this.find("ul").replaceChildren();
    this.find("ul").insertAdjacentHTML("beforeend", '<li class="bones" aria-hidden="true"></li>'.repeat(4));
  }

  add(items, weekly) {
    for (const bones of this.root.querySelectorAll(".bones")) bones.remove();
    for (const item of items) {
      const tile = document.createElement("item-tile");
      tile.show(item, weekly);
      const entry = document.createElement("li");
      entry.append(tile);
      this.find("ul").append(entry);
    }
    // Looks again, for the end of the list may still be in sight.
    this.watcher.unobserve(this.find("#end"));
    this.watcher.observe(this.find("#end"));
  }

  view(kind) {
    this.find("ul").className = kind === "lists" ? "rows" : "grid";
  }
}

class CollectionBrowser extends Part {
  connectedCallback() {
    this.root.innerHTML = `<main class="layout"><collection-facets></collection-facets><div><p class="count" role="status"></p>
      <sort-filter-bar></sort-filter-bar><infinite-scroller></infinite-scroller></div></main><more-facets></more-facets>`;
    this.root.addEventListener("state", (event) => this.change(event.detail));
    this.root.addEventListener("more-facets", (event) => this.find("more-facets").open(event.detail));
    this.root.addEventListener("more-items", () => this.more());
    this.root.addEventListener("view", (event) => {
      document.cookie = `view-search=${event.detail}; path=/`;
      this.arrange();
    });
    addEventListener("popstate", () => this.load());
    this.load();
  }

  change(patch) {
    const state = { ...readState(), ...patch };
    history.pushState(null, "", `/search?${toParams(state)}`);
    this.load();
  }

  arrange() {
    const view = /view-search=lists/.test(document.cookie) ? "lists" : "tiles";
    this.find("sort-filter-bar").show(readState().sort, view);
    this.find("infinite-scroller").view(view);
  }

  async load() {
    const state = readState();
    document.title = `Internet Archive Search: ${state.query}`;
    this.find(".count").textContent = "Searching…";
    this.page = 0;
    this.pages = 1;
    this.arrange();
    const answer = await this.next(state, true);
    if (!answer) return;
    this.find(".count").textContent = plural(answer.total, "result");
    this.find("collection-facets").show(answer.facets, state);
  }

  more() {
    if (!this.busy && this.page > 0 && this.page < this.pages) this.next(readState(), false);
  }

  // Fetches and shows a page; an answer that comes after the state has changed is dropped.
  async next(state, first) {
    const ticket = (this.busy = Symbol("page"));
    this.find("infinite-scroller").wait(first);
    const answer = await fetchPage(state, this.page + 1);
    if (ticket !== this.busy) return null;
    this.busy = null;
    this.page += 1;
    this.pages = answer.pages;
    this.find("infinite-scroller").add(answer.hits, state.sort.endsWith("week"));
    return answer;
  }
}

const searchLink = (field, value) => {
  const params = toParams({ query: "", and: [clause(field, value)], not: [], sort: "" });
  return `<a href="/search?${safe(params)}">${safe(value)}</a>`;
};

class ItemDetails extends Part {
  async connectedCallback() {
    this.root.innerHTML = `<main class="item"><div class="bones"></div></main>`;
    const answer = await fetch(`/metadata/${encodeURIComponent(location.pathname.split("/")[2])}`);
    const { metadata: item, similar } = await answer.json();
    const facts = {
      "Publication date": safe(item.year),
      Topics: item.subject.map((topic) => searchLink("subject", topic)).join(", "),
      Collection: safe(item.collection_title),
      Language: safe(item.language),
      Identifier: safe(item.identifier),
      Views: item.downloads.toLocaleString("en-US"),
    };
    const link = (one) => `<li><a href="/details/${safe(one.identifier)}">${safe(one.title)}</a> (${safe(one.mediatype)})</li>`;
    this.find("main").innerHTML = `<div class="stage">${safe(item.mediatype)}</div><h1>${safe(item.title)}</h1>
      <p>by ${searchLink("creator", item.creator)}</p>
      <dl>${Object.entries(facts).map(([name, value]) => `<dt>${name}</dt><dd>${value}</dd>`).join("")}</dl>
      <h2>Similar items</h2><ul>${similar.map(link).join("")}</ul>`;
  }
}

customElements.define("item-tile", ItemTile);
customElements.define("sort-filter-bar", SortFilterBar);
customElements.define("infinite-scroller", InfiniteScroller);
customElements.define("collection-browser", CollectionBrowser);
customElements.define("item-details", ItemDetails);
customElements.define("ia-topnav", TopNav);
