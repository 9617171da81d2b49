// What the pointer does besides clicking: drags things, and rests on elements.

const recordPointer = (listen, report, describe, touched, tellHover) => {
  // A hand that clicks may tremble.
  const LEAST_DRAG = 5;
  const MOST_POINTS = 40;
  const MOST_HOVERS = 300;
  const SAME_PLACE = 24;
  // Moving within these is a click, or chooses text.
  const CLICKED = "a[href],button,input,select,textarea,label,summary,option";

  const stopEvent = method(Event, "stopImmediatePropagation");
  const elementsAt = method(Document, "elementsFromPoint");
  // A point as shares of an element's size, which stay when the page is laid out anew.
  const within = (element, { clientX, clientY }) => {
    const box = boxOf(element);
    return [(clientX - box.x) / (box.width || 1), (clientY - box.y) / (box.height || 1)];
  };
  const far = (one, other, distance) =>
    Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY) >= distance;

  let drag = null;
  let lastDrag = -1e9;
  let refused = -1e9;
  const begin = (event) => {
    drag = null;
    const element = touched(event);
    if (!event.isTrusted || event.button !== 0 || !element) return;
    const { clientX, clientY } = event;
    const at = within(element, event);
    drag = { element, target: describe(element), at, clientX, clientY, path: [], far: false };
  };
  const goOn = (event) => {
    if (!drag || !event.isTrusted) return;
    drag.far ||= far(event, drag, LEAST_DRAG);
    drag.path.push([event.clientX - drag.clientX, event.clientY - drag.clientY]);
    // Of a long way, every second point will do.
    if (drag.path.length > MOST_POINTS) drag.path = drag.path.filter((_, at) => at % 2);
  };
  // What lies under the pointer besides the thing that is dragged and all that it lies in.
  const goalAt = (event) =>
    elementsAt(document, event.clientX, event.clientY).find(
      (one) => !holds(one, drag.element) && !holds(drag.element, one),
    );
  const end = (event) => {
    if (!drag || !event.isTrusted) return;
    const isDrop = event.type === "drop";
    const isClick = !isDrop && matches(drag.element, CLICKED) && touched(event) === drag.element;
    if (drag.far && !isClick) {
      const goal = goalAt(event);
      const onto = goal ? { ...describe(goal), corner: null } : null;
      const { target, at, path } = drag;
      const gesture = { at, path, onto, onto_at: goal ? within(goal, event) : null };
      lastDrag = event.timeStamp;
      const allowed = report(event, "drag", onto && onto.name, false, { target, gesture });
      if (!allowed) refused = event.timeStamp;
    }
    drag = null;
  };
  // The same release of the button as `pointerup`.
  const refuse = (event) => {
    if (event.timeStamp === refused) stopEvent(event);
  };

  listen("pointerdown", begin);
  listen("pointermove", goOn);
  listen("dragover", goOn);
  listen("pointerup", end);
  listen("mouseup", refuse);
  listen("drop", end);

  // The browser moves the pointer over elements when the page is scrolled or changes; a hand moves
  // it within them as well. What an element was called before it was touched is what it is called.
  let over = null;
  let rested = { element: null };
  let hovers = 0;
  listen("mouseover", (event) => {
    if (event.isTrusted) over = { element: touched(event), target: null };
    if (over?.element) over.target = describe(over.element);
  });
  listen("mousemove", (event) => {
    if (!event.isTrusted || event.buttons || !over?.target || hovers >= MOST_HOVERS) return;
    if (over.element === rested.element && !far(event, rested, SAME_PLACE)) return;
    rested = { element: over.element, clientX: event.clientX, clientY: event.clientY };
    hovers += 1;
    tellHover({ target: over.target, at: within(over.element, event), url: location.href });
  });

  return {
    where: (event) => {
      const element = touched(event);
      // Such a click opens a link in a tab of its own.
      const beside = event.ctrlKey || event.metaKey || event.button === 1;
      return element ? { at: within(element, event), beside } : null;
    },
    // The browser follows some drags with a click.
    endsDrag: (event) => event.timeStamp - lastDrag < 50,
  };
};
