// Small charts. Outcomes differ by colour and by pattern; every chart says in words what it shows.

// A chart that is drawn anew whenever its width changes.
function chart(label, draw) {
  const box = h('div', { class: 'chart' });
  let drawn = 0;
  new ResizeObserver(() => {
    const width = Math.floor(box.clientWidth);
    if (!width || width === drawn) return;
    drawn = width;
    const { height, content } = draw(width);
    box.replaceChildren(svg('svg', { width, height, viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': label },
      hatching(), content));
  }).observe(box);
  return box;
}

function hatching() {
  return svg('defs', {}, svg('pattern', { id: 'hatch', width: 5, height: 5, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)' },
    svg('rect', { width: 5, height: 5, class: 'fill-failed' }), svg('rect', { width: 1.6, height: 5, class: 'hatch-line' })),
  svg('pattern', { id: 'dots', width: 5, height: 5, patternUnits: 'userSpaceOnUse' },
    svg('rect', { width: 5, height: 5, class: 'fill-unscored' }), svg('circle', { cx: 2.5, cy: 2.5, r: 1.1, class: 'hatch-line' })));
}

const label = (x, y, text, anchor = 'start', extra = '') =>
  svg('text', { x, y, 'text-anchor': anchor, class: `label ${extra}` }, text);

function legend() {
  return h('p', { class: 'legend' }, OUTCOMES.map((outcome) => h('span', {},
    svg('svg', { width: 14, height: 10, 'aria-hidden': 'true' }, hatching(), svg('rect', { width: 14, height: 10, rx: 2, class: `mark-${outcome}` })),
    ` ${outcome}`)));
}

// Rate, its 95 % interval, and how far unscored episodes could move it.
function ratePlot(row, width = 180) {
  const x = (share) => (6 + share * (width - 12)).toFixed(1);
  const [low, high] = row.interval ? [row.interval.low, row.interval.high] : [0, 1];
  const words = row.rate === null ? 'nothing scored' : `${percent(row.rate)}, 95 % interval ${percent(low)} to ${percent(high)}`;
  return svg('svg', { width, height: 18, class: 'rate-plot', role: 'img', 'aria-label': words },
    svg('title', {}, words),
    [0, 0.25, 0.5, 0.75, 1].map((tick) => svg('line', { x1: x(tick), x2: x(tick), y1: 1, y2: 17, class: 'grid' })),
    row.bounds.high > row.bounds.low && svg('rect', { x: x(row.bounds.low), y: 5, width: (x(row.bounds.high) - x(row.bounds.low)).toFixed(1), height: 8, class: 'bounds' }),
    row.rate !== null && svg('line', { x1: x(low), x2: x(high), y1: 9, y2: 9, class: 'whisker' }),
    row.rate !== null && svg('circle', { cx: x(row.rate), cy: 9, r: 4, class: 'dot' }));
}

// The same for all agents on one axis.
function rateChart(rows, name) {
  return chart(`Rates with 95 % intervals of ${plural(rows.length, 'agent')}`, (width) => {
    const left = Math.min(180, width * 0.34);
    const right = width < 500 ? 24 : 200;
    const x = (share) => left + share * (width - left - right);
    const height = rows.length * 30 + 26;
    const marks = rows.map((row, index) => {
      const y = index * 30 + 15;
      const range = row.interval ? `${percent(row.rate)}  (${percent(row.interval.low)} to ${percent(row.interval.high)})` : 'nothing scored';
      return svg('g', {}, svg('title', {}, `${name(row)}: ${range}`), label(left - 10, y + 4, shortened(name(row), left / 8.5), 'end', 'strong'),
        row.bounds.high > row.bounds.low && svg('rect', { x: x(row.bounds.low), y: y - 6, width: x(row.bounds.high) - x(row.bounds.low), height: 12, class: 'bounds' }),
        row.interval && svg('line', { x1: x(row.interval.low), x2: x(row.interval.high), y1: y, y2: y, class: 'whisker' }),
        row.interval && svg('circle', { cx: x(row.rate), cy: y, r: 5, class: 'dot' }),
        right > 100 && label(width - right + 16, y + 4, range));
    });
    const axis = [0, 0.25, 0.5, 0.75, 1].map((tick) => svg('g', {},
      svg('line', { x1: x(tick), x2: x(tick), y1: 0, y2: height - 22, class: 'grid' }), label(x(tick), height - 6, `${tick * 100} %`, 'middle')));
    return { height, content: [axis, marks] };
  });
}

const shortened = (text, most) => (text.length > most ? `${text.slice(0, Math.max(3, most - 1))}…` : text);

// How often which amount occurred, passed below failed below unscored.
function histogram(data, unit, words) {
  const most = Math.max(1, ...data.bins.map((bin) => bin[0] + bin[1] + bin[2]));
  return chart(words, (width) => {
    const [left, top, bottom] = [34, 8, 22];
    const height = 130;
    const step = Math.min(40, (width - left - 8) / data.bins.length);
    const y = (count) => (height - bottom) - (count / most) * (height - bottom - top);
    const bars = data.bins.map((bin, index) => {
      let below = 0;
      const from = index * data.width;
      const title = `${round(from)} to ${round(from + data.width)} ${unit}: ${bin[0]} passed, ${bin[1]} failed, ${bin[2]} unscored`;
      return svg('g', {}, svg('title', {}, title), bin.map((count, outcome) => {
        below += count;
        return count > 0 && svg('rect', { x: left + index * step + 0.5, y: y(below), width: Math.max(1, step - 1), height: Math.max(1, y(below - count) - y(below)), class: `mark-${OUTCOMES[outcome]}` });
      }));
    });
    const every = Math.max(1, Math.ceil(46 / step));
    const ticks = data.bins.map((_, index) => index % every === 0 && label(left + index * step, height - 6, round(index * data.width), 'middle'));
    return {
      height,
      content: [svg('line', { x1: left, x2: width - 8, y1: height - bottom, y2: height - bottom, class: 'axis' }),
        label(left - 6, y(most) + 8, number(most), 'end'), label(left - 6, height - bottom, '0', 'end'), bars, ticks],
    };
  });
}

const round = (value) => number(value, Number.isInteger(value) ? 0 : 1);

// What every worker was doing when: one bar per episode of a run.
function timeline(run) {
  const timed = Array.from({ length: store.count }, (_, item) => item)
    .filter((item) => at('run', item) === run && at('started', item) !== null && at('seconds', item) > 0);
  if (!timed.length) return h('p', { class: 'empty' }, 'No times are on record.');
  const workers = [...new Set(timed.map((item) => word('worker', item)))].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  const rows = new Map(workers.map((worker, row) => [worker, row]));
  const start = timed.reduce((least, item) => Math.min(least, at('started', item)), Infinity);
  const end = timed.reduce((most, item) => Math.max(most, at('started', item) + at('seconds', item) * 1000), 0);
  const left = 52;
  const right = 10;
  const words = `Timeline of ${plural(timed.length, 'episode')} on ${plural(workers.length, 'worker')}, ${duration((end - start) / 1000)} in all`;
  const plot = chart(words, (width) => {
    const x = (time) => left + ((time - start) / (end - start || 1)) * (width - left - right);
    const paths = new Map();
    for (const item of timed) {
      const [from, to] = [x(at('started', item)), x(at('started', item) + at('seconds', item) * 1000)];
      const wide = Math.max(0.8, to - from - 0.6).toFixed(1);
      const shapes = paths.get(outcomeOf(item)) ?? [];
      shapes.push(`M${from.toFixed(1)} ${rows.get(word('worker', item)) * 28 + 4}h${wide}v18h-${wide}z`);
      paths.set(outcomeOf(item), shapes);
    }
    const ticks = (width < 560 ? [0, 0.5, 1] : [0, 0.25, 0.5, 0.75, 1]).map((share) =>
      label(left + share * (width - left - right), workers.length * 28 + 17, duration(((end - start) / 1000) * share), { 0: 'start', 1: 'end' }[share] ?? 'middle'));
    return {
      height: workers.length * 28 + 22,
      content: [workers.map((worker, row) => label(left - 8, row * 28 + 17, shortened(worker || '–', 6), 'end')),
        [...paths].map(([outcome, shapes]) => svg('path', { d: shapes.join(''), class: `mark-${outcome}` })), ticks],
    };
  });
  plot.addEventListener('click', (event) => {
    const box = plot.getBoundingClientRect();
    const time = start + ((event.clientX - box.left - left) / (box.width - left - right)) * (end - start);
    const row = Math.floor((event.clientY - box.top) / 28);
    const hit = timed.find((item) => rows.get(word('worker', item)) === row && time >= at('started', item) && time <= at('started', item) + at('seconds', item) * 1000);
    if (hit !== undefined) location.hash = `#/episode/${idOf(hit)}`;
  });
  return plot;
}

// Tasks that both, only one, or neither solved.
function flipBar(pair) {
  const parts = [['both', pair.both], ['only A', pair.only_a], ['mixed', pair.mixed], ['only B', pair.only_b], ['neither', pair.neither]].filter(([, count]) => count);
  const words = parts.map(([name, count]) => `${name}: ${count}`).join(', ');
  return chart(`Tasks by who solved them: ${words}`, (width) => {
    let x = 0;
    const bars = parts.map(([name, count]) => {
      const wide = (count / pair.shared) * width;
      const from = x;
      x += wide;
      return svg('g', {}, svg('title', {}, `${name}: ${count}`),
        svg('rect', { x: from + 0.5, y: 0, width: Math.max(1, wide - 1), height: 30, class: `flip-${name.replace(' ', '-')}` }),
        wide > 24 && svg('text', { x: from + wide / 2, y: 20, 'text-anchor': 'middle', class: `on-flip on-${name.replace(' ', '-')}` }, number(count)),
        wide > 7 * name.length && label(from + wide / 2, 46, name, 'middle'));
    });
    return { height: 52, content: bars };
  });
}
