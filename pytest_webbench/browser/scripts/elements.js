// One element in words.

const MOST_CHOICES = 200;

const tristate = (value) => (value === "true" ? true : value === "false" ? false : null);

const choicesOf = (element, tag) => {
  const list = tag === "input" ? listOf(element) : null;
  const options = tag === "select" ? optionsOf(element) : list ? queryAll(list, "option") : [];
  return [...options]
    .slice(0, MOST_CHOICES)
    .filter((one) => !one.disabled && !one.hidden)
    .map((one) => ({
      value: clip(one.value, 200),
      label: clip(one.label || one.text || one.value, 100),
      selected: tag === "select" && one.selected,
    }));
};
const valueOf = (element, tag, role) => {
  if (tag === "select")
    return chosen(element)
      .map((one) => one.label)
      .join(", ");
  if (tag === "textarea") return clip(areaValue(element), 200);
  if (tag === "input") {
    const type = inputTypeOf(element);
    if (type === "checkbox" || type === "radio" || (role === "button" && type !== "file"))
      return null;
    const value = inputValue(element);
    if (type === "password") return value ? "********" : "";
    if (type === "file")
      return [...(filesOf(element) || [])].map((one) => clip(one.name, 80)).join(", ");
    return clip(value, 200);
  }
  if (editingHost(element)) return clip(textContentOf(element), 200);
  if (role === "slider" || role === "spinbutton")
    return clip(attribute(element, "aria-valuetext") || attribute(element, "aria-valuenow"), 100);
  if (role === "combobox" || role === "textbox" || role === "searchbox")
    return wordsOf(element, { most: 200 });
  return null;
};
const FORMATS = {
  date: "YYYY-MM-DD",
  time: "HH:MM",
  month: "YYYY-MM",
  week: "YYYY-Www",
  "datetime-local": "YYYY-MM-DDTHH:MM",
  color: "#rrggbb",
};
const hintOf = (element, tag, name) => {
  if (tag !== "input" && tag !== "textarea") return "";
  const hints = [];
  const add = (attributeName, words) => {
    const value = clip(attribute(element, attributeName), 80);
    if (value && value !== name) hints.push(words(value));
  };
  const type = tag === "input" ? inputTypeOf(element) : "";
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

const tenth = (number) => Math.round(number * 10) / 10;
const describe = (entry, focused) => {
  const { element, tag, place } = entry;
  const role = roleOf(element, tag);
  const name = nameOf(element, tag, role);
  const control = tag === "label" ? controlOf(element) : element;
  const fields = {
    ref: refOf(element),
    role,
    name,
    tag: clip(tag, 60),
    operations: operationsOf(element, tag, role),
  };
  described.set(element, { role, name });
  const value = valueOf(element, tag, role);
  if (value !== null) fields.value = value;
  if (tag === "input") fields.kind = inputTypeOf(element);
  const native =
    control &&
    tagOf(control) === "input" &&
    (role === "checkbox" || role === "radio" || role === "switch");
  const mixed = native && mixedOf(control);
  const checked =
    native && !mixed
      ? inputChecked(control)
      : native
        ? null
        : tristate(attribute(element, "aria-checked") ?? attribute(element, "aria-pressed"));
  if (checked !== null) fields.checked = checked;
  const expanded =
    tag === "summary"
      ? hasAttribute(parentOf(element), "open")
      : tristate(attribute(element, "aria-expanded"));
  if (expanded !== null) fields.expanded = expanded;
  const current = attribute(element, "aria-current");
  const selected =
    tristate(attribute(element, "aria-selected")) ?? (current && current !== "false" ? true : null);
  if (selected !== null) fields.selected = selected;
  if (isDisabled(control || element)) fields.disabled = true;
  if (
    attribute(element, "aria-required") === "true" ||
    (FIELDS.has(tag) && hasAttribute(element, "required"))
  )
    fields.required = true;
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
  entry.fields = fields;
  return fields;
};
// A control that is drawn by its label is judged by that. The middle of a link that goes over
// several lines may be outside of it.
const coverOfEntry = ({ element, label, place, view, left, top, width, height }) => {
  const shown = label || element;
  const cover = coverOf(
    shown,
    [left - place.x + width / 2, top - place.y + height / 2],
    place,
    view,
  );
  const point = cover === null ? null : pointOf(shown);
  return point === null ? cover : coverOf(shown, point, place, view);
};

const ROWS =
  "tr,[role=row],li,[role=listitem],[role=option],article,fieldset,[role=group],[role=radiogroup],dl>div,figure";
const contextOf = (entry) => {
  const { element, fields } = entry;
  const row = closest(parentOf(element)?.nodeType === 1 ? parentOf(element) : element, ROWS);
  if (row && row !== element) {
    const tag = tagOf(row);
    const legend = tag === "fieldset" ? query(row, "legend") : null;
    const words = legend
      ? wordsOf(legend, { most: 140 })
      : clip(attribute(row, "aria-label"), 140) ||
        (tag === "fieldset" ? "" : wordsOf(row, { most: 140, without: element }));
    if (words && words !== fields.name) return words;
  }
  return entry.heading && !holds(element, entry.heading)
    ? wordsOf(entry.heading, { most: 140 })
    : "";
};
