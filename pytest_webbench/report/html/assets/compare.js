// Two agents or runs: how many tasks flipped, which, and both episodes of one task side by side.

function compareView() {
  const { pairs } = store.overview;
  if (!pairs.length) {
    return [h('h1', { tabindex: '-1' }, 'Compare'), h('p', { class: 'empty' }, 'There is nothing to compare: one agent, or too many. To set another run beside this one: webbench report RUN --compare OTHER')];
  }
  return [h('h1', { tabindex: '-1' }, 'Compare'), pairs.map(pairCard)];
}

function pairCard(pair) {
  const facts = [
    ['shared tasks', number(pair.shared)],
    ['rate A', percent(pair.rate_a)], ['rate B', percent(pair.rate_b)],
    ['difference', pair.difference === null ? '–' : points(pair.difference)],
    ['95 % interval', pair.interval ? `${points(pair.interval.low)} to ${points(pair.interval.high)}` : '–'],
    [`p (${pair.test})`, pValue(pair.p)],
    store.overview.pairs.length > 1 && ['p, corrected', pValue(pair.p_corrected)],
    pair.least_gap !== null && ['least gap it could show', percent(pair.least_gap)],
  ].filter(Boolean);
  return h('section', { class: 'card' }, h('h2', {}, h('span', { class: 'side-a' }, 'A'), ` ${pair.a} `, h('span', { class: 'side-b' }, 'B'), ` ${pair.b}`),
    pair.sentence && h('p', { class: 'lead' }, pair.sentence),
    pair.shared > 0 && flipBar(pair),
    h('dl', { class: 'facts strip' }, facts.map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value)))),
    pair.notes.map((note) => h('p', { class: 'warning' }, note)), flipList(pair));
}

const points = (share) => `${share > 0 ? '+' : share < 0 ? '−' : ''}${number(Math.abs(share) * 100, 1)} pt`;
const pValue = (p) => (p < 0.001 ? '< 0.001' : number(p, 3));

function flipList(pair) {
  if (!pair.flips.length) return null;
  const tasks = new Map(store.tasks.map((task, index) => [`${task.suite}/${task.id}`, index]));
  const share = ([passed, graded]) => h('span', { class: passed === graded ? 'passed' : passed ? 'unscored' : 'failed' }, graded > 1 ? `${passed}/${graded}` : `${GLYPHS[passed ? 'passed' : 'failed']} ${passed ? 'passed' : 'failed'}`);
  const row = ([suite, task, a, b]) => {
    const number_ = tasks.get(`${suite}/${task}`);
    const [one, other] = [sideItem(pair.a, number_), sideItem(pair.b, number_)];
    return [one !== undefined && other !== undefined ? h('a', { href: `#/diff/${idOf(one)}/${idOf(other)}` }, task) : task, { content: store.tasks[number_]?.site ?? '', class: 'site' }, share(a), share(b)];
  };
  const shown = pair.flips.slice(0, 1000);
  return h('details', { class: 'flips', open: pair.flips.length <= 12 }, h('summary', {}, `${plural(pair.flips.length, 'task')} that ended differently`),
    table(['Task', 'Site', 'A', 'B'], shown.map(row), { label: 'Tasks that ended differently' }));
}

// The first episode of a task by the side that a label of a comparison names: tag:agent.
function sideItem(name, task) {
  const column = store.agents.findIndex((one) => `${tagOf(one.run)}:${one.agent}` === name);
  return cellsOfTasks()[task]?.[column]?.[0];
}

