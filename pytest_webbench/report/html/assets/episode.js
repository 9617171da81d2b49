// One episode: what was asked, what was done, what was found, and why that is the verdict.

async function episodeView(path, query) {
  const item = store.ids.get(path);
  if (item === undefined)
    return [h('h1', { tabindex: '-1' }, 'There is no such episode in this report')];
  const detail = await episode(item);
  const player = playerOf(item, detail, startOf(query, detail));
  player?.addEventListener('step', (event) =>
    history.replaceState(null, '', `#/episode/${path}?step=${event.detail + 1}`),
  );
  return [
    episodeHead(item),
    h('p', { class: 'goal' }, detail.asked?.goal || taskOf(item).goal || 'The goal is not stored.'),
    episodeFacts(item, detail),
    detail.problems.map((problem) => h('p', { class: 'warning' }, problem)),
    detail.verdict?.flags.map((flag) => h('p', { class: 'warning' }, `Flagged: ${flag}`)),
    detail.gaps?.map((gap) => h('p', { class: 'warning' }, `Not captured: ${gap}`)),
    h(
      'div',
      { class: 'episode' },
      detail.recorded
        ? recordedPage(item, detail)
        : h('section', { class: 'card film', 'aria-label': 'Steps' }, player ?? nothingStored()),
      h(
        'div',
        { class: 'side' },
        recordedCard(item, detail),
        section('Verdict', checkTree(detail, player)),
        answerCard(detail),
        journalCard(detail, player),
        trailCard(detail),
        notesCard(item),
      ),
      h(
        'div',
        { class: 'rest' },
        fold('Log', detail.log ? true : 0, true, h('pre', { class: 'log' }, detail.log)),
        finalCard(item, detail),
        evidenceCards(detail),
        attemptsCard(detail),
        filesCard(item, detail),
      ),
    ),
  ];
}

// The step asked for; else that of the final page, for that is what was judged.
function startOf(query, detail) {
  const asked = Number.parseInt(query.get('step') ?? '', 10);
  return Number.isNaN(asked) ? detail.steps.length : asked - 1;
}

function episodeHead(item) {
  const task = taskOf(item);
  const [before, after] = neighbours(item);
  const near = (other, text, name) =>
    other === undefined
      ? h('span', { class: 'button off', 'aria-hidden': 'true' }, text)
      : h(
          'a',
          { class: 'button', href: `#/episode/${idOf(other)}`, title: name, 'aria-label': name },
          text,
        );
  const others = cellsOfTasks()
    [at('task', item)].flat()
    .filter((other) => other !== item);
  return h(
    'div',
    { class: 'episode-head' },
    h(
      'p',
      { class: 'crumbs' },
      h('a', { href: tasksLink(listing.filters) }, 'Tasks'),
      [task.suite, task.site].filter(Boolean).map((part) => ` / ${part}`),
    ),
    h(
      'div',
      { class: 'title-row' },
      h('h1', { tabindex: '-1' }, task.id),
      badge(outcomeOf(item), word('reason', item)),
      h(
        'div',
        { class: 'tools' },
        others.length > 0 &&
          h(
            'label',
            {},
            h('span', { class: 'hidden' }, 'Show beside'),
            h(
              'select',
              {
                class: 'beside',
                on: {
                  change: (event) => {
                    location.hash = `#/diff/${idOf(item)}/${event.target.value}`;
                  },
                },
              },
              h('option', { value: '' }, 'Show beside …'),
              others.map((other) =>
                h('option', { value: idOf(other) }, `${GLYPHS[outcomeOf(other)]} ${nameOf(other)}`),
              ),
            ),
          ),
        near(before, '‹', 'Previous episode'),
        near(after, '›', 'Next episode'),
      ),
    ),
    others.length > 0 &&
      h(
        'ul',
        { class: 'siblings', 'aria-label': 'Episodes of this task' },
        cellsOfTasks()
          [at('task', item)].flat()
          .slice(0, 30)
          .map((other) =>
            h(
              'li',
              {},
              h(
                'a',
                {
                  class: outcomeOf(other),
                  href: `#/episode/${idOf(other)}`,
                  'aria-current': other === item ? 'page' : null,
                },
                `${GLYPHS[outcomeOf(other)]} ${nameOf(other)}`,
              ),
            ),
          ),
      ),
  );
}

function nameOf(item) {
  const cell = cellsOfTasks()[at('task', item)].find((items) => items.includes(item)) ?? [item];
  const several = (name) => new Set(cell.map((one) => at(name, one))).size > 1;
  const seed = at('seed', item);
  const repeat = at('repeat', item);
  return (
    labelOf(item) +
    (seed || several('seed') ? `, edition ${seed}` : '') +
    (repeat > 1 || several('repeat') ? `, repeat ${repeat}` : '')
  );
}

function episodeFacts(item, detail) {
  const facts = [
    ['agent', nameOf(item)],
    ['ending', endingWords(item)],
    detail.ended && ['why it ended', detail.ended],
    ...(detail.recorded
      ? recordedFacts(detail.recorded)
      : [
          ['steps', number(at('steps', item))],
          ['agent time', duration(at('acting', item))],
        ]),
    ['in all', duration(at('seconds', item))],
    at('calls', item) > 0 && ['model calls', number(at('calls', item))],
    at('tokens', item) > 0 && ['tokens', number(at('tokens', item))],
    at('cost', item) !== null && ['cost', dollars(at('cost', item))],
    at('attempts', item) > 1 && ['attempts', number(at('attempts', item))],
    ['worker', word('worker', item) || '–'],
    word('browser', item) && ['browser', word('browser', item)],
    at('started', item) !== null && ['started (UTC)', clock(at('started', item))],
    detail.verdict?.score != null && ['score', number(detail.verdict.score, 2)],
    detail.health &&
      detail.health.state !== 'ok' && [
        'page health',
        `${detail.health.state.replaceAll('_', ' ')} ${detail.health.detail}`,
      ],
  ].filter(Boolean);
  return h(
    'dl',
    { class: 'facts strip' },
    facts.map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value))),
  );
}
