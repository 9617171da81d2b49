// Rates by tag, site or source.

// Rates by tag, site or source, one column per agent.
function subsetCard() {
  const kinds = Object.keys(store.overview.subsets);
  if (!kinds.length) return null;
  const holder = h('div');
  const choose = (kind) => holder.replaceChildren(subsetTable(kind));
  const select = h(
    'select',
    { on: { change: (event) => choose(event.target.value) } },
    kinds.map((kind) => h('option', { value: kind }, kind)),
  );
  choose(kinds[0]);
  return h(
    'section',
    { class: 'card' },
    h(
      'div',
      { class: 'card-head' },
      h('h2', {}, 'Rates by'),
      h('label', {}, h('span', { class: 'hidden' }, 'Group by'), select),
    ),
    holder,
  );
}

function subsetTable(kind) {
  const rows = store.overview.subsets[kind];
  const labels = [...new Set(rows.map(rowLabel))];
  const groups = new Map();
  for (const row of rows) {
    const group = groups.get(row.group) ?? new Map();
    groups.set(row.group, group.set(rowLabel(row), row));
  }
  const steps = rows.some((row) => isRecorded(row));
  const filter = kind === 'source' ? null : kind;
  const body = [...groups].map(([group, found]) => [
    {
      content: filter ? h('a', { href: tasksLink({ [filter]: group }) }, group) : group,
      class: 'name',
    },
    num(number([...found.values()][0].tasks)),
    steps && num(number([...found.values()][0].n)),
    ...labels.flatMap((one) => {
      const row = found.get(one);
      return row
        ? [
            ratePlot(row, 90),
            {
              content: [
                percent(row.rate, 0),
                h('small', {}, ` ${row.passed}/${row.passed + row.failed}`),
              ],
              class: 'num left',
            },
          ]
        : ['', ''];
    }),
  ].filter((cell) => cell !== false));
  const head = [kind, num('Tasks'), steps && num('Steps'), ...labels.flatMap((one) => [{ content: one, colspan: 2 }])].filter(Boolean);
  return table(head, body, { label: `Rates by ${kind}`, class: 'subsets' });
}
