// Sees the agent's input before the page does, in an isolated world of every document: it can
// neither be seen nor forged by the page or by an agent that evaluates scripts in it. Events that
// such scripts dispatch are input as well, noted as made by script.

const recordInput = (tell, listen) => {
  const LONGEST_VALUE = 20_000;
  const MOST_FILES = 100;
  const LARGEST_FILES = 1_000_000;
  // Playwright's `fill` sets these by script, so their events are not trusted.
  const SET_BY_SCRIPT = new Set([
    "date",
    "time",
    "month",
    "week",
    "datetime-local",
    "range",
    "color",
  ]);

  const pathOf = method(Event, "composedPath");
  const stopEvent = method(Event, "stopImmediatePropagation");
  const preventDefault = method(Event, "preventDefault");

  const touched = (event) => {
    // For an event from a shadow tree, `event.target` is only the host here.
    const deepest = pathOf(event)[0];
    const start = deepest instanceof Element ? deepest : rootElement(document);
    return start && (closest(start, recorded.INTERACTIVE) || start);
  };
  // Where this document's viewport begins on the whole page: pictures of the page may be taken at
  // another place of it. Null in a frame of another site, which is not told.
  const cornerOnPage = () => {
    let [x, y] = [0, 0];
    let view = window;
    for (; view !== view.parent; view = view.parent) {
      const frame = view.frameElement;
      if (!frame) return null;
      const box = boxOf(frame);
      x += box.x + clientLeftOf(frame);
      y += box.y + clientTopOf(frame);
    }
    return [x + view.scrollX, y + view.scrollY].map(Math.round);
  };
  const describe = (element) => {
    const box = boxOf(element);
    return {
      corner: cornerOnPage(),
      role: recorded.role(element),
      name: recorded.name(element),
      tag: tagOf(element),
      box: [box.x, box.y, box.width, box.height].map((value) => Math.round(value * 10) / 10),
    };
  };
  const describeIfPossible = (element) => {
    try {
      return describe(element);
    } catch {
      return {}; // however odd an element is, what was done to it counts
    }
  };

  const keys = new WeakMap();
  let nextKey = 1;
  const keyOf = (element) => {
    if (element === null) return 0; // a document may have no element at all
    if (!keys.has(element)) keys.set(element, nextKey++);
    return keys.get(element);
  };

  // An event that no hand has made is the page's own doing while it loads or handles another event.
  // Else a script was put into the page, and acts for the agent.
  const CAUSES = [
    "pointerdown",
    "pointerup",
    "mousedown",
    "mouseup",
    "click",
    "auxclick",
    "keydown",
    "keyup",
    "input",
    "change",
    "submit",
    "focusin",
    "focusout",
    "wheel",
    "load",
    "pageshow",
    "popstate",
    "hashchange",
    "message",
    "animationend",
    "transitionend",
  ];
  let handlesEvent = false;
  const noteCause = (event) => {
    if (!event.isTrusted) return;
    handlesEvent = true;
    setTimeout(() => {
      handlesEvent = false;
    });
  };
  for (const kind of CAUSES) listen(kind, noteCause);
  const isByScript = (event) =>
    !event.isTrusted && !handlesEvent && document.readyState === "complete";
  const isInput = (event) => event.isTrusted || isByScript(event);

  let isLast = false; // the budget allows one more action
  let isOver = false;
  let newest = null;
  const report = (event, kind, value = null, byScript = isByScript(event), more = {}) => {
    const element = touched(event);
    const goesOn = kind === "type" && newest?.kind === "type" && newest.element === element;
    newest = { kind, element };
    const allowed = !isOver;
    if (isOver) {
      stopEvent(event);
      preventDefault(event);
    } else if (isLast && !goesOn) {
      isOver = true; // at once: a fast client's next action may be here before the harness's word
    }
    const clipped = value === null ? null : value.slice(0, LONGEST_VALUE);
    const secret = isPassword(element) && clipped ? clipped : null;
    const message = {
      kind,
      target: describeIfPossible(element),
      // Always eight stars: the length of a password is a secret too.
      value: secret === null ? clipped : "*".repeat(8),
      secret,
      element: keyOf(element),
      url: location.href,
      by_script: byScript,
      ...more,
    };
    tell(message);
    return allowed;
  };
  const isPassword = (element) =>
    element !== null && inputTypeOf(element) === "password";

  let lastClick = { time: -1e9, label: null };
  const onClick = (event) => {
    // A key pressed on a button or link also fires a click, but the key is recorded already. The
    // right button only opens a menu.
    const isKey = event.isTrusted && event.detail === 0 && event.pointerType === "";
    if (!isInput(event) || event.button === 2 || isKey || pointer.endsDrag(event)) return;
    const element = touched(event);
    // After a click on a label, the browser fires one on its control: still one action.
    const forwarded =
      event.timeStamp - lastClick.time < 50 &&
      lastClick.label &&
      controlOf(lastClick.label) === element;
    const label = pathOf(event).find((node) => node instanceof HTMLLabelElement) || null;
    lastClick = { time: event.timeStamp, label };
    if (forwarded) return;
    const gesture = event.isTrusted ? pointer.where(event) : null;
    report(event, "click", null, isByScript(event), { gesture });
  };

  // Of a field in a closed shadow tree only the host can be seen, which could not have the focus
  // by itself. What is typed there may be a password, so its letters are not told.
  const FOCUSABLE =
    "a[href],area[href],button,input,select,textarea,iframe,frame,embed,object,summary," +
    "audio[controls],video[controls],[contenteditable],[tabindex],body,html";
  const hidesField = (element) =>
    element instanceof HTMLElement &&
    shadowOf(element) === null &&
    activeOf(document) === element &&
    !matches(element, FOCUSABLE);

  const onInput = (event) => {
    const field = pathOf(event)[0];
    if (!(field instanceof Element) || tagOf(field) === "select") return;
    const type = inputTypeOf(field);
    if (recorded.TEXTLESS.has(type)) return;
    const setByDriver = SET_BY_SCRIPT.has(type);
    if (!isInput(event) && !setByDriver) return;
    const typed = hidesField(field) ? "" : typedIn(field);
    report(event, "type", typed, isByScript(event) && !setByDriver);
  };
  const typedIn = (field) => {
    if (tagOf(field) === "input") return inputValue(field);
    if (tagOf(field) === "textarea") return areaValue(field);
    return recorded.clip(textContentOf(field));
  };

  const onChange = (event) => {
    const field = pathOf(event)[0];
    if (!(field instanceof Element)) return;
    if (tagOf(field) === "select") {
      report(
        event,
        "select",
        [...selectedOf(field)].map((option) => recorded.clip(option.label)).join(", "),
        false, // drivers choose by script
      );
    } else if (inputTypeOf(field) === "file") {
      const files = [...filesOf(field)].slice(0, MOST_FILES);
      const names = files.map((file) => file.name).join(", ");
      report(event, "upload", names, false, { files: files.map(withoutContent) });
      tellFiles(keyOf(touched(event)), files);
    }
  };
  // What it takes to upload the files once more. Their page may be gone before they are read.
  const withoutContent = ({ name, type, size }) => ({ name, type, size, content: null });
  const withContent = async (file) => ({
    ...withoutContent(file),
    content: base64(await file.arrayBuffer()),
  });
  const tellFiles = async (element, files) => {
    if (files.reduce((sum, file) => sum + file.size, 0) > LARGEST_FILES) return;
    const read = await Promise.all(files.map(withContent)).catch(() => null);
    if (read) tell({ element, files: read });
  };
  const base64 = (buffer) =>
    btoa(Array.from(new Uint8Array(buffer), (byte) => String.fromCharCode(byte)).join(""));

  const MODIFIERS = new Set(["Shift", "Control", "Alt", "Meta", "AltGraph", "CapsLock"]);
  const onKey = (event) => {
    if (!isInput(event) || MODIFIERS.has(event.key)) return;
    const field = pathOf(event)[0];
    const editable =
      field instanceof HTMLElement &&
      (editableOf(field) || matches(field, "input,textarea") || hidesField(field));
    const printable = [...event.key].length === 1 && !event.ctrlKey && !event.metaKey;
    const edits = event.key === "Backspace" || event.key === "Delete";
    // These keys are recorded as input of the field.
    if (editable && (printable || edits)) return;
    report(
      event,
      "press",
      (event.ctrlKey ? "Control+" : "") + (event.metaKey ? "Meta+" : "") + event.key,
    );
  };

  let lastWheel = -1e9;
  const onWheel = (event) => {
    // One turn of the wheel fires many events.
    const goesOn = event.timeStamp - lastWheel < 300;
    lastWheel = event.timeStamp;
    if (event.isTrusted && !goesOn) report(event, "scroll", event.deltaY < 0 ? "up" : "down");
  };

  const tellHover = (hover) => tell({ hover });
  const pointer = recordPointer(listen, report, describeIfPossible, touched, tellHover);

  listen("click", onClick);
  listen("auxclick", onClick);
  listen("input", onInput);
  listen("change", onChange);
  listen("keydown", onKey);
  listen("wheel", onWheel);

  return (command) => {
    isLast = true;
    if (command === "over") isOver = true;
  };
};
