"""What one step of an agent's loop costs on a page of 1,000 nodes, model left out, beside a bare
Playwright loop.

python -m tests.benchmarks.steps [rounds]
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import ParamSpec, TypeVar
from unittest.mock import patch

from playwright.sync_api import Browser, Playwright, sync_playwright

from pytest_webbench.agents import Budget
from pytest_webbench.agents.loop import Tools, browser_tools
from pytest_webbench.browser.local import browser_provider
from pytest_webbench.browser.settle import settle
from pytest_webbench.episode.runner import EpisodeRunner
from pytest_webbench.episode.watchdog import Watchdog
from pytest_webbench.run import RunDir
from pytest_webbench.task import Task, TaskBrief
from pytest_webbench.task.native import parse_task
from pytest_webbench.world import World
from tests.benchmarks.fixed import Move, fixed_agent, world_of_files
from tests.benchmarks.measure import Sample, table
from tests.benchmarks.observation import COUNT
from tests.benchmarks.overhead import episode

P = ParamSpec("P")
T = TypeVar("T")
ROWS = 82
PAGE = """<!doctype html><title>Items</title><h1>Items</h1>
<form onsubmit="return false"><label>Search <input id=search></label>
<label>Sort <select id=sort><option>Name<option>Price<option>Stock</select></label></form>
<p>In the basket: <b id=basket>0</b></p><table><tbody>{rows}</tbody></table>
<script>document.querySelector('tbody').addEventListener('click', (event) => {{
  if (event.target.tagName === 'BUTTON') basket.textContent = Number(basket.textContent) + 1;
}})</script>"""
ROW = (
    '<tr><td><a href="/item/{n}">Item {n}</a></td><td>{stock} pieces</td><td><span>in '
    "stock</span></td>"
    '<td><button id="add{n}">Add item {n}</button></td></tr>'
)
TURNS = 8
MOVES = [
    move
    for turn in range(TURNS)
    for move in (
        Move("button", f"Add item {turn}", f"#add{turn}"),
        Move("textbox", "Search", "#search", f"lamp {turn}"),
        Move("combobox", "Sort", "#sort", ("Price", "Stock", "Name")[turn % 3]),
    )
]
TASK = f"""
id: basket
goal: Put things into the basket.
start_url: https://items.test/static/items.html
checks:
- name: all are in the basket
  get: {{type: dom_extract, selectors: {{basket: '#basket'}}}}
  metric: json_object_match
  expected: {{basket: {{eq: '{TURNS}'}}}}
"""
BARE = "bare Playwright, elements by id"
OBSERVE = "observe"
ACT = "act: find the element again, check it, Playwright's action"
SETTLE = "settle: what the action started, then two frames without a change"


class Clock:
    """Adds up where time goes; a stage within a stage is taken off the outer one."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)
        self._within = [0.0]

    def timed(self, stage: str, work: Callable[P, T]) -> Callable[P, T]:
        def wrapped(*args: P.args, **options: P.kwargs) -> T:
            begin = time.perf_counter()
            self._within.append(0.0)
            try:
                return work(*args, **options)
            finally:
                spent = time.perf_counter() - begin
                self.seconds[stage] += spent - self._within.pop()
                self._within[-1] += spent

        return wrapped


def timed_tools(clock: Clock) -> Tools:
    """Eyes and hands that tell where time goes."""
    tools = browser_tools()
    tools.observer.look = clock.timed(OBSERVE, tools.observer.look)  # type: ignore[method-assign]
    tools.executor.do = clock.timed(ACT, tools.executor.do)  # type: ignore[method-assign]
    return tools


def bare(browser: Browser, world: World, task: Task) -> float:
    """Seconds of all actions together."""
    context = browser.new_context(**world.context_args())
    page = context.new_page()
    page.goto(task.start_url)
    begin = time.perf_counter()
    for move in MOVES:
        if move.role == "button":
            page.click(move.css)
        elif move.role == "textbox":
            page.fill(move.css, move.text)
        else:
            page.select_option(move.css, move.text)
    seconds = time.perf_counter() - begin
    assert page.inner_text("#basket") == str(TURNS)
    context.close()
    return seconds


