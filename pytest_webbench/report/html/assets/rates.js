// Rates with their intervals, and how far unscored episodes could move them.

// Rate, its 95 % interval, and how far unscored episodes could move it.
function ratePlot(row, width = 180) {
  const x = (share) => (6 + share * (width - 12)).toFixed(1);
  const [low, high] = row.interval ? [row.interval.low, row.interval.high] : [0, 1];
  const words =
    row.rate === null
      ? 'nothing scored'
      : `${percent(row.rate)}, 95 % interval ${percent(low)} to ${percent(high)}`;
  return svg(
    'svg',
    { width, height: 18, class: 'rate-plot', role: 'img', 'aria-label': words },
    svg('title', {}, words),
    [0, 0.25, 0.5, 0.75, 1].map((tick) =>
      svg('line', { x1: x(tick), x2: x(tick), y1: 1, y2: 17, class: 'grid' }),
    ),
    row.bounds.high > row.bounds.low &&
      svg('rect', {
        x: x(row.bounds.low),
        y: 5,
        width: (x(row.bounds.high) - x(row.bounds.low)).toFixed(1),
        height: 8,
        class: 'bounds',
      }),
    row.rate !== null && svg('line', { x1: x(low), x2: x(high), y1: 9, y2: 9, class: 'whisker' }),
    row.rate !== null && svg('circle', { cx: x(row.rate), cy: 9, r: 4, class: 'dot' }),
  );
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
      const range = row.interval
        ? `${percent(row.rate)}  (${percent(row.interval.low)} to ${percent(row.interval.high)})`
        : 'nothing scored';
      return svg(
        'g',
        {},
        svg('title', {}, `${name(row)}: ${range}`),
        label(left - 10, y + 4, shortened(name(row), left / 8.5), 'end', 'strong'),
        row.bounds.high > row.bounds.low &&
          svg('rect', {
            x: x(row.bounds.low),
            y: y - 6,
            width: x(row.bounds.high) - x(row.bounds.low),
            height: 12,
            class: 'bounds',
          }),
        row.interval &&
          svg('line', {
            x1: x(row.interval.low),
            x2: x(row.interval.high),
            y1: y,
            y2: y,
            class: 'whisker',
          }),
        row.interval && svg('circle', { cx: x(row.rate), cy: y, r: 5, class: 'dot' }),
        right > 100 && label(width - right + 16, y + 4, range),
      );
    });
    const axis = [0, 0.25, 0.5, 0.75, 1].map((tick) =>
      svg(
        'g',
        {},
        svg('line', { x1: x(tick), x2: x(tick), y1: 0, y2: height - 22, class: 'grid' }),
        label(x(tick), height - 6, `${tick * 100} %`, 'middle'),
      ),
    );
    return { height, content: [axis, marks] };
  });
}
