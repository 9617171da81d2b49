// How the elements that an observer saw relate to recorded nodes: which of them stand for the
// targets (`golds`), and which of the clickable nodes can be reached by them.
// `refs` are the observer's; `golds`, `clickable` and `hidden` are ids of recorded nodes.
// Returns JSON text {cover: {kind, accepted, distance, shared_by}, tag, nodes: [[ref, id, tag]],
// clickable, reached, false_refs}; `cover` is a Coverage of scoring.py.
(observer, { golds, refs, clickable, hidden }) => {
  const ID = "backend_node_id";
  const CONTROL = "input, select, textarea, button";
  const BEST_FIRST = ["exact", "label", "ancestor", "descendant", "none"];

  const seen = new Map();
  for (const ref of refs) {
    const element = observer.element(ref);
    if (element) seen.set(element, ref);
  }
  const find = (id) => document.querySelector(`[${ID}="${CSS.escape(id)}"]`);
  const nearest = (element) => {
    let distance = 0;
    for (let at = element; at; at = at.parentElement, distance += 1) {
      if (seen.has(at)) return { at, distance };
    }
    return null;
  };
  // A click on a label acts on its control: whoever chooses one means the other.
  const partner = (element) => {
    const label = element.closest("label");
    const control = label && (label.control || label.querySelector(CONTROL));
    return control && seen.has(control) ? control : null;
  };
  const within = (element) =>
    [...seen.keys()].filter((one) => one !== element && element.contains(one));

  // By element seen, how many recorded nodes it stands for.
  const shares = new Map();
  for (const element of document.querySelectorAll(`[${ID}]`)) {
    const found = nearest(element);
    if (found) shares.set(found.at, (shares.get(found.at) || 0) + 1);
  }

  // What stands for a target, best first: itself, its label's control, the nearest element above
  // it, the first one in it.
  const standIn = (target) => {
    const above = nearest(target);
    if (above && above.distance === 0) return { kind: "exact", element: target, distance: 0 };
    const control = partner(target);
    if (control) return { kind: "label", element: control, distance: 0 };
    if (above) return { kind: "ancestor", element: above.at, distance: above.distance };
    const [inner] = within(target);
    return inner ? { kind: "descendant", element: inner, distance: 0 } : null;
  };
  const coverOf = (target) => {
    const found = standIn(target);
    if (!found) return { kind: "none" };
    const control = partner(target);
    const elements = [found.element, ...within(target), ...(control ? [control] : [])];
    return {
      kind: found.kind,
      accepted: [...new Set(elements.map((one) => seen.get(one)))],
      distance: found.distance,
      shared_by: shares.get(found.element) || 0,
    };
  };
  const targets = golds.map(find).filter((target) => target);
  const covers = targets.map(coverOf).sort(
    (one, other) => BEST_FIRST.indexOf(one.kind) - BEST_FIRST.indexOf(other.kind),
  );
  const best = covers[0] || { kind: "none" };
  const accepted = [...new Set(covers.flatMap((one) => one.accepted || []))];

  const known = new Set(clickable);
  const unseen = new Set(hidden);
  const offered = clickable.filter((id) => !unseen.has(id)).map(find).filter((element) => element);
  const reached = offered.filter((element) => nearest(element) || partner(element));
  // A ref is false if neither its node, nor one in it, nor its parent can be clicked.
  const isFalse = (element) => {
    if (known.has(element.getAttribute(ID))) return false;
    const inner = [...element.querySelectorAll(`[${ID}]`)];
    if (inner.some((one) => known.has(one.getAttribute(ID)))) return false;
    return !known.has(element.parentElement && element.parentElement.getAttribute(ID));
  };
  return JSON.stringify({
    cover: { ...best, accepted },
    tag: targets.length ? targets[0].localName : "",
    nodes: [...seen].map(([element, ref]) => [ref, element.getAttribute(ID), element.localName]),
    clickable: offered.length,
    reached: reached.length,
    false_refs: known.size ? [...seen.keys()].filter(isFalse).length : null,
  });
}