def alone(browser: Browser, world: World, task: Task) -> float:
    """The same of an agent that nobody observes."""
    brief = TaskBrief(
        task_id=task.id,
        goal=task.goal,
        start_url=task.start_url,
        wants_answer=False,
        max_actions=60,
        max_seconds=60,
        locale="en-US",
        timezone="UTC",
    )
    context = browser.new_context(**world.context_args())
    page = context.new_page()
    page.goto(task.start_url)
    begin = time.perf_counter()
    fixed_agent(MOVES).run(brief, page, Budget(60, 60, lambda: 0, time.monotonic))
    seconds = time.perf_counter() - begin
    assert page.inner_text("#basket") == str(TURNS)
    context.close()
    return seconds


def main(rounds: int = 9) -> str:
    task = parse_task(TASK, "basket.yaml")
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        (folder / "files").mkdir()
        rows = "".join(ROW.format(n=n, stock=n * 7 % 100) for n in range(ROWS))
        (folder / "files" / "items.html").write_text(PAGE.format(rows=rows), encoding="utf-8")
        with world_of_files(folder, "items.test", folder / "files") as world:
            return measured(playwright, world, task, RunDir(folder / "run"), rounds)


def measured(playwright: Playwright, world: World, task: Task, run: RunDir, rounds: int) -> str:
    browser = browser_provider(playwright, {}, "local").acquire(world)
    runner, clock = EpisodeRunner(Watchdog(), world), Clock()
    plain = episode(browser, runner, world, task, run, agent=lambda: fixed_agent(MOVES))
    timed = episode(
        browser, runner, world, task, run, agent=lambda: fixed_agent(MOVES, timed_tools(clock))
    )
    ways: dict[str, Callable[[], float]] = {
        BARE: lambda: bare(browser, world, task),
        "the loop of our agents, nobody records": lambda: alone(browser, world, task),
        "the loop in an episode, all recorded but pictures": lambda: (
            plain(False, True).agent_seconds
        ),
        "the loop in an episode, everything recorded": lambda: plain(True, True).agent_seconds,
    }
    found: dict[str, list[float]] = {name: [] for name in ways}
    whole = 0.0
    for turn in range(1 + rounds):
        for name, way in ways.items():
            found[name].append(way() / len(MOVES))
        with patch("pytest_webbench.browser.performer.settle", clock.timed(SETTLE, settle)):
            whole += timed(True, True).agent_seconds
        if turn == 0:  # to warm up
            whole = 0.0
            clock.seconds.clear()
    samples = {name: Sample(tuple(values[1:])) for name, values in found.items()}
    clock.seconds["ask the policy, history, stop rules, journal"] = whole - sum(
        clock.seconds.values()
    )
    by_stage = [
        [stage, f"{seconds / rounds / len(MOVES) * 1000:.1f} ms"]
        for stage, seconds in clock.seconds.items()
    ]
    nodes = nodes_of(browser, world, task)
    return (
        by_way(samples, nodes) + "\n\n" + table(["one step, everything recorded", "mean"], by_stage)
    )


def by_way(samples: dict[str, Sample], nodes: int) -> str:
    rows = [
        [
            name,
            f"{one.median * 1000:.1f} ms ({min(one.seconds) * 1000:.1f} to "
            f"{max(one.seconds) * 1000:.1f})",
            f"{(one.median - samples[BARE].median) * 1000:+.1f} ms",
        ]
        for name, one in samples.items()
    ]
    return table(
        [f"one step, page of {nodes:,} nodes", "wall time: median (range)", "beyond bare"], rows
    )


def nodes_of(browser: Browser, world: World, task: Task) -> int:
    with browser.new_context(**world.context_args()) as context:
        page = context.new_page()
        page.goto(task.start_url)
        return int(page.evaluate(COUNT))


if __name__ == "__main__":
    print(main(*map(int, sys.argv[1:2])))
