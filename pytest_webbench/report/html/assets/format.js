// Numbers, times and outcomes in words.

const OUTCOMES = ['passed', 'failed', 'unscored'];
const GLYPHS = {
  passed: '✓',
  failed: '✕',
  unscored: '?',
  holds: '✓',
  fails: '✕',
  gated: '–',
  broken: '?',
};

function badge(outcome, reason) {
  return h(
    'span',
    { class: `badge ${outcome}` },
    h('span', { 'aria-hidden': 'true' }, GLYPHS[outcome]),
    ` ${outcome}`,
    reason && outcome === 'unscored' ? `: ${reason}` : '',
  );
}

const number = (value, digits = 0) =>
  value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });

// Two digits that say something, however small it is.
const dollars = (value) =>
  `$${number(value, value >= 1 ? 2 : value < 1e-10 ? 3 : Math.max(3, 1 - Math.floor(Math.log10(value))))}`;
const percent = (share, digits = 1) => (share === null ? '–' : `${number(share * 100, digits)} %`);
const round = (value) => number(value, Number.isInteger(value) ? 0 : 1);
const points = (share) =>
  `${share > 0 ? '+' : share < 0 ? '−' : ''}${number(Math.abs(share) * 100, 1)} pt`;
const pValue = (p) => (p < 0.001 ? '< 0.001' : number(p, 3));

function duration(seconds) {
  if (seconds === null || seconds === undefined) return '–';
  if (seconds < 60) return `${number(seconds, seconds < 10 ? 1 : 0)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.round(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

const plural = (count, word) => `${number(count)} ${word}${count === 1 ? '' : 's'}`;
const clock = (milliseconds) => new Date(milliseconds).toISOString().slice(0, 19).replace('T', ' ');
const shortened = (text, most) =>
  text.length > most ? `${text.slice(0, Math.max(3, most - 1))}…` : text;
