// First page: what came out, how sure that is, and where it went wrong.

const rowLabel = (row) => (several() ? `${row.agent} in ${row.run}` : row.agent);

function overviewView() {
  const { rows } = store.overview;
  const suites = [...new Set(rows.map((row) => row.suite))];
  return [
    h('h1', { tabindex: '-1' }, headline(rows)),
    store.overview.pairs.filter((pair) => pair.sentence && several()).slice(0, 3).map((pair) => h('p', { class: 'lead' }, pair.sentence)),
    suites.map((suite) => section(suites.length > 1 ? suite : 'Agents', agentTable(rows.filter((row) => row.suite === suite).sort((a, b) => (b.rate ?? -1) - (a.rate ?? -1))))),
    h('div', { class: 'columns' }, whyCard(), unscoredCard()),
    subsetCard(),
    factsCard(),
  ];
}

function headline(rows) {
  const best = rows.filter((row) => row.rate !== null).sort((a, b) => b.rate - a.rate || b.n - a.n)[0];
  if (!best) return `Nothing is scored yet: ${plural(rows.reduce((sum, row) => sum + row.n, 0), 'episode')} planned`;
  const graded = best.passed + best.failed;
  const what = best.n > best.tasks ? 'attempts' : 'tasks';
  return `${rowLabel(best)} passes ${number(best.passed)} of ${number(graded)} ${what}: ${percent(best.rate)}`;
}

function agentTable(rows) {
  const has = (name) => rows.some((row) => row[name] && row[name].total > 0);
  const tokens = has('input_tokens') || has('output_tokens');
  const repeated = rows.some((row) => row.at_k.length);
  const head = ['Agent', num('Rate'), '0 % to 100 %', num('95 % interval'), num('Passed'), num('Failed'), num('Unscored'), num('Bounds'),
    num('Steps'), num('Time'), tokens && num('Tokens'), has('cost') && num('Cost'), repeated && num('Pass@k'), repeated && num('Flaky')];
  const kept = (cells) => cells.filter((cell) => cell !== false);
  const body = rows.map((row) => {
    const link = (outcome, count) => num(count ? h('a', { href: tasksLink({ outcome, agent: agentKey(row) }) }, number(count)) : '0');
    const last = row.at_k.at(-1);
    return kept([
      { content: h('b', {}, rowLabel(row)), class: 'name' }, num(h('b', {}, percent(row.rate))), { content: ratePlot(row), class: 'plot' },
      num(row.interval ? `${percent(row.interval.low)} to ${percent(row.interval.high)}` : '–'),
      link('passed', row.passed), link('failed', row.failed), link('unscored', unscoredOf(row)),
      num(unscoredOf(row) ? `${percent(row.bounds.low)} to ${percent(row.bounds.high)}` : '–'),
      num(row.steps?.median != null ? number(row.steps.median, row.steps.median % 1 ? 1 : 0) : '–'), num(duration(row.seconds?.median)),
      tokens && num(row.input_tokens ? number(row.input_tokens.total + (row.output_tokens?.total ?? 0)) : '–'),
      has('cost') && num(row.cost ? `$${number(row.cost.total, 2)}` : '–'),
      repeated && num(last ? `${percent(last.pass_at_k.value)} (k = ${last.k})` : '–'),
      repeated && num(row.spread ? percent(row.spread.flaky.value) : '–'),
    ]);
  });
  return [table(kept(head), body, { label: 'Rates of all agents', class: 'wide' }),
    h('p', { class: 'hint' }, 'Rate: passed of passed and failed. The interval says how far chance could have moved it, the bounds (shaded) how far the unscored could. Steps and time are medians.')];
}

const unscoredOf = (row) => Object.values(row.unscored).reduce((sum, count) => sum + count, 0);
const agentKey = (row) => `${store.overview.runs.findIndex((run) => run.tag === row.run)} ${row.agent}`;

function tasksLink(filters) {
  const query = new URLSearchParams(Object.entries(filters).filter(([, value]) => value));
  return `#/tasks${query.size ? `?${query}` : ''}`;
}

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
  if (!found.length) return section('How failed episodes ended', h('p', { class: 'empty' }, 'No episode failed.'));
  return section('How failed episodes ended', bars(found.map(([ending, { why, count }]) => [why, count, tasksLink({ outcome: 'failed', ending })]), 'failed'));
}

