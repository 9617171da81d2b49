// What all components share: a shadow root with the common styles, and events that cross shadow roots.
const sheet = new CSSStyleSheet();
sheet.replaceSync(`
:host{display:block}*{box-sizing:border-box}[hidden]{display:none!important}a{color:#315a9c;text-decoration:none}a:hover{text-decoration:underline}h1{font-size:24px;margin:0 0 8px}h2{font-size:15px;margin:0 0 6px}ul{list-style:none;margin:0;padding:0}
button,input{font:inherit}button{cursor:pointer}.plain{border:0;background:none;padding:4px 8px;color:#315a9c}.plain[aria-pressed=true]{color:#2c2c2c;font-weight:700;border-bottom:2px solid #2c2c2c}.plain:disabled{color:#999;cursor:default}
.nav{display:flex;align-items:center;gap:24px;padding:10px 24px;background:#222}.nav a{color:#fff;font-size:19px}.nav form{display:flex;flex:1;max-width:620px;margin-left:auto}.nav input{flex:1;padding:7px 12px;border:0;border-radius:4px 0 0 4px}.nav button,.primary{border:0;border-radius:4px;padding:7px 16px;background:#194880;color:#fff}.nav button{border-radius:0 4px 4px 0;background:#3d6fb4}
.layout{display:grid;grid-template-columns:250px minmax(0,1fr);gap:24px;max-width:1320px;margin:0 auto;padding:20px 24px}.count{font-size:22px;margin:0 0 14px}.group{margin-bottom:18px;border-top:1px solid #ccc;padding-top:8px}
.facet{display:flex;gap:8px;align-items:baseline;font-size:14px}.facet label{flex:1;display:flex;gap:8px;align-items:baseline;cursor:pointer}.facet span{flex:1}.facet small{color:#666}.facet button{border:0;background:none;color:#888;padding:0 2px;font-size:12px}.facet button[aria-pressed=true]{color:#b00020;font-weight:700}.off span{text-decoration:line-through}
.range{display:flex;gap:6px;align-items:center}.range input{width:76px;padding:4px 6px;border:1px solid #bbb;border-radius:4px}.range button{border:1px solid #bbb;border-radius:4px;background:#fff;padding:4px 8px}
.bar{display:flex;align-items:center;flex-wrap:wrap;gap:6px;padding:8px 12px;margin-bottom:16px;background:#fff;border:1px solid #ddd}.bar .end{margin-left:auto}.grid{display:grid;grid-template-columns:repeat(auto-fill,minmax(190px,1fr));gap:16px}.rows{display:grid;gap:8px;--tile-height:0}
.tile{display:flex;flex-direction:column;gap:4px;height:100%;min-height:var(--tile-height,150px);padding:14px;background:#fff;border-radius:4px;box-shadow:0 1px 3px #0003;color:#2c2c2c}.tile:hover{text-decoration:none;box-shadow:0 2px 8px #0005}.tile b{font-size:15px}.tile small{color:#555}.tile .foot{margin-top:auto;display:flex;justify-content:space-between;border-top:1px solid #eee;padding-top:6px}
.bones{height:150px;border-radius:4px;background:linear-gradient(90deg,#e3e3e6,#f1f1f3,#e3e3e6)}dialog{width:min(640px,92vw);border:0;border-radius:8px;padding:20px 24px;box-shadow:0 6px 30px #0006}dialog .columns{columns:2;min-height:60px;margin:12px 0}dialog .foot{display:flex;gap:10px;justify-content:flex-end}.second{border:1px solid #999;border-radius:4px;padding:6px 16px;background:#fff}
.item{max-width:960px;margin:24px auto;padding:24px 32px;background:#fff}.stage{display:grid;place-items:center;height:190px;margin-bottom:20px;background:#2c2c2c;color:#ddd;font-size:19px}dl{display:grid;grid-template-columns:160px 1fr;gap:6px 16px}dt{font-weight:700}dd{margin:0}@media(max-width:800px){.layout{grid-template-columns:1fr}}
`);

export const safe = (text) => String(text).replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);

export const plural = (count, word) => `${count.toLocaleString("en-US")} ${word}${count === 1 ? "" : "s"}`;

export class Part extends HTMLElement {
  constructor() {
    super();
    this.root = this.attachShadow({ mode: "open" });
    this.root.adoptedStyleSheets = [sheet];
  }

  find(selector) {
    return this.root.querySelector(selector);
  }

  on(type, selector, handle) {
    this.root.addEventListener(type, (event) => {
      const target = event.target.closest?.(selector);
      if (target) handle(target, event);
    });
  }

  say(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true }));
  }
}

// The state of a search is its address.
export const clause = (field, value) => `${field}:"${value}"`;

const normal = (text) => {
  const [, field, value] = text.match(/^(\w+):"?(.*?)"?$/) ?? [];
  return field && !value.startsWith("[") ? clause(field, value) : text;
};

export const readState = () => {
  const params = new URLSearchParams(location.search);
  return {
    query: params.get("query") ?? "", sort: params.get("sort") ?? "",
    and: params.getAll("and[]").map(normal), not: params.getAll("not[]").map(normal),
  };
};

export const toParams = (state) => {
  const params = new URLSearchParams();
  if (state.query) params.set("query", state.query);
  for (const one of state.and) params.append("and[]", one);
  for (const one of state.not) params.append("not[]", one);
  if (state.sort) params.set("sort", state.sort);
  return params;
};

export const fetchPage = async (state, page = 1) => {
  const params = toParams(state);
  params.set("page", page);
  const answer = await fetch(`/services/search/beta/page_production/?${params}`);
  return answer.json();
};
