// First page: what came out, how sure that is, and where it went wrong.

const rowLabel = (row) => (several() ? `${row.agent} in ${row.run}` : row.agent);

function overviewView() {
  const { rows } = store.overview;
  const suites = [...new Set(rows.map((row) => row.suite))];
  return [
    h('h1', { tabindex: '-1' }, headline(rows)),
    store.overview.pairs
      .filter((pair) => pair.sentence && several())
      .slice(0, 3)
      .map((pair) => h('p', { class: 'lead' }, pair.sentence)),
    store.overview.runs
      .filter((run) => run.integrity.length > 1)
      .map((run) => h('p', { class: 'lead' }, several() ? `${run.tag}: ${run.integrity[0]}` : run.integrity[0])),
    suites.map((suite) =>
      section(
        suites.length > 1 ? suite : 'Agents',
        agentTable(
          rows.filter((row) => row.suite === suite).sort((a, b) => (b.rate ?? -1) - (a.rate ?? -1)),
        ),
      ),
    ),
    store.overview.roles.map(rolesCard),
    h('div', { class: 'columns' }, whyCard(), unscoredCard()),
    subsetCard(),
    factsCard(),
  ];
}

function headline(rows) {
  const best = rows
    .filter((row) => row.rate !== null)
    .sort((a, b) => b.rate - a.rate || b.n - a.n)[0];
  if (!best)
    return `Nothing is scored yet: ${plural(
      rows.reduce((sum, row) => sum + row.n, 0),
      'episode',
    )} planned`;
  const covered = coverageOf(best);
  if (covered)
    return `${rowLabel(best)} covers the target of ${number(covered.count)} of ${plural(covered.n, 'recorded step')}: ${percent(covered.rate)}`;
  const graded = best.passed + best.failed;
  const what = isRecorded(best) ? 'recorded steps' : best.n > best.tasks ? 'attempts' : 'tasks';
  const does = best.agent === 'perception' ? 'covers the target of' : 'passes';
  return `${rowLabel(best)} ${does} ${number(best.passed)} of ${number(graded)} ${what}: ${percent(best.rate)}`;
}

// Of recorded steps that no agent was asked about: how many targets are covered.
function coverageOf(row) {
  const group = store.overview.roles.find(
    (one) => one.run === row.run && one.suite === row.suite && one.agent === row.agent,
  );
  const all = group?.rows[0];
  return all && !all.accepted ? all.covered : null;
}

const isRecorded = (row) => row.worlds.some((world) => world.startsWith('recorded-'));

function agentTable(rows) {
  const has = (name) => rows.some((row) => row[name] && row[name].total > 0);
  const tokens = has('input_tokens') || has('output_tokens');
  const repeated = rows.some((row) => row.at_k.length);
  const head = [
    'Agent',
    num('Rate'),
    '0 % to 100 %',
    num('95 % interval'),
    num('Passed'),
    num('Failed'),
    num('Unscored'),
    num('Bounds'),
    num('Steps'),
    num('Time'),
    tokens && num('Tokens'),
    has('cost') && num('Cost'),
    repeated && num('Pass@k'),
    repeated && num('Flaky'),
  ];
  const kept = (cells) => cells.filter((cell) => cell !== false);
  const body = rows.map((row) => {
    const link = (outcome, count) =>
      num(
        count ? h('a', { href: tasksLink({ outcome, agent: agentKey(row) }) }, number(count)) : '0',
      );
    const last = row.at_k.at(-1);
    return kept([
      { content: h('b', {}, rowLabel(row)), class: 'name' },
      num(h('b', {}, percent(row.rate))),
      { content: ratePlot(row), class: 'plot' },
      num(row.interval ? `${percent(row.interval.low)} to ${percent(row.interval.high)}` : '–'),
      link('passed', row.passed),
      link('failed', row.failed),
      link('unscored', unscoredOf(row)),
      num(unscoredOf(row) ? `${percent(row.bounds.low)} to ${percent(row.bounds.high)}` : '–'),
      num(row.steps?.median != null ? number(row.steps.median, row.steps.median % 1 ? 1 : 0) : '–'),
      num(duration(row.seconds?.median)),
      tokens &&
        num(
          row.input_tokens ? number(row.input_tokens.total + (row.output_tokens?.total ?? 0)) : '–',
        ),
      has('cost') && num(row.cost ? dollars(row.cost.total) : '–'),
      repeated && num(last ? `${percent(last.pass_at_k.value)} (k = ${last.k})` : '–'),
      repeated && num(row.spread ? percent(row.spread.flaky.value) : '–'),
    ]);
  });
  return [
    table(kept(head), body, { label: 'Rates of all agents', class: 'wide' }),
    h(
      'p',
      { class: 'hint' },
      'Rate: passed of passed and failed. The interval says how far chance could have moved it, the bounds (shaded) how far the unscored could. Steps and time are medians.',
    ),
  ];
}

