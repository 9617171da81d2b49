// Tasks by agents. Only the rows in sight exist, so ten thousand are as quick as ten.

const ROW = 34;
const FILTERS = ['q', 'outcome', 'agent', 'tag', 'site', 'reason', 'ending', 'sort'];
const listing = { filters: {}, rows: [], order: [], cursor: { row: 0, column: 0 }, scroll: 0 };

function cellsOfTasks() {
  if (store.cells) return store.cells;
  const columns = new Map(store.agents.map((one, index) => [one.key, index]));
  store.cells = store.tasks.map(() => store.agents.map(() => []));
  for (let item = 0; item < store.count; item += 1) {
    store.cells[at('task', item)][columns.get(`${at('run', item)} ${word('agent', item)}`)].push(item);
  }
  return store.cells;
}

function fits(item, filters) {
  if (filters.outcome === 'noted') { if (!store.notes.has(item)) return false; }
  else if (filters.outcome && outcomeOf(item) !== filters.outcome) return false;
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
    return items.length ? items.filter((item) => outcomeOf(item) === 'passed').length / items.length : 2;
  };
  if (filters.sort === 'hardest') rows.sort((a, b) => share(a) - share(b));
  if (filters.sort === 'disputed') rows.sort((a, b) => Math.abs(share(a) - 0.5) - Math.abs(share(b) - 0.5));
  return rows;
}

function tasksView(query) {
  const filters = Object.fromEntries(FILTERS.map((name) => [name, query.get(name) ?? '']));
  if (JSON.stringify(filters) !== JSON.stringify(listing.filters)) Object.assign(listing, { filters, scroll: 0, cursor: { row: 0, column: 0 } });
  const grid = matrixGrid();
  const count = h('p', { class: 'hint', role: 'status' });
  const refresh = () => {
    listing.rows = select(listing.filters);
    listing.order = listing.rows.flatMap((row) => row.kept.flat());
    count.textContent = `${plural(listing.rows.length, 'task')} of ${number(store.tasks.length)}, ${plural(listing.order.length, 'episode')}`;
    grid.refresh();
  };
  const bar = filterBar((name, value) => {
    Object.assign(listing, { scroll: 0, cursor: { row: 0, column: 0 } });
    listing.filters[name] = value;
    history.replaceState(null, '', tasksLink(listing.filters));
    refresh();
  });
  queueMicrotask(refresh);
  return [h('div', { class: 'title-row' }, h('h1', { tabindex: '-1' }, 'Tasks'), count), bar, grid.element];
}

function filterBar(change) {
  const { filters } = listing;
  const words = (name) => [...new Set(store.words[name])].filter(Boolean).sort();
  const pick = (name, title, options) => options.length > 1 && h('label', {}, h('span', {}, title),
    h('select', { 'data-filter': name, on: { change: (event) => change(name, event.target.value) } },
      h('option', { value: '' }, name === 'sort' ? 'by name' : 'any'),
      options.map(([value, text]) => h('option', { value, selected: filters[name] === value }, text))));
  const same = (values) => values.map((value) => [value, value.replaceAll('_', ' ')]);
  const plain = (values) => values.map((value) => [value, value]);
  const tags = [...new Set(store.tasks.flatMap((task) => task.tags))].sort();
  const sites = [...new Set(store.tasks.map((task) => task.site))].filter(Boolean).sort();
  const reasons = words('reason');
  const search = h('input', { type: 'search', id: 'search', placeholder: 'Search tasks and goals  ( / )', value: filters.q, 'aria-label': 'Search tasks and goals', on: { input: (event) => change('q', event.target.value) } });
  return h('form', { class: 'filters', on: { submit: (event) => event.preventDefault() } }, search,
    pick('outcome', 'Outcome', [...same(OUTCOMES), ...(store.notes.size ? [['noted', 'with notes']] : [])]),
    pick('agent', 'Agent', store.agents.map((one) => [one.key, agentLabel(one.run, one.agent)])),
    pick('tag', 'Tag', plain(tags)), pick('site', 'Site', plain(sites)),
    reasons.length > 0 && pick('reason', 'Reason', [...same(reasons), ...(reasons.length === 1 ? [['', '']] : [])].filter(([value], index) => value || index === 0)),
    pick('ending', 'Ending', same(words('ending'))), pick('sort', 'Sort', [['hardest', 'hardest first'], ['disputed', 'most divided first']]));
}

