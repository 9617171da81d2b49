// What is called from outside: every function answers with JSON text, or with a promise of that.

const observer = Object.freeze({
  look,
  target,
  option,
  trouble,
  wheel,
  reveal,
  quiet,
  search,
  element: elementOf,
  restart: restartRefs,
  path: (ref) => {
    const element = elementOf(ref);
    return JSON.stringify(element && isConnected(element) ? pathOf(element) : null);
  },
  corner: (ref) => {
    const frame = elementOf(ref);
    return JSON.stringify(insideCorner(frame, boxOf(frame), placeOf(documentOf(frame))));
  },
  size: () => JSON.stringify({ width: innerWidth, height: innerHeight }),
});
