// Keys.

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
  const player = main.querySelector('.player');
  const go = { o: '#/', t: '#/tasks', c: '#/charts', d: '#/compare' }[event.key];
  if (go) location.hash = go;
  else if (event.key === '?') help.showModal();
  else if (event.key === '/') {
    event.preventDefault();
    search();
  } else if (
    player &&
    (event.key === 'ArrowLeft' || event.key === 'ArrowRight') &&
    event.target.type !== 'range'
  ) {
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
