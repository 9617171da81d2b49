// What an element is called.

const FROM_CONTENT = new Set([
  "button",
  "link",
  "checkbox",
  "radio",
  "switch",
  "tab",
  "menuitem",
  "menuitemcheckbox",
  "menuitemradio",
  "option",
  "treeitem",
  "cell",
  "gridcell",
  "columnheader",
  "rowheader",
  "row",
  "heading",
  "listitem",
  "clickable",
  "img",
  "tooltip",
]);

// What Chromium writes on a button that has no text of its own.
const BUTTONS = { submit: "Submit", reset: "Reset", image: "Submit", file: "Choose File" };
const nameOf = (element, tag, role) => {
  const labelled = referenced(element, "aria-labelledby")
    .map(
      (one) =>
        (attribute(one, "aria-label") || "").trim() ||
        wordsOf(one, { hidden: styleOf(one).display === "none" }),
    )
    .filter(Boolean)
    .join(" ");
  if (labelled) return clip(labelled, 200);
  const label = clip(attribute(element, "aria-label"), 200);
  if (label) return label;
  const labels = labelsOf(element)
    .map((one) => wordsOf(one, { without: element, hidden: styleOf(one).display === "none" }))
    .filter(Boolean);
  if (labels.length) return clip(labels.join(" "), 200);
  if (tag === "input" && Object.hasOwn(INPUTS, inputTypeOf(element)) && role === "button") {
    const type = inputTypeOf(element);
    const words =
      (type === "image" && attribute(element, "alt")) || (type !== "file" && inputValue(element));
    return clip(words || attribute(element, "title") || BUTTONS[type] || "", 200);
  }
  const alt = tag === "img" || tag === "area" ? clip(altOf(element, tag), 200) : "";
  if (alt) return alt;
  if (FROM_CONTENT.has(role) && tag !== "input" && tag !== "textarea" && tag !== "select") {
    const words = wordsOf(element, { most: 200 });
    if (words) return words;
  }
  return clip(
    attribute(element, "title") ||
      attribute(element, "placeholder") ||
      attribute(element, "aria-placeholder"),
    200,
  );
};
