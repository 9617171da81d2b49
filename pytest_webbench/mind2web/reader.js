(eyes, { load, judge, relation }, { page, compat, ours }) => {
  // Loads one recorded page and looks at it: as the reference does, with our eyes, or both, in one go.
  // Result: JSON text {compat: {loaded, milliseconds, frames, seen}, ours: {loaded, milliseconds, refs, seen, told}}.
  const parts = [];
  const start = performance.now();
  const put = load(page);
  const parsing = performance.now() - start;
  const timed = (name, mode, see) => {
    const begin = performance.now();
    const loaded = put(mode);
    const seen = see();
    parts.push(`"${name}":{"loaded":${loaded},"milliseconds":${parsing + performance.now() - begin},${seen}}`);
  };
  if (compat) timed("compat", "compat", () => `"frames":${window.length},"seen":${judge([compat.golds, 1])}`);
  if (ours) {
    timed("ours", ours.mode, () => {
      eyes.restart(); // refs begin at e1, whatever was looked at before
      const listed = eyes.look({ ...ours.look, elements: ours.listed });
      let all = JSON.parse(listed);
      if (all.leftOut) all = JSON.parse(eyes.look({ ...ours.look, elements: ours.all }));
      const refs = all.elements.map((one) => one.ref).filter(Boolean);
      return `"refs":${refs.length},"seen":${listed},"told":${relation(eyes, { ...ours.asked, refs })}`;
    });
  }
  if (!window.length) document.replaceChildren(); // nobody wants to see it painted
  return `{${parts.join(",")}}`;
}
