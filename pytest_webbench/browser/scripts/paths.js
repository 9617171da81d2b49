// Where an element is, for selectors.

// Where an element is, in steps that a selector can follow: XPath in one tree, children of a shadow root, frames.
const pathOf = (element) => {
  const steps = [];
  let tail = "";
  for (let node = element, left = 5_000; left > 0; left--) {
    let place = 1;
    for (let one = siblingBefore(node); one; one = siblingBefore(one)) place++;
    const parent = parentOf(node);
    if (!parent) return null;
    if (typeOf(parent) === 1) {
      tail = `/*[${place}]${tail}`;
      node = parent;
      continue;
    }
    if (typeOf(parent) === 11) {
      if (tail) steps.unshift(["xpath", `.${tail}`]);
      steps.unshift(["shadow", place]);
      tail = "";
      node = parent.host;
      continue;
    }
    steps.unshift(["xpath", `/*[${place}]${tail}`]);
    tail = "";
    if (parent === document) return steps;
    const frame = viewOf(parent)?.frameElement;
    if (!frame) return null;
    steps.unshift(["frame", ""]);
    node = frame;
  }
  return null;
};
