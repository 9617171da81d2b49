// What the reference's snapshot does, so that its figures can be compared with: the same elements get the same refs.
// Result: JSON text {tree, nodes, next, refs: [[ref, tag, backend_node_id]], golds: [{covered, accepted}]}, for one frame.
([golds, first]) => {
  const SKIPPED = new Set(["script", "style", "noscript", "template", "svg", "path", "meta", "link", "head", "iframe", "frame"]);
  const NATIVE = new Set(["a", "button", "input", "select", "textarea", "summary", "option"]);
  const ROLES = new Set(["button", "link", "tab", "checkbox", "radio", "menuitem", "menuitemcheckbox", "menuitemradio",
    "combobox", "option", "switch", "searchbox", "textbox", "slider", "spinbutton"]);
  const LANDMARKS = new Set(["nav", "main", "header", "footer", "form", "aside", "section", "table", "thead", "tbody", "tr",
    "ul", "ol", "li", "dialog", "details", "fieldset", "label"]);
  const HEADING = /^h[1-6]$/;
  const MOST = 4001;
  const NAMED = /icon|search|menu|close|btn|button|logo|cart|user|login|arrow|next|prev/i;
  const ID = "backend_node_id";
  let nodes = 0;
  let next = first;
  const refs = new Map();

  const collapse = (text) => text.replace(/\s+/g, " ").trim();
  const attribute = (element, name) => element.getAttribute(name) || "";
  const ownText = (element) => {
    let text = "";
    for (const node of element.childNodes) if (node.nodeType === 3) text += node.textContent;
    return collapse(text).slice(0, 200);
  };
  const visible = (element) => {
    const style = getComputedStyle(element);
    if (style.display === "none" || style.visibility === "hidden" || style.opacity === "0") return false;
    const box = element.getBoundingClientRect();
    return box.width !== 0 && box.height !== 0;
  };
  const hasRef = (tree) => tree.some((node) => node.ref || (node.children && hasRef(node.children)));
  const nameOf = (element) =>
    ["aria-label", "aria_label", "alt", "title", "placeholder"].map((name) => attribute(element, name)).find((name) => name);
  const fallbackName = (element) => {
    const inner = element.querySelector("[aria-label],[aria_label],[alt],[title],[placeholder]");
    const named = inner && nameOf(inner);
    const token = [...element.classList].find((name) => NAMED.test(name));
    return (named || token || element.id || "").slice(0, 60);
  };
  const actionable = (element, tag, children) => {
    if (NATIVE.has(tag) || ROLES.has(attribute(element, "role")) || element.hasAttribute("onclick")) return true;
    if (element.isContentEditable) return true;
    const tabindex = element.getAttribute("tabindex");
    if (tabindex !== null && parseInt(tabindex, 10) >= 0) return true;
    if (tag !== "li" || hasRef(children)) return false;
    const text = collapse(element.innerText || "");
    return text.length >= 1 && text.length <= 100;
  };
  const states = (element, tag, node) => {
    if (tag === "input" || tag === "textarea") {
      if (tag === "input") node.type = element.type;
      if (element.value) node.value = element.value.slice(0, 80);
      if (element.checked) node.checked = true;
    }
    if (element.disabled) node.disabled = true;
    if (tag === "select") {
      node.options = [...element.options].slice(0, 30).map((option) => (
        { v: option.value, t: collapse(option.text).slice(0, 40), ...(option.selected ? { selected: true } : {}) }));
    }
  };
  const walkAll = (list) => {
    const found = [];
    if (nodes >= MOST) return found;
    for (const child of list) found.push(...walk(child));
    return found;
  };
  const walk = (element) => {
    const tag = element.tagName.toLowerCase();
    if (SKIPPED.has(tag) || !visible(element)) return [];
    nodes += 1;
    const children = tag === "select" ? [] : walkAll(element.children);
    if (element.shadowRoot) children.push(...walkAll(element.shadowRoot.children));
    const acts = actionable(element, tag, children);
    const leaf = tag === "li" && acts && !hasRef(children);
    const text = leaf ? collapse(element.innerText || "").slice(0, 100) : ownText(element);
    if (!acts && !HEADING.test(tag) && !text && !(LANDMARKS.has(tag) && children.length)) return children;
    const node = { tag };
    if (acts) {
      node.ref = `e${next++}`;
      refs.set(element, node.ref);
    }
    states(element, tag, node);
    const role = attribute(element, "role");
    if (role) node.role = role;
    if (HEADING.test(tag)) node.heading = tag;
    if (text && tag !== "select") node.text = text;
    const name = (nameOf(element) || "").slice(0, 80) || (acts && !text && !children.length ? fallbackName(element) : "");
    if (name && name !== text) node.name = name;
    const href = attribute(element, "href");
    if (tag === "a" && href && !href.startsWith("javascript:")) node.href = href.slice(0, 200);
    if (children.length && !leaf) node.children = children;
    return [node];
  };

  const tree = document.body ? walkAll(document.body.children) : [];
  if (document.body && document.body.shadowRoot) tree.push(...walkAll(document.body.shadowRoot.children));
  const stamped = (element) => {
    for (let at = element; at; at = at.parentElement) if (refs.has(at)) return at;
    return null;
  };
  const judged = golds.map((gold) => {
    const selector = `[${ID}="${CSS.escape(gold)}"]`;
    const target = document.querySelector(selector);
    const nearest = target && stamped(target);
    const accepted = [...refs].filter(([element]) => element === nearest || element.closest(selector)).map(([, ref]) => ref);
    return { covered: Boolean(nearest), exact: nearest !== null && nearest === target, accepted };
  });
  return JSON.stringify({
    tree, nodes, next, golds: judged, refs: [...refs].map(([element, ref]) => [ref, element.tagName.toLowerCase(), element.getAttribute(ID)]),
  });
}
