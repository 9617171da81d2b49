// Which view the address asks for.

const main = document.getElementById('main');
const help = document.getElementById('help');
let drawn = 0;

async function route() {
  const turn = (drawn += 1);
  const [path, query] = location.hash.replace(/^#\/?/, '').split('?');
  const view = path.split('/')[0];
  const rest = path.slice(view.length + 1);
  const views = {
    '': overviewView,
    tasks: tasksView,
    charts: chartsView,
    compare: compareView,
    episode: (search) => episodeView(rest, search),
    diff: () => diffView(rest),
  };
  let content;
  try {
    content = await (views[view] ?? overviewView)(new URLSearchParams(query ?? ''));
  } catch (error) {
    content = [
      h('h1', { tabindex: '-1' }, 'This cannot be shown'),
      h('p', { class: 'warning' }, error.message),
    ];
  }
  // Another view was asked for while this one was loading.
  if (turn !== drawn) return;
  main.dataset.view = view || 'overview';
  main.replaceChildren(...[content].flat(Infinity).filter(Boolean));
  for (const link of document.querySelectorAll('.top nav a')) {
    const its = link.getAttribute('href').replace('#/', '');
    if (
      its === view ||
      (its === 'tasks' && view === 'episode') ||
      (its === 'compare' && view === 'diff')
    )
      link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  window.scrollTo(0, 0);
  (view === 'tasks' ? main.querySelector('.grid') : main.querySelector('h1'))?.focus({
    preventScroll: true,
  });
}
