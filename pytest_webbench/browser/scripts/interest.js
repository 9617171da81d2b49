// Whether an element is something to act on, and whether it can be seen.

const AROUND = new Set([
  "html",
  "body",
  "main",
  "form",
  "dialog",
  "section",
  "article",
  "nav",
  "header",
  "footer",
  "aside",
  "iframe",
  "frame",
]);
const HEADING = /^h[1-6]$/;
const PLACED = new Set(["absolute", "fixed"]);

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
  return pointer || (attribute(element, "tabindex") === "0" && style.overflowY === "visible")
    ? "pointer"
    : "";
};

const outOfSight = (element) => {
  const box = boxOf(element);
  if (box.width <= 1 && box.height <= 1) return styleOf(element).overflowX !== "visible";
  return box.right + scrollX <= 0 || box.bottom + scrollY <= 0;
};
const shortText = (element) => plain(textContentOf(element).slice(0, 500)).trim();
const seenLabel = (element) =>
  labelsOf(element).find((one) => boxOf(one).width > 1 && boxOf(one).height > 1) || null;
