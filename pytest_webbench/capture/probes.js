// Evaluated in an isolated world of the final page; `collect` answers all questions in one call, as one JSON string.
(() => {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));

  // Scrolls the page through from top to bottom, so that what loads on sight is loaded, and back to where it was.
  // Answers how many screens that were: none of a page that fits its window.
  const scrollThrough = async (mostScreens, mostMilliseconds) => {
    const root = scrollingOf(document) || rootElement(document);
    if (!root || root.scrollHeight <= innerHeight + 1) return 0;
    const { scrollTop, scrollLeft } = root;
    // With the page's own smooth scrolling, the next screen would begin before this one is there.
    const behavior = "instant";
    const end = performance.now() + mostMilliseconds;
    let screens = 0;
    for (
      let top = 0;
      top < root.scrollHeight && screens < mostScreens && performance.now() < end;
      top += innerHeight
    ) {
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
    for (const element of allBelow(root, "*")) {
      const shadow = shadowOf(element);
      if (shadow) yield* roots(shadow);
      const inner = documentOfFrame(element);
      if (inner && rootElement(inner)) yield* roots(inner);
    }
  }
  // Names in small letters: those of HTML are in capitals in `tagName`, those of XHTML and SVG are not.
  const FRAMES = new Set(["iframe", "frame"]);
  const isFrame = (element) => FRAMES.has(tagOf(element));
  const documentOfFrame = (element) => (isFrame(element) ? documentIn(element) : null);
  let everywhere = null;
  const within = (places, selector) => {
    // A bad selector is an error even where no root is searched.
    allIn(document, selector);
    return places.flatMap((root) => [...allBelow(root, selector)]);
  };
  const all = (selector) => within((everywhere ??= [...roots()]), selector);

  // A frame by CSS selector, name or id; null if there is none.
  const frameElement = (wanted) => {
    let found = [];
    try {
      found = all(wanted);
    } catch {
      found = [];
    }
    return (
      found.find(isFrame) ||
      all("iframe,frame").find((element) =>
        ["name", "id"].some((name) => rawAttribute(element, name) === wanted),
      ) ||
      null
    );
  };
  class Foreign extends Error {}
  const placesIn = (wanted) => {
    if (wanted === undefined) return (everywhere ??= [...roots()]);
    const element = frameElement(wanted);
    if (element === null) return [];
    const inner = documentOfFrame(element);
    if (inner === null) throw new Foreign();
    return [...roots(inner)];
  };

  const clean = (text) => (text || "").trim();
  const textOf = (element) => clean(innerTextOf(element) ?? textContentOf(element));
  const isPassword = (element) => inputTypeOf(element) === "password";
  const masked = (element, text) => (text && isPassword(element) ? "[redacted]" : text);
  // Forms can hide each of their own properties, and have no value, check mark or state themselves.
  const propertyOf = (element, name) =>
    tagOf(element) !== "form" && name in element ? element[name] : null;
  const valueIn = (element) => {
    const value = propertyOf(element, "value");
    return value === null ? null : String(value);
  };
  const viewOfElement = (element) => viewOf(documentOf(element));
  const valueOf = (element, attribute) =>
    attribute === null
      ? textOf(element)
      : attribute !== "value"
        ? rawAttribute(element, attribute)
        : masked(element, valueIn(element) ?? rawAttribute(element, attribute));

  const shown = (element) => {
    const style = viewOfElement(element).getComputedStyle(element);
    return (
      style.display !== "none" &&
      style.visibility !== "hidden" &&
      style.visibility !== "collapse" &&
      style.opacity !== "0"
    );
  };
  const SKIPPED = new Set(["script", "style", "noscript", "template", "head"]);
  const SVG = "http://www.w3.org/2000/svg";
  const MATHML = "http://www.w3.org/1998/Math/MathML";
  const UNDRAWN = new Set(["title", "desc", "metadata", "defs", "symbol", "clipPath", "mask", "pattern", "marker"]);
  const isSkipped = (element) =>
    SKIPPED.has(tagOf(element)) ||
    (namespaceOf(element) === SVG && UNDRAWN.has(tagOf(element)));
  const PICTURES = new Set(["img", "picture", "svg", "canvas", "video", "audio", "object", "embed", "input", "select", "textarea", "hr"]);

  // How the edge of an element parts the text on both sides of it, where there is no white space.
  const NOT = 0;
  const FLOWING = 1; // if there is room on the same line: "lamp<b>s</b>" is one word, also where it wraps
  const PLACED = 2; // unless they touch: flex items, inline blocks and floats stand where styles put them
  const APART = 3;
  const FLEXIBLE = /(?:flex|grid)$/;
  const edgeOf = (element, style, inFlex) => {
    const { display } = style;
    if (namespaceOf(element) === MATHML) return PLACED;
    if (namespaceOf(element) === SVG && tagOf(element) === "tspan")
      return ["x", "y", "dx", "dy"].some((name) => hasAttribute(element, name)) ? PLACED : FLOWING;
    if (PICTURES.has(tagOf(element)) || FRAMES.has(tagOf(element))) return APART;
    if (display === "inline" || display === "contents" || display === "ruby") return FLOWING;
    if (display.startsWith("inline") || style.float !== "none") return PLACED;
    if (style.position === "absolute" || style.position === "fixed") return APART;
    return inFlex ? PLACED : APART;
  };

  const rectsOf = (node) => {
    const range = Document.prototype.createRange.call(documentOf(node));
    range.selectNodeContents(node);
    return [...range.getClientRects()].filter((rect) => rect.width > 0);
  };
  const roomBetween = (before, after, edge) => {
    const left = rectsOf(before).at(-1);
    const right = rectsOf(after)[0];
    if (!left || !right) return edge === PLACED;
    const height = Math.min(left.height, right.height);
    const shared = Math.min(left.bottom, right.bottom) - Math.max(left.top, right.top);
    if (shared < height * 0.3) return edge === PLACED;
    const room = Math.max(right.left - left.right, left.left - right.right);
    return room > height * 0.15 || (edge === PLACED && room < height * -0.5);
  };

  const SPACE = /[ \t\n\r\f]+/g;
  const isSpace = (char) => " \t\n\r\f".includes(char);

  // The text that is shown, in blocks: what a reader sees as one run of words is one block.
  class Shown {
    blocks = [];
    text = "";
    before = null; // the text node that was added last
    edge = NOT; // what stands between that and the next
    spaced = false;

    part(edge) {
      this.edge = Math.max(this.edge, edge);
    }

    add(node, style, inFlex) {
      const value = valueOfText(node);
      if (!value.trim()) {
        if (value && !inFlex) this.spaced = true;
        return;
      }
      if (this.edge === APART) this.flush();
      else if (this.text && (this.spaced || isSpace(value[0]) || this.hasRoom(node)))
        this.text += " ";
      this.text += style.whiteSpace.startsWith("pre")
        ? value.trim()
        : value.trim().replace(SPACE, " ");
      this.before = node;
      this.edge = NOT;
      this.spaced = isSpace(value.at(-1));
    }

    hasRoom(node) {
      return this.edge !== NOT && roomBetween(this.before, node, this.edge);
    }

    flush() {
      if (this.text) this.blocks.push(this.text);
      this.text = "";
      this.spaced = false;
    }

    visit(node, style, inFlex) {
      if (typeOf(node) === Node.TEXT_NODE) this.add(node, style, inFlex);
      else if (typeOf(node) === Node.ELEMENT_NODE) this.element(node, inFlex);
      else if (typeOf(node) === Node.DOCUMENT_FRAGMENT_NODE)
        this.children(childrenOf(node), style, inFlex);
    }

    children(nodes, style, inFlex) {
      for (const child of nodes) this.visit(child, style, inFlex);
    }

    element(element, inFlex) {
      if (tagOf(element) === "br") return this.part(APART);
      if (isSkipped(element)) return;
      const style = viewOfElement(element).getComputedStyle(element);
      if (style.display === "none" || style.opacity === "0") return;
      const edge = edgeOf(element, style, inFlex);
      const within = style.display === "contents" ? inFlex : FLEXIBLE.test(style.display);
      this.part(edge);
      this.inside(element, style, within);
      this.part(edge);
    }

    inside(element, style, inFlex) {
      // A child may be visible in an invisible parent.
      if (!shown(element)) return this.children(childrenOf(element).filter((child) => typeOf(child) === Node.ELEMENT_NODE), style, inFlex);
      if (FRAMES.has(tagOf(element))) {
        const inner = documentOfFrame(element);
        if (inner) this.document(inner);
      } else if (shadowOf(element)) this.visit(shadowOf(element), style, inFlex);
      else if (tagOf(element) === "slot" && assignedOf(element).length)
        this.children(assignedOf(element), style, inFlex);
      else this.children(childrenOf(element), style, inFlex);
    }

    document(inner) {
      const root = bodyOf(inner) ?? rootElement(inner);
      if (root) this.element(root, false);
    }
  }
  const BLOCK_END = "\u001e"; // "record separator": no page shows it
  const blocksOf = (root) => {
    const found = new Shown();
    if (typeOf(root) === Node.DOCUMENT_NODE) found.document(root);
    else found.element(root, false);
    found.flush();
    return found.blocks;
  };

  const state = (element) => ({
    tag: tagOf(element).toLowerCase(),
    value: masked(element, valueIn(element)),
    checked: propertyOf(element, "checked"),
    selected:
      tagOf(element) === "select"
        ? [...selectedOf(element)].map((option) => clean(textContentOf(option)))
        : null,
    text: textOf(element),
    disabled: Boolean(propertyOf(element, "disabled")),
    aria: Object.fromEntries(
      ["checked", "selected", "expanded", "pressed", "current"].map((key) => [
        key,
        rawAttribute(element, `aria-${key}`),
      ]),
    ),
  });

  const each = (selectors, frame, read) => {
    const places = placesIn(frame);
    return Object.fromEntries(
      Object.entries(selectors).map(([name, selector]) => [name, read(within(places, selector))]),
    );
  };

  // An element and all below it, its own shadow root included.
  const placesUnder = (element) => [
    ...roots(element),
    ...(shadowOf(element) ? roots(shadowOf(element)) : []),
  ];
  const rowOf = (element, fields) => {
    const places = placesUnder(element);
    const field = ({ selector, attr }) => {
      const found = selector === null ? element : within(places, selector)[0];
      return found ? valueOf(found, attr) : null;
    };
    return Object.fromEntries(
      Object.entries(fields).map(([name, wanted]) => [name, field(wanted)]),
    );
  };

  const PROBES = {
    visibleText: ({ selector, frame }) => {
      const places = placesIn(frame);
      const root = selector === null ? places[0] : within(places, selector)[0];
      return root ? blocksOf(root).join(" ") : null;
    },
    domExtract: ({ selectors, attr, all: every, frame }) =>
      each(selectors, frame, (found) =>
        every
          ? found.map((element) => valueOf(element, attr))
          : found.length
            ? valueOf(found[0], attr)
            : null,
      ),
    controlState: ({ selectors, frame }) =>
      each(selectors, frame, (found) => (found.length ? state(found[0]) : null)),
    domRows: ({ row, fields, frame }) =>
      within(placesIn(frame), row).map((element) => rowOf(element, fields)),
    pageText: () => pageText(),
    domCount: ({ selector, frame }) => within(placesIn(frame), selector).length,
  };

  const problem = (error) => ({ error: `${error.name}: ${error.message}`.slice(0, 300) });
  const sized = (value, mostCharacters) =>
    JSON.stringify(value).length > mostCharacters
      ? { error: `the answer is longer than ${mostCharacters} characters` }
      : { value };

  const answer = (probe, mostCharacters) => {
    try {
      const value = PROBES[probe.name](probe.arguments);
      return value === null ? { missing: true } : sized(value, mostCharacters);
    } catch (error) {
      return error instanceof Foreign ? { foreign: true } : problem(error);
    }
  };

  // Calls a function that a getter of another distribution brings along.
  const run = async (read, probeArguments, mostCharacters) => {
    try {
      const value = (await read(probeArguments)) ?? null;
      return value === null ? { missing: true } : sized(value, mostCharacters);
    } catch (error) {
      return problem(error);
    }
  };

  // Asks the page's own server, as the page would: with its cookies, and under its rules for other origins.
  const apiState = async (
    { url, method, headers, body, credentials, ok_status, expect_json },
    mostCharacters,
    seconds,
  ) => {
    try {
      const signal = AbortSignal.timeout(seconds * 1000);
      const response = await fetch(url, {
        method,
        headers,
        body: body ?? undefined,
        credentials,
        signal,
        // The server's state now, not an answer from before the agent acted.
        cache: "no-store",
      });
      const accepted = ok_status.length ? ok_status.includes(response.status) : response.ok;
      if (!accepted) return { error: `${url} answered with HTTP status ${response.status}` };
      const text = await response.text();
      if (text.length > mostCharacters)
        return { error: `the answer is longer than ${mostCharacters} characters` };
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
      // Reading storage throws in sandboxed documents and where cookies are blocked.
      found = Object.entries(globalThis[kind]);
    } catch (error) {
      cuts.push(`${kind} cannot be read: ${error.message}`);
    }
    if (found.length > MOST_ENTRIES)
      cuts.push(`${kind} was cut after ${MOST_ENTRIES} of ${found.length} entries`);
    const kept = found.slice(0, MOST_ENTRIES).map(([key, value]) => {
      if (value.length > LONGEST_ENTRY)
        cuts.push(
          `an entry of ${kind} was cut after ${LONGEST_ENTRY} characters: ${key.slice(0, 100)}`,
        );
      return [key, value.slice(0, LONGEST_ENTRY)];
    });
    return Object.fromEntries(kept);
  };

  // Only HTML has an innerText.
  const textIn = (root) => (root ? (innerTextOf(root) ?? blocksOf(root).join("\n")) : "");
  const pageText = () => {
    const parts = [];
    for (const root of (everywhere ??= [...roots()])) {
      if (typeOf(root) === Node.DOCUMENT_NODE)
        parts.push(textIn(bodyOf(root) ?? rootElement(root)));
      else parts.push([...root.children].map(textIn).join("\n"));
    }
    return parts.filter(Boolean).join("\n");
  };

  const collect = (probes, mostCharacters) => {
    everywhere = null;
    const cuts = [];
    const cut = (what, text, most) => {
      if (text.length > most)
        cuts.push(`${what} was cut after ${most} of ${text.length} characters`);
      return text.slice(0, most);
    };
    return JSON.stringify({
      document: performance.timeOrigin,
      url: cut("the address", location.href, 20_000),
      title: cut("the title", titleOf(document), 2000),
      text: cut("the text", pageText(), mostCharacters),
      visible_text: cut(
        "the visible text",
        blocksOf(document).join(BLOCK_END),
        mostCharacters,
      ),
      status: performance.getEntriesByType("navigation")[0]?.responseStatus || null,
      links: new Set(all("a[href]").map((link) => String(link.href))).size,
      local_storage: entries("localStorage", cuts),
      session_storage: entries("sessionStorage", cuts),
      reads: probes.map((probe) => answer(probe, mostCharacters)),
      passwords: all("input")
        .filter(isPassword)
        .flatMap((element) => [inputValue(element), rawAttribute(element, "value")])
        .filter(Boolean),
      cuts,
    });
  };

  return { collect, scrollThrough, frameElement, answer, run, apiState, clipboard };
})();
