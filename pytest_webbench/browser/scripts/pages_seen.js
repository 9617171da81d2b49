// Tells which address a top-level document shows, and which text, once the page has come to rest and
// again when it is left. Runs beside the recorder: pages can neither see nor forge it.

const logPages = (tell, listen) => {
  if (window.top !== window) return;

  const MOST_CHARACTERS = 20_000;
  const QUIET_MILLISECONDS = 120;
  const LATEST_MILLISECONDS = 1_000; // a page that never rests is read all the same
  const MOST_EARLY = 1_000;
  const MOST_READINGS = 12; // of one address: a ticker must not fill the record

  const FRAMES = new Set(["iframe", "frame"]);
  const id = `${performance.timeOrigin}-${Math.random()}`;
  let part = 0; // addresses shown by this document, counted from 0
  let readings = 0;
  let lastText = null;

  const report = (event, more) =>
    tell({ page: { event, document: id, part, url: location.href, ...more } });

  // Open shadow roots and same-origin frames belong to what a user reads.
  const innerTexts = (root, parts) => {
    for (const element of root.querySelectorAll("*")) {
      if (parts.length > 200) return parts;
      const shadow = shadowOf(element);
      if (shadow) {
        for (const child of shadow.children) parts.push(innerTextOf(child) ?? "");
        innerTexts(shadow, parts);
      } else if (FRAMES.has(tagOf(element))) {
        const inner = documentIn(element);
        const body = inner && bodyOf(inner);
        if (body) parts.push(innerTextOf(body) ?? "");
      }
    }
    return parts;
  };
  const shownText = () => {
    const root = bodyOf(document) ?? rootElement(document);
    if (!root) return "";
    const parts = innerTexts(document, [innerTextOf(root) ?? textContentOf(root) ?? ""]);
    return parts.join("\n").replace(/[ \t\u00a0]+/g, " ").replace(/\s*\n\s*/g, "\n").trim().slice(0, MOST_CHARACTERS);
  };

  let dirty = true;
  const read = (event) => {
    if (!dirty || readings >= MOST_READINGS) return;
    dirty = false;
    const text = shownText();
    if (text === lastText) return;
    lastText = text;
    readings += 1;
    report(event, { title: titleOf(document).slice(0, 2_000), text });
  };

  // Before any script of the agent can act, which waits for the document as well.
  const readEarly = () => {
    const text = `${titleOf(document)}\n${shownText()}`.trim().slice(0, MOST_EARLY);
    if (text) report("early", { text });
  };
  listen("DOMContentLoaded", readEarly);

  let waiting = false;
  let due = 0;
  let dirtySince = null;
  const wait = () => {
    waiting = true;
    // No timeout: where scripts are off, none ever comes, not even in a world of ours.
    scheduler.postTask(atRest, { delay: Math.max(0, due - performance.now()) });
  };
  const atRest = () => {
    waiting = false;
    if (readyOf(document) === "loading") due = performance.now() + QUIET_MILLISECONDS;
    if (performance.now() < due) return wait();
    dirtySince = null;
    read("read");
  };
  const waitForRest = () => {
    dirtySince ??= performance.now();
    due = Math.min(performance.now() + QUIET_MILLISECONDS, dirtySince + LATEST_MILLISECONDS);
    if (!waiting) wait();
  };
  const changed = () => {
    dirty = true;
    waitForRest();
  };
  new MutationObserver(changed).observe(document, {
    subtree: true, childList: true, characterData: true,
    attributes: true, attributeFilter: ["class", "style", "hidden", "open", "aria-hidden"],
  });

  // What a user does may replace the page at once: read it before the page hears of it.
  for (const kind of ["pointerdown", "keydown"]) listen(kind, () => read("read"));
  listen("pagehide", () => read("left"));
  listen("load", changed);

  const show = (kind) => {
    readings = 0;
    lastText = null;
    report("shown", { kind });
    changed();
  };
  // A page from the back/forward cache continues where it stopped: no script runs again in it.
  listen("pageshow", (event) => {
    if (event.persisted) show("back_forward");
  });
  globalThis.navigation?.addEventListener("navigate", () => read("read"));
  globalThis.navigation?.addEventListener("currententrychange", (event) => {
    // history.replaceState() may change the state and keep the address.
    if (event.from?.url === location.href) return;
    part += 1;
    show({ traverse: "back_forward", reload: "reload" }[event.navigationType] ?? event.navigationType ?? "push");
  });
  show(performance.getEntriesByType("navigation")[0]?.type ?? "navigate");
  if (readyOf(document) !== "loading") readEarly();
};
