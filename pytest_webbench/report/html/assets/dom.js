// Elements are made from text, never from markup: whatever a page, an agent or a note says stays
// text.

const SVG = 'http://www.w3.org/2000/svg';

function h(name, props, ...children) {
  return filled(document.createElement(name), props, children);
}

function svg(name, props, ...children) {
  return filled(document.createElementNS(SVG, name), props, children);
}

function filled(node, props, children) {
  for (const [key, value] of Object.entries(props ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key === 'on') {
      for (const [event, handler] of Object.entries(value)) node.addEventListener(event, handler);
    } else {
      node.setAttribute(key, value === true ? '' : String(value));
    }
  }
  node.append(
    ...children
      .flat(Infinity)
      .filter((child) => child !== null && child !== undefined && child !== false),
  );
  return node;
}

// A link to the web for what is a web address; anything else, javascript: say, is shown as the
// text that it is.
function web(url, text) {
  const label = text ?? url;
  if (!/^https?:\/\//i.test(url)) return h('span', { class: 'url' }, label);
  return h('a', { class: 'url', href: url, target: '_blank', rel: 'noopener noreferrer' }, label);
}

function section(title, ...children) {
  return h('section', { class: 'card' }, h('h2', {}, title), children);
}

// A part that is closed at first, if there is anything in it.
function fold(title, count, open, ...children) {
  if (!count) return null;
  const shown = typeof count === 'number' ? h('span', { class: 'count' }, number(count)) : null;
  return h(
    'details',
    { class: 'card fold', open },
    h('summary', {}, h('h2', {}, title), shown),
    children,
  );
}

function table(head, rows, props = {}) {
  const cells = (tag, row) =>
    row.map((cell) => {
      const { content, ...rest } =
        cell !== null && typeof cell === 'object' && 'content' in cell ? cell : { content: cell };
      return h(tag, { ...(tag === 'th' ? { scope: 'col' } : {}), ...rest }, content);
    });
  return h(
    'div',
    { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': props.label },
    h(
      'table',
      { class: props.class },
      h('thead', {}, h('tr', {}, cells('th', head))),
      h(
        'tbody',
        {},
        rows.map((row) => h('tr', {}, cells('td', row))),
      ),
    ),
  );
}

const num = (content) => ({ content, class: 'num' });
