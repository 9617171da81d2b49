// The column of filters: groups of facet rows, a range of years, and a dialog with all values of one facet.
import { Part, clause, fetchPage, plural, readState, safe } from "./part.js";

const TITLES = {
  mediatype: "Media Type", year: "Year", subject: "Subject", collection: "Collection", creator: "Creator", language: "Language",
};
const SHOWN = 6;

const toggled = (list, one, on) => {
  const others = list.filter((other) => other !== one);
  return on ? [...others, one] : others;
};
const change = (state, { value, list, on }) => ({
  and: toggled(state.and, value, on && list === "and"),
  not: toggled(state.not, value, on && list === "not"),
});

// Values that are chosen stay in the list even if no hit has them.
const withChosen = (facet, buckets, state) => {
  const chosen = [...state.and, ...state.not];
  const known = new Set(buckets.map((bucket) => bucket.key));
  const matches = chosen.map((text) => text.match(/^(\w+):"(.*)"$/)).filter((match) => match?.[1] === facet);
  const extra = matches.map((match) => match[2]).filter((key) => !known.has(key));
  const all = [...buckets, ...extra.map((key) => ({ key, label: key, count: 0 }))];
  const picked = (bucket) => chosen.includes(clause(facet, bucket.key));
  return [...all.filter(picked), ...all.filter((bucket) => !picked(bucket))];
};

class FacetRow extends Part {
  show(facet, bucket, state) {
    const value = clause(facet, bucket.key);
    const name = safe(`${facet}: ${bucket.label}`);
    const hidden = state.not.includes(value);
    this.root.innerHTML = `<div class="facet ${hidden ? "off" : ""}">
      <label><input type="checkbox" title="Only show ${name}" aria-label="${name}, ${safe(plural(bucket.count, "result"))}">
      <span>${safe(bucket.label)}</span><small>${bucket.count}</small></label>
      <button type="button" aria-pressed="${hidden}" aria-label="${hidden ? "Unhide" : "Hide"} ${name}">hide</button></div>`;
    this.find("input").checked = state.and.includes(value);
    this.find("input").onchange = (event) => this.say("facet", { value, list: "and", on: event.target.checked });
    this.find("button").onclick = () => this.say("facet", { value, list: "not", on: !hidden });
  }
}

class DatePicker extends Part {
  connectedCallback() {
    this.root.innerHTML = `<form class="range" aria-label="Year published">
      <input inputmode="numeric" maxlength="4" placeholder="from" aria-label="Minimum date"> –
      <input inputmode="numeric" maxlength="4" placeholder="to" aria-label="Maximum date">
      <button aria-label="Apply date range">Apply</button></form>`;
    this.on("submit", "form", (form, event) => {
      event.preventDefault();
      const [first, last] = [...form.querySelectorAll("input")].map((field) => field.value.trim());
      const valid = [first, last].every((year) => /^\d{0,4}$/.test(year));
      if (valid) this.say("range", first || last ? `year:[${first || 1800} TO ${last || 2024}]` : null);
    });
  }

  show(state) {
    const range = state.and.join("\n").match(/^year:\[(\d+) TO (\d+)\]$/m);
    // Results that arrive while someone types must not empty the fields.
    if (this.shown === range?.[0]) return;
    this.shown = range?.[0];
    for (const [place, field] of this.root.querySelectorAll("input").entries()) field.value = range ? range[place + 1] : "";
  }
}

class CollectionFacets extends Part {
  connectedCallback() {
    this.root.innerHTML = `<aside aria-label="Filters"><section class="group" aria-label="Year published">
      <h2>Year Published</h2><date-picker></date-picker></section><div id="groups"></div></aside>`;
    this.on("click", ".more", (button) => this.say("more-facets", button.dataset.facet));
    this.root.addEventListener("facet", (event) => {
      event.stopPropagation();
      this.say("state", change(readState(), event.detail));
    });
    this.root.addEventListener("range", (event) => {
      const others = readState().and.filter((text) => !text.startsWith("year:["));
      this.say("state", { and: event.detail ? [...others, event.detail] : others });
    });
  }

  show(facets, state) {
    const focused = this.root.activeElement?.dataset?.key;
    this.find("date-picker").show(state);
    const groups = Object.keys(TITLES).filter((facet) => facets[facet].length);
    this.find("#groups").replaceChildren(...groups.map((facet) => this.group(facet, facets[facet], state)));
    if (focused) this.find(`[data-key="${CSS.escape(focused)}"]`)?.root.querySelector("input").focus();
  }

  group(facet, found, state) {
    const buckets = withChosen(facet, found, state);
    const group = document.createElement("section");
    group.className = "group";
    group.setAttribute("aria-label", TITLES[facet]);
    group.innerHTML = `<h2>${TITLES[facet]}</h2><div></div>
      <button type="button" class="plain more" data-facet="${facet}">More...</button>`;
    group.querySelector("div").append(...rows(facet, buckets.slice(0, SHOWN), state));
    group.querySelector(".more").hidden = buckets.length <= SHOWN;
    return group;
  }
}

const rows = (facet, buckets, state) =>
  buckets.map((bucket) => {
    const row = document.createElement("facet-row");
    row.dataset.key = clause(facet, bucket.key);
    row.bucket = bucket;
    row.show(facet, bucket, state);
    return row;
  });

class MoreFacets extends Part {
  connectedCallback() {
    this.root.innerHTML = `<dialog aria-labelledby="title"><h2 id="title"></h2><div class="columns" aria-live="polite"></div>
      <div class="foot"><button type="button" class="second">Cancel</button>
      <button type="button" class="primary">Apply filters</button></div></dialog>`;
    this.on("click", ".second", () => this.find("dialog").close());
    this.on("click", ".primary", () => {
      this.find("dialog").close();
      this.say("state", { and: this.state.and, not: this.state.not });
    });
    this.root.addEventListener("facet", (event) => {
      event.stopPropagation();
      this.state = { ...this.state, ...change(this.state, event.detail) };
      event.target.show(this.facet, event.target.bucket, this.state);
      event.target.find(event.detail.list === "and" ? "input" : "button").focus();
    });
  }

  async open(facet) {
    this.facet = facet;
    this.state = readState();
    this.find("#title").textContent = `Filter by ${TITLES[facet]}`;
    this.find(".columns").innerHTML = "<p>Loading…</p>";
    this.find("dialog").showModal();
    const { facets } = await fetchPage(this.state);
    this.find(".columns").replaceChildren(...rows(facet, withChosen(facet, facets[facet], this.state), this.state));
  }
}

customElements.define("facet-row", FacetRow);
customElements.define("date-picker", DatePicker);
customElements.define("collection-facets", CollectionFacets);
customElements.define("more-facets", MoreFacets);
