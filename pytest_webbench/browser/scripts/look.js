// What an agent is shown of the page.

const pick = (found, most, onlyView) => {
  const open = found.filter((one) => !one.dropped && (!onlyView || one.near));
  if (open.length <= most) return [open, 0];
  const first = open.findIndex((one) => one.near);
  const ranked = open.map((one, index) => [
    one.near ? 0 : index > first ? 1 : 2,
    one.near ? index : Math.abs(index - Math.max(0, first)),
    one,
  ]);
  ranked.sort((one, other) => one[0] - other[0] || one[1] - other[1]);
  const kept = new Set(ranked.slice(0, most).map((one) => one[2]));
  return [open.filter((one) => kept.has(one)), open.length - most];
};

const pickLines = (lines, most, onlyView, view) => {
  const total = lines.reduce((sum, one) => sum + one.line.length + 1, 0);
  if (total <= most && !onlyView) return lines.map((one) => one.line);
  const near = ({ first, y }) => {
    const box = first ? boxOf(first) : null;
    return box !== null && box.bottom + y > view.top && box.top + y < view.bottom;
  };
  if (onlyView) lines = lines.filter(near);
  let begin = onlyView ? 0 : Math.max(0, lines.findIndex(near)),
    end = begin,
    left = most - 4;
  while (end < lines.length && lines[end].line.length + 1 <= left)
    left -= lines[end++].line.length + 1;
  if (end < lines.length && end === begin) return [clip(lines[begin].line, most)];
  while (end === lines.length && begin > 0 && lines[begin - 1].line.length + 1 <= left)
    left -= lines[--begin].line.length + 1;
  const shown = lines.slice(begin, end).map((one) => one.line);
  return [...(begin > 0 ? ["…"] : []), ...shown, ...(end < lines.length ? ["…"] : [])];
};

const look = (wanted) => {
  next = Math.max(next, wanted.next);
  forgetDetached();
  const seen = new Walk(wanted);
  seen.page();
  const focused = focusedNow();
  const [kept, leftOut] = pick(seen.found, wanted.elements, wanted.viewportOnly);
  const all = kept.map((entry) =>
    entry.element ? describe(entry, focused) : { frame: entry.frame },
  );
  const times = new Map();
  for (const one of all)
    times.set(`${one.role} ${one.name}`, (times.get(`${one.role} ${one.name}`) || 0) + 1);
  kept.forEach((entry) => {
    const fields = entry.fields;
    if (
      !fields ||
      !(times.get(`${fields.role} ${fields.name}`) > 1 || !fields.name || fields.role === "radio")
    )
      return;
    const context = contextOf(entry);
    if (context) fields.context = context;
  });
  const root = scrollingOf(document) || rootElement(document);
  const above = Math.max(0, Math.round(root?.scrollTop || 0));
  const panels = seen.panels.map(({ element, above: over, below }) => ({
    ref: refOf(element),
    above: over,
    below,
    name:
      clip(attribute(element, "aria-label"), 60) || clip(textContentOf(element).slice(0, 400), 60),
  }));
  const frames = seen.frames.map(({ element, x, y, width, height }) => {
    const over = elementFromPoint(document, x + width / 2, y + height / 2);
    return {
      ref: refOf(element),
      x,
      y,
      width,
      height,
      over: Boolean(over) && !seen.frames.some((one) => one.element === over),
    };
  });
  return JSON.stringify({
    url: location.href.slice(0, 2_000),
    title: clip(titleOf(document), 300),
    lines: pickLines(seen.lines, wanted.text, wanted.viewportOnly, seen.view),
    elements: all,
    leftOut,
    cut: seen.cut,
    next,
    panels,
    frames,
    history: `${history.length} ${navigation.currentEntry?.key}`,
    scrolled: [above, Math.max(0, Math.round((root?.scrollHeight || 0) - innerHeight - above))],
    viewport: [innerWidth, innerHeight],
    html: seen.html ? asHtml(seen.html, wanted.html) : "",
  });
};
