// Connects the page and loads its data.

document.getElementById('theme').addEventListener('click', () => {
  const now = document.documentElement.dataset.theme ?? 'auto';
  theme(THEMES[(THEMES.indexOf(now) + 1) % THEMES.length]);
});

document.getElementById('help-button').addEventListener('click', () => help.showModal());
document.addEventListener('keydown', keys);
window.addEventListener('hashchange', route);
theme(storedTheme());

Promise.all([load('overview'), load('items'), load('notes')]).then(
  ([overview, items, notes]) => {
    store.overview = overview;
    takeItems(items);
    takeNotes(notes);
    return route();
  },
  (error) => main.replaceChildren(h('p', { class: 'warning' }, error.message)),
);
