// Two texts, with what differs marked.

// Two texts that begin and end alike, with what differs marked.
function difference(expected, found) {
  if (expected === found || !expected || !found || found.startsWith('[') || found.length > 2000)
    return [listed(expected), listed(found)];
  let start = 0;
  while (start < Math.min(expected.length, found.length) && expected[start] === found[start])
    start += 1;
  let end = 0;
  while (
    end < Math.min(expected.length, found.length) - start &&
    expected.at(-1 - end) === found.at(-1 - end)
  )
    end += 1;
  if (start + end < 8) return [expected, found];
  const marked = (text) => [
    text.slice(0, start),
    h('mark', {}, text.slice(start, text.length - end)),
    end ? text.slice(-end) : '',
  ];
  return [marked(expected), marked(found)];
}

// A JSON list of texts, one per line.
function listed(text) {
  if (!text.startsWith('[')) return text;
  try {
    const values = JSON.parse(text);
    if (!values.every((value) => typeof value === 'string')) return text;
    return h(
      'ul',
      { class: 'plain' },
      values.map((value) => h('li', {}, value)),
    );
  } catch {
    return text;
  }
}
