// The page that is loaded, as HTML for reports: its text and fields, and nothing that runs or loads
// anything. `wanted` are ids of recorded nodes that a report may mark.
// Returns JSON text {html, nodes: {id: {tag, text, attributes: [[name, value]]}}}. In `html` each
// recorded node has the id "node-" and its own; a page's own ids are left out.
(wanted) => {
  const ID = "backend_node_id";
  const DEAD = "script, style, template, noscript, title, meta, link, base, iframe, frame, frameset, "
    + "object, embed";
  const MOST_HTML = 4_000_000;
  const MOST_TEXT = 120;
  const MOST_ATTRIBUTES = 12;

  const cut = (text) => text.replace(/\s+/g, " ").trim().slice(0, MOST_TEXT);
  const described = (element) => ({
    tag: element.localName,
    text: cut(element.textContent),
    attributes: [...element.attributes]
      .filter(({ name }) => name !== ID && name !== "style")
      .slice(0, MOST_ATTRIBUTES)
      .map(({ name, value }) => [name, cut(value)]),
  });
  const nodes = {};
  for (const id of wanted) {
    const element = document.querySelector(`[${ID}="${CSS.escape(id)}"]`);
    if (element) nodes[id] = described(element);
  }

  // In a document without a window nothing is loaded.
  const inert = document.implementation.createHTMLDocument("");
  const isHtml = (element) =>
    element.namespaceURI === inert.documentElement.namespaceURI
    && !(element instanceof HTMLUnknownElement)
    && !element.localName.includes("-");
  // Other elements are left out of a report with their marks, so make them spans.
  const renamed = (element, name) => {
    const other = inert.createElement(name);
    for (const attribute of element.attributes) other.setAttributeNode(attribute.cloneNode());
    other.append(...element.childNodes);
    element.replaceWith(other);
    return other;
  };
  const written = () => {
    if (!document.body) return "";
    const page = inert.importNode(document.body, true);
    const fields = [...document.body.querySelectorAll("textarea")].map((field) => field.value);
    for (const [at, field] of page.querySelectorAll("textarea").entries()) {
      field.textContent = fields[at];
    }
    for (const dead of page.querySelectorAll(DEAD)) dead.remove();
    const holder = inert.createElement("div");
    holder.append(page);
    for (const element of holder.querySelectorAll("*")) {
      const id = element.getAttribute(ID);
      for (const name of element.getAttributeNames()) {
        if (name === "id" || name.startsWith("on")) element.removeAttribute(name);
      }
      element.removeAttribute(ID);
      if (id) element.id = `node-${id}`;
      if (element === page) renamed(element, "div");
      else if (!isHtml(element)) renamed(element, "span");
    }
    return holder.innerHTML.length > MOST_HTML ? "" : holder.innerHTML;
  };
  return JSON.stringify({ html: written(), nodes });
}
