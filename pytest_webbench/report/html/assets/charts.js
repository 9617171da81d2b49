// The page of charts.

function chartsView() {
  const { rows, histograms } = store.overview;
  const acted = histograms.filter((one) => one.steps);
  const name = (one) => rowLabel(one);
  return [
    h('h1', { tabindex: '-1' }, 'Charts'),
    section(
      'Rates with 95 % intervals',
      rateChart(rows, rowLabel),
      h('p', { class: 'hint' }, 'Shaded: where the rate lies whatever the unscored episodes were.'),
    ),
    section(
      'Timeline of workers',
      legend(),
      store.overview.runs.map((run, index) => [several() && h('h3', {}, run.tag), timeline(index)]),
      h(
        'p',
        { class: 'hint' },
        'One bar for each attempt that counts. Click it to open the episode.',
      ),
    ),
    // A step of a recording takes no steps.
    acted.length > 0 && section(
      'Steps',
      legend(),
      h(
        'div',
        { class: 'multiples' },
        acted.map((one) =>
          h(
            'figure',
            {},
            h('figcaption', {}, name(one)),
            histogram(one.steps, 'steps', `Steps of ${name(one)}`),
          ),
        ),
      ),
    ),
    section(
      'Seconds',
      legend(),
      h(
        'div',
        { class: 'multiples' },
        histograms.map((one) =>
          h(
            'figure',
            {},
            h('figcaption', {}, name(one)),
            histogram(one.seconds, 'seconds', `Time of ${name(one)}`),
          ),
        ),
      ),
    ),
  ];
}
