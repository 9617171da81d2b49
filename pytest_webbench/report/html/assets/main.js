// Which view the address asks for, keys, light and dark.

const main = document.getElementById('main');
const help = document.getElementById('help');
let drawn = 0;

async function route() {
  const turn = (drawn += 1);
  const [path, query] = location.hash.replace(/^#\/?/, '').split('?');
  const view = path.split('/')[0];
  const rest = path.slice(view.length + 1);
  const views = { '': overviewView, tasks: tasksView, charts: chartsView, compare: compareView, episode: (search) => episodeView(rest, search), diff: () => diffView(rest) };
  let content;
  try {
    content = await (views[view] ?? overviewView)(new URLSearchParams(query ?? ''));
  } catch (error) {
    content = [h('h1', { tabindex: '-1' }, 'This cannot be shown'), h('p', { class: 'warning' }, error.message)];
  }
  if (turn !== drawn) return;
  main.dataset.view = view || 'overview';
  main.replaceChildren(...[content].flat(Infinity).filter(Boolean));
  for (const link of document.querySelectorAll('.top nav a')) {
    const its = link.getAttribute('href').replace('#/', '');
    if (its === view || (its === 'tasks' && view === 'episode') || (its === 'compare' && view === 'diff')) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  window.scrollTo(0, 0);
  (view === 'tasks' ? main.querySelector('.grid') : main.querySelector('h1'))?.focus({ preventScroll: true });
}

function keys(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || help.open) return;
  const field = event.target.closest?.('input:not([type=range]), textarea, select');
  const view = main.dataset.view;
  if (event.key === 'Escape') {
    if (field) (main.querySelector('.grid') ?? main).focus();
    else if (view === 'episode' || view === 'diff') location.hash = tasksLink(listing.filters);
    return;
  }
  if (field) return;
  const film = main.querySelector('.player');
  const go = { o: '#/', t: '#/tasks', c: '#/charts', d: '#/compare' }[event.key];
  if (go) location.hash = go;
  else if (event.key === '?') help.showModal();
  else if (event.key === '/') { event.preventDefault(); search(); }
  else if (film && (event.key === 'ArrowLeft' || event.key === 'ArrowRight') && event.target.type !== 'range') {
    for (const one of main.querySelectorAll('.player')) one.by(event.key === 'ArrowLeft' ? -1 : 1);
  } else if (view === 'episode' && (event.key === '[' || event.key === ']')) {
    const item = store.ids.get(location.hash.slice('#/episode/'.length).split('?')[0]);
    const other = neighbours(item)[event.key === '[' ? 0 : 1];
    if (other !== undefined) location.hash = `#/episode/${idOf(other)}`;
  }
}

async function search() {
  if (main.dataset.view !== 'tasks') {
    history.pushState(null, '', '#/tasks');
    await route();
  }
  document.getElementById('search')?.focus();
}

const THEMES = ['auto', 'light', 'dark'];

function theme(chosen) {
  if (chosen === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = chosen;
  document.getElementById('theme').textContent = `Theme: ${chosen}`;
  try { localStorage.setItem('webbench-theme', chosen); } catch { /* kept for this page only */ }
}

function storedTheme() {
  try {
    const stored = localStorage.getItem('webbench-theme');
    return THEMES.includes(stored) ? stored : 'auto';
  } catch {
    return 'auto';
  }
}

document.getElementById('theme').addEventListener('click', () => {
  const now = document.documentElement.dataset.theme ?? 'auto';
  theme(THEMES[(THEMES.indexOf(now) + 1) % THEMES.length]);
});
document.getElementById('help-button').addEventListener('click', () => help.showModal());
document.addEventListener('keydown', keys);
window.addEventListener('hashchange', route);
theme(storedTheme());

Promise.all([load('overview'), load('items'), load('notes')]).then(([overview, items, notes]) => {
  store.overview = overview;
  takeItems(items);
  takeNotes(notes);
  return route();
}, (error) => main.replaceChildren(h('p', { class: 'warning' }, error.message)));
