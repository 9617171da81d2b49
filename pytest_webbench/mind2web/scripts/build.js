// Makes the nodes of a recording in this document, which must be empty but for <html>, <head> and
// <body>. `hidden` and `clickable` are ids of nodes that were not laid out, or could be clicked.
(root, { hidden, clickable }) => {
  const ID = "backend_node_id";
  // The recording's names for what a form field showed, and for attributes with a dash.
  const RENAMED = { input_value: "value", aria_role: "role", text_value: "value" };
  const SWITCHES = { input_checked: "checked", option_selected: "selected" };
  const NOT_SHOWN = new Set([
    "script", "style", "noscript", "template", "head", "meta", "link", "title",
  ]);
  // A frame would load another document, and a second <html> or <body> is not possible.
  const MADE_DIV = new Set(["iframe", "frame", "frameset", "html", "body"]);
  // Without the page's own style sheets, empty controls would have no size and count as invisible.
  const STYLE = "a, button, input, select, textarea, summary { min-width: 8px; min-height: 8px } "
    + "a:empty { display: inline-block }";

  const hiddenIds = new Set(hidden);
  const clickableIds = new Set(clickable);
  const isHidden = (node) => {
    if (!hiddenIds.has(node.getAttribute(ID))) return false;
    // A node without a box may hold one with a box, as `display: contents` does: show it.
    const inner = [...node.querySelectorAll(`[${ID}]`)];
    return inner.every((one) => hiddenIds.has(one.getAttribute(ID)));
  };
  const attributeName = (name) => {
    if (RENAMED[name]) return RENAMED[name];
    return name.startsWith("aria_") ? name.replace("_", "-") : name;
  };
  const copyAttributes = (from, to) => {
    for (const { name, value } of from.attributes) {
      if (name in SWITCHES) {
        if (value.toLowerCase() === "true") to.toggleAttribute(SWITCHES[name], true);
        continue;
      }
      const known = attributeName(name);
      if (known !== name && from.hasAttribute(known)) continue; // the real one counts
      try {
        to.setAttribute(known, value);
      } catch { /* XML allows names of attributes that HTML does not */ }
    }
  };
  const make = (node, parent) => {
    if (node.nodeType === Node.TEXT_NODE || node.nodeType === Node.CDATA_SECTION_NODE) {
      parent.append(node.data);
      return;
    }
    if (node.nodeType !== Node.ELEMENT_NODE || NOT_SHOWN.has(node.localName)) return;
    const tag = /^[a-z][a-z0-9-]*$/.test(node.localName) ? node.localName : "span";
    const element = document.createElement(MADE_DIV.has(tag) ? "div" : tag);
    copyAttributes(node, element);
    if (tag === "a" && !element.hasAttribute("href")) element.setAttribute("href", "#");
    if (tag === "dialog" || tag === "details") element.setAttribute("open", "");
    if (clickableIds.has(node.getAttribute(ID))) element.style.cursor = "pointer";
    if (isHidden(node)) element.style.display = "none";
    parent.append(element);
    if (tag === "textarea") {
      element.value = node.getAttribute("text_value") || node.textContent.trim();
      return;
    }
    for (const child of node.childNodes) make(child, element);
  };

  const style = Object.assign(document.createElement("style"), { textContent: STYLE });
  document.head.append(style);
  // Built apart and put in at once: the document is laid out a single time.
  const all = document.createDocumentFragment();
  if (root.localName !== "html") {
    make(root, all);
  } else {
    copyAttributes(root, document.documentElement);
    const body = [...root.children].find((child) => child.localName === "body");
    if (body) copyAttributes(body, document.body);
    // Without a <body>, all of <html> goes into ours, itself as a div.
    for (const top of body ? root.children : [root]) {
      if (top === body) for (const child of body.childNodes) make(child, all);
      else make(top, all);
    }
  }
  document.body.append(all);
}
