// When the page has come to rest.

// Resolves when two frames in a row saw no change, or after `most` milliseconds; with `first`, waits so long for one.
const quiet = (most, first = 0) =>
  new Promise((resolve) => {
    const begin = performance.now();
    let changed = false,
      still = 0,
      any = false,
      ended = false;
    const watcher = new MutationObserver(() => {
      changed = true;
    });
    const filter = [
      "class",
      "hidden",
      "open",
      "disabled",
      "value",
      "aria-expanded",
      "aria-hidden",
      "aria-selected",
      "style",
      "src",
    ];
    watcher.observe(document, {
      subtree: true,
      childList: true,
      characterData: true,
      attributes: true,
      attributeFilter: filter,
    });
    const finish = () => {
      if (ended) return;
      ended = true;
      watcher.disconnect();
      resolve(JSON.stringify({ closing: globalThis.closed, ready: readyOf(document) }));
    };
    // A tab in the background draws no frames.
    // No timeout: where scripts are off, none ever comes, not even in a world of ours.
    scheduler.postTask(finish, { delay: Math.max(most, first) + 50 });
    // A MutationObserver does not see scrolling.
    let place = [scrollX, scrollY].join();
    const frame = () => {
      if (ended) return;
      const now = [scrollX, scrollY].join();
      if (changed || now !== place) {
        still = 0;
        any = true;
      } else still++;
      changed = false;
      place = now;
      const spent = performance.now() - begin;
      if ((still >= 2 && (any || spent >= first)) || spent >= Math.max(most, first)) finish();
      else requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
