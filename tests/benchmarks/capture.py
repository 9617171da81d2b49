"""What evidence costs: capture time per episode by size of the final page."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from pytest_webbench.browser.context import fresh_context
from pytest_webbench.browser.local import browser_provider
from pytest_webbench.browser.session import Session
from pytest_webbench.capture.capture import Capture, Finished
from pytest_webbench.checks import BUILT_IN, Probe
from pytest_webbench.episode.watchdog import Watchdog
from pytest_webbench.evidence.models import Ending, ObservedAction
from pytest_webbench.world import World, open_world
from tests.benchmarks.measure import Sample, table

MINI = Path(__file__).parents[1] / "support" / "mini"
NODES = (100, 1_000, 10_000)
ROUNDS = 9
FILL = """(nodes) => {
  const row = '<div class=row><b>Name</b><span>value</span></div>';  // 5 nodes with its texts
  document.body.innerHTML = '<main>' + row.repeat(nodes / 5) + '</main>';
}"""
WAYS: dict[str, tuple[bool, list[Probe]]] = {
    "texts, storage, history, tabs": (False, []),
    "and a selector": (
        False,
        [Probe("domExtract", {"selectors": {"a": ".row b"}, "attr": None, "all": True})],
    ),
    "and the accessibility tree": (
        False,
        [probe for probe in [BUILT_IN.getters["axtree_query"]().probe()] if probe],
    ),
    "and the archive": (True, []),
}


class Nowhere:
    """A sink that keeps nothing."""

    def step(self, action: ObservedAction) -> None: ...

    def step_changed(self, action: ObservedAction) -> None: ...

    def shot(self, number: int, jpeg: bytes, url: str, width: int) -> None: ...

    def secret(self, value: str, field: str) -> None: ...

    def shown(self, value: str) -> None: ...


def captures(
    browser: Browser,
    world: World,
    limit: Callable[[float], AbstractContextManager[None]],
    nodes: int,
) -> dict[str, Sample]:
    """Times of one capture of a page with so many nodes."""
    found = {}
    for name, (archive, probes) in WAYS.items():
        seconds = []
        for _ in range(ROUNDS):
            session = Session(
                fresh_context(browser, world.context_args()), Nowhere(), step_shots=False
            )
            session.open("https://mini.test/", timeout=20)
            session.begin()
            session.page.evaluate(FILL, nodes)
            session.flush()
            session.end()
            begin = time.perf_counter()
            captured = Capture(session, limit, archive=archive).run(
                task="t",
                finished=Finished(Ending.DONE, None),
                probes=probes,
                outside=[],
                delivered=None,
            )
            seconds.append(time.perf_counter() - begin)
            assert captured.evidence.gaps == (), captured.evidence.gaps
            session.close()
        found[name] = Sample(tuple(seconds))
    return found


def main() -> str:
    world = open_world("replica", MINI)
    watchdog = Watchdog()
    with sync_playwright() as playwright:
        browser = browser_provider(playwright, {}, "local").acquire(world)
        samples = {
            nodes: captures(
                browser, world, lambda seconds: watchdog.limit(seconds, "capture"), nodes
            )
            for nodes in NODES
        }
        world.close()
    rows = [
        [
            name,
            *(
                f"{statistics.median(samples[nodes][name].seconds) * 1000:.0f} ms"
                for nodes in NODES
            ),
        ]
        for name in WAYS
    ]
    return table(["one capture, median", *(f"{nodes:,} nodes" for nodes in NODES)], rows)


if __name__ == "__main__":
    print(main())