const unscoredOf = (row) => Object.values(row.unscored).reduce((sum, count) => sum + count, 0);
const agentKey = (row) =>
  `${store.overview.runs.findIndex((run) => run.tag === row.run)} ${row.agent}`;

// The checks that most failures hang on.
function whyCard() {
  const counts = new Map();
  for (let item = 0; item < store.count; item += 1) {
    if (outcomeOf(item) === 'failed') {
      const key = word('ending', item);
      const why = key === 'done' ? 'ended by itself, a check failed' : endingWords(item);
      counts.set(key, { why, count: (counts.get(key)?.count ?? 0) + 1 });
    }
  }
  const found = [...counts].sort((a, b) => b[1].count - a[1].count);
  if (!found.length)
    return section('How failed episodes ended', h('p', { class: 'empty' }, 'No episode failed.'));
  return section(
    'How failed episodes ended',
    bars(
      found.map(([ending, { why, count }]) => [
        why,
        count,
        tasksLink({ outcome: 'failed', ending }),
      ]),
      'failed',
    ),
  );
}

function unscoredCard() {
  const counts = new Map();
  for (let item = 0; item < store.count; item += 1) {
    if (outcomeOf(item) === 'unscored')
      counts.set(word('reason', item), (counts.get(word('reason', item)) ?? 0) + 1);
  }
  const found = [...counts].sort((a, b) => b[1] - a[1]);
  if (!found.length)
    return section('Unscored', h('p', { class: 'empty' }, 'Every episode has a verdict.'));
  return section(
    'Unscored, by reason',
    bars(
      found.map(([reason, count]) => [reason.replaceAll('_', ' '), count, tasksLink({ reason })]),
      'unscored',
    ),
  );
}

function bars(rows, outcome) {
  const most = Math.max(...rows.map(([, count]) => count));
  return h(
    'ul',
    { class: 'bars' },
    rows.map(([name, count, href]) =>
      h(
        'li',
        {},
        h('a', { href }, name),
        h('span', { class: 'num' }, number(count)),
        svg(
          'svg',
          { width: '100%', height: 8, 'aria-hidden': 'true' },
          hatching(),
          svg('rect', {
            width: `${(count / most) * 100}%`,
            height: 8,
            rx: 2,
            class: `mark-${outcome}`,
          }),
        ),
      ),
    ),
  );
}

function factsCard() {
  const facts = store.overview.runs.map((run) => [
    h('h3', {}, run.tag),
    h('ul', {}, run.integrity.map((line) => h('li', {}, line))),
    h(
      'dl',
      { class: 'facts' },
      Object.entries({ ...run.environment, ...run.options })
        .filter(([, value]) => value !== null && !(Array.isArray(value) && !value.length))
        .map(([name, value]) =>
          h(
            'div',
            {},
            h('dt', {}, name.replaceAll('_', ' ')),
            h('dd', {}, Array.isArray(value) ? value.join(', ') : String(value)),
          ),
        ),
    ),
  ]);
  return fold('How it was run', true, false, facts);
}
