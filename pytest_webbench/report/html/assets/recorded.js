// Recorded steps: the page with the target and what was chosen, and coverage by role.

const MARKS = {
  target: 'target',
  accepted: 'counts as the target',
  chosen: 'chosen',
};

// Only what has an id that the page's file marks can be scrolled to.
const placeOf = (element) => `#node-${encodeURIComponent(element.node)}`;

function recordedPage(item, detail) {
  const { recorded } = detail;
  const first = ['chosen', 'target', 'accepted']
    .map((kind) => recorded.elements.find((one) => one.kind === kind && one.node))
    .find(Boolean);
  return h(
    'section',
    { class: 'card film', 'aria-label': 'Recorded page' },
    h(
      'ul',
      { class: 'legend marks', 'aria-label': 'Marks' },
      Object.entries(MARKS)
        .filter(([kind]) => recorded.elements.some((one) => one.kind === kind))
        .map(([kind, words]) => h('li', {}, h('span', { class: `swatch ${kind}` }), words)),
    ),
    detail.archived
      ? h('iframe', {
          class: 'recorded',
          name: 'recorded',
          sandbox: true,
          src: `pages/${item}.html${first ? placeOf(first) : ''}`,
          title: 'Recorded page',
          referrerpolicy: 'no-referrer',
        })
      : h('p', { class: 'empty' }, 'The page is not stored with this result.'),
    h('p', { class: 'hint' }, 'The page as it was recorded, without its styles and pictures. Nothing in it runs or loads.'),
  );
}

function recordedCard(item, detail) {
  const { recorded } = detail;
  if (!recorded) return null;
  const of = (kind) => recorded.elements.filter((one) => one.kind === kind);
  const group = (title, elements, nothing) => [
    h('h3', {}, title),
    elements.length
      ? elements.map((one) => markedElement(one, detail.archived && `pages/${item}.html`))
      : nothing && h('p', { class: 'empty' }, nothing),
  ];
  return section(
    'Target and choice',
    recorded.why && h('p', { class: 'warning' }, recorded.why),
    group(`Target: ${recorded.wanted}`, of('target'), 'The recording has lost it.'),
    of('accepted').length > 0 && group('Counts as the target', of('accepted')),
    recorded.chosen !== null &&
      group(`Chosen: ${recorded.chosen || 'nothing'}`, of('chosen'), 'No element was chosen.'),
  );
}

function markedElement(element, page) {
  const attributes = element.attributes.map(([name, value]) => `${name}="${value}"`).join(' ');
  return h(
    'div',
    { class: 'marked' },
    h(
      'p',
      {},
      h('b', {}, element.role || element.tag || 'element'),
      ` ${element.name} `,
      page &&
        element.tag &&
        h('a', { href: `${page}${placeOf(element)}`, target: 'recorded' }, 'show'),
    ),
    h(
      'dl',
      { class: 'pairs' },
      [
        ['ref', element.ref || 'none: it could not be chosen'],
        ['node', element.node || 'not a recorded node'],
        ['markup', element.tag ? `<${[element.tag, attributes].filter(Boolean).join(' ')}>` : 'not in the page that was loaded'],
      ].map(([name, value]) => [h('dt', {}, name), h('dd', { class: 'value' }, value)]),
    ),
  );
}

const recordedFacts = (recorded) => [
  ['task', recorded.task],
  ['step of the task', recorded.of ? `${recorded.number} of ${recorded.of}` : recorded.number],
  ['page loaded as', recorded.mode],
  ['elements seen', number(recorded.refs)],
  ['target covered', recorded.covered ? `yes, ${recorded.cover}` : 'no'],
];

function rolesCard(group) {
  const several = store.overview.roles.length > 1;
  const asked = group.rows.some((row) => row.accepted);
  const share = (figure) =>
    figure
      ? [
          num(`${number(figure.count)} of ${number(figure.n)}`),
          num(h('b', {}, percent(figure.rate))),
          {
            content: ratePlot({
              rate: figure.rate,
              interval: figure,
              bounds: { low: figure.rate, high: figure.rate },
            }),
            class: 'plot',
          },
          num(`${percent(figure.low)} to ${percent(figure.high)}`),
        ]
      : [num('–'), num('–'), '', num('–')];
  const head = (title) => [num(title), num('Rate'), '0 % to 100 %', num('95 % interval')];
  const rows = group.rows.map((row) => [
    {
      content: row.role
        ? h('a', { href: tasksLink({ tag: row.role }) }, row.role)
        : h('b', {}, 'all roles'),
      class: 'name',
    },
    num(number(row.steps)),
    num(number(row.tasks)),
    ...share(row.covered),
    ...(asked ? share(row.accepted) : []),
  ]);
  const lost = group.rows[0].without_target;
  return section(
    `Coverage by role${several ? `: ${[rowLabel(group), group.suite].join(', ')}` : ''}`,
    table(
      ['Role', num('Steps'), num('Tasks'), ...head('Covered'), ...(asked ? head('Accepted') : [])],
      rows,
      { label: 'Coverage by role', class: 'wide roles' },
    ),
    h(
      'p',
      { class: 'hint' },
      'Covered: an element that could be chosen is, or stands for, the target. ',
      asked && 'Accepted: such an element was chosen. ',
      lost > 0 && `Left out: ${plural(lost, 'step')} without a target. `,
      'Steps of one task are alike, so the interval takes the task as what was sampled.',
    ),
  );
}
