"""Cost of an observation beside Playwright's and Chromium's own, by size of the page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from pytest_webbench.browser.local import browser_provider
from pytest_webbench.browser.observer import Observer
from pytest_webbench.world import World, open_world
from tests.benchmarks.measure import Sample, in_turn, ratios, table

MINI = Path(__file__).parents[1] / "support" / "mini"
NODES = (1_000, 10_000)
ROUNDS = {1_000: 25, 10_000: 7}
OURS = "our observation"
FILL = """(rows) => {
  const row = (n) =>
    `<tr><td><a href="/item/${n}">Item ${n}</a></td><td>${n * 7 % 100} pieces</td>` +
    `<td><span class=tag>in stock</span></td><td><button>Add item ${n}</button></td></tr>`;
  document.body.innerHTML =
    '<h1>Items</h1><form><label>Search <input name=q></label> <button>Go</button></form>' +
    '<table><tbody>' + Array.from({ length: rows }, (_, n) => row(n)).join('') + '</tbody></table>';
}"""
NODES_PER_ROW = 12
COUNT = """() => {
  const shown = NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT;
  const walker = document.createTreeWalker(document.documentElement, shown);
  let count = 1;
  while (walker.nextNode()) count++;
  return count;
}"""


def looks(browser: Browser, world: World, nodes: int) -> tuple[int, dict[str, Sample]]:
    """How many nodes the page has, and the times of one look by each way."""
    context = browser.new_context(**world.context_args())
    page = context.new_page()
    page.goto("https://mini.test/")
    page.evaluate(FILL, nodes // NODES_PER_ROW)
    session = context.new_cdp_session(page)

    def rest() -> None:
        page.evaluate("getComputedStyle(document.body).height")
        page.evaluate("new Promise((resolve) => requestIdleCallback(resolve, { timeout: 200 }))")
        seen.look(page)

    whole, seen = Observer(), Observer(viewport_only=True)
    ways: dict[str, Callable[[], object]] = {
        OURS: lambda: whole.look(page),
        "our observation, viewport only": lambda: seen.look(page),
        "our observation, simplified HTML": lambda: whole.look(page, mode="html"),
        "`page.aria_snapshot()`": page.aria_snapshot,
        '`page.aria_snapshot(mode="ai")`': lambda: page.aria_snapshot(mode="ai"),
        "CDP `DOMSnapshot.captureSnapshot`": lambda: session.send(
            "DOMSnapshot.captureSnapshot", {"computedStyles": []}
        ),
        "CDP `Accessibility.getFullAXTree`": lambda: session.send("Accessibility.getFullAXTree"),
    }
    count = int(page.evaluate(COUNT))
    # What one way leaves to be done, such as a garbage collection, must not be the next one's
    # cost: before each there
    # is an idle moment, and a look that is not counted.
    turns: dict[str, Callable[[], object]] = {}
    for name, way in ways.items():
        turns |= {f"rest before {name}": rest, name: way}
    samples = in_turn(turns, rounds=ROUNDS[nodes])
    context.close()
    return count, {name: samples[name] for name in ways}


def main() -> str:
    world = open_world("replica", MINI)
    with sync_playwright() as playwright:
        browser = browser_provider(playwright, {}, "local").acquire(world)
        found = [looks(browser, world, nodes) for nodes in NODES]
        world.close()
    head = ["one look"]
    for count, _ in found:
        head += [f"{count:,} nodes: median (range)", "times ours"]
    rows = []
    for way in found[0][1]:
        row = [way]
        for _, samples in found:
            row += [str(samples[way]), f"{ratios(samples, OURS)[way]:.1f}"]
        rows.append(row)
    return table(head, rows)


if __name__ == "__main__":
    print(main())
