// What all charts share. Outcomes differ by colour and by pattern; every chart says in words what
// it shows.

// A chart that is drawn anew whenever its width changes.
function chart(label, draw) {
  const box = h('div', { class: 'chart' });
  let drawn = 0;
  new ResizeObserver(() => {
    const width = Math.floor(box.clientWidth);
    if (!width || width === drawn) return;
    drawn = width;
    const { height, content } = draw(width);
    box.replaceChildren(
      svg(
        'svg',
        { width, height, viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': label },
        hatching(),
        content,
      ),
    );
  }).observe(box);
  return box;
}

function hatching() {
  return svg(
    'defs',
    {},
    svg(
      'pattern',
      {
        id: 'hatch',
        width: 5,
        height: 5,
        patternUnits: 'userSpaceOnUse',
        patternTransform: 'rotate(45)',
      },
      svg('rect', { width: 5, height: 5, class: 'fill-failed' }),
      svg('rect', { width: 1.6, height: 5, class: 'hatch-line' }),
    ),
    svg(
      'pattern',
      { id: 'dots', width: 5, height: 5, patternUnits: 'userSpaceOnUse' },
      svg('rect', { width: 5, height: 5, class: 'fill-unscored' }),
      svg('circle', { cx: 2.5, cy: 2.5, r: 1.1, class: 'hatch-line' }),
    ),
  );
}

const label = (x, y, text, anchor = 'start', extra = '') =>
  svg('text', { x, y, 'text-anchor': anchor, class: `label ${extra}` }, text);

function legend() {
  return h(
    'p',
    { class: 'legend' },
    OUTCOMES.map((outcome) =>
      h(
        'span',
        {},
        svg(
          'svg',
          { width: 14, height: 10, 'aria-hidden': 'true' },
          hatching(),
          svg('rect', { width: 14, height: 10, rx: 2, class: `mark-${outcome}` }),
        ),
        ` ${outcome}`,
      ),
    ),
  );
}
