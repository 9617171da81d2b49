// Puts a recorded page into this document. The recording is XML: handed to an HTML parser it comes out as another page.
// compat: as the reference does, the XML is written as if it were HTML.
// expand: the same with explicit end tags; links get back an address, which the recording has dropped.
// dom: every node is made as it was recorded, with its states, and nothing is lost to the parser's rules.
// Result: a function of the mode, so that several modes share one parsing. It puts the page in and gives JSON text
// {nodes, lost, misplaced}; nulls if the recording is no well-formed XML.
({ xml, hidden, clickable }) => {
  const ID = "backend_node_id";
  const RENAMED = { input_value: "value", aria_role: "role", text_value: "value" };
  const SWITCHES = { input_checked: "checked", option_selected: "selected" };
  const VOID = new Set(["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"]);
  const NOT_SHOWN = new Set(["script", "style", "noscript", "template", "head", "meta", "link", "title"]);
  const STYLE = "a, button, input, select, textarea, summary { min-width: 8px; min-height: 8px } a:empty { display: inline-block }";

  const recorded = new DOMParser().parseFromString(xml, "application/xml");
  const wellFormed = !recorded.getElementsByTagName("parsererror").length;
  const source = wellFormed ? recorded : new DOMParser().parseFromString(xml, "text/html");

  const write = (html) => {
    document.open();
    document.write(html);
    document.close();
  };
  const escaped = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
  const spelled = (node) => {
    if (node.nodeType === 3 || node.nodeType === 4) return escaped(node.data);
    if (node.nodeType !== 1) return "";
    const link = node.localName === "a" && !node.hasAttribute("href") ? ' href="#"' : "";
    const attributes = [...node.attributes].map((one) => ` ${one.name}="${escaped(one.value)}"`).join("") + link;
    if (VOID.has(node.localName)) return `<${node.localName}${attributes}>`;
    return `<${node.localName}${attributes}>${[...node.childNodes].map(spelled).join("")}</${node.localName}>`;
  };

  const hiddenIds = new Set(hidden);
  const clickableIds = new Set(clickable);
  const isHidden = (node) => hiddenIds.has(node.getAttribute(ID))
    && ![...node.querySelectorAll(`[${ID}]`)].some((inner) => !hiddenIds.has(inner.getAttribute(ID)));
  const copyAttributes = (from, to) => {
    for (const { name, value } of from.attributes) {
      if (name in SWITCHES) {
        if (value.toLowerCase() === "true") to.toggleAttribute(SWITCHES[name], true);
        continue;
      }
      const known = RENAMED[name] || (name.startsWith("aria_") ? name.replace("_", "-") : name);
      try {
        if (known === name || !from.hasAttribute(known)) to.setAttribute(known, value);
      } catch { /* no name of an attribute in HTML */ }
    }
  };
  const made = (node, within) => {
    if (node.nodeType === 3 || node.nodeType === 4) {
      within.append(node.data);
      return;
    }
    if (node.nodeType !== 1 || NOT_SHOWN.has(node.localName)) return;
    const tag = /^[a-z][a-z0-9-]*$/.test(node.localName) ? node.localName : "span";
    const element = document.createElement(["iframe", "frame", "frameset", "html", "body"].includes(tag) ? "div" : tag);
    copyAttributes(node, element);
    if (tag === "a" && !element.hasAttribute("href")) element.setAttribute("href", "#");
    if (tag === "dialog" || tag === "details") element.setAttribute("open", "");
    if (clickableIds.has(node.getAttribute(ID))) element.style.cursor = "pointer";
    if (isHidden(node)) element.style.display = "none";
    within.append(element);
    if (tag === "textarea") element.value = node.getAttribute("text_value") || node.textContent.trim();
    else for (const child of node.childNodes) made(child, element);
  };
  const build = () => {
    write("<!doctype html><html><head></head><body></body></html>");
    document.head.append(Object.assign(document.createElement("style"), { textContent: STYLE }));
    const root = source.documentElement;
    const body = root.localName === "html" ? [...root.children].find((child) => child.localName === "body") : null;
    if (root.localName === "html") copyAttributes(root, document.documentElement);
    if (body) copyAttributes(body, document.body);
    const tops = body ? [...root.children] : [root];
    const all = document.createDocumentFragment();
    for (const top of tops) if (top === body) for (const child of body.childNodes) made(child, all); else made(top, all);
    document.body.append(all);
  };

  // Scripts are off here, and a parser that knows it would read what is meant for such browsers; the reference's did not.
  const withoutNoscript = (html) => html.replace(/<noscript\b[^>]*>[^]*?(?:<\/noscript>|$)/gi, "");
  // Who is whose parent, in the recording and here, of all nodes that have an id.
  const parents = (root) => {
    const found = new Map();
    for (const element of root.querySelectorAll(`[${ID}]`)) {
      const id = element.getAttribute(ID);
      const above = element.parentElement && element.parentElement.closest(`[${ID}]`);
      if (!found.has(id)) found.set(id, above ? above.getAttribute(ID) : null);
    }
    return found;
  };
  const wanted = wellFormed ? parents(recorded) : null;
  return (mode) => {
    if (mode === "dom") build();
    else write(mode === "expand" ? spelled(source.documentElement) : withoutNoscript(xml));
    if (!wanted) return JSON.stringify({ nodes: null, lost: null, misplaced: null });
    const here = parents(document);
    let lost = 0;
    let misplaced = 0;
    for (const [id, parent] of wanted) {
      if (!here.has(id)) lost += 1;
      else if (here.get(id) !== parent) misplaced += 1;
    }
    return JSON.stringify({ nodes: wanted.size, lost, misplaced });
  };
}
