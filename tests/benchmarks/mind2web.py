"""Recorded steps: page reads per second by way of loading, memory, speed of the loaders."""

from __future__ import annotations

import json
import os
import random
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import psutil
from playwright.sync_api import Browser, BrowserContext, sync_playwright

from pytest_webbench.browser.find import find_browser
from pytest_webbench.mind2web import page_reader
from pytest_webbench.mind2web.page_reader import VIEWPORT, PageReader
from pytest_webbench.mind2web.records import RecordedStep
from pytest_webbench.mind2web.sources import archive
from pytest_webbench.mind2web.sources.hub import Shard
from pytest_webbench.mind2web.sources.local import steps_in
from pytest_webbench.mind2web.sources.streams import tasks_in
from tests.benchmarks.measure import table
from tests.benchmarks.memory import proportional_megabytes
from tests.support import fake_hub

STEPS = {"large": 60, "small": 200}
SAMPLED_EVERY = 20
SHARD_MEGABYTES = 24
WORDS = (
    "offer",
    "price",
    "review",
    "hotel",
    "flight",
    "city",
    "return",
    "adult",
    "room",
    "night",
    "search",
    "detail",
)
APART = "loaded and seen in three calls, as the reference does"
"""Its way of calling, with our scripts: what one call for all saves."""


# -- Pages -------------------------------------------------------------------------------------


class PageMaker:
    """Pages in the dataset's XML with the proportions of a real one: one in six can be clicked."""

    def __init__(self) -> None:
        self._source = random.Random(5)
        self.nodes = 0

    def page(self, cards: int) -> str:
        self.nodes = 0
        inner = "".join(self._card() for _ in range(cards))
        return self._node("html", self._node("body", self._node("main", inner)))

    def _card(self) -> str:
        text, node = self._text, self._node
        link = node(
            "a",
            node("img", "", f'alt="{text(3)}"') + node("text", text(4)),
            f'aria_label="{text(6)}"',
        )
        about = node("p", node("text", text(80)) + node("b", node("text", text(12))))
        return node(
            "div",
            link
            + node("h3", node("text", text(8)))
            + about
            + node("button", node("text", text(2))),
        )

    def _node(self, tag: str, inner: str, attributes: str = "") -> str:
        self.nodes += 1
        head = f'<{tag} backend_node_id="{self.nodes}" {attributes}'.rstrip()
        return f"{head}>{inner}</{tag}>" if inner else f"{head}/>"

    def _text(self, words: int) -> str:
        return " ".join(self._source.choices(WORDS, k=words))


def step_of(cards: int) -> RecordedStep:
    maker = PageMaker()
    html = maker.page(cards)
    return RecordedStep(
        task_id=f"{cards}",
        cleaned_html=html,
        gold_backend_node_id="2",
        gold_backend_node_ids=("2",),
    )


# -- Looking -----------------------------------------------------------------------------------


class Cost(NamedTuple):
    """What one step costs: seconds by the clock, seconds of any processor; and the most memory of
    all processes.
    """

    clock: float
    processor: float
    megabytes: float


