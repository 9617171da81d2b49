// What every worker was doing when.

// What every worker was doing when: one bar per episode of a run.
function timeline(run) {
  const timed = Array.from({ length: store.count }, (_, item) => item).filter(
    (item) => at('run', item) === run && at('started', item) !== null && at('seconds', item) > 0,
  );
  if (!timed.length) return h('p', { class: 'empty' }, 'No times are on record.');
  const workers = [...new Set(timed.map((item) => word('worker', item)))].sort((a, b) =>
    a.localeCompare(b, 'en', { numeric: true }),
  );
  const rows = new Map(workers.map((worker, row) => [worker, row]));
  const start = timed.reduce((least, item) => Math.min(least, at('started', item)), Infinity);
  const end = timed.reduce(
    (most, item) => Math.max(most, at('started', item) + at('seconds', item) * 1000),
    0,
  );
  const left = 52;
  const right = 10;
  const words = `Timeline of ${plural(timed.length, 'episode')} on ${plural(workers.length, 'worker')}, ${duration((end - start) / 1000)} in all`;
  const plot = chart(words, (width) => {
    const x = (time) => left + ((time - start) / (end - start || 1)) * (width - left - right);
    // One path per outcome: an element per episode would be slow with thousands of them.
    const paths = new Map();
    for (const item of timed) {
      const [from, to] = [
        x(at('started', item)),
        x(at('started', item) + at('seconds', item) * 1000),
      ];
      const wide = Math.max(0.8, to - from - 0.6).toFixed(1);
      const shapes = paths.get(outcomeOf(item)) ?? [];
      shapes.push(
        `M${from.toFixed(1)} ${rows.get(word('worker', item)) * 28 + 4}h${wide}v18h-${wide}z`,
      );
      paths.set(outcomeOf(item), shapes);
    }
    const ticks = (width < 560 ? [0, 0.5, 1] : [0, 0.25, 0.5, 0.75, 1]).map((share) =>
      label(
        left + share * (width - left - right),
        workers.length * 28 + 17,
        duration(((end - start) / 1000) * share),
        { 0: 'start', 1: 'end' }[share] ?? 'middle',
      ),
    );
    return {
      height: workers.length * 28 + 22,
      content: [
        workers.map((worker, row) =>
          label(left - 8, row * 28 + 17, shortened(worker || '–', 6), 'end'),
        ),
        [...paths].map(([outcome, shapes]) =>
          svg('path', { d: shapes.join(''), class: `mark-${outcome}` }),
        ),
        ticks,
      ],
    };
  });
  plot.addEventListener('click', (event) => {
    const box = plot.getBoundingClientRect();
    const time =
      start + ((event.clientX - box.left - left) / (box.width - left - right)) * (end - start);
    const row = Math.floor((event.clientY - box.top) / 28);
    const hit = timed.find(
      (item) =>
        rows.get(word('worker', item)) === row &&
        time >= at('started', item) &&
        time <= at('started', item) + at('seconds', item) * 1000,
    );
    if (hit !== undefined) location.hash = `#/episode/${idOf(hit)}`;
  });
  return plot;
}
