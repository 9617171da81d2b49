// Runs in an isolated world of every document: sees the user's (here: the agent's) input before the page does,
// and can neither be seen nor forged by the page or by an agent that evaluates scripts in it.
(() => {
  if (globalThis.__webbench) return;
  globalThis.__webbench = true;

  const INTERACTIVE =
    'a[href],button,input,select,textarea,label,summary,option,[role],[onclick],[tabindex],[contenteditable=""],[contenteditable=true]';
  const TEXTLESS = new Set(["checkbox", "radio", "button", "submit", "reset", "image", "file"]);
  const SET_BY_SCRIPT = new Set(["date", "time", "month", "week", "datetime-local", "range", "color"]);
  const ROLES = { A: "link", BUTTON: "button", SELECT: "combobox", TEXTAREA: "textbox", SUMMARY: "button", OPTION: "option" };
  const INPUT_ROLES = {
    checkbox: "checkbox", radio: "radio", button: "button", submit: "button", reset: "button", image: "button",
    search: "searchbox", range: "slider", number: "spinbutton",
  };
  const clip = (text) => (text || "").replace(/\s+/g, " ").trim().slice(0, 200);

  const role = (element) =>
    element.getAttribute("role") ||
    (element.tagName === "INPUT" ? INPUT_ROLES[element.type] || "textbox" : ROLES[element.tagName] || "");

  // A label's own words: what stands in it, the control that it labels left out.
  const textAround = (node, control) =>
    node === control ? ""
    : node.nodeType === Node.TEXT_NODE ? node.nodeValue
    : [...node.childNodes].map((child) => textAround(child, control)).join("");

  const name = (element) => {
    const ids = (element.getAttribute("aria-labelledby") || "").split(/\s+/).filter(Boolean);
    const root = element.getRootNode();
    const labelled = ids.map((id) => root.getElementById?.(id)?.textContent || "").join(" ");
    const labels = element.labels ? [...element.labels].map((label) => textAround(label, element)).join(" ") : "";
    const image = element.querySelector?.("img[alt]")?.alt;
    const button = element.tagName === "INPUT" && TEXTLESS.has(element.type) ? element.value : "";
    const text = element.matches("input,select,textarea") ? "" : element.textContent;
    return clip(
      element.getAttribute("aria-label") || labelled || labels || element.alt || button || text || image ||
        element.title || element.placeholder,
    );
  };

  const describe = (event) => {
    const deepest = event.composedPath()[0];
    const start = deepest instanceof Element ? deepest : document.documentElement;
    const element = start.closest(INTERACTIVE) || start;
    const box = element.getBoundingClientRect();
    const numbers = [box.x, box.y, box.width, box.height].map((value) => Math.round(value * 10) / 10);
    return { element, target: { role: role(element), name: name(element), tag: element.tagName.toLowerCase(), box: numbers } };
  };

  const keys = new WeakMap();
  let nextKey = 1;
  const keyOf = (element) => {
    if (!keys.has(element)) keys.set(element, nextKey++);
    return keys.get(element);
  };

  let newest = null;
  const report = (event, kind, value = null) => {
    const { element, target } = describe(event);
    const goesOn = kind === "type" && newest?.kind === "type" && newest.element === element;
    newest = { kind, element };
    if (globalThis.__webbench_over) {
      event.stopImmediatePropagation();
      event.preventDefault();
    } else if (globalThis.__webbench_last && !goesOn) {
      globalThis.__webbench_over = true; // at once: a fast client's next action may be here before the harness's word
    }
    const secret = element.type === "password" && value ? value : null;
    const shown = secret === null ? value : "*".repeat(8);
    const message = { kind, target, value: shown, secret, element: keyOf(element), url: location.href };
    globalThis.__webbench_action(JSON.stringify(message));
  };

  let lastClick = { time: -1e9, label: null };
  const onClick = (event) => {
    if (!event.isTrusted || event.button === 2 || (event.detail === 0 && event.pointerType === "")) return;
    const { element } = describe(event);
    const forwarded = event.timeStamp - lastClick.time < 50 && lastClick.label && lastClick.label.control === element;
    const label = event.composedPath().find((node) => node instanceof HTMLLabelElement) || null;
    lastClick = { time: event.timeStamp, label };
    if (!forwarded) report(event, "click");
  };

  const onInput = (event) => {
    const field = event.composedPath()[0];
    if (!(field instanceof Element) || field.tagName === "SELECT") return;
    if (field.tagName === "INPUT" && TEXTLESS.has(field.type)) return;
    if (!event.isTrusted && !SET_BY_SCRIPT.has(field.type)) return;
    report(event, "type", "value" in field ? field.value : clip(field.textContent));
  };

  const onChange = (event) => {
    const field = event.composedPath()[0];
    if (!(field instanceof Element)) return;
    if (field.tagName === "SELECT") {
      report(event, "select", [...field.selectedOptions].map((option) => clip(option.label)).join(", "));
    } else if (field.type === "file") {
      report(event, "upload", [...field.files].map((file) => file.name).join(", "));
    }
  };

  const MODIFIERS = new Set(["Shift", "Control", "Alt", "Meta", "AltGraph", "CapsLock"]);
  const onKey = (event) => {
    if (!event.isTrusted || MODIFIERS.has(event.key)) return;
    const field = event.composedPath()[0];
    const editable = field instanceof HTMLElement && (field.isContentEditable || field.matches("input,textarea"));
    const printable = [...event.key].length === 1 && !event.ctrlKey && !event.metaKey;
    const edits = event.key === "Backspace" || event.key === "Delete";
    if (editable && (printable || edits)) return;
    report(event, "press", (event.ctrlKey ? "Control+" : "") + (event.metaKey ? "Meta+" : "") + event.key);
  };

  let lastWheel = -1e9;
  const onWheel = (event) => {
    const goesOn = event.timeStamp - lastWheel < 300;
    lastWheel = event.timeStamp;
    if (event.isTrusted && !goesOn) report(event, "scroll", event.deltaY < 0 ? "up" : "down");
  };

  for (const [kind, listener] of Object.entries({
    click: onClick, auxclick: onClick, input: onInput, change: onChange, keydown: onKey, wheel: onWheel,
  })) {
    globalThis.addEventListener(kind, listener, { capture: true, passive: kind === "wheel" });
  }
})();
