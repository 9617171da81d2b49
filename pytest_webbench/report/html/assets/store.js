// The data: script files that hand over one JSON text each, loaded when they are needed.

const waiting = new Map();
const chunks = new Map();
// Details of all episodes of a large run would not fit into memory.
const CHUNKS_KEPT = 30;

window.webbench = (name, text) => {
  waiting.get(name)?.resolve(JSON.parse(text));
  waiting.delete(name);
};

function load(name) {
  return new Promise((resolve, reject) => {
    waiting.set(name, { resolve });
    const script = document.createElement('script');
    script.src = `data/${name}.js`;
    script.onerror = () =>
      reject(new Error(`data/${name}.js cannot be loaded: the report is not complete`));
    script.onload = () => script.remove();
    document.head.append(script);
  });
}

const store = {
  overview: null,
  tasks: [],
  words: {},
  columns: {},
  count: 0,
  ids: new Map(),
  notes: new Map(),
  agents: [],
};
const token = document.documentElement.dataset.token;

// Value of one column for an item; a column of equal values is stored as that value.
function at(name, item) {
  const column = store.columns[name];
  return Array.isArray(column) ? column[item] : column;
}

const word = (name, item) => store.words[name][at(name, item)];
const outcomeOf = (item) => OUTCOMES[at('outcome', item)];
const taskOf = (item) => store.tasks[at('task', item)];

function takeItems(data) {
  Object.assign(store, data);
  const agents = new Map();
  for (let item = 0; item < store.count; item += 1) {
    store.ids.set(idOf(item), item);
    const key = `${at('run', item)} ${word('agent', item)}`;
    if (!agents.has(key))
      agents.set(key, { run: at('run', item), agent: word('agent', item), key });
  }
  store.agents = [...agents.values()].sort(
    (a, b) => a.agent.localeCompare(b.agent) || a.run - b.run,
  );
}

function takeNotes(notes) {
  store.notes = new Map();
  for (const note of notes) {
    const key = idFrom(note.run, note.suite, note.agent, note.task, note.repeat, note.seed);
    const item = store.ids.get(key);
    if (item !== undefined) store.notes.set(item, [...(store.notes.get(item) ?? []), note]);
  }
}

function idOf(item) {
  const task = taskOf(item);
  const agent = word('agent', item);
  return idFrom(
    at('run', item),
    task.suite,
    agent,
    task.id,
    at('repeat', item),
    at('seed', item),
  );
}

// Five parts, as addresses had before there were editions.
function idFrom(run, suite, agent, task, repeat, seed) {
  const attempt = seed ? `${repeat}.s${seed}` : repeat;
  return [run, suite, agent, task, attempt].map(encodeURIComponent).join('/');
}

function endingWords(item) {
  const ending = word('ending', item).replaceAll('_', ' ');
  return (
    ending || (at('seconds', item) > 0 || at('steps', item) > 0 ? 'not recorded' : 'did not begin')
  );
}

const several = () => store.overview.runs.length > 1;
const tagOf = (run) => store.overview.runs[run].tag;
const agentLabel = (run, agent) => (several() ? `${agent} in ${tagOf(run)}` : agent);
const labelOf = (item) => agentLabel(at('run', item), word('agent', item));

// Details of an episode, with its task.
async function episode(item) {
  const name = at('chunk', item);
  if (!chunks.has(name)) {
    if (chunks.size >= CHUNKS_KEPT) chunks.delete(chunks.keys().next().value);
    chunks.set(name, load(String(name)));
  }
  const chunk = await chunks.get(name);
  const detail = chunk.episodes.find((one) => one.item === item);
  return {
    ...detail,
    readings: new Map(detail.readings),
    asked: new Map(chunk.tasks).get(detail.task),
  };
}

// Address of a file of an episode, from disk or from the server.
function fileOf(item, name) {
  const run = at('run', item);
  const seed = at('seed', item);
  const repeat = at('repeat', item);
  const task =
    taskOf(item).id + (seed ? `.s${seed}` : '') + (repeat > 1 ? `.r${repeat}` : '');
  const base = token ? `/runs/${run}` : store.overview.bases[run];
  return [
    base,
    'episodes',
    encodeURIComponent(word('agent', item)),
    encodeURIComponent(task),
    name,
  ].join('/');
}
