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
      if (element.tagName === "IFRAME") {
        let inner = null;
        try { inner = element.contentDocument; } catch { inner = null; }
        if (inner && inner.documentElement) yield* roots(inner);
      }
    }
  }
  const all = (selector) => {
    document.querySelector(selector);
    const found = [];
    for (const root of roots()) found.push(...root.querySelectorAll(selector));
    return found;
  };

  const clean = (text) => (text || "").trim();
  const textOf = (element) => clean(element.innerText ?? element.textContent);
  const valueOf = (element, attribute) =>
    attribute === null ? textOf(element)
    : attribute === "value" && "value" in element ? String(element.value)
    : element.getAttribute(attribute);

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
      if (node.tagName === "IFRAME") {
        let inner = null;
        try { inner = node.contentDocument; } catch { inner = null; }
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
    value: "value" in element ? String(element.value) : null,
    checked: "checked" in element ? Boolean(element.checked) : null,
    selected: element.tagName === "SELECT" ? [...element.selectedOptions].map((option) => clean(option.textContent)) : null,
    text: textOf(element),
    disabled: Boolean(element.disabled),
    aria: Object.fromEntries(
      ["checked", "selected", "expanded", "pressed", "current"].map((key) => [key, element.getAttribute(`aria-${key}`)]),
    ),
  });

  const each = (selectors, read) =>
    Object.fromEntries(Object.entries(selectors).map(([name, selector]) => [name, read(all(selector))]));

  const PROBES = {
    visibleText: ({ selector }) => {
      const [element] = all(selector);
      return element ? visible(element, []).join(" ") : null;
    },
    domExtract: ({ selectors, attr, all: every }) =>
      each(selectors, (found) =>
        every ? found.map((element) => valueOf(element, attr)) : found.length ? valueOf(found[0], attr) : null),
    controlState: ({ selectors }) => each(selectors, (found) => (found.length ? state(found[0]) : null)),
    domCount: ({ selector }) => all(selector).length,
  };

  const answer = (probe) => {
    try {
      const value = PROBES[probe.name](probe.arguments);
      return value === null ? { missing: true } : { value };
    } catch (error) {
      return { error: `${error.name}: ${error.message}`.slice(0, 300) };
    }
  };

  const entries = (kind) => {
    try {
      return Object.fromEntries(Object.entries(globalThis[kind]).slice(0, 500));
    } catch {
      return {};
    }
  };

  const pageText = () => {
    const parts = [];
    for (const root of roots()) {
      if (root === document) parts.push(document.body ? document.body.innerText : "");
      else if (root.nodeType === Node.DOCUMENT_NODE) parts.push(root.body ? root.body.innerText : "");
      else parts.push([...root.children].map((child) => child.innerText ?? "").join("\n"));
    }
    return parts.filter(Boolean).join("\n");
  };

  const collect = (probes, mostCharacters) =>
    JSON.stringify({
      url: location.href,
      title: document.title.slice(0, 2000),
      text: pageText().slice(0, mostCharacters),
      visible_text: (document.body ? visible(document.body, []).join(" ") : "").slice(0, mostCharacters),
      status: performance.getEntriesByType("navigation")[0]?.responseStatus || null,
      local_storage: entries("localStorage"),
      session_storage: entries("sessionStorage"),
      reads: probes.map(answer),
    });

  // The common case in one call: a page that fits the window is read at once; null means that it was scrolled first.
  const read = async (mostScreens, mostMilliseconds, probes, mostCharacters) =>
    (await scrollThrough(mostScreens, mostMilliseconds)) ? null : collect(probes, mostCharacters);

  return { read, collect };
})()
