// Evaluated in an isolated world of the final page; `collect` answers all questions in one call, as one JSON string.
(() => {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));

  // Scrolls the page through from top to bottom, so that what loads on sight is loaded, and back to where it was.
  const scrollThrough = async (mostScreens, mostMilliseconds) => {
    const root = document.scrollingElement || document.documentElement;
    if (!root || root.scrollHeight <= innerHeight + 1) return 0;
    const { scrollTop, scrollLeft } = root;
    const behavior = "instant";
    const end = performance.now() + mostMilliseconds;
    let screens = 0;
    for (let top = 0; top < root.scrollHeight && screens < mostScreens && performance.now() < end; top += innerHeight) {
      scrollTo({ top, left: 0, behavior });
      screens += 1;
      await frame();
    }
    await frame();
    scrollTo({ top: scrollTop, left: scrollLeft, behavior });
    return screens;
  };

  // Open shadow roots and same-origin frames belong to the page as its user sees it.
  function* roots(root = document) {
    yield root;
    for (const element of root.querySelectorAll("*")) {
      if (element.shadowRoot) yield* roots(element.shadowRoot);
      const inner = documentIn(element);
      if (inner && inner.documentElement) yield* roots(inner);
    }
  }
  const FRAMES = new Set(["IFRAME", "FRAME"]);
  const documentIn = (element) => {
    if (!FRAMES.has(element.tagName)) return null;
    try { return element.contentDocument; } catch { return null; }
  };
  let everywhere = null;
  const within = (places, selector) => {
    document.querySelector(selector);
    return places.flatMap((root) => [...root.querySelectorAll(selector)]);
  };
  const all = (selector) => within((everywhere ??= [...roots()]), selector);

  // A frame by CSS selector, name or id; null if there is none.
  const frameElement = (wanted) => {
    let found = [];
    try { found = all(wanted); } catch { found = []; }
    return found.find((element) => FRAMES.has(element.tagName)) ||
      all("iframe,frame").find((element) => element.name === wanted || element.id === wanted) || null;
  };
  class Foreign extends Error {}
  const placesIn = (wanted) => {
    if (wanted === undefined) return (everywhere ??= [...roots()]);
    const element = frameElement(wanted);
    if (element === null) return [];
    const inner = documentIn(element);
    if (inner === null) throw new Foreign();
    return [...roots(inner)];
  };

  const clean = (text) => (text || "").trim();
  const textOf = (element) => clean(element.innerText ?? element.textContent);
  const isPassword = (element) => element.tagName === "INPUT" && element.type === "password";
  const masked = (element, text) => (text && isPassword(element) ? "[redacted]" : text);
  const valueOf = (element, attribute) =>
    attribute === null ? textOf(element)
    : attribute !== "value" ? element.getAttribute(attribute)
    : masked(element, "value" in element ? String(element.value) : element.getAttribute(attribute));

  const shown = (element) => {
    const style = element.ownerDocument.defaultView.getComputedStyle(element);
    return style.display !== "none" && style.visibility !== "hidden" && style.visibility !== "collapse" && style.opacity !== "0";
  };
  const SKIPPED = new Set(["SCRIPT", "STYLE", "NOSCRIPT", "TEMPLATE", "HEAD"]);
  const visible = (node, parts) => {
    if (node.nodeType === Node.TEXT_NODE) {
      const text = clean(node.nodeValue);
      if (text) parts.push(text);
      return parts;
    }
    if (node.nodeType === Node.ELEMENT_NODE) {
      if (SKIPPED.has(node.tagName)) return parts;
      const style = node.ownerDocument.defaultView.getComputedStyle(node);
      if (style.display === "none" || style.opacity === "0") return parts;
      if (!shown(node)) {
        for (const child of node.children) visible(child, parts);
        return parts;
      }
      if (node.shadowRoot) visible(node.shadowRoot, parts);
      if (node.tagName === "SLOT") {
        const assigned = node.assignedNodes();
        for (const child of assigned.length ? assigned : node.childNodes) visible(child, parts);
        return parts;
      }
      if (FRAMES.has(node.tagName)) {
        const inner = documentIn(node);
        if (inner && inner.body) visible(inner.body, parts);
        return parts;
      }
      if (node.shadowRoot) return parts;
    }
    for (const child of node.childNodes) visible(child, parts);
    return parts;
  };

  const state = (element) => ({
    tag: element.tagName.toLowerCase(),
    value: "value" in element ? masked(element, String(element.value)) : null,
    checked: "checked" in element ? Boolean(element.checked) : null,
    selected: element.tagName === "SELECT" ? [...element.selectedOptions].map((option) => clean(option.textContent)) : null,
    text: textOf(element),
    disabled: Boolean(element.disabled),
    aria: Object.fromEntries(
      ["checked", "selected", "expanded", "pressed", "current"].map((key) => [key, element.getAttribute(`aria-${key}`)]),
    ),
  });

  const each = (selectors, frame, read) => {
    const places = placesIn(frame);
    return Object.fromEntries(Object.entries(selectors).map(([name, selector]) => [name, read(within(places, selector))]));
  };

  const PROBES = {
    visibleText: ({ selector, frame }) => {
      const places = placesIn(frame);
      const element = selector === null ? places[0]?.body : within(places, selector)[0];
      return element ? visible(element, []).join(" ") : null;
    },
    domExtract: ({ selectors, attr, all: every, frame }) =>
      each(selectors, frame, (found) =>
        every ? found.map((element) => valueOf(element, attr)) : found.length ? valueOf(found[0], attr) : null),
    controlState: ({ selectors, frame }) => each(selectors, frame, (found) => (found.length ? state(found[0]) : null)),
    domCount: ({ selector, frame }) => within(placesIn(frame), selector).length,
  };

  const problem = (error) => ({ error: `${error.name}: ${error.message}`.slice(0, 300) });
  const sized = (value, mostCharacters) =>
    JSON.stringify(value).length > mostCharacters ? { error: `the answer is longer than ${mostCharacters} characters` } : { value };

  const answer = (probe, mostCharacters) => {
    try {
      const value = PROBES[probe.name](probe.arguments);
      return value === null ? { missing: true } : sized(value, mostCharacters);
    } catch (error) {
      return error instanceof Foreign ? { foreign: true } : problem(error);
    }
  };

  // Asks the page's own server, as the page would: with its cookies, and under its rules for other origins.
  const apiState = async ({ url, method, headers, body, credentials, ok_status, expect_json }, mostCharacters, seconds) => {
    try {
      const signal = AbortSignal.timeout(seconds * 1000);
      const response = await fetch(url, { method, headers, body: body ?? undefined, credentials, signal, cache: "no-store" });
      const accepted = ok_status.length ? ok_status.includes(response.status) : response.ok;
      if (!accepted) return { error: `${url} answered with HTTP status ${response.status}` };
      const text = await response.text();
      if (text.length > mostCharacters) return { error: `the answer is longer than ${mostCharacters} characters` };
      return { value: expect_json ? JSON.parse(text) : text };
    } catch (error) {
      return problem(error);
    }
  };

  const clipboard = async () => {
    try {
      return { value: await navigator.clipboard.readText() };
    } catch (error) {
      return problem(error);
    }
  };

  const MOST_ENTRIES = 500;
  const LONGEST_ENTRY = 100_000;
  const entries = (kind, cuts) => {
    let found = [];
    try {
      found = Object.entries(globalThis[kind]);
    } catch (error) {
      cuts.push(`${kind} cannot be read: ${error.message}`);
    }
    if (found.length > MOST_ENTRIES) cuts.push(`${kind} was cut after ${MOST_ENTRIES} of ${found.length} entries`);
    const kept = found.slice(0, MOST_ENTRIES).map(([key, value]) => {
      if (value.length > LONGEST_ENTRY) cuts.push(`an entry of ${kind} was cut after ${LONGEST_ENTRY} characters: ${key.slice(0, 100)}`);
      return [key, value.slice(0, LONGEST_ENTRY)];
    });
    return Object.fromEntries(kept);
  };

  const pageText = () => {
    const parts = [];
    for (const root of (everywhere ??= [...roots()])) {
      if (root === document) parts.push(document.body ? document.body.innerText : "");
      else if (root.nodeType === Node.DOCUMENT_NODE) parts.push(root.body ? root.body.innerText : "");
      else parts.push([...root.children].map((child) => child.innerText ?? "").join("\n"));
    }
    return parts.filter(Boolean).join("\n");
  };

  const collect = (probes, mostCharacters) => {
    everywhere = null;
    const cuts = [];
    const cut = (what, text, most) => {
      if (text.length > most) cuts.push(`${what} was cut after ${most} of ${text.length} characters`);
      return text.slice(0, most);
    };
    return JSON.stringify({
      url: cut("the address", location.href, 20_000),
      title: cut("the title", document.title, 2000),
      text: cut("the text", pageText(), mostCharacters),
      visible_text: cut("the visible text", document.body ? visible(document.body, []).join(" ") : "", mostCharacters),
      status: performance.getEntriesByType("navigation")[0]?.responseStatus || null,
      local_storage: entries("localStorage", cuts),
      session_storage: entries("sessionStorage", cuts),
      reads: probes.map((probe) => answer(probe, mostCharacters)),
      passwords: all("input").filter(isPassword).flatMap((element) => [element.value, element.getAttribute("value")]).filter(Boolean),
      cuts,
    });
  };

  // The common case in one call: a page that fits the window is read at once; null means that it was scrolled first.
  const read = async (mostScreens, mostMilliseconds, probes, mostCharacters) =>
    (await scrollThrough(mostScreens, mostMilliseconds)) ? null : collect(probes, mostCharacters);

  return { read, collect, frameElement, answer, apiState, clipboard };
})()
