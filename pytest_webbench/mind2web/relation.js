(eyes, { golds, refs, clickable, hidden }) => {
  // How the elements that were seen relate to recorded nodes. Result: JSON text, see `look.py`.
  const ID = "backend_node_id";
  const CONTROL = "input, select, textarea, button";
  const seen = new Map();
  for (const ref of refs) {
    const element = eyes.element(ref);
    if (element) seen.set(element, ref);
  }
  const find = (id) => document.querySelector(`[${ID}="${CSS.escape(id)}"]`);
  const nearest = (element) => {
    let distance = 0;
    for (let at = element; at; at = at.parentElement, distance += 1) if (seen.has(at)) return { at, distance };
    return null;
  };
  // A label and the control it stands for are one to whoever clicks.
  const partner = (element) => {
    const label = element.closest("label");
    const control = label && (label.control || label.querySelector(CONTROL));
    return control && seen.has(control) ? control : null;
  };
  const within = (element) => [...seen.keys()].filter((one) => one !== element && element.contains(one));

  const shares = new Map();
  for (const element of document.querySelectorAll(`[${ID}]`)) {
    const found = nearest(element);
    if (found) shares.set(found.at, (shares.get(found.at) || 0) + 1);
  }
  const coverOf = (target) => {
    const above = nearest(target);
    const label = partner(target);
    const inner = within(target);
    const stands = above && above.distance === 0 ? above.at : label || (above && above.at) || inner[0];
    if (!stands) return { kind: "none" };
    const kind = stands === target ? "exact" : stands === label ? "label" : above && stands === above.at ? "ancestor" : "descendant";
    const accepted = new Set([stands, ...inner, ...(label ? [label] : [])].map((one) => seen.get(one)));
    return { kind, accepted: [...accepted], distance: kind === "ancestor" ? above.distance : 0, shared_by: shares.get(stands) || 0 };
  };
  const ORDER = ["exact", "label", "ancestor", "descendant", "none"];
  const targets = golds.map(find).filter((target) => target);
  const covers = targets.map(coverOf).sort((one, other) => ORDER.indexOf(one.kind) - ORDER.indexOf(other.kind));
  const best = covers[0] || { kind: "none" };
  const accepted = [...new Set(covers.flatMap((one) => one.accepted || []))];

  const known = new Set(clickable);
  const unseen = new Set(hidden);
  const offered = clickable.filter((id) => !unseen.has(id)).map(find).filter((element) => element);
  const reached = (element) => {
    const found = nearest(element);
    return Boolean(found || partner(element));
  };
  // A ref is false if neither its node nor anything in it or right above it can be clicked.
  const isFalse = (element) => {
    const id = element.getAttribute(ID);
    return !known.has(id) && ![...element.querySelectorAll(`[${ID}]`)].some((one) => known.has(one.getAttribute(ID)))
      && !known.has(element.parentElement && element.parentElement.getAttribute(ID));
  };
  return JSON.stringify({
    cover: { ...best, accepted },
    tag: targets.length ? targets[0].localName : "",
    nodes: [...seen].map(([element, ref]) => [ref, element.getAttribute(ID), element.localName]),
    clickable: offered.length,
    reached: offered.filter(reached).length,
    false_refs: known.size ? [...seen.keys()].filter(isFalse).length : null,
  });
}
