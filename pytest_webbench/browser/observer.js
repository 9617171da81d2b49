// Runs in an isolated world of a document: pages can neither see it nor replace the functions it uses.
// `look` walks the rendered page once and tells it as one JSON string; `target` and `trouble` serve acting.
((KEY) => {
  if (globalThis[KEY]) return;

  const MOST_NODES = 60_000;
  const DEEPEST = 600;
  const MOST_MILLISECONDS = 1_500;
  const LONGEST_TEXT = 200_000;
  const MOST_CHOICES = 200;
  const MOST_FRAMES = 20;

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
  const viewOf = getter(Document, "defaultView");
  const activeOf = getter(Document, "activeElement");
  const scrollingOf = getter(Document, "scrollingElement");
  const byId = (root, id) => (typeOf(root) === 11 ? DocumentFragment : Document).prototype.getElementById.call(root, id);
  // `instanceof` does not hold for elements of other documents; getters do.
  const maybe = (type, name) => {
    const get = getter(type, name);
    return (element) => { try { return get(element); } catch { return undefined; } };
  };
  const labelLists = {
    input: getter(HTMLInputElement, "labels"), select: getter(HTMLSelectElement, "labels"),
    textarea: getter(HTMLTextAreaElement, "labels"), button: getter(HTMLButtonElement, "labels"),
  };
  const inputTypeOf = getter(HTMLInputElement, "type");
  const inputValue = getter(HTMLInputElement, "value");
  const inputChecked = getter(HTMLInputElement, "checked");
  const areaValue = getter(HTMLTextAreaElement, "value");
  const listOf = getter(HTMLInputElement, "list");
  const filesOf = getter(HTMLInputElement, "files");
  const mixedOf = getter(HTMLInputElement, "indeterminate");
  const optionsOf = getter(HTMLSelectElement, "options");
  const selectedOf = getter(HTMLSelectElement, "selectedOptions");
  const controlOf = maybe(HTMLLabelElement, "control");
  const linkOf = maybe(HTMLAnchorElement, "href");
  const areaLinkOf = maybe(HTMLAreaElement, "href");
  const editableOf = maybe(HTMLElement, "isContentEditable");
  const framed = maybe(HTMLIFrameElement, "contentDocument");
  const framedOld = maybe(HTMLFrameElement, "contentDocument");
  const textContentOf = getter(Node, "textContent");
  const documentIn = (frame) => framed(frame) ?? framedOld(frame) ?? null;

  const UNFIT = /[\s\u0000-\u001f\u007f-\u009f\ufffe\uffff\u200b\u2060\ufeff]+/g;
  const ODD = /[^\S ]|  |[\u0000-\u001f\u007f-\u009f\u200b\u2060\ud800-\udfff\ufeff\ufffe\uffff]/;
  const plain = (text) => (ODD.test(text) ? text.replace(UNFIT, " ").toWellFormed() : text);
  const clip = (text, most) => {
    if (!text) return "";
    const short = plain(text.length > most * 8 ? text.slice(0, most * 8) : text).trim();
    return short.length > most ? short.slice(0, most - 1).toWellFormed().replace(/\ufffd$/, "") + "…" : short;
  };
  const attribute = (element, name) => {
    const value = rawAttribute(element, name);
    return value === null ? null : value.slice(0, 2_000);
  };
  const styleOf = (element) => getComputedStyle(element);

  // -- Roles ---------------------------------------------------------------------------------------------------

  const WIDGETS = new Set([
    "button", "link", "checkbox", "radio", "switch", "tab", "menuitem", "menuitemcheckbox", "menuitemradio", "option",
    "combobox", "textbox", "searchbox", "spinbutton", "slider", "treeitem", "listbox",
  ]);
  const ROLES = new Set([
    ...WIDGETS, "alert", "alertdialog", "article", "banner", "cell", "columnheader", "complementary", "contentinfo", "dialog",
    "figure", "form", "grid", "gridcell", "group", "heading", "img", "list", "listitem", "log", "main", "menu", "menubar",
    "navigation", "none", "presentation", "progressbar", "radiogroup", "region", "row", "rowheader", "scrollbar", "search",
    "separator", "status", "table", "tablist", "tabpanel", "toolbar", "tooltip", "tree", "treegrid",
  ]);
  const INPUTS = {
    button: "button", submit: "button", reset: "button", image: "button", file: "button", checkbox: "checkbox", radio: "radio",
    number: "spinbutton", range: "slider", search: "searchbox", color: "textbox",
  };
  const NATIVE = { button: "button", textarea: "textbox", summary: "button", li: "listitem", td: "cell", th: "columnheader", tr: "row", img: "img" };
  const inputType = (element) => inputTypeOf(element);

  const ownRole = (element) => {
    const given = attribute(element, "role");
    if (!given) return "";
    const found = given.toLowerCase().split(/\s+/).find((one) => ROLES.has(one));
    return found === "none" || found === "presentation" ? "" : found || "";
  };
  const nativeRole = (element, tag) => {
    switch (tag) {
      case "a": case "area": return hasAttribute(element, "href") ? "link" : "";
      case "select": return hasAttribute(element, "multiple") || Number(attribute(element, "size")) > 1 ? "listbox" : "combobox";
      case "input": {
        const type = inputType(element);
        const role = INPUTS[type] || "textbox";
        return (role === "textbox" || role === "searchbox") && hasAttribute(element, "list") && type !== "color" ? "combobox" : role;
      }
      default: return Object.hasOwn(NATIVE, tag) ? NATIVE[tag] : "";
    }
  };

  // -- Names ---------------------------------------------------------------------------------------------------

  const SILENT = new Set(["script", "style", "noscript", "template", "head", "meta", "link", "title", "datalist", "param", "source", "track"]);
  const FROM_CONTENT = new Set([
    "button", "link", "checkbox", "radio", "switch", "tab", "menuitem", "menuitemcheckbox", "menuitemradio", "option", "treeitem",
    "cell", "gridcell", "columnheader", "rowheader", "row", "heading", "listitem", "clickable", "img", "tooltip",
  ]);

  // Children as they are rendered: a host's shadow tree, what is assigned to a slot.
  const eachChild = (node, visit) => {
    if (typeOf(node) === 1) {
      const shadow = shadowOf(node);
      if (shadow) node = shadow;
      else if (tagOf(node) === "slot") {
        const assigned = node.assignedNodes();
        if (assigned.length) { for (const one of assigned) visit(one); return; }
      }
    }
    for (let child = firstChild(node); child; child = nextSibling(child)) visit(child);
  };

  const pseudoText = (element, which) => {
    const { content } = getComputedStyle(element, which);
    if (content === "none" || content === "normal") return "";
    // After a slash comes what to say in its stead.
    const found = /^"((?:[^"\\]|\\.)*)"(?: \/ "((?:[^"\\]|\\.)*)")?/.exec(content.slice(0, 200));
    return found ? (found[2] ?? found[1]).replace(/\\(.)/g, "$1").replace(/[\ue000-\uf8ff]/g, "") : "";
  };

  const altOf = (element, tag) => {
    if (tag === "img" || tag === "area") return attribute(element, "alt") || attribute(element, "title") || "";
    if (tag === "svg") {
      for (let child = firstChild(element); child; child = nextSibling(child)) {
        if (typeOf(child) === 1 && tagOf(child) === "title") return textContentOf(child).slice(0, 300);
      }
      return null;
    }
    if (tag === "input") {
      const type = inputType(element);
      if (type === "checkbox" || type === "radio" || type === "password" || type === "hidden" || type === "file") return "";
      return type === "image" ? attribute(element, "alt") || "" : (inputValue(element) || "").slice(0, 300);
    }
    if (tag === "textarea") return areaValue(element).slice(0, 300);
    if (tag === "select") return chosen(element).map((one) => one.label).join(" ");
    return null;
  };

  // The words within an element, as assistive technology would read them.
  const wordsOf = (root, { without = null, hidden = false, most = 400 } = {}) => {
    const only = firstChild(root);
    if (only && typeOf(only) === 3 && !nextSibling(only) && !shadowOf(root) && styleOf(root).visibility === "visible") {
      return clip(pseudoText(root, "::before") + valueOfText(only).slice(0, most * 2) + pseudoText(root, "::after"), most);
    }
    let words = "";
    let left = 300;
    const visit = (node) => {
      if (words.length > most || left-- <= 0 || node === without) return;
      const type = typeOf(node);
      if (type === 3) words += valueOfText(node).slice(0, most * 2);
      if (type !== 1) return;
      const tag = tagOf(node);
      if (SILENT.has(tag)) return;
      if (tag === "br") { words += " "; return; }
      const style = styleOf(node);
      const { display } = style;
      if (!hidden && (display === "none" || style.visibility !== "visible" || attribute(node, "aria-hidden") === "true")) return;
      const loose = !(display === "inline" || display === "contents");
      if (loose) words += " ";
      const label = node === root ? null : (attribute(node, "aria-label") || "").trim() || altOf(node, tag);
      if (label !== null && label !== "") words += label;
      else if (label === null || tag !== "svg" && tag !== "input" && tag !== "select" && tag !== "textarea") {
        words += pseudoText(node, "::before");
        eachChild(node, visit);
        words += pseudoText(node, "::after");
      }
      if (loose) words += " ";
    };
    visit(root);
    return clip(words, most);
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

  const BUTTONS = { submit: "Submit", reset: "Reset", image: "Submit", file: "Choose File" };
  const nameOf = (element, tag, role) => {
    const labelled = referenced(element, "aria-labelledby")
      .map((one) => (attribute(one, "aria-label") || "").trim() || wordsOf(one, { hidden: styleOf(one).display === "none" }))
      .filter(Boolean).join(" ");
    if (labelled) return clip(labelled, 200);
    const label = clip(attribute(element, "aria-label"), 200);
    if (label) return label;
    const labels = labelsOf(element).map((one) => wordsOf(one, { without: element, hidden: styleOf(one).display === "none" })).filter(Boolean);
    if (labels.length) return clip(labels.join(" "), 200);
    if (tag === "input" && Object.hasOwn(INPUTS, inputType(element)) && role === "button") {
      const type = inputType(element);
      const words = (type === "image" && attribute(element, "alt")) || (type !== "file" && inputValue(element));
      return clip(words || attribute(element, "title") || BUTTONS[type] || "", 200);
    }
    const alt = tag === "img" || tag === "area" ? clip(altOf(element, tag), 200) : "";
    if (alt) return alt;
    if (FROM_CONTENT.has(role) && tag !== "input" && tag !== "textarea" && tag !== "select") {
      const words = wordsOf(element, { most: 200 });
      if (words) return words;
    }
    return clip(attribute(element, "title") || attribute(element, "placeholder") || attribute(element, "aria-placeholder"), 200);
  };

  // -- What can be seen ----------------------------------------------------------------------------------------

  const FIELDS = new Set(["input", "select", "textarea"]);
  const AROUND = new Set(["html", "body", "main", "form", "dialog", "section", "article", "nav", "header", "footer", "aside", "iframe", "frame"]);
  const HEADING = /^h[1-6]$/;
  const PLACED = new Set(["absolute", "fixed"]);
  const editingHost = (element) =>
    hasAttribute(element, "contenteditable") && editableOf(element) === true;

  // How an element is interactive: "widget" by tag, role or editing; "pointer" by its looks or an onclick; else "".
  const interest = (element, tag, above, style, plainElement, pointer) => {
    if (tag === "input") return inputTypeOf(element) === "hidden" ? "" : "widget";
    if (tag === "button" || tag === "select" || tag === "textarea") return "widget";
    if (tag === "summary") return tagOf(parentOf(element)) === "details" ? "widget" : "";
    if (plainElement) return pointer && !AROUND.has(tag) ? "pointer" : "";
    if ((tag === "a" || tag === "area") && hasAttribute(element, "href")) return "widget";
    if (hasAttribute(element, "role") && WIDGETS.has(ownRole(element))) {
      return ownRole(element) !== "listbox" || hasAttribute(element, "tabindex") ? "widget" : "";
    }
    if (editingHost(element)) return "widget";
    if (tag === "html" || tag === "body" || tag === "label") return "";
    if (above & WITHIN) return "";
    if (hasAttribute(element, "onclick")) return "pointer";
    if (AROUND.has(tag)) return "";
    return pointer || (attribute(element, "tabindex") === "0" && style.overflowY === "visible") ? "pointer" : "";
  };

  const outOfSight = (element) => {
    const box = boxOf(element);
    if (box.width <= 1 && box.height <= 1) return styleOf(element).overflowX !== "visible";
    return box.right + scrollX <= 0 || box.bottom + scrollY <= 0;
  };
  const shortText = (element) => plain(textContentOf(element).slice(0, 500)).trim();
  const seenLabel = (element) => labelsOf(element).find((one) => boxOf(one).width > 1 && boxOf(one).height > 1) || null;
  const insideCorner = (frame, box, place) => {
    const style = styleOf(frame);
    return {
      x: place.x + box.left + clientLeftOf(frame) + parseFloat(style.paddingLeft),
      y: place.y + box.top + clientTopOf(frame) + parseFloat(style.paddingTop),
    };
  };

  const WITHIN = 1; // inside something interactive: what looks clickable here is a part of that
  const POINTER = 2; // the parent shows a hand already
  const MUTE = 4; // text here cannot be seen
  const HIDDEN = 16; // the parent itself is invisible; its children need not be
  const AWAY = 8; // nothing here can be acted on: inert, hidden from assistive technology, behind a modal dialog

  class Look {
    constructor(wanted) {
      this.wanted = wanted;
      this.end = performance.now() + MOST_MILLISECONDS;
      this.nodes = 0;
      this.characters = 0;
      this.lines = [];
      this.line = "";
      this.first = null; // where the line begins
      this.found = [];
      this.panels = [];
      this.frames = [];
      this.heading = null;
      this.cut = false;
      this.html = wanted.html ? [] : null;
      this.modal = null;
      this.place = { x: 0, y: 0, url: "", element: null, outer: null };
    }

    page() {
      const [left, top, right, bottom] = this.wanted.clip || [0, 0, innerWidth, innerHeight];
      this.view = { left, top, right, bottom };
      this.document(document, 0, 0);
      this.flush();
    }

    document(inner, flags, depth) {
      const root = rootElement(inner);
      if (!root) return;
      const modals = Document.prototype.querySelectorAll.call(inner, "dialog:modal");
      const before = this.modal;
      this.modal = modals.length ? modals[modals.length - 1] : null;
      this.element(root, this.modal ? flags | AWAY : flags, depth + 1);
      this.modal = before;
    }

    flush() {
      const line = this.line.trim();
      if (line) {
        this.lines.push({ line, first: this.first, y: this.place.y });
        this.characters += line.length;
      }
      this.line = "";
      this.first = null;
    }

    text(node, parent) {
      const value = valueOfText(node);
      if (this.characters > LONGEST_TEXT) return;
      const words = plain(value.length > 10_000 ? value.slice(0, 10_000) : value);
      if (words === " " || words === "") {
        if (words && this.line && !this.line.endsWith(" ")) this.line += " ";
        return;
      }
      this.first ??= parent;
      this.line += words[0] === " " && (this.line === "" || this.line.endsWith(" ")) ? words.slice(1) : words;
      if (this.html) this.html.push(["text", words.trim()]);
    }

    children(parent, flags, depth) {
      let node = parent;
      const shadow = shadowOf(parent);
      if (shadow) node = shadow;
      else if (tagOf(parent) === "slot") {
        const assigned = assignedOf(parent);
        if (assigned.length) {
          for (const child of assigned) this.child(child, parent, flags, depth);
          return;
        }
      }
      for (let child = firstChild(node); child; child = nextSibling(child)) this.child(child, parent, flags, depth);
    }

    child(child, parent, flags, depth) {
      const type = typeOf(child);
      if (type === 1) this.element(child, flags, depth);
      else if (type === 3 && !(flags & (MUTE | HIDDEN))) this.text(child, parent);
    }

    element(element, above, depth) {
      if (++this.nodes > MOST_NODES || depth > DEEPEST || (this.nodes % 256 === 0 && performance.now() > this.end)) {
        this.cut = true;
        return;
      }
      const tag = tagOf(element);
      if (SILENT.has(tag)) return;
      if (tag === "br") { this.flush(); return; }
      const style = getComputedStyle(element);
      const display = style.display;
      if (display === "none" || (style.opacity === "0" && !FIELDS.has(tag))) return;
      const visible = style.visibility === "visible";
      const plainElement = !hasAttributes(element);
      let flags = above & ~(POINTER | HIDDEN);
      if (element === this.modal) flags &= ~AWAY;
      if (!plainElement && rawAttribute(element, "hidden") === "until-found") return;
      if (!plainElement && (hasAttribute(element, "inert") || rawAttribute(element, "aria-hidden") === "true")) flags |= AWAY;
      if (!plainElement && !(flags & MUTE) && PLACED.has(style.position) && outOfSight(element)) flags |= MUTE;

      const inline = display === "inline" || display === "contents";
      const cell = display === "table-cell";
      const block = !inline && !cell && !display.startsWith("inline");
      if (block) this.flush();
      else if (cell) { if (this.line) this.line += this.line.endsWith(" ") ? "| " : " | "; }
      else if (!inline && this.line && !this.line.endsWith(" ")) this.line += " ";

      if (tag.length === 2 && HEADING.test(tag) || (!plainElement && rawAttribute(element, "role") === "heading")) this.heading = element;
      let entry = null;
      if (visible && !(flags & AWAY)) {
        const pointer = !(above & WITHIN) && style.cursor === "pointer";
        if (pointer) flags |= POINTER;
        const how = interest(element, tag, above, style, plainElement, pointer && !(above & POINTER));
        if (how) entry = this.candidate(element, tag, how, flags);
        else if (tag === "label") entry = this.label(element, flags);
        if (how === "widget" && tag !== "select" && rawAttribute(element, "role") !== "listbox") flags |= WITHIN;
      }
      const opened = this.html !== null && this.open(element, tag, entry, visible);
      if (block && visible && !FIELDS.has(tag) && this.panels.length < 20) this.panel(element, tag, style);
      this.inside(element, tag, visible ? flags : flags | HIDDEN, depth + 1);
      if (opened) this.html.push(["close", tag]);
      if (entry && entry.how === "pointer") this.unlessDouble(entry);
      if (block) this.flush();
      else if (!inline && !cell) this.line += " ";
    }

    inside(element, tag, flags, depth) {
      if (FIELDS.has(tag)) return;
      if (tag === "iframe" || tag === "frame") this.frame(element, flags, depth);
      else if (tag === "img") this.image(element, flags);
      else if (tag === "details" && !hasAttribute(element, "open")) this.closed(element, flags, depth);
      else this.children(element, flags, depth);
    }

    // Of closed details only the summary is seen, though the rest has a display and boxes.
    closed(element, flags, depth) {
      for (let child = firstChild(element); child; child = nextSibling(child)) {
        if (typeOf(child) === 1 && tagOf(child) === "summary") { this.element(child, flags, depth); return; }
      }
    }

    image(element, flags) {
      const alt = flags & (MUTE | HIDDEN | WITHIN) ? "" : clip(attribute(element, "alt"), 200);
      if (!alt) return;
      this.first ??= element;
      this.line += `[${alt}] `;
    }

    candidate(element, tag, how, flags) {
      const field = FIELDS.has(tag);
      if (flags & MUTE && !field) return null;
      let shown = boxOf(element), label = null;
      if (shown.width <= 1 || shown.height <= 1 || (field && styleOf(element).opacity === "0")) {
        label = field ? seenLabel(element) : null;
        if (label) shown = boxOf(label);
        else if (shown.width === 0 || shown.height === 0) {
          shown = this.innerBox(element);
          if (!shown) return null;
        }
      }
      const { place, view } = this;
      const left = shown.left + place.x, top = shown.top + place.y, { width, height } = shown;
      const near = left < view.right && top < view.bottom && left + width > view.left && top + height > view.top;
      const entry = {
        element, tag, how, place, view, label, near, left, top, width, height, heading: this.heading, index: this.found.length,
        dropped: false, told: null, frame: -1,
      };
      this.found.push(entry);
      return entry;
    }

    // A link around floated or absolutely placed content has no box of its own.
    innerBox(element) {
      for (const child of [...queryAll(element, "*")].slice(0, 20)) {
        const box = boxOf(child);
        if (box.width > 1 && box.height > 1 && styleOf(child).visibility === "visible") return box;
      }
      return null;
    }

    // A label stands for its control where that cannot be seen itself: a styled file button, a drawn switch.
    label(element, flags) {
      const control = controlOf(element);
      return control && styleOf(control).display === "none" ? this.candidate(element, "label", "widget", flags) : null;
    }

    // Something that merely looks clickable is left out if what it holds says the same.
    unlessDouble(entry) {
      if (entry.index + 1 === this.found.length) return;
      const words = shortText(entry.element);
      const inner = this.found.slice(entry.index + 1);
      entry.dropped = !words || words.length > 300 || inner.some((one) => one.element && shortText(one.element) === words);
    }

    panel(element, tag, style) {
      if (style.overflowY !== "auto" && style.overflowY !== "scroll") return;
      if (tag === "html" || tag === "body" || element === scrollingOf(document)) return;
      const above = scrollTopOf(element), height = clientHeightOf(element), hidden = scrollHeightOf(element) - height;
      if (hidden < 8 || height < 20) return;
      this.panels.push({ element, above: Math.round(above), below: Math.max(0, Math.round(hidden - above)) });
    }

    frame(element, flags, depth) {
      const box = boxOf(element);
      if (flags & (MUTE | HIDDEN | AWAY) || box.width < 8 || box.height < 8) return;
      const outer = this.place, view = this.view, heading = this.heading;
      const { x, y } = insideCorner(element, box, outer);
      this.flush();
      const inner = documentIn(element);
      if (inner) {
        this.place = { x, y, url: clip(locationOf(inner), 500), element, outer };
        this.view = {
          left: Math.max(view.left, x), top: Math.max(view.top, y),
          right: Math.min(view.right, x + box.width), bottom: Math.min(view.bottom, y + box.height),
        };
        this.document(inner, flags & ~(WITHIN | POINTER), depth);
        this.flush();
        Object.assign(this, { place: outer, view, heading });
      } else if (this.frames.length < MOST_FRAMES) {
        const number = this.frames.push({ element, x, y, width: box.width, height: box.height }) - 1;
        this.lines.push({ line: `\ufeff${number}\ufeff`, first: element, y: outer.y });
        this.found.push({ frame: number, near: true, dropped: false, index: this.found.length });
        if (this.html) this.html.push(["text", `\ufeff${number}\ufeff`]);
      }
    }

    // -- Simplified HTML ---------------------------------------------------------------------------------------

    open(element, tag, entry, visible) {
      const kept = entry || KEPT.has(tag) || (hasAttribute(element, "role") && ownRole(element));
      if (!kept || !visible) return false;
      const attributes = [];
      for (const name of SHOWN) {
        const value = attribute(element, name);
        if (value !== null && !(name === "value" && inputType(element) === "password")) attributes.push([name, clip(value, 120)]);
      }
      this.html.push(["open", tag, attributes, entry]);
      return true;
    }
  }

  const KEPT = new Set([
    "a", "button", "input", "select", "textarea", "summary", "details", "label", "form", "fieldset", "legend", "h1", "h2", "h3",
    "h4", "h5", "h6", "p", "ul", "ol", "li", "dl", "dt", "dd", "table", "thead", "tbody", "tr", "td", "th", "nav", "main", "header",
    "footer", "aside", "section", "article", "dialog", "img", "iframe", "pre", "code", "blockquote", "strong", "em",
  ]);
  const SHOWN = ["type", "name", "role", "aria-label", "title", "alt", "placeholder", "href", "aria-expanded", "aria-checked", "aria-selected"];
  const VOID = new Set(["input", "img", "br", "hr", "area"]);
  const escaped = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/"/g, "&quot;");

  const asHtml = (tokens, most) => {
    let html = "";
    for (const [kind, what, attributes, entry] of tokens) {
      if (html.length > most) return html + "…";
      if (kind === "text") html += `${/[\w,.;:!?)]$/.test(html) ? " " : ""}${escaped(what)}`;
      else if (kind === "open") {
        const told = entry?.told;
        const more = told ? [["ref", told.ref], ...(told.value ? [["value", told.value]] : []), ...["checked", "disabled", "required"].filter((one) => told[one]).map((one) => [one, ""])] : [];
        const all = [...more, ...attributes].map(([name, value]) => (value ? ` ${name}="${escaped(value)}"` : ` ${name}`)).join("");
        const choices = told?.choices?.map((one) => `<option${one.selected ? " selected" : ""}>${escaped(one.label)}</option>`).join("") || "";
        html += `<${what}${all}>${choices}`;
      } else if (!VOID.has(what)) html += `</${what}>${INLINE.has(what) ? "" : "\n"}`;
    }
    return html;
  };
  const INLINE = new Set(["a", "strong", "em", "code", "label", "button", "span"]);

  // -- Refs ----------------------------------------------------------------------------------------------------

  // Elements are held on to: without that, V8 may drop an object that stands for a node, and its ref with it.
  const refs = new WeakMap();
  const elements = new Map();
  const told = new WeakMap();
  let next = 1;
  const refOf = (element) => {
    let ref = refs.get(element);
    if (!ref) {
      ref = `e${next++}`;
      refs.set(element, ref);
    }
    elements.set(ref, element);
    return ref;
  };
  const elementOf = (ref) => elements.get(ref);
  const forgetDetached = () => {
    for (const [ref, element] of elements) if (!isConnected(element)) elements.delete(ref);
  };

  // -- Covered or not ------------------------------------------------------------------------------------------

  const composedParent = (node) => {
    const slot = typeOf(node) === 1 ? slotOf(node) : null;
    if (slot) return slot;
    const parent = parentOf(node);
    return parent && typeOf(parent) === 11 ? parent.host || null : parent;
  };
  const holds = (outer, inner) => {
    for (let node = inner, left = 2_000; node && left > 0; node = composedParent(node), left--) if (node === outer) return true;
    return false;
  };
  const pointOf = (element) => {
    const boxes = boxesOf(element);
    if (boxes.length === 1) return null;
    for (const box of boxes) if (box.width > 1 && box.height > 1) return [box.left + box.width / 2, box.top + box.height / 2];
    return null;
  };
  const hitIn = (root, x, y) => {
    let hit = null;
    for (let left = 50; root && left > 0; left--) {
      const found = root.elementFromPoint(x, y);
      if (!found || found === hit) break;
      hit = found;
      root = shadowOf(found);
    }
    return hit;
  };
  const elementFromPoint = (inner, x, y) => {
    const found = Document.prototype.elementFromPoint.call(inner, x, y);
    return found && shadowOf(found) ? hitIn(shadowOf(found), x, y) || found : found;
  };

  // What lies over the middle of an element: null if nothing, "away" if that is out of sight.
  const coverOf = (element, [x, y], place, view) => {
    const inner = documentOf(element);
    const [left, top] = [x + place.x, y + place.y];
    if (left < view.left || top < view.top || left >= view.right || top >= view.bottom) return "away";
    const hit = elementFromPoint(inner, x, y);
    if (!hit) return "away";
    if (!holds(element, hit) && !labelsOf(element).some((label) => holds(label, hit))) {
      return clipped(element, x, y) ? "away" : hit;
    }
    for (let here = place; here.element; here = here.outer) {
      const [outerX, outerY] = [left - here.outer.x, top - here.outer.y];
      const over = elementFromPoint(documentOf(here.element), outerX, outerY);
      if (over !== here.element) return over && !clipped(here.element, outerX, outerY) ? over : "away";
    }
    return null;
  };
  const clipped = (element, x, y) => {
    for (let node = composedParent(element), left = 200; node && typeOf(node) === 1 && left > 0; node = composedParent(node), left--) {
      const style = styleOf(node);
      if (style.overflowX === "visible" && style.overflowY === "visible") continue;
      const box = boxOf(node);
      if (tagOf(node) !== "html" && tagOf(node) !== "body" && (x < box.left || y < box.top || x >= box.right || y >= box.bottom)) return true;
    }
    return false;
  };
  const sketch = (element) => {
    if (element === "away" || !element) return "";
    const id = clip(attribute(element, "id"), 40), classes = clip(attribute(element, "class"), 60);
    const words = clip(textContentOf(element).slice(0, 400), 40);
    return `<${tagOf(element)}${id ? ` id="${id}"` : classes ? ` class="${classes}"` : ""}>${words ? ` (${words})` : ""}`;
  };

  // -- One element in words ------------------------------------------------------------------------------------

  const tristate = (value) => (value === "true" ? true : value === "false" ? false : null);
  const chosen = (element) => {
    const options = tagOf(element) === "select" ? selectedOf(element) : null;
    return options ? [...options].slice(0, 50).map((one) => ({ label: clip(one.label || one.text, 100) })) : [];
  };
  const choicesOf = (element, tag) => {
    const list = tag === "input" ? listOf(element) : null;
    const options = tag === "select" ? optionsOf(element) : list ? queryAll(list, "option") : [];
    return [...options].slice(0, MOST_CHOICES).filter((one) => !one.disabled && !one.hidden).map((one) => ({
      value: clip(one.value, 200), label: clip(one.label || one.text || one.value, 100), selected: tag === "select" && one.selected,
    }));
  };
  const valueOf = (element, tag, role) => {
    if (tag === "select") return chosen(element).map((one) => one.label).join(", ");
    if (tag === "textarea") return clip(areaValue(element), 200);
    if (tag === "input") {
      const type = inputType(element);
      if (type === "checkbox" || type === "radio" || role === "button" && type !== "file") return null;
      const value = inputValue(element);
      if (type === "password") return value ? "********" : "";
      if (type === "file") return [...(filesOf(element) || [])].map((one) => clip(one.name, 80)).join(", ");
      return clip(value, 200);
    }
    if (editingHost(element)) return clip(textContentOf(element), 200);
    if (role === "slider" || role === "spinbutton") return clip(attribute(element, "aria-valuetext") || attribute(element, "aria-valuenow"), 100);
    if (role === "combobox" || role === "textbox" || role === "searchbox") return wordsOf(element, { most: 200 });
    return null;
  };
  const FORMATS = { date: "YYYY-MM-DD", time: "HH:MM", month: "YYYY-MM", week: "YYYY-Www", "datetime-local": "YYYY-MM-DDTHH:MM", color: "#rrggbb" };
  const hintOf = (element, tag, name) => {
    if (tag !== "input" && tag !== "textarea") return "";
    const hints = [];
    const add = (attributeName, words) => {
      const value = clip(attribute(element, attributeName), 80);
      if (value && value !== name) hints.push(words(value));
    };
    const type = tag === "input" ? inputType(element) : "";
    if (Object.hasOwn(FORMATS, type)) hints.push(FORMATS[type]);
    add("placeholder", (value) => `such as "${value}"`);
    add("pattern", (value) => `pattern ${value}`);
    add("min", (value) => `at least ${value}`);
    add("max", (value) => `at most ${value}`);
    add("step", (value) => `in steps of ${value}`);
    add("maxlength", (value) => `up to ${value} characters`);
    if (hasAttribute(element, "readonly")) hints.push("read only");
    return clip(hints.join("; "), 200);
  };

  const NO_TYPING = new Set(["checkbox", "radio", "button", "submit", "reset", "image", "file"]);
  const operationsOf = (element, tag, role) => {
    if (tag === "select") return ["select"];
    if (tag === "label") return fileOf(element) ? ["upload"] : ["click"];
    if (tag === "input" && inputType(element) === "file") return ["upload"];
    const typed = tag === "textarea" || (tag === "input" && !NO_TYPING.has(inputType(element))) || editingHost(element);
    if (!typed) return role === "textbox" || role === "searchbox" ? ["type"] : ["click"];
    if (hasAttribute(element, "readonly")) return ["click"];
    return role === "combobox" ? ["type", "click"] : ["type"];
  };
  const fileOf = (label) => {
    const control = controlOf(label);
    return control && tagOf(control) === "input" && inputType(control) === "file" ? control : null;
  };

  const focusedNow = () => {
    let active = activeOf(document);
    for (let left = 50; active && left > 0; left--) {
      const inner = shadowOf(active)?.activeElement || (tagOf(active) === "iframe" ? activeOf(documentIn(active) || document) : null);
      if (!inner) break;
      active = inner;
    }
    return active;
  };

  const roleOf = (element, tag) => {
    if (tag === "label") {
      const control = controlOf(element);
      const role = control ? ownRole(control) || nativeRole(control, tagOf(control)) : "";
      return role || "clickable";
    }
    const role = ownRole(element) || nativeRole(element, tag);
    return role || (editingHost(element) ? "textbox" : "clickable");
  };

  const isDisabled = (element) => matches(element, ":disabled") || attribute(element, "aria-disabled") === "true";

  const tenth = (number) => Math.round(number * 10) / 10;
  const describe = (entry, focused) => {
    const { element, tag, place } = entry;
    const role = roleOf(element, tag);
    const name = nameOf(element, tag, role);
    const control = tag === "label" ? controlOf(element) : element;
    const fields = { ref: refOf(element), role, name, tag: clip(tag, 60), operations: operationsOf(element, tag, role) };
    told.set(element, { role, name });
    const value = valueOf(element, tag, role);
    if (value !== null) fields.value = value;
    if (tag === "input") fields.kind = inputType(element);
    const native = control && tagOf(control) === "input" && (role === "checkbox" || role === "radio" || role === "switch");
    const mixed = native && mixedOf(control);
    const checked = native && !mixed ? inputChecked(control)
      : native ? null : tristate(attribute(element, "aria-checked") ?? attribute(element, "aria-pressed"));
    if (checked !== null) fields.checked = checked;
    const expanded = tag === "summary" ? hasAttribute(parentOf(element), "open") : tristate(attribute(element, "aria-expanded"));
    if (expanded !== null) fields.expanded = expanded;
    const current = attribute(element, "aria-current");
    const selected = tristate(attribute(element, "aria-selected")) ?? (current && current !== "false" ? true : null);
    if (selected !== null) fields.selected = selected;
    if (isDisabled(control || element)) fields.disabled = true;
    if (attribute(element, "aria-required") === "true" || (FIELDS.has(tag) && hasAttribute(element, "required"))) fields.required = true;
    if (element === focused) fields.focused = true;
    const choices = choicesOf(element, tag);
    if (choices.length) fields.choices = choices;
    const href = role === "link" || tag === "a" ? linkOf(element) || areaLinkOf(element) : "";
    if (href && !/^\s*javascript:/i.test(href)) fields.href = clip(href, 1_000);
    const hint = hintOf(element, tag, name);
    if (hint) fields.hint = hint;
    fields.box = [tenth(entry.left), tenth(entry.top), tenth(entry.width), tenth(entry.height)];
    if (place.url) fields.frame = place.url;
    const cover = entry.near ? coverOfEntry(entry) : "away";
    if (cover !== null) fields.in_view = false;
    if (cover !== null && cover !== "away") fields.covered = true;
    entry.told = fields;
    return fields;
  };
  // A control that is drawn by its label is judged by that. A link may go over several lines: its middle lies beside it.
  const coverOfEntry = ({ element, label, place, view, left, top, width, height }) => {
    const shown = label || element;
    const cover = coverOf(shown, [left - place.x + width / 2, top - place.y + height / 2], place, view);
    const point = cover === null ? null : pointOf(shown);
    return point === null ? cover : coverOf(shown, point, place, view);
  };

  const ROWS = "tr,[role=row],li,[role=listitem],[role=option],article,fieldset,[role=group],[role=radiogroup],dl>div,figure";
  const contextOf = (entry) => {
    const { element, told: fields } = entry;
    const row = closest(parentOf(element)?.nodeType === 1 ? parentOf(element) : element, ROWS);
    if (row && row !== element) {
      const tag = tagOf(row);
      const legend = tag === "fieldset" ? query(row, "legend") : null;
      const words = legend ? wordsOf(legend, { most: 140 })
        : clip(attribute(row, "aria-label"), 140) || (tag === "fieldset" ? "" : wordsOf(row, { most: 140, without: element }));
      if (words && words !== fields.name) return words;
    }
    return entry.heading && !holds(element, entry.heading) ? wordsOf(entry.heading, { most: 140 }) : "";
  };

  // -- The calls -----------------------------------------------------------------------------------------------

  const pick = (found, most, onlyView) => {
    const open = found.filter((one) => !one.dropped && (!onlyView || one.near));
    if (open.length <= most) return [open, 0];
    const first = open.findIndex((one) => one.near);
    const ranked = open.map((one, index) => [one.near ? 0 : index > first ? 1 : 2, one.near ? index : Math.abs(index - Math.max(0, first)), one]);
    ranked.sort((one, other) => one[0] - other[0] || one[1] - other[1]);
    const kept = new Set(ranked.slice(0, most).map((one) => one[2]));
    return [open.filter((one) => kept.has(one)), open.length - most];
  };

  const pickLines = (lines, most, onlyView, view) => {
    const total = lines.reduce((sum, one) => sum + one.line.length + 1, 0);
    if (total <= most && !onlyView) return lines.map((one) => one.line);
    const near = ({ first, y }) => {
      const box = first ? boxOf(first) : null;
      return box !== null && box.bottom + y > view.top && box.top + y < view.bottom;
    };
    if (onlyView) lines = lines.filter(near);
    let begin = onlyView ? 0 : Math.max(0, lines.findIndex(near)), end = begin, left = most - 4;
    while (end < lines.length && lines[end].line.length + 1 <= left) left -= lines[end++].line.length + 1;
    if (end < lines.length && end === begin) return [clip(lines[begin].line, most)];
    while (end === lines.length && begin > 0 && lines[begin - 1].line.length + 1 <= left) left -= lines[--begin].line.length + 1;
    const shown = lines.slice(begin, end).map((one) => one.line);
    return [...(begin > 0 ? ["…"] : []), ...shown, ...(end < lines.length ? ["…"] : [])];
  };

  const look = (wanted) => {
    next = Math.max(next, wanted.next);
    forgetDetached();
    const seen = new Look(wanted);
    seen.page();
    const focused = focusedNow();
    const [kept, leftOut] = pick(seen.found, wanted.elements, wanted.viewportOnly);
    const all = kept.map((entry) => (entry.element ? describe(entry, focused) : { frame: entry.frame }));
    const times = new Map();
    for (const one of all) times.set(`${one.role} ${one.name}`, (times.get(`${one.role} ${one.name}`) || 0) + 1);
    kept.forEach((entry) => {
      const fields = entry.told;
      if (!fields || !(times.get(`${fields.role} ${fields.name}`) > 1 || !fields.name || fields.role === "radio")) return;
      const context = contextOf(entry);
      if (context) fields.context = context;
    });
    const root = scrollingOf(document) || rootElement(document);
    const above = Math.max(0, Math.round(root?.scrollTop || 0));
    const panels = seen.panels.map(({ element, above: over, below }) => ({
      ref: refOf(element), above: over, below,
      name: clip(attribute(element, "aria-label"), 60) || clip(textContentOf(element).slice(0, 400), 60),
    }));
    const frames = seen.frames.map(({ element, x, y, width, height }) => {
      const over = elementFromPoint(document, x + width / 2, y + height / 2);
      return { ref: refOf(element), x, y, width, height, over: Boolean(over) && !seen.frames.some((one) => one.element === over) };
    });
    return JSON.stringify({
      url: location.href.slice(0, 2_000), title: clip(titleOf(document), 300),
      lines: pickLines(seen.lines, wanted.text, wanted.viewportOnly, seen.view),
      elements: all, leftOut, cut: seen.cut, next, panels, frames,
      history: `${history.length} ${navigation.currentEntry?.key}`,
      scrolled: [above, Math.max(0, Math.round((root?.scrollHeight || 0) - innerHeight - above))],
      viewport: [innerWidth, innerHeight],
      html: seen.html ? asHtml(seen.html, wanted.html) : "",
    });
  };

  // Where an element is, in steps that a selector can follow: XPath in one tree, children of a shadow root, frames.
  const pathOf = (element) => {
    const steps = [];
    let tail = "";
    for (let node = element, left = 5_000; left > 0; left--) {
      let place = 1;
      for (let one = siblingBefore(node); one; one = siblingBefore(one)) place++;
      const parent = parentOf(node);
      if (!parent) return null;
      if (typeOf(parent) === 1) { tail = `/*[${place}]${tail}`; node = parent; continue; }
      if (typeOf(parent) === 11) {
        if (tail) steps.unshift(["xpath", `.${tail}`]);
        steps.unshift(["shadow", place]);
        tail = "";
        node = parent.host;
        continue;
      }
      steps.unshift(["xpath", `/*[${place}]${tail}`]);
      tail = "";
      if (parent === document) return steps;
      const frame = viewOf(parent)?.frameElement;
      if (!frame) return null;
      steps.unshift(["frame", ""]);
      node = frame;
    }
    return null;
  };

  const withoutNumbers = (text) => text.replace(/\d+/g, "#");

  // What has to be known before acting on an element.
  const target = (ref) => {
    const element = elementOf(ref);
    if (!element || !isConnected(element)) return JSON.stringify({ gone: true });
    const path = pathOf(element);
    if (!path) return JSON.stringify({ gone: true });
    const tag = tagOf(element);
    const role = roleOf(element, tag), name = nameOf(element, tag, role);
    const before = told.get(element);
    const other = Boolean(before) && (before.role !== role || withoutNumbers(before.name) !== withoutNumbers(name));
    const box = boxOf(element);
    const unseen = FIELDS.has(tag) && (box.width <= 1 || box.height <= 1 || styleOf(element).opacity === "0");
    const label = unseen ? labelsOf(element).find((one) => boxOf(one).width > 1) : null;
    return JSON.stringify({
      path, tag, role, name, other, was: before ? `${before.role} "${before.name}"` : "",
      type: tag === "input" ? inputType(element) : "", editable: editingHost(element),
      suggests: role === "combobox" || ["aria-autocomplete", "aria-controls", "aria-owns"].some((one) => hasAttribute(element, one)) ||
        attribute(element, "autocomplete") === "off" || (tag === "input" && inputType(element) === "search"),
      label: label ? pathOf(label) : null,
      readonly: FIELDS.has(tag) && hasAttribute(element, "readonly"),
    });
  };

  // The index of the option that words mean, and what else there is.
  const option = (ref, words) => {
    const element = elementOf(ref);
    const options = element && tagOf(element) === "select" ? [...optionsOf(element)] : [];
    const labels = options.map((one) => clip(one.label || one.text, 100));
    const tests = [
      (one, index) => labels[index] === words, (one) => one.value === words,
      (one, index) => labels[index].toLowerCase() === plain(words).trim().toLowerCase(),
    ];
    for (const test of tests) {
      const index = options.findIndex((one, at) => test(one, at));
      if (index < 0) continue;
      const multiple = hasAttribute(element, "multiple");
      const indices = multiple ? options.flatMap((one, at) => (one.selected || at === index ? [at] : [])) : [index];
      return JSON.stringify({ indices, disabled: options[index].disabled });
    }
    return JSON.stringify({ indices: [], labels: labels.slice(0, 30), count: labels.length });
  };

  // Why an element does not let itself be used; "" if nothing is to be seen that is in the way.
  const trouble = (ref) => {
    const element = elementOf(ref);
    if (!element || !isConnected(element)) return JSON.stringify({ kind: "gone" });
    const style = styleOf(element), box = boxOf(element);
    if (style.display === "none" || style.visibility !== "visible" || !box.width || !box.height) return JSON.stringify({ kind: "invisible" });
    if (isDisabled(element)) return JSON.stringify({ kind: "disabled" });
    const place = placeOf(documentOf(element));
    const cover = coverOf(element, pointOf(element) || [box.left + box.width / 2, box.top + box.height / 2], place, { left: 0, top: 0, right: innerWidth, bottom: innerHeight });
    if (cover === "away") return JSON.stringify({ kind: "away" });
    if (cover) return JSON.stringify({ kind: "covered", by: sketch(cover) });
    return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => {
      const now = boxOf(element);
      resolve(JSON.stringify({ kind: now.left !== box.left || now.top !== box.top || now.width !== box.width ? "moving" : "" }));
    })));
  };
  const placeOf = (inner) => {
    const element = inner === document ? null : viewOf(inner)?.frameElement;
    if (!element) return { x: 0, y: 0, element: null, outer: null };
    const outer = placeOf(documentOf(element)), box = boxOf(element);
    return { x: outer.x + box.left + clientLeftOf(element), y: outer.y + box.top + clientTopOf(element), element, outer };
  };

  const scrolls = (element) => {
    for (let node = element; node && typeOf(node) === 1; node = composedParent(node)) {
      const style = styleOf(node);
      const own = node === scrollingOf(document) || tagOf(node) === "html" || tagOf(node) === "body";
      if (!own && (style.overflowY === "auto" || style.overflowY === "scroll") && node.scrollHeight > node.clientHeight + 1) return node;
    }
    return null;
  };
  // A point over which the wheel turns the page, or one panel of it, and how far one turn goes.
  const wheel = (ref) => {
    if (ref) {
      const element = elementOf(ref);
      if (!element || !isConnected(element)) return JSON.stringify({ gone: true });
      const place = placeOf(documentOf(element)), box = boxOf(element);
      const left = Math.max(0, box.left + place.x), right = Math.min(innerWidth, box.right + place.x);
      const top = Math.max(0, box.top + place.y), bottom = Math.min(innerHeight, box.bottom + place.y);
      if (right - left < 2 || bottom - top < 2) return JSON.stringify({ away: true });
      return JSON.stringify({ x: (left + right) / 2, y: (top + bottom) / 2, height: element.clientHeight });
    }
    const spots = [0.5, 0.25, 0.75, 0.04, 0.96].flatMap((y) => [0.5, 0.25, 0.75, 0.03, 0.97].map((x) => [x * innerWidth, y * innerHeight]));
    const free = spots.find(([x, y]) => {
      const hit = elementFromPoint(document, x, y);
      return hit && tagOf(hit) !== "iframe" && !scrolls(hit);
    });
    const [x, y] = free || spots[0];
    return JSON.stringify({ x, y, height: innerHeight });
  };
  const reveal = (ref) => {
    const element = elementOf(ref);
    if (element && isConnected(element)) element.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
    return "";
  };

  // Resolves when two frames in a row saw no change, or after `most` milliseconds; with `first`, waits so long for one.
  const quiet = (most, first = 0) => new Promise((resolve) => {
    const begin = performance.now();
    let changed = false, still = 0, any = false, ended = false;
    const watcher = new MutationObserver(() => { changed = true; });
    const filter = ["class", "hidden", "open", "disabled", "value", "aria-expanded", "aria-hidden", "aria-selected", "style", "src"];
    watcher.observe(document, { subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: filter });
    const finish = () => {
      if (ended) return;
      ended = true;
      watcher.disconnect();
      clearTimeout(timer);
      resolve(JSON.stringify({ closing: globalThis.closed }));
    };
    const timer = setTimeout(finish, Math.max(most, first) + 50);
    let place = [scrollX, scrollY].join();
    const frame = () => {
      if (ended) return;
      const now = [scrollX, scrollY].join();
      if (changed || now !== place) { still = 0; any = true; } else still++;
      changed = false;
      place = now;
      const spent = performance.now() - begin;
      if ((still >= 2 && (any || spent >= first)) || spent >= Math.max(most, first)) finish();
      else requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });

  globalThis[KEY] = Object.freeze({
    look, target, option, trouble, wheel, reveal, quiet,
    element: elementOf,
    restart: () => { next = 1; },
    path: (ref) => {
      const element = elementOf(ref);
      return JSON.stringify(element && isConnected(element) ? pathOf(element) : null);
    },
    corner: (ref) => {
      const frame = elementOf(ref), place = placeOf(documentOf(frame));
      return JSON.stringify(insideCorner(frame, boxOf(frame), place));
    },
    size: () => JSON.stringify({ width: innerWidth, height: innerHeight }),
  });
})
