// How the recorder calls an element. Recordings hold these words, so a replay searches by them.

const recorded = (() => {
  const INTERACTIVE =
    "a[href],button,input,select,textarea,label,summary,option,[role],[onclick],[tabindex]," +
    '[contenteditable=""],[contenteditable=true]';
  const TEXTLESS = new Set(["checkbox", "radio", "button", "submit", "reset", "image", "file"]);
  const ROLES = {
    a: "link",
    button: "button",
    select: "combobox",
    textarea: "textbox",
    summary: "button",
    option: "option",
  };
  const INPUT_ROLES = {
    checkbox: "checkbox",
    radio: "radio",
    button: "button",
    submit: "button",
    reset: "button",
    image: "button",
    search: "searchbox",
    range: "slider",
    number: "spinbutton",
  };
  const LONGEST_SOURCE = 20_000;
  const clip = (text) =>
    (text || "").slice(0, LONGEST_SOURCE).replace(/\s+/g, " ").trim().slice(0, 200);

  const role = (element) => {
    const given = rawAttribute(element, "role");
    if (given) return clip(given);
    const tag = tagOf(element);
    if (tag === "input") return INPUT_ROLES[inputTypeOf(element)] || "textbox";
    return ROLES[tag] || "";
  };

  // A label's own words: what stands in it, the control that it labels left out.
  const textAround = (node, control) => {
    if (node === control) return "";
    if (typeOf(node) === 3) return valueOfText(node);
    let text = "";
    for (let child = firstChild(node); child; child = nextSibling(child))
      text += textAround(child, control);
    return text;
  };

  const labelled = (element) =>
    referenced(element, "aria-labelledby")
      .map((one) => textContentOf(one))
      .join(" ");
  const labels = (element) =>
    labelsOf(element)
      .map((label) => textAround(label, element))
      .join(" ");

  const name = (element) => {
    const tag = tagOf(element);
    const button = tag === "input" && TEXTLESS.has(inputTypeOf(element)) ? inputValue(element) : "";
    const text = matches(element, "input,select,textarea") ? "" : textContentOf(element);
    const picture = query(element, "img[alt]");
    return clip(
      rawAttribute(element, "aria-label") ||
        labelled(element) ||
        labels(element) ||
        rawAttribute(element, "alt") ||
        button ||
        text ||
        (picture && rawAttribute(picture, "alt")) ||
        rawAttribute(element, "title") ||
        rawAttribute(element, "placeholder"),
    );
  };

  return { INTERACTIVE, TEXTLESS, clip, role, name };
})();
