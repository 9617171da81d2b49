// How often which amount occurred.

// How often which amount occurred, passed below failed below unscored.
function histogram(data, unit, words) {
  const most = Math.max(1, ...data.bins.map((bin) => bin[0] + bin[1] + bin[2]));
  return chart(words, (width) => {
    const [left, top, bottom] = [34, 8, 22];
    const height = 130;
    const step = Math.min(40, (width - left - 8) / data.bins.length);
    const y = (count) => height - bottom - (count / most) * (height - bottom - top);
    const bars = data.bins.map((bin, index) => {
      let below = 0;
      const from = index * data.width;
      const title = `${round(from)} to ${round(from + data.width)} ${unit}: ${bin[0]} passed, ${bin[1]} failed, ${bin[2]} unscored`;
      return svg(
        'g',
        {},
        svg('title', {}, title),
        bin.map((count, outcome) => {
          below += count;
          return (
            count > 0 &&
            svg('rect', {
              x: left + index * step + 0.5,
              y: y(below),
              width: Math.max(1, step - 1),
              height: Math.max(1, y(below - count) - y(below)),
              class: `mark-${OUTCOMES[outcome]}`,
            })
          );
        }),
      );
    });
    const every = Math.max(1, Math.ceil(46 / step));
    const ticks = data.bins.map(
      (_, index) =>
        index % every === 0 &&
        label(left + index * step, height - 6, round(index * data.width), 'middle'),
    );
    return {
      height,
      content: [
        svg('line', {
          x1: left,
          x2: width - 8,
          y1: height - bottom,
          y2: height - bottom,
          class: 'axis',
        }),
        label(left - 6, y(most) + 8, number(most), 'end'),
        label(left - 6, height - bottom, '0', 'end'),
        bars,
        ticks,
      ],
    };
  });
}
