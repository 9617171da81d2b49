// The page as simplified HTML.

const KEPT = new Set([
  "a",
  "button",
  "input",
  "select",
  "textarea",
  "summary",
  "details",
  "label",
  "form",
  "fieldset",
  "legend",
  "h1",
  "h2",
  "h3",
  "h4",
  "h5",
  "h6",
  "p",
  "ul",
  "ol",
  "li",
  "dl",
  "dt",
  "dd",
  "table",
  "thead",
  "tbody",
  "tr",
  "td",
  "th",
  "nav",
  "main",
  "header",
  "footer",
  "aside",
  "section",
  "article",
  "dialog",
  "img",
  "iframe",
  "pre",
  "code",
  "blockquote",
  "strong",
  "em",
]);
const SHOWN = [
  "type",
  "name",
  "role",
  "aria-label",
  "title",
  "alt",
  "placeholder",
  "href",
  "aria-expanded",
  "aria-checked",
  "aria-selected",
];
const VOID = new Set(["input", "img", "br", "hr", "area"]);
const escaped = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/"/g, "&quot;");

const asHtml = (tokens, most) => {
  let html = "";
  for (const [kind, what, attributes, entry] of tokens) {
    if (html.length > most) return html + "…";
    if (kind === "text") html += `${/[\w,.;:!?)]$/.test(html) ? " " : ""}${escaped(what)}`;
    else if (kind === "open") {
      const fields = entry?.fields;
      const more = fields
        ? [
            ["ref", fields.ref],
            ...(fields.value ? [["value", fields.value]] : []),
            ...["checked", "disabled", "required"]
              .filter((one) => fields[one])
              .map((one) => [one, ""]),
          ]
        : [];
      const all = [...more, ...attributes]
        .map(([name, value]) => (value ? ` ${name}="${escaped(value)}"` : ` ${name}`))
        .join("");
      const choices =
        fields?.choices
          ?.map((one) => `<option${one.selected ? " selected" : ""}>${escaped(one.label)}</option>`)
          .join("") || "";
      html += `<${what}${all}>${choices}`;
    } else if (!VOID.has(what)) html += `</${what}>${INLINE.has(what) ? "" : "\n"}`;
  }
  return html;
};
const INLINE = new Set(["a", "strong", "em", "code", "label", "button", "span"]);
