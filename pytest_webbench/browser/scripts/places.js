// Where elements are in the viewport of the page, and what lies over them.

const insideCorner = (frame, box, place) => {
  const style = styleOf(frame);
  return {
    x: place.x + box.left + clientLeftOf(frame) + parseFloat(style.paddingLeft),
    y: place.y + box.top + clientTopOf(frame) + parseFloat(style.paddingTop),
  };
};

const placeOf = (inner) => {
  const element = inner === document ? null : viewOf(inner)?.frameElement;
  if (!element) return { x: 0, y: 0, element: null, outer: null };
  const outer = placeOf(documentOf(element)),
    box = boxOf(element);
  return {
    x: outer.x + box.left + clientLeftOf(element),
    y: outer.y + box.top + clientTopOf(element),
    element,
    outer,
  };
};

const pointOf = (element) => {
  const boxes = boxesOf(element);
  if (boxes.length === 1) return null;
  for (const box of boxes)
    if (box.width > 1 && box.height > 1)
      return [box.left + box.width / 2, box.top + box.height / 2];
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
  // For a point in a shadow tree, a document returns only the host; ask the shadow root.
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
    if (over !== here.element)
      return over && !clipped(here.element, outerX, outerY) ? over : "away";
  }
  return null;
};
const clipped = (element, x, y) => {
  for (
    let node = composedParent(element), left = 200;
    node && typeOf(node) === 1 && left > 0;
    node = composedParent(node), left--
  ) {
    const style = styleOf(node);
    if (style.overflowX === "visible" && style.overflowY === "visible") continue;
    const box = boxOf(node);
    if (
      tagOf(node) !== "html" &&
      tagOf(node) !== "body" &&
      (x < box.left || y < box.top || x >= box.right || y >= box.bottom)
    )
      return true;
  }
  return false;
};
const sketch = (element) => {
  if (element === "away" || !element) return "";
  const id = clip(attribute(element, "id"), 40),
    classes = clip(attribute(element, "class"), 60);
  const words = clip(textContentOf(element).slice(0, 400), 40);
  return `<${tagOf(element)}${id ? ` id="${id}"` : classes ? ` class="${classes}"` : ""}>${words ? ` (${words})` : ""}`;
};
