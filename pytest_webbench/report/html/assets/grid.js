// Tasks by agents. Only the rows in sight exist, so ten thousand are as quick as ten.

const ROW = 34;

function matrixGrid() {
  const columns = store.agents.length;
  const spacer = h('div', { class: 'spacer', role: 'presentation' });
  const body = h('div', { class: 'rows', role: 'rowgroup' });
  const head = h(
    'div',
    { role: 'rowgroup', class: 'grid-head' },
    h(
      'div',
      { role: 'row', class: 'grid-row', 'aria-rowindex': '1' },
      h('div', { role: 'columnheader', class: 'task' }, 'Task'),
      store.agents.map((one) =>
        h(
          'div',
          { role: 'columnheader', class: 'cell', title: agentLabel(one.run, one.agent) },
          h('span', {}, one.agent),
          several() && h('small', {}, tagOf(one.run)),
        ),
      ),
    ),
  );
  spacer.append(body);
  const element = h(
    'div',
    {
      class: 'grid',
      role: 'grid',
      tabindex: '0',
      'aria-label': 'Tasks by agents',
      'aria-colcount': columns + 1,
      'data-columns': Math.min(columns, 8),
    },
    head,
    spacer,
  );
  element.style.setProperty('--columns', columns);

  function draw() {
    const visible = Math.ceil(element.clientHeight / ROW) + 1;
    const first = Math.max(0, Math.floor(element.scrollTop / ROW) - 8);
    const last = Math.min(listing.rows.length, first + visible + 16);
    body.style.setProperty('transform', `translateY(${first * ROW}px)`);
    body.replaceChildren(
      ...Array.from({ length: last - first }, (_, index) => gridRow(first + index)),
    );
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
    const moves = {
      ArrowDown: [1, 0],
      ArrowUp: [-1, 0],
      ArrowRight: [0, 1],
      ArrowLeft: [0, -1],
      PageDown: [page, 0],
      PageUp: [-page, 0],
      Home: [-Infinity, 0],
      End: [Infinity, 0],
    };
    if (moves[event.key]) {
      event.preventDefault();
      move(...moves[event.key]);
    }
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
      if (!listing.rows.length)
        body.replaceChildren(h('p', { class: 'empty' }, 'No episode fits these filters.'));
    },
  };
}

function gridRow(index) {
  const row = listing.rows[index];
  const all = cellsOfTasks()[row.number];
  return h(
    'div',
    { role: 'row', class: 'grid-row', 'aria-rowindex': index + 2 },
    h(
      'div',
      { role: 'rowheader', class: 'task', title: row.task.goal },
      h('span', { class: 'id' }, row.task.id),
      h('span', { class: 'wish' }, row.task.goal),
      h('span', { class: 'site' }, row.task.site),
    ),
    all.map((items, column) => gridCell(items, row.kept[column], index, column)),
  );
}

function gridCell(items, kept, row, column) {
  const active = listing.cursor.row === row && listing.cursor.column === column;
  const props = {
    role: 'gridcell',
    id: `cell-${row}-${column}`,
    class: `cell${active ? ' active' : ''}${items.length && !kept.length ? ' dim' : ''}`,
  };
  if (!items.length) return h('div', props, h('span', { class: 'none' }, '·'));
  const shown = kept.length ? kept : items;
  const counts = OUTCOMES.map(
    (outcome) => shown.filter((item) => outcomeOf(item) === outcome).length,
  );
  const noted = shown.some((item) => store.notes.has(item));
  const href = `#/episode/${idOf(shown.find((item) => outcomeOf(item) !== 'passed') ?? shown[0])}`;
  if (items.length === 1) {
    const outcome = outcomeOf(shown[0]);
    const why = word('reason', shown[0]) || word('flags', shown[0]);
    const steps = !taskOf(shown[0]).whole && at('steps', shown[0]);
    const words = `${outcome}${why ? `: ${why}` : ''}${steps === false ? '' : `, ${plural(steps, 'step')}`}`;
    return h(
      'div',
      props,
      h(
        'a',
        {
          class: `chip ${outcome}`,
          href,
          tabindex: '-1',
          title: [words, word('why', shown[0])].filter(Boolean).join('\n'),
          'aria-label': words,
        },
        h('span', { 'aria-hidden': 'true' }, GLYPHS[outcome]),
        steps !== false && h('small', {}, steps),
        word('flags', shown[0]) && h('span', { class: 'flagged', 'aria-hidden': 'true' }, '⚑'),
        noted && h('span', { class: 'noted', title: 'has notes' }, '●'),
      ),
    );
  }
  const words = OUTCOMES.map((outcome, index) => counts[index] && `${counts[index]} ${outcome}`)
    .filter(Boolean)
    .join(', ');
  return h(
    'div',
    props,
    h(
      'a',
      {
        class: `chip many ${counts.filter(Boolean).length === 1 ? OUTCOMES[counts.findIndex(Boolean)] : ''}`,
        href,
        tabindex: '-1',
        title: words,
        'aria-label': words,
      },
      OUTCOMES.map(
        (outcome, index) =>
          counts[index] > 0 && h('span', { class: outcome }, `${GLYPHS[outcome]}${counts[index]}`),
      ),
      noted && h('span', { class: 'noted' }, '●'),
    ),
  );
}
