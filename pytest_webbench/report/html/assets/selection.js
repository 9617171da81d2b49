// Which tasks and episodes are listed, and in which order.

const FILTERS = ['q', 'outcome', 'agent', 'tag', 'site', 'reason', 'ending', 'sort'];
const listing = { filters: {}, rows: [], order: [], cursor: { row: 0, column: 0 }, scroll: 0 };

function cellsOfTasks() {
  if (store.cells) return store.cells;
  const columns = new Map(store.agents.map((one, index) => [one.key, index]));
  store.cells = store.tasks.map(() => store.agents.map(() => []));
  for (let item = 0; item < store.count; item += 1) {
    store.cells[at('task', item)][columns.get(`${at('run', item)} ${word('agent', item)}`)].push(
      item,
    );
  }
  return store.cells;
}

function fits(item, filters) {
  if (filters.outcome === 'noted') {
    if (!store.notes.has(item)) return false;
  } else if (filters.outcome === 'flagged') {
    if (!word('flags', item)) return false;
  } else if (filters.outcome && outcomeOf(item) !== filters.outcome) return false;
  if (filters.agent && `${at('run', item)} ${word('agent', item)}` !== filters.agent) return false;
  if (filters.reason && word('reason', item) !== filters.reason) return false;
  return !filters.ending || word('ending', item) === filters.ending;
}

function taskFits(task, filters, words) {
  if (filters.tag && !task.tags.includes(filters.tag)) return false;
  if (filters.site && task.site !== filters.site) return false;
  if (!words.length) return true;
  const text = `${task.id} ${task.site} ${task.suite} ${task.goal}`.toLowerCase();
  return words.every((one) => text.includes(one));
}

// Which tasks are listed, in which order, and which of their episodes fit.
function select(filters) {
  const words = (filters.q ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const cells = cellsOfTasks();
  const rows = [];
  store.tasks.forEach((task, number) => {
    if (!taskFits(task, filters, words)) return;
    const kept = cells[number].map((items) => items.filter((item) => fits(item, filters)));
    if (kept.some((items) => items.length)) rows.push({ number, task, kept });
  });
  const share = (row) => {
    const items = cells[row.number].flat().filter((item) => outcomeOf(item) !== 'unscored');
    return items.length
      ? items.filter((item) => outcomeOf(item) === 'passed').length / items.length
      : 2;
  };
  if (filters.sort === 'hardest') rows.sort((a, b) => share(a) - share(b));
  if (filters.sort === 'disputed')
    rows.sort((a, b) => Math.abs(share(a) - 0.5) - Math.abs(share(b) - 0.5));
  return rows;
}

function neighbours(item) {
  const order = listing.order.length
    ? listing.order
    : (listing.order = select(listing.filters).flatMap((row) => row.kept.flat()));
  const place = order.indexOf(item);
  return place < 0 ? [undefined, undefined] : [order[place - 1], order[place + 1]];
}

function tasksLink(filters) {
  const query = new URLSearchParams(Object.entries(filters).filter(([, value]) => value));
  return `#/tasks${query.size ? `?${query}` : ''}`;
}
