// Texts of pages, fit for one line and for a JSON string; the words that an element shows.

const UNFIT = /[\s\u0000-\u001f\u007f-\u009f\ufffe\uffff\u200b\u2060\ufeff]+/g;
const ODD = /[^\S ]|  |[\u0000-\u001f\u007f-\u009f\u200b\u2060\ud800-\udfff\ufeff\ufffe\uffff]/;
const plain = (text) => (ODD.test(text) ? text.replace(UNFIT, " ").toWellFormed() : text);
const clip = (text, most) => {
  if (!text) return "";
  // Collapsing white space is slow: only look at as much of a long text as can matter.
  const short = plain(text.length > most * 8 ? text.slice(0, most * 8) : text).trim();
  return short.length > most
    ? short
        .slice(0, most - 1)
        // Cutting may leave half of a surrogate pair, which no UTF-8 file can hold.
        .toWellFormed()
        .replace(/\ufffd$/, "") + "…"
    : short;
};

const chosen = (element) => {
  const options = tagOf(element) === "select" ? selectedOf(element) : null;
  return options
    ? [...options].slice(0, 50).map((one) => ({ label: clip(one.label || one.text, 100) }))
    : [];
};

const SILENT = new Set([
  "script",
  "style",
  "noscript",
  "template",
  "head",
  "meta",
  "link",
  "title",
  "datalist",
  "defs",
  "desc",
  "metadata",
  "symbol",
  "param",
  "source",
  "track",
]);

const pseudoText = (element, which) => {
  const { content } = getComputedStyle(element, which);
  if (content === "none" || content === "normal") return "";
  // After a slash comes what to say in its stead.
  const found = /^"((?:[^"\\]|\\.)*)"(?: \/ "((?:[^"\\]|\\.)*)")?/.exec(content.slice(0, 200));
  return found
    // Fonts of icons use the private area, where letters mean nothing.
    ? (found[2] ?? found[1]).replace(/\\(.)/g, "$1").replace(/[\ue000-\uf8ff]/g, "")
    : "";
};

const altOf = (element, tag) => {
  if (tag === "img" || tag === "area")
    return attribute(element, "alt") || attribute(element, "title") || "";
  if (tag === "svg") {
    for (let child = firstChild(element); child; child = nextSibling(child)) {
      if (typeOf(child) === 1 && tagOf(child) === "title")
        return textContentOf(child).slice(0, 300);
    }
    return null;
  }
  if (tag === "input") {
    const type = inputTypeOf(element);
    if (
      type === "checkbox" ||
      type === "radio" ||
      type === "password" ||
      type === "hidden" ||
      type === "file"
    )
      return "";
    return type === "image"
      ? attribute(element, "alt") || ""
      : (inputValue(element) || "").slice(0, 300);
  }
  if (tag === "textarea") return areaValue(element).slice(0, 300);
  if (tag === "select")
    return chosen(element)
      .map((one) => one.label)
      .join(" ");
  return null;
};

// The words within an element, as assistive technology would read them.
const wordsOf = (root, { without = null, hidden = false, most = 400 } = {}) => {
  const only = firstChild(root);
  if (
    only &&
    typeOf(only) === 3 &&
    !nextSibling(only) &&
    !shadowOf(root) &&
    styleOf(root).visibility === "visible"
  ) {
    return clip(
      pseudoText(root, "::before") +
        valueOfText(only).slice(0, most * 2) +
        pseudoText(root, "::after"),
      most,
    );
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
    if (tag === "br") {
      words += " ";
      return;
    }
    const style = styleOf(node);
    const { display } = style;
    if (
      !hidden &&
      (display === "none" ||
        style.visibility !== "visible" ||
        attribute(node, "aria-hidden") === "true")
    )
      return;
    const loose = !(display === "inline" || display === "contents");
    if (loose) words += " ";
    const label =
      node === root ? null : (attribute(node, "aria-label") || "").trim() || altOf(node, tag);
    if (label !== null && label !== "") words += label;
    else if (
      label === null ||
      (tag !== "svg" && tag !== "input" && tag !== "select" && tag !== "textarea")
    ) {
      words += pseudoText(node, "::before");
      eachChild(node, visit);
      words += pseudoText(node, "::after");
    }
    if (loose) words += " ";
  };
  visit(root);
  return clip(words, most);
};
