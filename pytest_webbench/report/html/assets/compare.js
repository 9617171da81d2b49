// Two agents or runs: how many tasks flipped, and which.

function compareView() {
  const { pairs } = store.overview;
  if (!pairs.length) {
    return [
      h('h1', { tabindex: '-1' }, 'Compare'),
      h(
        'p',
        { class: 'empty' },
        'There is nothing to compare: one agent, or too many. To set another run beside this one: webbench report RUN --compare OTHER',
      ),
    ];
  }
  return [h('h1', { tabindex: '-1' }, 'Compare'), pairs.map(pairCard)];
}

function pairCard(pair) {
  const facts = [
    [`shared ${pair.unit}s`, number(pair.shared)],
    ['rate A', percent(pair.rate_a)],
    ['rate B', percent(pair.rate_b)],
    ['difference', pair.difference === null ? '–' : points(pair.difference)],
    [
      '95 % interval',
      pair.interval ? `${points(pair.interval.low)} to ${points(pair.interval.high)}` : '–',
    ],
    [`p (${pair.test})`, pValue(pair.p)],
    store.overview.pairs.length > 1 && ['p, corrected', pValue(pair.p_corrected)],
    pair.least_gap !== null && ['least gap it could show', percent(pair.least_gap)],
  ].filter(Boolean);
  return h(
    'section',
    { class: 'card' },
    h(
      'h2',
      {},
      h('span', { class: 'side-a' }, 'A'),
      ` ${pair.a} `,
      h('span', { class: 'side-b' }, 'B'),
      ` ${pair.b}`,
    ),
    pair.sentence && h('p', { class: 'lead' }, pair.sentence),
    pair.shared > 0 && flipBar(pair),
    h(
      'dl',
      { class: 'facts strip' },
      facts.map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value))),
    ),
    pair.notes.map((note) => h('p', { class: 'warning' }, note)),
    flipList(pair),
  );
}

// Tasks that both, only one, or neither solved.
function flipBar(pair) {
  const parts = [
    ['both', pair.both],
    ['only A', pair.only_a],
    ['mixed', pair.mixed],
    ['only B', pair.only_b],
    ['neither', pair.neither],
  ].filter(([, count]) => count);
  const words = parts.map(([name, count]) => `${name}: ${count}`).join(', ');
  return chart(`Tasks by who solved them: ${words}`, (width) => {
    let x = 0;
    const bars = parts.map(([name, count]) => {
      const wide = (count / pair.shared) * width;
      const from = x;
      x += wide;
      return svg(
        'g',
        {},
        svg('title', {}, `${name}: ${count}`),
        svg('rect', {
          x: from + 0.5,
          y: 0,
          width: Math.max(1, wide - 1),
          height: 30,
          class: `flip-${name.replace(' ', '-')}`,
        }),
        wide > 24 &&
          svg(
            'text',
            {
              x: from + wide / 2,
              y: 20,
              'text-anchor': 'middle',
              class: `on-flip on-${name.replace(' ', '-')}`,
            },
            number(count),
          ),
        wide > 7 * name.length && label(from + wide / 2, 46, name, 'middle'),
      );
    });
    return { height: 52, content: bars };
  });
}

function flipList(pair) {
  if (!pair.flips.length) return null;
  const tasks = new Map(store.tasks.map((task, index) => [`${task.suite}/${task.id}`, index]));
  const share = ([passed, graded]) =>
    h(
      'span',
      { class: passed === graded ? 'passed' : passed ? 'unscored' : 'failed' },
      graded > 1
        ? `${passed}/${graded}`
        : `${GLYPHS[passed ? 'passed' : 'failed']} ${passed ? 'passed' : 'failed'}`,
    );
  const row = ([suite, task, a, b]) => {
    const number_ = tasks.get(`${suite}/${task}`);
    const [one, other] = [sideItem(pair.a, number_), sideItem(pair.b, number_)];
    return [
      one !== undefined && other !== undefined
        ? h('a', { href: `#/diff/${idOf(one)}/${idOf(other)}` }, task)
        : task,
      { content: store.tasks[number_]?.site ?? '', class: 'site' },
      share(a),
      share(b),
    ];
  };
  // Longer tables make the browser slow.
  const shown = pair.flips.slice(0, 1000);
  return h(
    'details',
    { class: 'flips', open: pair.flips.length <= 12 },
    h('summary', {}, `${plural(pair.flips.length, pair.unit)} that ended differently`),
    table([pair.unit === 'task' ? 'Task' : 'Recorded step', 'Site', 'A', 'B'], shown.map(row), { label: 'Tasks that ended differently' }),
  );
}

// The first episode of a task by the side that a label of a comparison names: tag:agent.
function sideItem(name, task) {
  const column = store.agents.findIndex((one) => `${tagOf(one.run)}:${one.agent}` === name);
  return cellsOfTasks()[task]?.[column]?.[0];
}
