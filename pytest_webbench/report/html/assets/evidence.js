// What was recorded of an episode: answer, final page, network, attempts, files.

function answerCard(detail) {
  const wanted = ['text', 'json'].includes(detail.asked?.answer);
  if (!wanted && (detail.answer === null || detail.answer === undefined)) return null;
  const checks = (detail.verdict?.checks ?? []).filter((check) =>
    (detail.asked?.checks ?? []).some(
      (one) => one.name === check.name && one.get.includes('agent_answer'),
    ),
  );
  return section(
    'Answer',
    h(
      'dl',
      { class: 'pairs' },
      checks
        .filter((check) => check.expected)
        .map((check) => [h('dt', {}, 'expected'), h('dd', { class: 'value' }, check.expected)]),
      detail.asked?.reference && [
        h('dt', {}, 'reference'),
        h('dd', { class: 'value' }, detail.asked.reference),
      ],
      h('dt', {}, 'given'),
      h('dd', { class: 'value' }, detail.answer ?? h('i', {}, 'no answer')),
    ),
  );
}

// The page as it was archived, in a frame that can neither act nor load anything.
function finalCard(item, detail) {
  if (!detail.page && !detail.final) return null;
  const holder = h('div');
  const showArchive = (event) => {
    event.target.remove();
    holder.append(
      h('iframe', {
        sandbox: true,
        src: `pages/${item}.html`,
        title: 'Archived final page',
        loading: 'lazy',
        referrerpolicy: 'no-referrer',
      }),
    );
  };
  return fold(
    'Final page',
    true,
    false,
    detail.page &&
      h(
        'dl',
        { class: 'pairs' },
        h('dt', {}, 'title'),
        h('dd', {}, detail.page.title || '–'),
        h('dt', {}, 'address'),
        h('dd', {}, web(detail.page.url)),
        detail.page.status !== null && [h('dt', {}, 'status'), h('dd', {}, detail.page.status)],
        detail.tabs.length > 1 && [
          h('dt', {}, 'tabs'),
          h(
            'dd',
            {},
            h(
              'ul',
              { class: 'plain' },
              detail.tabs.map(([title, url]) => h('li', {}, title, ' ', web(url))),
            ),
          ),
        ],
      ),
    detail.archived &&
      h('button', { type: 'button', on: { click: showArchive } }, 'Show the archived page'),
    holder,
    detail.page?.text &&
      h(
        'details',
        {},
        h('summary', {}, 'Text that can be seen'),
        h('pre', { class: 'log' }, detail.page.text),
      ),
  );
}

function trailCard(detail) {
  const history = detail.history ?? [];
  const mark = (entry) =>
    [entry[1] && 'opened by address', entry[2] && 'went back from here'].filter(Boolean).join(', ');
  return fold(
    'URL trail',
    history.length,
    true,
    h(
      'ol',
      { class: 'trail' },
      history.map((entry) =>
        h('li', {}, web(entry[0]), mark(entry) && h('small', {}, ` ${mark(entry)}`)),
      ),
    ),
  );
}

function evidenceCards(detail) {
  if (!detail.requests) return null;
  const texts = (lines) =>
    h(
      'ul',
      { class: 'plain' },
      lines.map((line) => h('li', {}, line)),
    );
  return [
    fold(
      'What checks read of the page',
      detail.reads.length,
      false,
      table(
        ['Asked', 'Found'],
        detail.reads.map(([key, value, late]) => [
          { content: h('code', {}, key), class: 'value' },
          { content: [value, late && h('small', {}, ' (from the archived page)')], class: 'value' },
        ]),
        { label: 'What checks read', class: 'halves' },
      ),
    ),
    fold(
      'Requests',
      detail.requests.length,
      false,
      table(
        ['Method', 'Kind', num('Status'), 'Address'],
        detail.requests.map(([method, kind, status, url]) => [
          method,
          kind,
          num(status ?? '–'),
          web(url),
        ]),
        { label: 'Requests' },
      ),
      detail.requested > detail.requests.length &&
        h('p', { class: 'hint' }, `The first of ${number(detail.requested)}.`),
    ),
    fold(
      'Requested outside of the replica world',
      detail.outside.length,
      true,
      texts(detail.outside),
    ),
    fold('Errors in the console', detail.console.length, false, texts(detail.console)),
    fold('Dialogs', detail.dialogs.length, true, texts(detail.dialogs)),
    fold(
      'Downloads',
      detail.downloads.length,
      true,
      table(
        ['Name', 'Address', num('Bytes')],
        detail.downloads.map(([name, url, size]) => [
          name,
          web(url),
          num(size === null ? '–' : number(size)),
        ]),
        { label: 'Downloads' },
      ),
    ),
  ];
}

function attemptsCard(detail) {
  if (!detail.attempts.length) return null;
  const only = detail.attempts.length === 1;
  const told = detail.attempts.some((one) => one.detail);
  if (only && !told) return null;
  return fold(
    only ? 'In the ledger' : 'Attempts',
    detail.attempts.length,
    !only,
    detail.attempts.map((one) =>
      h(
        'div',
        { class: 'attempt' },
        h(
          'p',
          {},
          badge(one.outcome, one.reason),
          ` attempt ${one.attempt}, ${one.ending.replaceAll('_', ' ') || 'did not begin'}, ${duration(one.seconds)}, worker ${one.worker || '–'}`,
          one.rejudged > 0 && `, judged again ${plural(one.rejudged, 'time')}`,
        ),
        one.detail && h('pre', { class: 'log' }, one.detail),
      ),
    ),
  );
}

function filesCard(item, detail) {
  return fold(
    'Files',
    detail.files.length,
    false,
    h(
      'ul',
      { class: 'plain' },
      detail.files.map((name) =>
        h('li', {}, h('a', { href: fileOf(item, name), target: '_blank', rel: 'noopener' }, name)),
      ),
    ),
    h('p', { class: 'hint' }, 'trace.zip opens with: playwright show-trace'),
  );
}
