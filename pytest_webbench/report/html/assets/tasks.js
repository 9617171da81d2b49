// The page of tasks: filters, and the grid below them.

function tasksView(query) {
  const filters = Object.fromEntries(FILTERS.map((name) => [name, query.get(name) ?? '']));
  if (JSON.stringify(filters) !== JSON.stringify(listing.filters))
    Object.assign(listing, { filters, scroll: 0, cursor: { row: 0, column: 0 } });
  const grid = matrixGrid();
  const count = h('p', { class: 'hint', role: 'status' });
  const refresh = () => {
    listing.rows = select(listing.filters);
    listing.order = listing.rows.flatMap((row) => row.kept.flat());
    count.textContent = `${ofAll(listing.rows.length)}, ${plural(listing.order.length, 'episode')}`;
    grid.refresh();
  };
  const bar = filterBar((name, value) => {
    Object.assign(listing, { scroll: 0, cursor: { row: 0, column: 0 } });
    listing.filters[name] = value;
    history.replaceState(null, '', tasksLink(listing.filters));
    refresh();
  });
  queueMicrotask(refresh);
  return [
    h('div', { class: 'title-row' }, h('h1', { tabindex: '-1' }, 'Tasks'), count),
    bar,
    grid.element,
  ];
}

// A step of a recording is no task: 371 steps can be those of 108 tasks.
function ofAll(shown) {
  const { tasks } = store;
  const steps = tasks.filter((task) => task.whole).length;
  if (!steps) return `${plural(shown, 'task')} of ${number(tasks.length)}`;
  const wholes = new Set(tasks.map((task) => `${task.suite}/${task.whole || task.id}`)).size;
  const what = steps === tasks.length ? 'recorded step' : 'task or recorded step';
  return `${number(shown)} of ${plural(tasks.length, what)}, of ${plural(wholes, 'task')}`;
}

function filterBar(change) {
  const { filters } = listing;
  const words = (name) => [...new Set(store.words[name])].filter(Boolean).sort();
  const pick = (name, title, options) =>
    options.length > 1 &&
    h(
      'label',
      {},
      h('span', {}, title),
      h(
        'select',
        { 'data-filter': name, on: { change: (event) => change(name, event.target.value) } },
        h('option', { value: '' }, name === 'sort' ? 'by name' : 'any'),
        options.map(([value, text]) =>
          h('option', { value, selected: filters[name] === value }, text),
        ),
      ),
    );
  const same = (values) => values.map((value) => [value, value.replaceAll('_', ' ')]);
  const plain = (values) => values.map((value) => [value, value]);
  const tags = [...new Set(store.tasks.flatMap((task) => task.tags))].sort();
  const sites = [...new Set(store.tasks.map((task) => task.site))].filter(Boolean).sort();
  const reasons = words('reason');
  const search = h('input', {
    type: 'search',
    id: 'search',
    placeholder: 'Search tasks and goals  ( / )',
    value: filters.q,
    'aria-label': 'Search tasks and goals',
    on: { input: (event) => change('q', event.target.value) },
  });
  return h(
    'form',
    { class: 'filters', on: { submit: (event) => event.preventDefault() } },
    search,
    pick('outcome', 'Outcome', [
      ...same(OUTCOMES),
      ...(store.words.flags.some(Boolean) ? [['flagged', 'flagged']] : []),
      ...(store.notes.size ? [['noted', 'with notes']] : []),
    ]),
    pick(
      'agent',
      'Agent',
      store.agents.map((one) => [one.key, agentLabel(one.run, one.agent)]),
    ),
    pick('tag', 'Tag', plain(tags)),
    pick('site', 'Site', plain(sites)),
    reasons.length > 0 &&
      pick(
        'reason',
        'Reason',
        [...same(reasons), ...(reasons.length === 1 ? [['', '']] : [])].filter(
          ([value], index) => value || index === 0,
        ),
      ),
    pick('ending', 'Ending', same(words('ending'))),
    pick('sort', 'Sort', [
      ['hardest', 'hardest first'],
      ['disputed', 'most divided first'],
    ]),
  );
}
