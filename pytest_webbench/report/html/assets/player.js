// The episode as a player: each step on a picture of the page on which it was taken, then the
// final page.

// None where nothing was recorded that could be shown.
function playerOf(item, detail, start) {
  return detail.steps.length || detail.shots.length || detail.final
    ? makePlayer(item, detail, start)
    : null;
}

const nothingStored = () =>
  h('p', { class: 'empty' }, 'No steps and no pictures are stored with this result.');
const bare = (url) => url.split('#')[0];

function makePlayer(item, detail, start = 0) {
  const { steps } = detail;
  const shots = new Map(
    detail.shots.map(([shot, url, width]) => [
      shot,
      {
        file: `shots/${String(shot).padStart(3, '0')}.jpg`,
        url,
        width,
        scrolled: shot ? steps[shot - 1]?.scrolled : [0, 0],
      },
    ]),
  );
  const picture = h('img', { alt: '', draggable: 'false' });
  const mark = h('div', { class: 'mark', hidden: true });
  const missing = h('p', { class: 'empty', hidden: true });
  const stage = h('div', { class: 'stage' }, picture, mark, missing);
  const caption = h('p', { class: 'caption', 'aria-live': 'polite' });
  const address = h('p', { class: 'address' });
  const slider = h('input', {
    type: 'range',
    min: 0,
    max: steps.length,
    value: 0,
    'aria-label': 'Step',
    on: { input: () => show(Number(slider.value)) },
  });
  const button = (text, name, by) =>
    h(
      'button',
      { type: 'button', 'aria-label': name, on: { click: () => show(position + by) } },
      text,
    );
  const list = h(
    'ol',
    { class: 'steps' },
    steps.map((step, index) =>
      h(
        'li',
        {},
        h(
          'button',
          { type: 'button', on: { click: () => show(index) } },
          h('span', { class: 'step-number' }, index + 1),
          h('span', { class: 'step-words' }, stepWords(step).join('')),
          h('span', { class: 'num' }, `${number(step.seconds, 1)} s`),
        ),
      ),
    ),
    h(
      'li',
      {},
      h(
        'button',
        { type: 'button', on: { click: () => show(steps.length) } },
        h('span', { class: 'step-number' }, '■'),
        h('span', { class: 'step-words' }, 'final page'),
        h('span'),
      ),
    ),
  );
  let position = -1;

  picture.addEventListener('load', place);
  picture.addEventListener('error', () => tell('The picture is not there any more.'));

  // The picture that a step belongs on. One is taken as soon as an action takes effect, and by
  // then it may show the next
  // document already; then the one before is right, unless that in turn was taken too early.
  function source() {
    const step = steps[position];
    if (!step && detail.final) return { file: 'final.jpg', exact: true, width: 0 };
    const near = [shots.get(position + 1), shots.get(position)].filter(Boolean);
    const right = step
      ? near.find((shot) => shot.url && bare(shot.url) === bare(step.url))
      : shots.get(steps.length);
    if (right) return { ...right, exact: true };
    const unknown =
      step &&
      near.every((shot) => !shot.url) &&
      (bare(step.url) === bare(step.after) ? near[0] : near.at(-1));
    if (unknown) return { ...unknown, exact: true };
    const earlier = [...shots].filter(([shot]) => shot <= position).at(-1);
    return earlier ? { ...earlier[1], exact: false } : { file: null, exact: false, width: 0 };
  }

  function tell(text) {
    missing.textContent = text;
    missing.hidden = false;
    picture.hidden = true;
    mark.hidden = true;
  }

  // A picture may show another part of the page than was in view when the step was taken.
  function boxInPicture(step) {
    if (!step?.box || !shown.scrolled) return step?.box;
    if (!step.corner) return null;
    const [x, y, width, height] = step.box;
    const [left, top] = shown.scrolled;
    return [x + step.corner[0] - left, y + step.corner[1] - top, width, height];
  }

  // Boxes are in CSS pixels of the viewport; a picture of it may have more pixels than that.
  function place() {
    const box = boxInPicture(steps[position]);
    const scale = shown.width && picture.naturalWidth ? picture.naturalWidth / shown.width : 1;
    const wide = picture.naturalWidth / scale;
    const high = picture.naturalHeight / scale;
    mark.hidden =
      !(box && shown.exact && wide) ||
      box[0] + box[2] < 0 ||
      box[1] + box[3] < 0 ||
      box[0] > wide ||
      box[1] > high;
    if (mark.hidden) return;
    const left = Math.max(0, box[0] - 3);
    const top = Math.max(0, box[1] - 3);
    for (const [name, value, whole] of [
      ['left', left, wide],
      ['top', top, high],
      ['width', Math.min(wide - left, box[2] + 6), wide],
      ['height', Math.min(high - top, box[3] + 6), high],
    ]) {
      mark.style.setProperty(name, `${(value / whole) * 100}%`);
    }
  }

  let shown = { file: null, exact: false, width: 0 };
  function show(wanted) {
    const next = Math.max(0, Math.min(steps.length, wanted));
    if (next === position) return;
    position = next;
    const step = steps[position];
    shown = source();
    missing.hidden = true;
    mark.hidden = true;
    if (shown.file) {
      picture.hidden = false;
      const file = fileOf(item, shown.file);
      picture.alt = step ? `Page at step ${position + 1}` : 'Final page';
      if (picture.getAttribute('src') !== file) picture.src = file;
      else place();
    } else tell('No picture was kept of this moment.');
    caption.replaceChildren(
      h('b', {}, step ? `${position + 1} of ${steps.length}` : 'End'),
      ' ',
      ...(step ? stepWords(step) : ['final page']),
      !shown.exact && shown.file ? h('small', {}, ' (picture of an earlier moment)') : '',
    );
    address.replaceChildren(web(step ? step.url : (detail.page?.url ?? '')));
    slider.value = position;
    [...list.children].forEach((one, index) => one.classList.toggle('current', index === position));
    list
      .querySelectorAll('button')
      .forEach((one, index) =>
        one.setAttribute('aria-current', index === position ? 'step' : 'false'),
      );
    const current = list.children[position];
    if (list.scrollHeight > list.clientHeight)
      list.scrollTop = current.offsetTop - list.offsetTop - list.clientHeight / 2;
    element.dispatchEvent(new CustomEvent('step', { detail: position }));
  }

  const element = h(
    'div',
    { class: 'player' },
    stage,
    h(
      'div',
      { class: 'controls' },
      button('◀', 'Previous step', -1),
      slider,
      button('▶', 'Next step', 1),
    ),
    caption,
    address,
    list,
  );
  element.show = show;
  element.by = (count) => show(position + count);
  // Later, so that whoever made the player can listen to its first step, too.
  queueMicrotask(() => show(start));
  return element;
}
