// One episode: what was asked, what was done, what was found, and why that is the verdict.

async function episodeView(path, query) {
  const item = store.ids.get(path);
  if (item === undefined) return [h('h1', { tabindex: '-1' }, 'There is no such episode in this report')];
  const detail = await episode(item);
  const film = filmOf(item, detail, startOf(query, detail));
  film?.addEventListener('step', (event) => history.replaceState(null, '', `#/episode/${path}?step=${event.detail + 1}`));
  return [
    episodeHead(item),
    h('p', { class: 'goal' }, detail.asked?.goal || taskOf(item).goal || 'The goal is not stored.'),
    episodeFacts(item, detail),
    detail.problems.map((problem) => h('p', { class: 'warning' }, problem)),
    detail.gaps?.map((gap) => h('p', { class: 'warning' }, `Not captured: ${gap}`)),
    h('div', { class: 'episode' },
      h('section', { class: 'card film', 'aria-label': 'Steps' }, film ?? nothingStored()),
      h('div', { class: 'side' },
        section('Verdict', checkTree(detail, film)),
        answerCard(detail),
        journalCard(detail, film),
        trailCard(detail),
        notesCard(item)),
      h('div', { class: 'rest' },
        fold('Log', detail.log ? true : 0, true, h('pre', { class: 'log' }, detail.log)),
        finalCard(item, detail),
        evidenceCards(detail),
        attemptsCard(detail),
        filesCard(item, detail))),
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
  const near = (other, text, name) => (other === undefined ? h('span', { class: 'button off', 'aria-hidden': 'true' }, text) : h('a', { class: 'button', href: `#/episode/${idOf(other)}`, title: name, 'aria-label': name }, text));
  const others = cellsOfTasks()[at('task', item)].flat().filter((other) => other !== item);
  return h('div', { class: 'episode-head' },
    h('p', { class: 'crumbs' }, h('a', { href: tasksLink(listing.filters) }, 'Tasks'), [task.suite, task.site].filter(Boolean).map((part) => ` / ${part}`)),
    h('div', { class: 'title-row' },
      h('h1', { tabindex: '-1' }, task.id), badge(outcomeOf(item), word('reason', item)),
      h('div', { class: 'tools' },
        others.length > 0 && h('label', {}, h('span', { class: 'hidden' }, 'Show beside'),
          h('select', { class: 'beside', on: { change: (event) => { location.hash = `#/diff/${idOf(item)}/${event.target.value}`; } } },
            h('option', { value: '' }, 'Show beside …'),
            others.map((other) => h('option', { value: idOf(other) }, `${GLYPHS[outcomeOf(other)]} ${nameOf(other)}`)))),
        near(before, '‹', 'Previous episode'), near(after, '›', 'Next episode'))),
    others.length > 0 && h('ul', { class: 'siblings', 'aria-label': 'Episodes of this task' }, cellsOfTasks()[at('task', item)].flat().slice(0, 30).map((other) => h('li', {},
      h('a', { class: outcomeOf(other), href: `#/episode/${idOf(other)}`, 'aria-current': other === item ? 'page' : null }, `${GLYPHS[outcomeOf(other)]} ${nameOf(other)}`)))));
}

const nameOf = (item) => labelOf(item) + (at('repeat', item) > 1 || cellsOfTasks()[at('task', item)].some((items) => items.length > 1 && items.includes(item)) ? `, repeat ${at('repeat', item)}` : '');

function neighbours(item) {
  const order = listing.order.length ? listing.order : (listing.order = select(listing.filters).flatMap((row) => row.kept.flat()));
  const place = order.indexOf(item);
  return place < 0 ? [undefined, undefined] : [order[place - 1], order[place + 1]];
}

function episodeFacts(item, detail) {
  const facts = [
    ['agent', nameOf(item)],
    ['ending', endingWords(item)],
    ['steps', number(at('steps', item))],
    ['agent time', duration(at('acting', item))],
    ['in all', duration(at('seconds', item))],
    at('calls', item) > 0 && ['model calls', number(at('calls', item))],
    at('tokens', item) > 0 && ['tokens', number(at('tokens', item))],
    at('cost', item) !== null && ['cost', `$${number(at('cost', item), 4)}`],
    at('attempts', item) > 1 && ['attempts', number(at('attempts', item))],
    ['worker', word('worker', item) || '–'],
    at('started', item) !== null && ['started (UTC)', clock(at('started', item))],
    detail.verdict?.score != null && ['score', number(detail.verdict.score, 2)],
    detail.health && detail.health.state !== 'ok' && ['page health', `${detail.health.state.replaceAll('_', ' ')} ${detail.health.detail}`],
  ].filter(Boolean);
  return h('dl', { class: 'facts strip' }, facts.map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value))));
}

