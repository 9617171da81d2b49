// Does what the reference's snapshot does, so that our figures can be compared with its own: the
// same elements get the same refs. For one frame; `first` is the number of its first ref.
// Returns JSON text {tree, nodes, next, refs: [[ref, tag, id]], golds: [{covered, exact, accepted}]}.
([golds, first]) => {
  const ID = "backend_node_id";
  const MOST_NODES = 4001;
  const SKIPPED = new Set([
    "script", "style", "noscript", "template", "svg", "path", "meta", "link", "head", "iframe",
    "frame",
  ]);
  const NATIVE = new Set(["a", "button", "input", "select", "textarea", "summary", "option"]);
  const ROLES = new Set([
    "button", "link", "tab", "checkbox", "radio", "menuitem", "menuitemcheckbox", "menuitemradio",
    "combobox", "option", "switch", "searchbox", "textbox", "slider", "spinbutton",
  ]);
  const LANDMARKS = new Set([
    "nav", "main", "header", "footer", "form", "aside", "section", "table", "thead", "tbody", "tr",
    "ul", "ol", "li", "dialog", "details", "fieldset", "label",
  ]);
  const NAMING = ["aria-label", "aria_label", "alt", "title", "placeholder"];
  const NAMING_SELECTOR = NAMING.map((name) => `[${name}]`).join(",");
  const NAMING_CLASS =
    /icon|search|menu|close|btn|button|logo|cart|user|login|arrow|next|prev/i;
  const HEADING = /^h[1-6]$/;

  let nodes = 0;
  let next = first;
  const refs = new Map();

  const collapse = (text) => text.replace(/\s+/g, " ").trim();
  const attribute = (element, name) => element.getAttribute(name) || "";
  const innerText = (element) => collapse(element.innerText || "");
  const ownText = (element) => {
    let text = "";
    for (const node of element.childNodes) {
      if (node.nodeType === Node.TEXT_NODE) text += node.textContent;
    }
    return collapse(text).slice(0, 200);
  };
  const visible = (element) => {
    const { display, visibility, opacity } = getComputedStyle(element);
    if (display === "none" || visibility === "hidden" || opacity === "0") return false;
    const box = element.getBoundingClientRect();
    return box.width !== 0 && box.height !== 0;
  };
  const hasRef = (tree) =>
    tree.some((node) => node.ref || (node.children && hasRef(node.children)));
  const nameOf = (element) =>
    NAMING.map((name) => attribute(element, name)).find((name) => name) || "";
  const fallbackName = (element) => {
    const inner = element.querySelector(NAMING_SELECTOR);
    const named = inner && nameOf(inner);
    const token = [...element.classList].find((name) => NAMING_CLASS.test(name));
    return (named || token || element.id || "").slice(0, 60);
  };
  const actionable = (element, tag, children) => {
    if (NATIVE.has(tag) || ROLES.has(attribute(element, "role"))) return true;
    if (element.hasAttribute("onclick") || element.isContentEditable) return true;
    const tabindex = element.getAttribute("tabindex");
    if (tabindex !== null && parseInt(tabindex, 10) >= 0) return true;
    if (tag !== "li" || hasRef(children)) return false;
    const text = innerText(element);
    return text.length >= 1 && text.length <= 100;
  };
  const optionState = (option) => {
    const state = { v: option.value, t: collapse(option.text).slice(0, 40) };
    if (option.selected) state.selected = true;
    return state;
  };
  const addStates = (element, tag, node) => {
    if (tag === "input" || tag === "textarea") {
      if (tag === "input") node.type = element.type;
      if (element.value) node.value = element.value.slice(0, 80);
      if (element.checked) node.checked = true;
    }
    if (element.disabled) node.disabled = true;
    if (tag === "select") node.options = [...element.options].slice(0, 30).map(optionState);
  };

  const walkAll = (elements) => {
    const found = [];
    if (nodes >= MOST_NODES) return found;
    for (const child of elements) found.push(...walk(child));
    return found;
  };
  // The children before the element: the reference numbers them first.
  const walk = (element) => {
    const tag = element.tagName.toLowerCase();
    if (SKIPPED.has(tag) || !visible(element)) return [];
    nodes += 1;
    const children = tag === "select" ? [] : walkAll(element.children);
    if (element.shadowRoot) children.push(...walkAll(element.shadowRoot.children));
    const acts = actionable(element, tag, children);
    const leaf = tag === "li" && acts && !hasRef(children);
    const text = leaf ? innerText(element).slice(0, 100) : ownText(element);
    const landmark = LANDMARKS.has(tag) && children.length;
    if (!acts && !HEADING.test(tag) && !text && !landmark) return children;
    const node = { tag };
    if (acts) {
      node.ref = `e${next}`;
      next += 1;
      refs.set(element, node.ref);
    }
    addStates(element, tag, node);
    const role = attribute(element, "role");
    if (role) node.role = role;
    if (HEADING.test(tag)) node.heading = tag;
    if (text && tag !== "select") node.text = text;
    let name = nameOf(element).slice(0, 80);
    if (!name && acts && !text && !children.length) name = fallbackName(element);
    if (name && name !== text) node.name = name;
    const href = attribute(element, "href");
    if (tag === "a" && href && !href.startsWith("javascript:")) node.href = href.slice(0, 200);
    if (children.length && !leaf) node.children = children;
    return [node];
  };

  const { body } = document;
  const tree = body ? walkAll(body.children) : [];
  if (body && body.shadowRoot) tree.push(...walkAll(body.shadowRoot.children));

  const nearest = (element) => {
    for (let at = element; at; at = at.parentElement) if (refs.has(at)) return at;
    return null;
  };
  const coverOf = (gold) => {
    const selector = `[${ID}="${CSS.escape(gold)}"]`;
    const target = document.querySelector(selector);
    const standIn = target && nearest(target);
    const accepted = [...refs]
      .filter(([element]) => element === standIn || element.closest(selector))
      .map(([, ref]) => ref);
    return {
      covered: Boolean(standIn),
      exact: standIn !== null && standIn === target,
      accepted,
    };
  };
  return JSON.stringify({
    tree,
    nodes,
    next,
    golds: golds.map(coverOf),
    refs: [...refs].map(([element, ref]) => [
      ref, element.tagName.toLowerCase(), element.getAttribute(ID),
    ]),
  });
}