async function diffView(path) {
  const parts = path.split('/');
  const [one, other] = [store.ids.get(parts.slice(0, 5).join('/')), store.ids.get(parts.slice(5, 10).join('/'))];
  if (one === undefined || other === undefined) return [h('h1', { tabindex: '-1' }, 'There are no such episodes in this report')];
  const [left, right] = await Promise.all([episode(one), episode(other)]);
  const players = [filmOf(one, left, 0), filmOf(other, right, 0)];
  const parted = firstDifference(left.steps, right.steps);
  const both = (position) => players.forEach((film) => film?.show(position));
  const column = (item, detail, film) => h('div', { class: 'diff-side' },
    h('h2', {}, h('a', { href: `#/episode/${idOf(item)}` }, nameOf(item)), ' ', badge(outcomeOf(item), word('reason', item))),
    h('div', { class: 'card film' }, film ?? nothingStored()),
    detail.answer !== null && detail.answer !== undefined && h('p', { class: 'value' }, h('b', {}, 'Answer: '), detail.answer));
  return [
    h('p', { class: 'crumbs' }, h('a', { href: tasksLink(listing.filters) }, 'Tasks'), [taskOf(one).suite, taskOf(one).site].filter(Boolean).map((part) => ` / ${part}`)),
    h('h1', { tabindex: '-1' }, taskOf(one).id), h('p', { class: 'goal' }, left.asked?.goal || taskOf(one).goal || 'The goal is not stored.'),
    h('p', { class: 'hint' }, !left.steps.length && !right.steps.length ? 'No steps are on record on either side.' : parted === null ? 'Both did the same, step by step.' : [`They part at step ${parted + 1}. `, h('button', { type: 'button', on: { click: () => both(parted) } }, 'Show it')]),
    h('div', { class: 'diff' }, column(one, left, players[0]), column(other, right, players[1])),
    section('Checks', checkDiff(one, left, other, right)),
    section('Steps', stepDiff(left.steps, right.steps, parted)),
  ];
}

const stepKey = (step) => JSON.stringify([step.kind, step.role, step.name, step.value]);

function firstDifference(left, right) {
  const most = Math.max(left.length, right.length);
  for (let index = 0; index < most; index += 1) {
    if (!left[index] || !right[index] || stepKey(left[index]) !== stepKey(right[index])) return index;
  }
  return null;
}

function checkDiff(one, left, other, right) {
  const names = [...new Set([...(left.verdict?.checks ?? []), ...(right.verdict?.checks ?? [])].map((check) => check.name))];
  const cell = (detail, name) => {
    const check = detail.verdict?.checks.find((found) => found.name === name);
    if (!check) return '–';
    return [h('span', { class: `state-word ${check.state}` }, `${GLYPHS[check.state]} ${check.state}`), check.state !== 'gated' && h('div', { class: 'value' }, listed(check.found))];
  };
  if (!names.length) return h('p', { class: 'empty' }, 'No checks are on record on either side.');
  return table(['Check', nameOf(one), nameOf(other)], names.map((name) => [name, cell(left, name), cell(right, name)]), { label: 'Checks side by side', class: 'thirds' });
}

// The steps of both, those that are alike in one row.
function stepDiff(left, right, parted) {
  if (!left.length && !right.length) return h('p', { class: 'empty' }, 'No steps are on record on either side.');
  const words = (steps, index) => (index === null ? '' : stepWords(steps[index]).join(''));
  const rows = aligned(left.map(stepKey), right.map(stepKey)).map(([one, other]) => {
    const shade = one !== null && other !== null ? 'same' : '';
    return [num(one === null ? '' : one + 1), { content: words(left, one), class: shade }, num(other === null ? '' : other + 1), { content: words(right, other), class: shade }];
  });
  return [h('p', { class: 'hint' }, parted === null ? '' : 'Steps that are alike stand in one row, greyed.'),
    table([num('#'), 'Left', num('#'), 'Right'], rows, { label: 'Steps side by side', class: 'steps-diff' })];
}

// Pairs of indices, null where one side has nothing of the kind: the longest common subsequence.
function aligned(left, right) {
  if (left.length * right.length > 250_000) {
    return Array.from({ length: Math.max(left.length, right.length) }, (_, index) => [index < left.length ? index : null, index < right.length ? index : null]);
  }
  const wide = right.length + 1;
  const common = new Uint16Array((left.length + 1) * wide);
  for (let one = left.length - 1; one >= 0; one -= 1) {
    for (let other = right.length - 1; other >= 0; other -= 1) {
      const place = one * wide + other;
      common[place] = left[one] === right[other] ? common[place + wide + 1] + 1 : Math.max(common[place + wide], common[place + 1]);
    }
  }
  const pairs = [];
  let [one, other] = [0, 0];
  while (one < left.length || other < right.length) {
    const place = one * wide + other;
    if (one < left.length && other < right.length && left[one] === right[other]) pairs.push([one++, other++]);
    else if (other >= right.length || (one < left.length && common[place + wide] >= common[place + 1])) pairs.push([one++, null]);
    else pairs.push([null, other++]);
  }
  return pairs;
}
