// Begins to record in a document, once, and answers to the harness.

const recording = (channel, handle) => {
  const send = globalThis[channel];
  delete globalThis[channel]; // whoever finds this world finds nothing to call in our name
  if (globalThis[handle]) {
    globalThis[handle]("attach"); // a window may be used for another document
    return;
  }

  const { stringify } = JSON;
  const wellFormed = (_key, value) => (typeof value === "string" ? value.toWellFormed() : value);
  const recorder = `${performance.timeOrigin}-${Math.random()}`;
  let number = 0;
  const tell = (message) => {
    number += 1;
    send(stringify({ recorder, number, ...message }, wellFormed));
  };

  // `document.open()` takes all listeners away: put them back as soon as the document is filled.
  const add = EventTarget.prototype.addEventListener;
  const listeners = [];
  const attach = () => {
    for (const [kind, listener] of listeners)
      // An active listener for the wheel would delay scrolling; the others may cancel their event.
      add.call(globalThis, kind, listener, { capture: true, passive: kind === "wheel" });
  };
  const listen = (kind, listener) => {
    listeners.push([kind, listener]);
    attach();
  };
  const watcher = new MutationObserver(attach);
  const watch = () => {
    attach();
    watcher.observe(document, { childList: true });
  };
  watch();

  // The browser itself counts real input, whatever becomes of its events.
  const COUNTED = ["click", "auxclick", "keydown", "input"];
  const counts = performance.eventCounts;
  const countOf = method(EventCounts, "get");
  const seen = Object.fromEntries(COUNTED.map((kind) => [kind, 0]));
  for (const kind of COUNTED)
    listen(kind, (event) => {
      if (event.isTrusted) seen[kind] += 1;
    });
  const pulse = () => {
    const happened = Object.fromEntries(COUNTED.map((kind) => [kind, countOf(counts, kind)]));
    tell({ pulse: { at: performance.timeOrigin, seen, happened } });
  };
  listen("pagehide", pulse);

  const limit = recordInput(tell, listen);
  logPages(tell, listen);
  const commands = { attach: watch, pulse, last: () => limit("last"), over: () => limit("over") };
  const obey = (command) => commands[command]?.();
  Object.defineProperty(globalThis, handle, { value: obey });
  pulse();
};
