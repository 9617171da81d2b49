// Both episodes of one task side by side.

async function diffView(path) {
  const parts = path.split('/');
  const [one, other] = [
    store.ids.get(parts.slice(0, 5).join('/')),
    store.ids.get(parts.slice(5, 10).join('/')),
  ];
  if (one === undefined || other === undefined)
    return [h('h1', { tabindex: '-1' }, 'There are no such episodes in this report')];
  const [left, right] = await Promise.all([episode(one), episode(other)]);
  const players = [playerOf(one, left, 0), playerOf(other, right, 0)];
  const parted = firstDifference(left.steps, right.steps);
  const both = (position) => players.forEach((player) => player?.show(position));
  const column = (item, detail, player) =>
    h(
      'div',
      { class: 'diff-side' },
      h(
        'h2',
        {},
        h('a', { href: `#/episode/${idOf(item)}` }, nameOf(item)),
        ' ',
        badge(outcomeOf(item), word('reason', item)),
      ),
      h('div', { class: 'card film' }, player ?? nothingStored()),
      detail.answer !== null &&
        detail.answer !== undefined &&
        h('p', { class: 'value' }, h('b', {}, 'Answer: '), detail.answer),
    );
  return [
    h(
      'p',
      { class: 'crumbs' },
      h('a', { href: tasksLink(listing.filters) }, 'Tasks'),
      [taskOf(one).suite, taskOf(one).site].filter(Boolean).map((part) => ` / ${part}`),
    ),
    h('h1', { tabindex: '-1' }, taskOf(one).id),
    h('p', { class: 'goal' }, left.asked?.goal || taskOf(one).goal || 'The goal is not stored.'),
    h(
      'p',
      { class: 'hint' },
      !left.steps.length && !right.steps.length
        ? 'No steps are on record on either side.'
        : parted === null
          ? 'Both did the same, step by step.'
          : [
              `They part at step ${parted + 1}. `,
              h('button', { type: 'button', on: { click: () => both(parted) } }, 'Show it'),
            ],
    ),
    h('div', { class: 'diff' }, column(one, left, players[0]), column(other, right, players[1])),
    section('Checks', checkDiff(one, left, other, right)),
    section('Steps', stepDiff(left.steps, right.steps, parted)),
  ];
}

function firstDifference(left, right) {
  const most = Math.max(left.length, right.length);
  for (let index = 0; index < most; index += 1) {
    if (!left[index] || !right[index] || stepKey(left[index]) !== stepKey(right[index]))
      return index;
  }
  return null;
}

function checkDiff(one, left, other, right) {
  const names = [
    ...new Set(
      [...(left.verdict?.checks ?? []), ...(right.verdict?.checks ?? [])].map(
        (check) => check.name,
      ),
    ),
  ];
  const cell = (detail, name) => {
    const check = detail.verdict?.checks.find((found) => found.name === name);
    if (!check) return '–';
    return [
      h('span', { class: `state-word ${check.state}` }, `${GLYPHS[check.state]} ${check.state}`),
      check.state !== 'gated' && h('div', { class: 'value' }, listed(check.found)),
    ];
  };
  if (!names.length) return h('p', { class: 'empty' }, 'No checks are on record on either side.');
  return table(
    ['Check', nameOf(one), nameOf(other)],
    names.map((name) => [name, cell(left, name), cell(right, name)]),
    { label: 'Checks side by side', class: 'thirds' },
  );
}

// The steps of both, those that are alike in one row.
function stepDiff(left, right, parted) {
  if (!left.length && !right.length)
    return h('p', { class: 'empty' }, 'No steps are on record on either side.');
  const words = (steps, index) => (index === null ? '' : stepWords(steps[index]).join(''));
  const rows = aligned(left.map(stepKey), right.map(stepKey)).map(([one, other]) => {
    const shade = one !== null && other !== null ? 'same' : '';
    return [
      num(one === null ? '' : one + 1),
      { content: words(left, one), class: shade },
      num(other === null ? '' : other + 1),
      { content: words(right, other), class: shade },
    ];
  });
  return [
    h(
      'p',
      { class: 'hint' },
      parted === null ? '' : 'Steps that are alike stand in one row, greyed.',
    ),
    table([num('#'), 'Left', num('#'), 'Right'], rows, {
      label: 'Steps side by side',
      class: 'steps-diff',
    }),
  ];
}
