// The document as it is, whatever a page has put over its properties and functions.

// Forms and documents let their content hide their own properties (`<input name=children>`): ask the prototypes.
const getter = (type, name) => {
  const get = Object.getOwnPropertyDescriptor(type.prototype, name).get;
  return (node) => get.call(node);
};
const method = (type, name) => {
  const call = type.prototype[name];
  return (node, one, two) => call.call(node, one, two);
};
const firstChild = getter(Node, "firstChild");
const nextSibling = getter(Node, "nextSibling");
const parentOf = getter(Node, "parentNode");
const typeOf = getter(Node, "nodeType");
const documentOf = getter(Node, "ownerDocument");
const isConnected = getter(Node, "isConnected");
const rootOf = method(Node, "getRootNode");
const tagOf = getter(Element, "localName");
const namespaceOf = getter(Element, "namespaceURI");
const hasAttributes = method(Element, "hasAttributes");
const assignedOf = method(HTMLSlotElement, "assignedNodes");
const scrollTopOf = getter(Element, "scrollTop");
const scrollHeightOf = getter(Element, "scrollHeight");
const clientHeightOf = getter(Element, "clientHeight");
const clientLeftOf = getter(Element, "clientLeft");
const clientTopOf = getter(Element, "clientTop");
const valueOfText = getter(CharacterData, "data");
const locationOf = getter(Document, "URL");
const shadowOf = getter(Element, "shadowRoot");
const slotOf = getter(Element, "assignedSlot");
const siblingBefore = getter(Element, "previousElementSibling");
const rawAttribute = method(Element, "getAttribute");
const hasAttribute = method(Element, "hasAttribute");
const matches = method(Element, "matches");
const closest = method(Element, "closest");
const queryAll = method(Element, "querySelectorAll");
const query = method(Element, "querySelector");
const boxOf = method(Element, "getBoundingClientRect");
const boxesOf = method(Element, "getClientRects");
const bodyOf = getter(Document, "body");
const rootElement = getter(Document, "documentElement");
const titleOf = getter(Document, "title");
const readyOf = getter(Document, "readyState");
const viewOf = getter(Document, "defaultView");
const activeOf = getter(Document, "activeElement");
const allIn = method(Document, "querySelectorAll");
const scrollingOf = getter(Document, "scrollingElement");
const idIn = { 9: method(Document, "getElementById"), 11: method(DocumentFragment, "getElementById") };
const byId = (root, id) => idIn[typeOf(root)]?.(root, id) ?? null;
// `instanceof` does not hold for elements of other documents; getters do.
// An `<input>` of SVG is no input, either.
const maybe = (type, name, otherwise = undefined) => {
  const get = getter(type, name);
  return (element) => {
    try {
      return get(element);
    } catch {
      return otherwise;
    }
  };
};
const labelLists = {
  input: maybe(HTMLInputElement, "labels"),
  select: maybe(HTMLSelectElement, "labels"),
  textarea: maybe(HTMLTextAreaElement, "labels"),
  button: maybe(HTMLButtonElement, "labels"),
};
const inputTypeOf = maybe(HTMLInputElement, "type", "");
const inputValue = maybe(HTMLInputElement, "value", "");
const inputChecked = maybe(HTMLInputElement, "checked", false);
const areaValue = maybe(HTMLTextAreaElement, "value", "");
const listOf = maybe(HTMLInputElement, "list", null);
const filesOf = maybe(HTMLInputElement, "files", []);
const mixedOf = maybe(HTMLInputElement, "indeterminate", false);
const optionsOf = maybe(HTMLSelectElement, "options", []);
const selectedOf = maybe(HTMLSelectElement, "selectedOptions", []);
const controlOf = maybe(HTMLLabelElement, "control");
const linkOf = maybe(HTMLAnchorElement, "href");
const areaLinkOf = maybe(HTMLAreaElement, "href");
const editableOf = maybe(HTMLElement, "isContentEditable");
const framed = maybe(HTMLIFrameElement, "contentDocument");
const framedOld = maybe(HTMLFrameElement, "contentDocument");
const innerTextOf = maybe(HTMLElement, "innerText");
const textContentOf = getter(Node, "textContent");
const documentIn = (frame) => framed(frame) ?? framedOld(frame) ?? null;

// An attribute may hold megabytes, such as an image in a data: address.
const attribute = (element, name) => {
  const value = rawAttribute(element, name);
  return value === null ? null : value.slice(0, 2_000);
};
const styleOf = (element) => getComputedStyle(element);

const childrenOf = (node) => {
  const children = [];
  for (let child = firstChild(node); child; child = nextSibling(child)) children.push(child);
  return children;
};
const allBelow = (root, selector) => {
  const type = typeOf(root);
  if (type === 9) return allIn(root, selector);
  return type === 1 ? queryAll(root, selector) : root.querySelectorAll(selector);
};

// Children as they are rendered: a host's shadow tree, what is assigned to a slot.
const eachChild = (node, visit) => {
  if (typeOf(node) === 1) {
    const shadow = shadowOf(node);
    if (shadow) node = shadow;
    else if (tagOf(node) === "slot") {
      const assigned = node.assignedNodes();
      if (assigned.length) {
        for (const one of assigned) visit(one);
        return;
      }
    }
  }
  for (let child = firstChild(node); child; child = nextSibling(child)) visit(child);
};

const labelsOf = (element) => {
  const tag = tagOf(element);
  return Object.hasOwn(labelLists, tag) ? [...(labelLists[tag](element) || [])] : [];
};
const referenced = (element, name) => {
  const ids = (attribute(element, name) || "").split(/\s+/).filter(Boolean).slice(0, 10);
  const root = ids.length ? rootOf(element) : null;
  return ids.map((id) => byId(root, id)).filter(Boolean);
};

const composedParent = (node) => {
  const slot = typeOf(node) === 1 ? slotOf(node) : null;
  if (slot) return slot;
  const parent = parentOf(node);
  return parent && typeOf(parent) === 11 ? parent.host || null : parent;
};
const holds = (outer, inner) => {
  for (let node = inner, left = 2_000; node && left > 0; node = composedParent(node), left--)
    if (node === outer) return true;
  return false;
};

const focusedNow = () => {
  let active = activeOf(document);
  for (let left = 50; active && left > 0; left--) {
    const inner =
      shadowOf(active)?.activeElement ||
      (tagOf(active) === "iframe" ? activeOf(documentIn(active) || document) : null);
    if (!inner) break;
    active = inner;
  }
  return active;
};
