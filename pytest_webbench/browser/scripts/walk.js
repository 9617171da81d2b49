// One walk through the rendered page: lines of text, elements to act on, panels, frames.

// A page may be endless, as deep as it likes, or slow; the limits keep one look short.
const MOST_NODES = 60_000;
const DEEPEST = 600;
const MOST_MILLISECONDS = 1_500;
const LONGEST_TEXT = 200_000;

const MOST_FRAMES = 20;

const WITHIN = 1; // inside something interactive: what looks clickable here is a part of that
const POINTER = 2; // the parent shows a hand already
const MUTE = 4; // text here cannot be seen
const HIDDEN = 16; // the parent itself is invisible; its children need not be
const AWAY = 8; // nothing here can be acted on: inert, hidden from assistive technology, behind a modal dialog

class Walk {
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
    this.line +=
      words[0] === " " && (this.line === "" || this.line.endsWith(" ")) ? words.slice(1) : words;
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
    for (let child = firstChild(node); child; child = nextSibling(child))
      this.child(child, parent, flags, depth);
  }

  child(child, parent, flags, depth) {
    const type = typeOf(child);
    if (type === 1) this.element(child, flags, depth);
    else if (type === 3 && !(flags & (MUTE | HIDDEN))) this.text(child, parent);
  }

  element(element, above, depth) {
    if (
      ++this.nodes > MOST_NODES ||
      depth > DEEPEST ||
      (this.nodes % 256 === 0 && performance.now() > this.end)
    ) {
      this.cut = true;
      return;
    }
    const tag = tagOf(element);
    if (SILENT.has(tag)) return;
    if (tag === "br") {
      this.flush();
      return;
    }
    const style = getComputedStyle(element);
    const display = style.display;
    // Under a styled checkbox there is often a real one with opacity 0.
    if (display === "none" || (style.opacity === "0" && !FIELDS.has(tag))) return;
    const visible = style.visibility === "visible";
    const plainElement = !hasAttributes(element);
    let flags = above & ~(POINTER | HIDDEN);
    if (element === this.modal) flags &= ~AWAY;
    if (!plainElement && rawAttribute(element, "hidden") === "until-found") return;
    if (
      !plainElement &&
      (hasAttribute(element, "inert") || rawAttribute(element, "aria-hidden") === "true")
    )
      flags |= AWAY;
    // Text for screen readers only is usually placed off the page or clipped to one pixel.
    if (!plainElement && !(flags & MUTE) && PLACED.has(style.position) && outOfSight(element))
      flags |= MUTE;

    const inline = display === "inline" || display === "contents";
    const cell = display === "table-cell";
    const block = !inline && !cell && !display.startsWith("inline");
    if (block) this.flush();
    else if (cell) {
      if (this.line) this.line += this.line.endsWith(" ") ? "| " : " | ";
    } else if (!inline && this.line && !this.line.endsWith(" ")) this.line += " ";

    if (
      (tag.length === 2 && HEADING.test(tag)) ||
      (!plainElement && rawAttribute(element, "role") === "heading")
    )
      this.heading = element;
    let entry = null;
    if (visible && !(flags & AWAY)) {
      const pointer = !(above & WITHIN) && style.cursor === "pointer";
      if (pointer) flags |= POINTER;
      const how = interest(element, tag, above, style, plainElement, pointer && !(above & POINTER));
      if (how) entry = this.candidate(element, tag, how, flags);
      else if (tag === "label") entry = this.label(element, flags);
      if (how === "widget" && tag !== "select" && rawAttribute(element, "role") !== "listbox")
        flags |= WITHIN;
    }
    const opened = this.html !== null && this.open(element, tag, entry, visible);
    if (block && visible && !FIELDS.has(tag) && this.panels.length < 20)
      this.panel(element, tag, style);
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
    else if (tag === "details" && !hasAttribute(element, "open"))
      this.closed(element, flags, depth);
    else this.children(element, flags, depth);
  }

  // Of closed details only the summary is seen, though the rest has a display and boxes.
  closed(element, flags, depth) {
    for (let child = firstChild(element); child; child = nextSibling(child)) {
      if (typeOf(child) === 1 && tagOf(child) === "summary") {
        this.element(child, flags, depth);
        return;
      }
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
    let shown = boxOf(element),
      label = null;
    if (shown.width <= 1 || shown.height <= 1 || (field && styleOf(element).opacity === "0")) {
      label = field ? seenLabel(element) : null;
      if (label) shown = boxOf(label);
      else if (shown.width === 0 || shown.height === 0) {
        shown = this.innerBox(element);
        if (!shown) return null;
      }
    }
    const { place, view } = this;
    const left = shown.left + place.x,
      top = shown.top + place.y,
      { width, height } = shown;
    const near =
      left < view.right && top < view.bottom && left + width > view.left && top + height > view.top;
    const entry = {
      element,
      tag,
      how,
      place,
      view,
      label,
      near,
      left,
      top,
      width,
      height,
      heading: this.heading,
      index: this.found.length,
      dropped: false,
      fields: null,
      frame: -1,
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
    return control && styleOf(control).display === "none"
      ? this.candidate(element, "label", "widget", flags)
      : null;
  }

  // Something that merely looks clickable is left out if what it holds says the same.
  unlessDouble(entry) {
    if (entry.index + 1 === this.found.length) return;
    const words = shortText(entry.element);
    const inner = this.found.slice(entry.index + 1);
    entry.dropped =
      !words ||
      words.length > 300 ||
      inner.some((one) => one.element && shortText(one.element) === words);
  }

  panel(element, tag, style) {
    if (style.overflowY !== "auto" && style.overflowY !== "scroll") return;
    if (tag === "html" || tag === "body" || element === scrollingOf(document)) return;
    const above = scrollTopOf(element),
      height = clientHeightOf(element),
      hidden = scrollHeightOf(element) - height;
    if (hidden < 8 || height < 20) return;
    this.panels.push({
      element,
      above: Math.round(above),
      below: Math.max(0, Math.round(hidden - above)),
    });
  }

  frame(element, flags, depth) {
    const box = boxOf(element);
    if (flags & (MUTE | HIDDEN | AWAY) || box.width < 8 || box.height < 8) return;
    const outer = this.place,
      view = this.view,
      heading = this.heading;
    const { x, y } = insideCorner(element, box, outer);
    this.flush();
    const inner = documentIn(element);
    if (inner) {
      this.place = { x, y, url: clip(locationOf(inner), 500), element, outer };
      this.view = {
        left: Math.max(view.left, x),
        top: Math.max(view.top, y),
        right: Math.min(view.right, x + box.width),
        bottom: Math.min(view.bottom, y + box.height),
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
      if (value !== null && !(name === "value" && inputTypeOf(element) === "password"))
        attributes.push([name, clip(value, 120)]);
    }
    this.html.push(["open", tag, attributes, entry]);
    return true;
  }
}
