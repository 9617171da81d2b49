// What people say about an episode. Written only where a server stands behind the report.

function notesCard(item) {
  const holder = h('div');
  const draw = () => {
    const notes = store.notes.get(item) ?? [];
    holder.replaceChildren(
      h(
        'ul',
        { class: 'notes' },
        notes.map((note) =>
          h(
            'li',
            { class: note.kind },
            h(
              'p',
              { class: 'note-head' },
              h(
                'b',
                {},
                note.kind === 'dispute'
                  ? `Dispute${note.outcome ? `: should be ${note.outcome}` : ''}`
                  : 'Note',
              ),
              ` ${note.author ? `by ${note.author}, ` : ''}${note.written.replace('T', ' ').replace('Z', '')}`,
              token &&
                h(
                  'button',
                  {
                    type: 'button',
                    class: 'quiet',
                    on: {
                      click: () =>
                        send(item, { kind: 'withdrawal', withdraws: note.id }).then(draw, tell),
                    },
                  },
                  'take back',
                ),
            ),
            h('p', { class: 'note-text' }, note.text),
          ),
        ),
      ),
      notes.length
        ? ''
        : h(
            'p',
            { class: 'empty' },
            token ? 'No notes yet.' : 'No notes. To write some: webbench report RUN --serve',
          ),
    );
  };
  const problem = h('p', { class: 'warning', role: 'alert', hidden: true });
  const tell = (error) => {
    problem.textContent = error.message;
    problem.hidden = false;
  };
  draw();
  return section('Notes and disputes', holder, token && noteForm(item, draw, tell), problem);
}

function noteForm(item, draw, tell) {
  const field = (name, title, control) => h('label', {}, h('span', {}, title), control);
  const form = h(
    'form',
    { class: 'note-form' },
    field(
      'text',
      'Text',
      h('textarea', { name: 'text', rows: 3, maxlength: 5000, required: true }),
    ),
    h(
      'div',
      { class: 'note-row' },
      field(
        'kind',
        'Kind',
        h(
          'select',
          { name: 'kind' },
          h('option', { value: 'note' }, 'note'),
          h('option', { value: 'dispute' }, 'the verdict is wrong'),
        ),
      ),
      field(
        'outcome',
        'It should be',
        h(
          'select',
          { name: 'outcome', disabled: true },
          h('option', { value: '' }, '–'),
          OUTCOMES.map((outcome) => h('option', { value: outcome }, outcome)),
        ),
      ),
      field(
        'author',
        'Your name',
        h('input', { name: 'author', maxlength: 80, autocomplete: 'name' }),
      ),
      h('button', {}, 'Save'),
    ),
  );
  form.elements.kind.addEventListener('change', () => {
    form.elements.outcome.disabled = form.elements.kind.value !== 'dispute';
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const { text, kind, outcome, author } = Object.fromEntries(new FormData(form));
    send(item, { text, kind, outcome: outcome ?? '', author }).then(() => {
      form.elements.text.value = '';
      draw();
    }, tell);
  });
  return form;
}

async function send(item, note) {
  const task = taskOf(item);
  const body = {
    run: at('run', item),
    suite: task.suite,
    task: task.id,
    agent: word('agent', item),
    repeat: at('repeat', item),
    seed: at('seed', item),
    ...note,
  };
  const response = await fetch('/notes', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Webbench-Token': token },
    body: JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error);
  takeNotes(answer);
}
