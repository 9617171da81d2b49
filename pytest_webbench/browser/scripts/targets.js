// What has to be known to act on an element, or why that did not work.

// A counter in a name, as in "Cart (3)", may change without making it another element.
const withoutNumbers = (text) => text.replace(/\d+/g, "#");

// What has to be known before acting on an element.
const target = (ref) => {
  const element = elementOf(ref);
  if (!element || !isConnected(element)) return JSON.stringify({ gone: true });
  const path = pathOf(element);
  if (!path) return JSON.stringify({ gone: true });
  const tag = tagOf(element);
  const role = roleOf(element, tag),
    name = nameOf(element, tag, role);
  const before = described.get(element);
  const other =
    Boolean(before) &&
    (before.role !== role || withoutNumbers(before.name) !== withoutNumbers(name));
  const box = boxOf(element);
  const unseen =
    FIELDS.has(tag) && (box.width <= 1 || box.height <= 1 || styleOf(element).opacity === "0");
  const label = unseen ? labelsOf(element).find((one) => boxOf(one).width > 1) : null;
  return JSON.stringify({
    path,
    tag,
    role,
    name,
    other,
    was: before ? `${before.role} "${before.name}"` : "",
    type: tag === "input" ? inputTypeOf(element) : "",
    editable: editingHost(element),
    suggests:
      role === "combobox" ||
      ["aria-autocomplete", "aria-controls", "aria-owns"].some((one) =>
        hasAttribute(element, one),
      ) ||
      attribute(element, "autocomplete") === "off" ||
      (tag === "input" && inputTypeOf(element) === "search"),
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
    (one, index) => labels[index] === words,
    (one) => one.value === words,
    (one, index) => labels[index].toLowerCase() === plain(words).trim().toLowerCase(),
  ];
  for (const test of tests) {
    const index = options.findIndex((one, at) => test(one, at));
    if (index < 0) continue;
    const multiple = hasAttribute(element, "multiple");
    // Playwright deselects what it is not told to select.
    const indices = multiple
      ? options.flatMap((one, at) => (one.selected || at === index ? [at] : []))
      : [index];
    return JSON.stringify({ indices, disabled: options[index].disabled });
  }
  return JSON.stringify({ indices: [], labels: labels.slice(0, 30), count: labels.length });
};

// Why an element does not let itself be used; "" if nothing is to be seen that is in the way.
const trouble = (ref) => {
  const element = elementOf(ref);
  if (!element || !isConnected(element)) return JSON.stringify({ kind: "gone" });
  const style = styleOf(element),
    box = boxOf(element);
  if (style.display === "none" || style.visibility !== "visible" || !box.width || !box.height)
    return JSON.stringify({ kind: "invisible" });
  if (isDisabled(element)) return JSON.stringify({ kind: "disabled" });
  const place = placeOf(documentOf(element));
  const cover = coverOf(
    element,
    pointOf(element) || [box.left + box.width / 2, box.top + box.height / 2],
    place,
    { left: 0, top: 0, right: innerWidth, bottom: innerHeight },
  );
  if (cover === "away") return JSON.stringify({ kind: "away" });
  if (cover) return JSON.stringify({ kind: "covered", by: sketch(cover) });
  return new Promise((resolve) =>
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        const now = boxOf(element);
        resolve(
          JSON.stringify({
            kind:
              now.left !== box.left || now.top !== box.top || now.width !== box.width
                ? "moving"
                : "",
          }),
        );
      }),
    ),
  );
};
