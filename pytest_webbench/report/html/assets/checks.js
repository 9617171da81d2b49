// The verdict as a tree: checks below those that they require, each with what was expected, what
// was found, and where.

function checkTree(detail, player) {
  const { verdict, asked } = detail;
  if (!verdict)
    return h(
      'p',
      { class: 'empty' },
      detail.detail
        ? h('pre', {}, detail.detail)
        : 'No verdict is stored with this result: there is only the outcome in the ledger.',
    );
  const described = new Map((asked?.checks ?? []).map((check) => [check.name, check]));
  const names = new Set(verdict.checks.map((check) => check.name));
  const parents = new Map();
  for (const check of verdict.checks) {
    const parent = described
      .get(check.name)
      ?.requires.findLast((name) => names.has(name) && name !== check.name);
    parents.set(parent, [...(parents.get(parent) ?? []), check]);
  }
  const seen = new Set();
  const branch = (parent) => {
    const checks = (parents.get(parent) ?? []).filter((check) => !seen.has(check.name));
    checks.forEach((check) => seen.add(check.name));
    return (
      checks.length > 0 &&
      h(
        'ul',
        { class: 'tree' },
        checks.map((check) =>
          h(
            'li',
            {},
            checkCard(check, described.get(check.name), detail, player),
            branch(check.name),
          ),
        ),
      )
    );
  };
  const rule = {
    and: 'all have to hold',
    or: 'one has to hold',
    weighted: 'weighed against each other',
  }[asked?.conj];
  return [
    verdict.detail && h('p', {}, verdict.detail),
    verdict.checks.length > 1 &&
      rule &&
      h('p', { class: 'hint' }, `${verdict.checks.length} checks, ${rule}.`),
    branch(undefined),
    !verdict.checks.length &&
      !verdict.detail &&
      h('p', { class: 'empty' }, 'No checks were evaluated.'),
  ];
}

function checkCard(check, described, detail, player) {
  const open = check.state !== 'holds' || detail.verdict.checks.length <= 4;
  return h(
    'details',
    { class: `check ${check.state}`, open },
    h(
      'summary',
      {},
      h('span', { class: 'glyph', 'aria-hidden': 'true' }, GLYPHS[check.state]),
      h('span', { class: 'check-name' }, check.name),
      h('span', { class: 'state' }, check.state),
    ),
    h(
      'dl',
      {},
      check.why && [h('dt', {}, 'why'), h('dd', {}, check.why)],
      described?.get && [h('dt', {}, 'read from'), h('dd', {}, getterWords(described))],
      [h('dt', {}, 'compared by'), h('dd', {}, h('code', {}, check.metric))],
      comparison(check, detail),
      seenIn(check, detail, player),
    ),
  );
}

function getterWords(described) {
  if (!described.options.length) return h('code', {}, described.get);
  return h(
    'details',
    { class: 'options' },
    h('summary', {}, h('code', {}, described.get)),
    h(
      'dl',
      {},
      described.options.map(([name, value]) => [
        h('dt', {}, name),
        h('dd', { class: 'value' }, value),
      ]),
    ),
  );
}

// Expected and found; of an object, member by member.
function comparison(check, detail) {
  if (check.state === 'gated')
    return (
      check.expected !== '' && [
        h('dt', {}, 'expected'),
        h('dd', { class: 'value' }, check.expected),
      ]
    );
  const reading = detail.readings.get(check.name);
  if (reading?.members.length) {
    const rows = reading.members.map(([path, expected, found, holds]) => [
      path,
      { content: expected, class: 'value' },
      { content: found, class: 'value' },
      {
        content: holds ? GLYPHS.holds : GLYPHS.fails,
        class: holds ? 'passed' : 'failed',
        title: holds ? 'holds' : 'fails',
      },
    ]);
    return h(
      'dd',
      { class: 'all' },
      table(['Member', 'Expected', 'Found', ''], rows, {
        label: `Members of ${check.name}`,
        class: 'members',
      }),
    );
  }
  const whole =
    reading && (check.found === '' || check.found.endsWith('…')) ? reading.found : check.found;
  const [expected, found] = difference(check.expected, whole);
  return [
    check.expected !== '' && [h('dt', {}, 'expected'), h('dd', { class: 'value' }, expected)],
    [
      h('dt', {}, 'found'),
      h('dd', { class: 'value' }, whole === '' ? h('i', {}, 'nothing') : found),
    ],
  ];
}

function seenIn(check, detail, player) {
  const steps = player ? stepsWith(check.found, detail.steps) : [];
  return (
    steps.length > 0 && [
      h('dt', {}, 'seen in'),
      h(
        'dd',
        {},
        steps.map((index) =>
          h(
            'button',
            {
              type: 'button',
              class: 'jump',
              on: {
                click: () => {
                  player.show(index);
                  player.scrollIntoView({ block: 'nearest' });
                },
              },
            },
            index === detail.steps.length ? 'final page' : `step ${index + 1}`,
          ),
        ),
      ),
    ]
  );
}

// Where in the player the address that decided a check was on the screen.
function stepsWith(found, steps) {
  if (!/https?:\/\//.test(found)) return [];
  const last = found.startsWith('[') ? null : found;
  if (last === null) return [];
  const hits = steps
    .map((step, index) => (step.url === last ? index : -1))
    .filter((index) => index >= 0);
  if (steps.length && steps.at(-1).after === last) hits.push(steps.length);
  return hits.slice(-6);
}
