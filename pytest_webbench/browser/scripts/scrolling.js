// Where to turn the wheel.

const scrolls = (element) => {
  for (let node = element; node && typeOf(node) === 1; node = composedParent(node)) {
    const style = styleOf(node);
    const own = node === scrollingOf(document) || tagOf(node) === "html" || tagOf(node) === "body";
    if (
      !own &&
      (style.overflowY === "auto" || style.overflowY === "scroll") &&
      node.scrollHeight > node.clientHeight + 1
    )
      return node;
  }
  return null;
};
// A point over which the wheel turns the page, or one panel of it, and how far one turn goes.
const wheel = (ref) => {
  if (ref) {
    const element = elementOf(ref);
    if (!element || !isConnected(element)) return JSON.stringify({ gone: true });
    const place = placeOf(documentOf(element)),
      box = boxOf(element);
    const left = Math.max(0, box.left + place.x),
      right = Math.min(innerWidth, box.right + place.x);
    const top = Math.max(0, box.top + place.y),
      bottom = Math.min(innerHeight, box.bottom + place.y);
    if (right - left < 2 || bottom - top < 2) return JSON.stringify({ away: true });
    return JSON.stringify({
      x: (left + right) / 2,
      y: (top + bottom) / 2,
      height: element.clientHeight,
    });
  }
  const spots = [0.5, 0.25, 0.75, 0.04, 0.96].flatMap((y) =>
    [0.5, 0.25, 0.75, 0.03, 0.97].map((x) => [x * innerWidth, y * innerHeight]),
  );
  const free = spots.find(([x, y]) => {
    const hit = elementFromPoint(document, x, y);
    return hit && tagOf(hit) !== "iframe" && !scrolls(hit);
  });
  const [x, y] = free || spots[0];
  return JSON.stringify({ x, y, height: innerHeight });
};
const reveal = (ref) => {
  const element = elementOf(ref);
  if (element && isConnected(element))
    // Instant: during a smooth scroll, the coordinates read next would be wrong.
    element.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
  return "";
};
