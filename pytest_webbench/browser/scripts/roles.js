// What an element is and what can be done with it.

const WIDGETS = new Set([
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
  "combobox",
  "textbox",
  "searchbox",
  "spinbutton",
  "slider",
  "treeitem",
  "listbox",
]);
const ROLES = new Set([
  ...WIDGETS,
  "alert",
  "alertdialog",
  "article",
  "banner",
  "cell",
  "columnheader",
  "complementary",
  "contentinfo",
  "dialog",
  "figure",
  "form",
  "grid",
  "gridcell",
  "group",
  "heading",
  "img",
  "list",
  "listitem",
  "log",
  "main",
  "menu",
  "menubar",
  "navigation",
  "none",
  "presentation",
  "progressbar",
  "radiogroup",
  "region",
  "row",
  "rowheader",
  "scrollbar",
  "search",
  "separator",
  "status",
  "table",
  "tablist",
  "tabpanel",
  "toolbar",
  "tooltip",
  "tree",
  "treegrid",
]);
const INPUTS = {
  button: "button",
  submit: "button",
  reset: "button",
  image: "button",
  file: "button",
  checkbox: "checkbox",
  radio: "radio",
  number: "spinbutton",
  range: "slider",
  search: "searchbox",
  color: "textbox",
};
const NATIVE = {
  button: "button",
  textarea: "textbox",
  summary: "button",
  li: "listitem",
  td: "cell",
  th: "columnheader",
  tr: "row",
  img: "img",
};

const FIELDS = new Set(["input", "select", "textarea"]);

const editingHost = (element) =>
  hasAttribute(element, "contenteditable") && editableOf(element) === true;

const ownRole = (element) => {
  const given = attribute(element, "role");
  if (!given) return "";
  const found = given
    .toLowerCase()
    .split(/\s+/)
    .find((one) => ROLES.has(one));
  return found === "none" || found === "presentation" ? "" : found || "";
};
const nativeRole = (element, tag) => {
  switch (tag) {
    case "a":
    case "area":
      return hasAttribute(element, "href") ? "link" : "";
    case "select":
      return hasAttribute(element, "multiple") || Number(attribute(element, "size")) > 1
        ? "listbox"
        : "combobox";
    case "input": {
      const type = inputTypeOf(element);
      const role = INPUTS[type] || "textbox";
      return (role === "textbox" || role === "searchbox") &&
        hasAttribute(element, "list") &&
        type !== "color"
        ? "combobox"
        : role;
    }
    default:
      // A page may call an element `constructor`.
      return Object.hasOwn(NATIVE, tag) ? NATIVE[tag] : "";
  }
};

const fileOf = (label) => {
  const control = controlOf(label);
  return control && tagOf(control) === "input" && inputTypeOf(control) === "file" ? control : null;
};

const NO_TYPING = new Set(["checkbox", "radio", "button", "submit", "reset", "image", "file"]);
const operationsOf = (element, tag, role) => {
  if (tag === "select") return ["select"];
  if (tag === "label") return fileOf(element) ? ["upload"] : ["click"];
  if (tag === "input" && inputTypeOf(element) === "file") return ["upload"];
  const typed =
    tag === "textarea" ||
    (tag === "input" && !NO_TYPING.has(inputTypeOf(element))) ||
    editingHost(element);
  if (!typed) return role === "textbox" || role === "searchbox" ? ["type"] : ["click"];
  if (hasAttribute(element, "readonly")) return ["click"];
  return role === "combobox" ? ["type", "click"] : ["type"];
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

const isDisabled = (element) =>
  matches(element, ":disabled") || attribute(element, "aria-disabled") === "true";
