// Loads one recorded page and looks at it: as the reference does, with our observer, or both, in
// one call, since each call into the browser costs more than a small page does.
// `parts` are the other scripts by name; `compat` and `ours` say what is asked, null for nothing.
// Returns JSON text:
// {compat: {loaded, milliseconds, frames, seen}, ours: {loaded, milliseconds, refs, seen, relation},
//  markup}
(observer, parts, { page, compat, ours }) => {
  const answers = [];
  const marked = new Set();
  const start = performance.now();
  const load = parts.load(parts, page);
  const parsing = performance.now() - start;
  // The answers are joined as text: what the observer returns is JSON already, and long.
  const timed = (name, mode, look) => {
    const begin = performance.now();
    const loaded = JSON.stringify(load(mode));
    const seen = look();
    const milliseconds = parsing + performance.now() - begin;
    answers.push(`"${name}":{"loaded":${loaded},"milliseconds":${milliseconds},${seen}}`);
  };
  if (compat) {
    compat.golds.forEach((id) => marked.add(id));
    timed("compat", "compat", () => {
      const seen = parts.compat([compat.golds, 1]);
      return `"frames":${window.length},"seen":${seen}`;
    });
  }
  if (ours) {
    timed("ours", ours.mode, () => {
      observer.restart(); // refs begin at e1, whatever was looked at before
      const listed = observer.look({ ...ours.look, elements: ours.listed });
      let all = JSON.parse(listed);
      if (all.leftOut) all = JSON.parse(observer.look({ ...ours.look, elements: ours.all }));
      const refs = all.elements.map((one) => one.ref).filter(Boolean);
      const relation = parts.relation(observer, { ...ours.asked, refs });
      ours.asked.golds.forEach((id) => marked.add(id));
      JSON.parse(relation).nodes.forEach(([, id]) => marked.add(id));
      return `"refs":${refs.length},"seen":${listed},"relation":${relation}`;
    });
  }
  marked.delete(null);
  answers.push(`"markup":${parts.markup([...marked])}`);
  // Nobody looks at the page any more: save painting it. Frames are still to be asked.
  if (!window.length) document.replaceChildren();
  return `{${answers.join(",")}}`;
}
