// What the agent itself says about its decisions, in step with the player.

const CANDIDATES = 4;

function journalCard(detail, player) {
  const { journal, steps } = detail;
  if (!journal.length) return null;
  const deciding = decisions(journal, steps);
  const entries = journal.map((note, index) => journalEntry(note, deciding.indexOf(index), player));
  const list = h('ol', { class: 'journal', tabindex: '0', 'aria-label': 'Journal' }, entries);
  player?.addEventListener('step', (event) => {
    const current = event.detail === steps.length ? journal.length - 1 : deciding[event.detail];
    entries.forEach((entry, index) => entry.classList.toggle('current', index === current));
    if (entries[current]) list.scrollTop = entries[current].offsetTop - list.offsetTop - 40;
  });
  return fold('Agent’s journal', journal.length, true, list);
}

function journalEntry(note, step, player) {
  const words = note.label || note.kind.replaceAll('_', ' ');
  const rest = note.candidates.slice(CANDIDATES);
  return h(
    'li',
    {},
    h(
      'p',
      {},
      h('b', {}, note.number ?? ''),
      ' ',
      step < 0 || !player
        ? words
        : h(
            'button',
            { type: 'button', class: 'entry', on: { click: () => player.show(step) } },
            words,
          ),
      note.probability !== null && h('span', { class: 'num' }, ` ${percent(note.probability, 0)}`),
    ),
    note.thought && h('p', { class: 'thought' }, note.thought),
    note.error && h('p', { class: 'warning' }, note.error),
    candidateList(note.candidates.slice(0, CANDIDATES)),
    (rest.length > 0 || note.facts.length > 0) &&
      h(
        'details',
        {},
        h('summary', {}, rest.length ? `${plural(rest.length, 'more choice')}, facts` : 'facts'),
        candidateList(rest),
        h(
          'dl',
          { class: 'pairs' },
          note.facts.map(([name, value]) => [
            h('dt', {}, name.replaceAll('_', ' ')),
            h('dd', { class: 'value' }, value),
          ]),
        ),
      ),
  );
}

function candidateList(candidates) {
  return (
    candidates.length > 0 &&
    h(
      'ul',
      { class: 'candidates' },
      candidates.map(([name, share]) =>
        h(
          'li',
          {},
          h('span', {}, name),
          h('span', { class: 'num' }, share === null ? '' : percent(share, 0)),
          share !== null &&
            svg(
              'svg',
              { width: '100%', height: 4, 'aria-hidden': 'true' },
              svg('rect', { width: `${share * 100}%`, height: 4, class: 'share' }),
            ),
        ),
      ),
    )
  );
}

const SEEN_AS = {
  click: ['click', 'check'],
  type: ['type'],
  select: ['select'],
  press: ['press'],
  scroll: ['scroll'],
  upload: ['upload'],
};

// For each step that the browser saw, which line of the journal decided on it. Agents and
// browser count apart: a
// decision may be seen as no step (waiting), or as two (typing and Enter), so both are gone
// through side by side.
function decisions(journal, steps) {
  const found = [];
  let line = 0;
  for (const step of steps) {
    const last = found.at(-1);
    if (
      step.kind === 'press' &&
      last !== undefined &&
      journal[last].does.startsWith('type') &&
      journal[last].does.endsWith('+')
    ) {
      found.push(last);
      continue;
    }
    const next = journal.findIndex(
      (note, index) =>
        index >= line && (SEEN_AS[note.does.replace('+', '')] ?? []).includes(step.kind),
    );
    found.push(next < 0 ? last : next);
    if (next >= 0) line = next + 1;
  }
  return found;
}