function unscoredCard() {
  const counts = new Map();
  for (let item = 0; item < store.count; item += 1) {
    if (outcomeOf(item) === 'unscored') counts.set(word('reason', item), (counts.get(word('reason', item)) ?? 0) + 1);
  }
  const found = [...counts].sort((a, b) => b[1] - a[1]);
  if (!found.length) return section('Unscored', h('p', { class: 'empty' }, 'Every episode has a verdict.'));
  return section('Unscored, by reason', bars(found.map(([reason, count]) => [reason.replaceAll('_', ' '), count, tasksLink({ reason })]), 'unscored'));
}

function bars(rows, outcome) {
  const most = Math.max(...rows.map(([, count]) => count));
  return h('ul', { class: 'bars' }, rows.map(([name, count, href]) => h('li', {},
    h('a', { href }, name), h('span', { class: 'num' }, number(count)),
    svg('svg', { width: '100%', height: 8, 'aria-hidden': 'true' }, hatching(), svg('rect', { width: `${(count / most) * 100}%`, height: 8, rx: 2, class: `mark-${outcome}` })))));
}

// Rates by tag, site or source, one column per agent.
function subsetCard() {
  const kinds = Object.keys(store.overview.subsets);
  if (!kinds.length) return null;
  const holder = h('div');
  const choose = (kind) => holder.replaceChildren(subsetTable(kind));
  const select = h('select', { on: { change: (event) => choose(event.target.value) } },
    kinds.map((kind) => h('option', { value: kind }, kind)));
  choose(kinds[0]);
  return h('section', { class: 'card' }, h('div', { class: 'card-head' }, h('h2', {}, 'Rates by'), h('label', {}, h('span', { class: 'hidden' }, 'Group by'), select)), holder);
}

function subsetTable(kind) {
  const rows = store.overview.subsets[kind];
  const labels = [...new Set(rows.map(rowLabel))];
  const groups = new Map();
  for (const row of rows) {
    const group = groups.get(row.group) ?? new Map();
    groups.set(row.group, group.set(rowLabel(row), row));
  }
  const filter = kind === 'source' ? null : kind;
  const body = [...groups].map(([group, found]) => [
    { content: filter ? h('a', { href: tasksLink({ [filter]: group }) }, group) : group, class: 'name' },
    num(number([...found.values()][0].tasks)),
    ...labels.flatMap((one) => {
      const row = found.get(one);
      return row ? [ratePlot(row, 90), { content: [percent(row.rate, 0), h('small', {}, ` ${row.passed}/${row.passed + row.failed}`)], class: 'num left' }] : ['', ''];
    }),
  ]);
  const head = [kind, num('Tasks'), ...labels.flatMap((one) => [{ content: one, colspan: 2 }])];
  return table(head, body, { label: `Rates by ${kind}`, class: 'subsets' });
}

function factsCard() {
  const facts = store.overview.runs.map((run) => [
    h('h3', {}, run.tag),
    h('dl', { class: 'facts' }, Object.entries({ ...run.environment, ...run.options })
      .filter(([, value]) => value !== null && !(Array.isArray(value) && !value.length))
      .map(([name, value]) => h('div', {}, h('dt', {}, name.replaceAll('_', ' ')), h('dd', {}, Array.isArray(value) ? value.join(', ') : String(value))))),
  ]);
  return fold('How it was run', true, false, facts);
}

function chartsView() {
  const { rows, histograms } = store.overview;
  const name = (one) => rowLabel(one);
  return [
    h('h1', { tabindex: '-1' }, 'Charts'),
    section('Rates with 95 % intervals', rateChart(rows, rowLabel), h('p', { class: 'hint' }, 'Shaded: where the rate lies whatever the unscored episodes were.')),
    section('Timeline of workers', legend(), store.overview.runs.map((run, index) => [several() && h('h3', {}, run.tag), timeline(index)]), h('p', { class: 'hint' }, 'One bar for each attempt that counts. Click it to open the episode.')),
    section('Steps', legend(), h('div', { class: 'multiples' }, histograms.map((one) => h('figure', {}, h('figcaption', {}, name(one)), histogram(one.steps, 'steps', `Steps of ${name(one)}`))))),
    section('Seconds', legend(), h('div', { class: 'multiples' }, histograms.map((one) => h('figure', {}, h('figcaption', {}, name(one)), histogram(one.seconds, 'seconds', `Time of ${name(one)}`))))),
  ];
}