def measured(way: Callable[[], object], steps: int) -> Cost:
    """A mean over ``steps``; processor time is of this process, Playwright's driver and the
    browser.
    """
    me = psutil.Process()
    used: dict[int, float] = {}

    def sample() -> float:
        others = me.children(recursive=True)
        for process in others:
            try:
                times = process.cpu_times()
            except psutil.NoSuchProcess:
                continue
            used[process.pid] = times.user + times.system
        return sum(proportional_megabytes(process) for process in (me, *others))

    for _ in range(5):
        way()
    most = sample()
    before, clock, own = dict(used), 0.0, 0.0
    for _ in range(steps // SAMPLED_EVERY):
        begin, begin_own = time.perf_counter(), time.process_time()
        for _ in range(SAMPLED_EVERY):
            way()
        clock, own = clock + time.perf_counter() - begin, own + time.process_time() - begin_own
        most = max(most, sample())
    processor = own + sum(seconds - before.get(pid, 0.0) for pid, seconds in used.items())
    return Cost(clock / steps, processor / steps, most)


def apart(context: BrowserContext, step: RecordedStep) -> Callable[[], object]:
    """Load, look, ask about the target; the page comes back as an object."""
    judge, golds = page_reader.compat_script(), [[step.gold_backend_node_id], 1]

    def way() -> None:
        page = context.pages[0] if context.pages else context.new_page()
        page.set_content(step.cleaned_html, wait_until="domcontentloaded")
        page.evaluate(f"(asked) => JSON.parse(({judge})(asked))", golds)
        page.evaluate(
            "(gold) => Boolean(document.querySelector(`[backend_node_id='${gold}']`))", golds[0]
        )

    return way


def looks(browser: Browser, name: str, step: RecordedStep) -> Iterator[list[str]]:
    reader = PageReader(browser)
    context = browser.new_context(viewport=VIEWPORT)  # type: ignore[arg-type]
    ways: Mapping[str, Callable[[], object]] = {
        "`dom` and `compat`, as a run does": lambda: reader.read_both(step),
        "`dom`": lambda: reader.read(step, "dom"),
        "`expand`": lambda: reader.read(step, "expand"),
        "`compat`": lambda: reader.read_compat(step),
        f"`compat`, {APART}": apart(context, step),
    }
    for way, call in ways.items():
        cost = measured(call, STEPS[name])
        yield [
            name,
            way,
            f"{1 / cost.clock:.0f}",
            f"{cost.processor * 1000:.0f} ms",
            f"{1 / cost.processor:.0f}",
            f"{cost.megabytes:.0f} MB",
        ]
    context.close()
    reader.close()


# -- Loading -----------------------------------------------------------------------------------


def shard(megabytes: int) -> bytes:
    """A shard of tasks with long raw pages and many candidates, as the dataset's are."""
    maker = PageMaker()
    tasks: list[dict[str, Any]] = []
    size = 0
    while size < megabytes * 1_000_000:
        page = maker.page(95)
        raw = page.replace(
            ' backend_node_id="',
            ' class="card" bounding_box_rect="8,120.5,300,20" backend_node_id="',
        )
        attributes = json.dumps(
            {"bounding_box_rect": "8,120.5,300,20", "class": "card", "is_clickable": "true"}
        )
        one = fake_hub.task(len(tasks))
        one["actions"] = [
            {
                **one["actions"][0],
                "raw_html": raw * 3,
                "cleaned_html": page,
                "neg_candidates": [
                    {"tag": "a", "backend_node_id": str(n), "attributes": attributes}
                    for n in range(200)
                ],
            }
        ] * 4
        tasks.append(one)
        size += len(json.dumps(one))
    return json.dumps(tasks, ensure_ascii=False).encode()


def rate(size: int, way: Callable[[], Iterator[object]]) -> str:
    begin, begin_own = time.perf_counter(), time.process_time()
    count = sum(1 for _ in way())
    assert count
    clock, own = time.perf_counter() - begin, time.process_time() - begin_own
    return f"{size / own / 1e6:.0f} MB/s ({size / clock / 1e6:.0f} by the clock)"


def loaders() -> list[list[str]]:
    content = shard(SHARD_MEGABYTES)
    member = "test_task/test_task_0.json"
    with tempfile.TemporaryDirectory() as folder:
        plain, packed = Path(folder, "train_0.json"), Path(folder, "test.zip")
        plain.write_bytes(content)
        packed.write_bytes(fake_hub.archive({member: content}))

        def plain_tasks() -> Iterator[object]:
            with plain.open("rb") as file:
                yield from tasks_in(file, "shard")

        def packed_tasks() -> Iterator[object]:
            with packed.open("rb") as file:
                directory = archive.members(file)
            yield from archive.tasks_of_member(
                directory, member, open_at=lambda start: _from(packed, start), where="archive"
            )

        size = len(content)
        return [
            ["plain JSON", rate(size, plain_tasks), rate(size, lambda: steps_in(plain, []))],
            [
                f"encrypted member, packed {size / os.path.getsize(packed):.0f} to 1",
                rate(size, packed_tasks),
                rate(size, lambda: steps_in(packed, [Shard("test_task", 0)])),
            ],
        ]


def _from(path: Path, start: int) -> Iterator[bytes]:
    with path.open("rb") as file:
        file.seek(start)
        yield from iter(lambda: file.read(1 << 18), b"")


def main() -> str:
    sizes: list[str] = []
    rows: list[list[str]] = []
    with sync_playwright() as playwright:
        for name, step in {"large": step_of(95), "small": step_of(5)}.items():
            browser = playwright.chromium.launch(executable_path=find_browser().path)
            seen = PageReader(browser).read(step).page
            sizes.append(
                f"{name}: {len(step.cleaned_html) / 1000:.0f} KB, {seen.nodes:,} nodes, "
                f"{seen.refs} refs"
            )
            rows += looks(browser, name, step)
            browser.close()
    head = [
        "page",
        "loaded as",
        "steps/s",
        "processor time per step",
        "steps/s of one whole core",
        "all processes, most",
    ]
    load_head = ["shard", "tasks, by processor time", "recorded steps, by processor time"]
    return f"{'; '.join(sizes)}\n\n{table(head, rows)}\n\n{table(load_head, loaders())}"


if __name__ == "__main__":
    print(main())