function matrixGrid() {
  const columns = store.agents.length;
  const spacer = h('div', { class: 'spacer', role: 'presentation' });
  const body = h('div', { class: 'rows', role: 'rowgroup' });
  const head = h('div', { role: 'rowgroup', class: 'grid-head' }, h('div', { role: 'row', class: 'grid-row', 'aria-rowindex': '1' },
    h('div', { role: 'columnheader', class: 'task' }, 'Task'),
    store.agents.map((one) => h('div', { role: 'columnheader', class: 'cell', title: agentLabel(one.run, one.agent) },
      h('span', {}, one.agent), several() && h('small', {}, tagOf(one.run))))));
  spacer.append(body);
  const element = h('div', { class: 'grid', role: 'grid', tabindex: '0', 'aria-label': 'Tasks by agents', 'aria-colcount': columns + 1, 'data-columns': Math.min(columns, 8) }, head, spacer);
  element.style.setProperty('--columns', columns);

  function draw() {
    const visible = Math.ceil(element.clientHeight / ROW) + 1;
    const first = Math.max(0, Math.floor(element.scrollTop / ROW) - 8);
    const last = Math.min(listing.rows.length, first + visible + 16);
    body.style.setProperty('transform', `translateY(${first * ROW}px)`);
    body.replaceChildren(...Array.from({ length: last - first }, (_, index) => gridRow(first + index)));
    const active = body.querySelector('.active');
    if (active) element.setAttribute('aria-activedescendant', active.id);
    else element.removeAttribute('aria-activedescendant');
    listing.scroll = element.scrollTop;
  }

  function move(rows, across) {
    const { cursor } = listing;
    cursor.row = Math.max(0, Math.min(listing.rows.length - 1, cursor.row + rows));
    cursor.column = Math.max(0, Math.min(columns - 1, cursor.column + across));
    const top = cursor.row * ROW;
    const room = element.clientHeight - head.clientHeight - ROW;
    if (top < element.scrollTop) element.scrollTop = top;
    if (top > element.scrollTop + room) element.scrollTop = top - room;
    draw();
    body.querySelector('.active')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }

  element.addEventListener('scroll', draw, { passive: true });
  element.addEventListener('keydown', (event) => {
    const page = Math.max(1, Math.floor(element.clientHeight / ROW) - 2);
    const moves = { ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1], PageDown: [page, 0], PageUp: [-page, 0], Home: [-Infinity, 0], End: [Infinity, 0] };
    if (moves[event.key]) { event.preventDefault(); move(...moves[event.key]); }
    if (event.key === 'Enter') body.querySelector('.active a')?.click();
  });
  new ResizeObserver(draw).observe(element);

  return {
    element,
    refresh() {
      element.setAttribute('aria-rowcount', listing.rows.length + 1);
      spacer.style.setProperty('height', `${Math.max(listing.rows.length, 2) * ROW}px`);
      element.scrollTop = listing.scroll;
      move(0, 0);
      if (!listing.rows.length) body.replaceChildren(h('p', { class: 'empty' }, 'No episode fits these filters.'));
    },
  };
}

function gridRow(index) {
  const row = listing.rows[index];
  const all = cellsOfTasks()[row.number];
  return h('div', { role: 'row', class: 'grid-row', 'aria-rowindex': index + 2 },
    h('div', { role: 'rowheader', class: 'task', title: row.task.goal }, h('span', { class: 'id' }, row.task.id), h('span', { class: 'wish' }, row.task.goal), h('span', { class: 'site' }, row.task.site)),
    all.map((items, column) => gridCell(items, row.kept[column], index, column)));
}

function gridCell(items, kept, row, column) {
  const active = listing.cursor.row === row && listing.cursor.column === column;
  const props = { role: 'gridcell', id: `cell-${row}-${column}`, class: `cell${active ? ' active' : ''}${items.length && !kept.length ? ' dim' : ''}` };
  if (!items.length) return h('div', props, h('span', { class: 'none' }, '·'));
  const shown = kept.length ? kept : items;
  const counts = OUTCOMES.map((outcome) => shown.filter((item) => outcomeOf(item) === outcome).length);
  const noted = shown.some((item) => store.notes.has(item));
  const href = `#/episode/${idOf(shown.find((item) => outcomeOf(item) !== 'passed') ?? shown[0])}`;
  if (items.length === 1) {
    const outcome = outcomeOf(shown[0]);
    const words = `${outcome}${word('reason', shown[0]) ? `: ${word('reason', shown[0])}` : ''}, ${plural(at('steps', shown[0]), 'step')}`;
    return h('div', props, h('a', { class: `chip ${outcome}`, href, tabindex: '-1', title: [words, word('why', shown[0])].filter(Boolean).join('\n'), 'aria-label': words },
      h('span', { 'aria-hidden': 'true' }, GLYPHS[outcome]), h('small', {}, at('steps', shown[0])), noted && h('span', { class: 'noted', title: 'has notes' }, '●')));
  }
  const words = OUTCOMES.map((outcome, index) => counts[index] && `${counts[index]} ${outcome}`).filter(Boolean).join(', ');
  return h('div', props, h('a', { class: `chip many ${counts.filter(Boolean).length === 1 ? OUTCOMES[counts.findIndex(Boolean)] : ''}`, href, tabindex: '-1', title: words, 'aria-label': words },
    OUTCOMES.map((outcome, index) => counts[index] > 0 && h('span', { class: outcome }, `${GLYPHS[outcome]}${counts[index]}`)), noted && h('span', { class: 'noted' }, '●')));
}
