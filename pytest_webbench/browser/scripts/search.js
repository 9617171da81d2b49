// Finds the element that an action was recorded on, by the words that the recorder has for it.

const MOST_SEARCHED = 20_000;

const NO_MATCH = -1;
const likeness = (element, wanted) => {
  const tag = tagOf(element);
  const role = recorded.role(element);
  if (tag !== wanted.tag && role !== wanted.role) return NO_MATCH;
  const name = recorded.name(element);
  if (tag === wanted.tag && name === wanted.name) return role === wanted.role ? 0 : 1;
  // A name may have grown by a number or a hint since.
  const alike = wanted.role ? role === wanted.role : tag === wanted.tag;
  return alike && name.toLowerCase().includes(wanted.name.toLowerCase()) ? 2 : NO_MATCH;
};

const isShown = (element, box) =>
  box.width > 0 && box.height > 0 && styleOf(element).visibility === "visible";

// Smaller is better, the first difference decides: words, frame, where a link leads, place.
const orderOf = (element, wanted) => {
  const like = likeness(element, wanted);
  if (like === NO_MATCH) return null;
  const box = boxOf(element);
  if (!wanted.hidden && !isShown(element, box)) return null;
  const elsewhere = locationOf(documentOf(element)) !== wanted.url;
  const astray = tagOf(element) !== "a" || linkOf(element) !== wanted.urlAfter;
  const [x, y] = wanted.box || [0, 0];
  return [like, Number(elsewhere), Number(astray), Math.abs(box.x - x) + Math.abs(box.y - y)];
};

const isBetter = (order, other) => {
  const at = order.findIndex((value, index) => value !== other[index]);
  return at >= 0 && order[at] < other[at];
};

// Visits all elements under a document or shadow root, through open shadow roots and frames.
const eachElement = (root, visit) => {
  const type = typeOf(root) === 9 ? Document : DocumentFragment;
  for (const element of type.prototype.querySelectorAll.call(root, "*")) {
    visit(element);
    const inner = shadowOf(element) || documentIn(element);
    if (inner) eachElement(inner, visit);
  }
};

// `frames` are refs of elements that hold frames of other origins: those have to be asked as well.
const search = (wanted) => {
  let best = null;
  let left = MOST_SEARCHED;
  const frames = [];
  const candidates = [recorded.INTERACTIVE, ...(wanted.tag ? [CSS.escape(wanted.tag)] : [])].join();
  eachElement(document, (element) => {
    const tag = tagOf(element);
    if ((tag === "iframe" || tag === "frame") && !documentIn(element)) frames.push(refOf(element));
    if (left <= 0 || !matches(element, candidates)) return;
    left -= 1;
    const order = orderOf(element, wanted);
    if (order && (!best || isBetter(order, best.order))) best = { element, order };
  });
  const found = best && { ref: refOf(best.element), order: best.order };
  return JSON.stringify({ found, frames });
};