function answerCard(detail) {
  const wanted = detail.asked?.answer === 'text';
  if (!wanted && (detail.answer === null || detail.answer === undefined)) return null;
  const checks = (detail.verdict?.checks ?? []).filter((check) => (detail.asked?.checks ?? []).some((one) => one.name === check.name && one.get.includes('agent_answer')));
  return section('Answer', h('dl', { class: 'pairs' },
    checks.filter((check) => check.expected).map((check) => [h('dt', {}, 'expected'), h('dd', { class: 'value' }, check.expected)]),
    detail.asked?.reference && [h('dt', {}, 'reference'), h('dd', { class: 'value' }, detail.asked.reference)],
    h('dt', {}, 'given'), h('dd', { class: 'value' }, detail.answer ?? h('i', {}, 'no answer'))));
}

// The page as it was archived, in a frame that can neither act nor load anything.
function finalCard(item, detail) {
  if (!detail.page && !detail.final) return null;
  const holder = h('div');
  const showArchive = (event) => {
    event.target.remove();
    holder.append(h('iframe', { sandbox: true, src: `pages/${item}.html`, title: 'Archived final page', loading: 'lazy', referrerpolicy: 'no-referrer' }));
  };
  return fold('Final page', true, false,
    detail.page && h('dl', { class: 'pairs' }, h('dt', {}, 'title'), h('dd', {}, detail.page.title || '–'), h('dt', {}, 'address'), h('dd', {}, web(detail.page.url)),
      detail.page.status !== null && [h('dt', {}, 'status'), h('dd', {}, detail.page.status)],
      detail.tabs.length > 1 && [h('dt', {}, 'tabs'), h('dd', {}, h('ul', { class: 'plain' }, detail.tabs.map(([title, url]) => h('li', {}, title, ' ', web(url)))))]),
    detail.archived && h('button', { type: 'button', on: { click: showArchive } }, 'Show the archived page'), holder,
    detail.page?.text && h('details', {}, h('summary', {}, 'Text that can be seen'), h('pre', { class: 'log' }, detail.page.text)));
}

function trailCard(detail) {
  const history = detail.history ?? [];
  const mark = (entry) => [entry[1] && 'opened by address', entry[2] && 'went back from here'].filter(Boolean).join(', ');
  return fold('URL trail', history.length, true, h('ol', { class: 'trail' }, history.map((entry) => h('li', {}, web(entry[0]), mark(entry) && h('small', {}, ` ${mark(entry)}`)))));
}

function evidenceCards(detail) {
  if (!detail.requests) return null;
  const texts = (lines) => h('ul', { class: 'plain' }, lines.map((line) => h('li', {}, line)));
  return [
    fold('What checks read of the page', detail.reads.length, false, table(['Asked', 'Found'], detail.reads.map(([key, value, late]) => [{ content: h('code', {}, key), class: 'value' }, { content: [value, late && h('small', {}, ' (from the archived page)')], class: 'value' }]), { label: 'What checks read', class: 'halves' })),
    fold('Requests', detail.requests.length, false, table(['Method', 'Kind', num('Status'), 'Address'], detail.requests.map(([method, kind, status, url]) => [method, kind, num(status ?? '–'), web(url)]), { label: 'Requests' }),
      detail.requested > detail.requests.length && h('p', { class: 'hint' }, `The first of ${number(detail.requested)}.`)),
    fold('Requested outside of the replica world', detail.outside.length, true, texts(detail.outside)),
    fold('Errors in the console', detail.console.length, false, texts(detail.console)),
    fold('Dialogs', detail.dialogs.length, true, texts(detail.dialogs)),
    fold('Downloads', detail.downloads.length, true, table(['Name', 'Address', num('Bytes')], detail.downloads.map(([name, url, size]) => [name, web(url), num(size === null ? '–' : number(size))]), { label: 'Downloads' })),
  ];
}

function attemptsCard(detail) {
  if (!detail.attempts.length) return null;
  const only = detail.attempts.length === 1;
  const told = detail.attempts.some((one) => one.detail);
  if (only && !told) return null;
  return fold(only ? 'In the ledger' : 'Attempts', detail.attempts.length, !only, detail.attempts.map((one) => h('div', { class: 'attempt' },
    h('p', {}, badge(one.outcome, one.reason), ` attempt ${one.attempt}, ${one.ending.replaceAll('_', ' ') || 'did not begin'}, ${duration(one.seconds)}, worker ${one.worker || '–'}`, one.rejudged > 0 && `, judged again ${plural(one.rejudged, 'time')}`),
    one.detail && h('pre', { class: 'log' }, one.detail))));
}

function filesCard(item, detail) {
  return fold('Files', detail.files.length, false, h('ul', { class: 'plain' }, detail.files.map((name) => h('li', {}, h('a', { href: fileOf(item, name), target: '_blank', rel: 'noopener' }, name)))),
    h('p', { class: 'hint' }, 'trace.zip opens with: playwright show-trace'));
}
