// Light and dark.

const THEMES = ['auto', 'light', 'dark'];

function theme(chosen) {
  if (chosen === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = chosen;
  document.getElementById('theme').textContent = `Theme: ${chosen}`;
  try {
    localStorage.setItem('webbench-theme', chosen);
  } catch {
    /* kept for this page only */
  }
}

function storedTheme() {
  try {
    const stored = localStorage.getItem('webbench-theme');
    return THEMES.includes(stored) ? stored : 'auto';
  } catch {
    return 'auto';
  }
}
