// Names for elements, which hold as long as their document lives.

// Elements are held on to: without that, V8 may drop an object that stands for a node, and its ref with it.
const refs = new WeakMap();
const elements = new Map();
const described = new WeakMap(); // role and name when an element was last shown
let next = 1;
const restartRefs = () => {
  next = 1;
};
const refOf = (element) => {
  let ref = refs.get(element);
  if (!ref) {
    ref = `e${next++}`;
    refs.set(element, ref);
  }
  elements.set(ref, element);
  return ref;
};
const elementOf = (ref) => elements.get(ref);
const forgetDetached = () => {
  for (const [ref, element] of elements) if (!isConnected(element)) elements.delete(ref);
};
