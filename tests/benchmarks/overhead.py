"""Cost of the harness: one 3-action task by bare Playwright and as an episode, in turn."""

from __future__ import annotations

import itertools
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from pytest_webbench.agents import Agent
from pytest_webbench.agents.baselines import Scripted
from pytest_webbench.agents.detached import LocalBackoff
from pytest_webbench.browser.context import fresh_context
from pytest_webbench.browser.local import browser_provider
from pytest_webbench.browser.script import StepPerformer
from pytest_webbench.browser.session import Session
from pytest_webbench.episode.agent_context import ContextProvider
from pytest_webbench.episode.runner import EpisodeResult, EpisodeRunner, EpisodeSettings
from pytest_webbench.episode.watchdog import Watchdog
from pytest_webbench.judge import Outcome, judge
from pytest_webbench.run import ItemKey, LedgerEntry, RunDir
from pytest_webbench.run.journal import EpisodeJournal
from pytest_webbench.task import Task
from pytest_webbench.task.native import parse_task
from pytest_webbench.world import World, open_world
from tests.benchmarks.measure import in_turn, ratios, table

MINI = Path(__file__).parents[1] / "support" / "mini"
TASK = """
id: three-actions
goal: Fill the form with a name and a size and send it.
start_url: https://mini.test/form
checks:
- name: it was sent
  get: url_parse
  metric: json_object_match
  expected: {name: Ada, size: Large}
- name: the next page is shown
  get: page_text
  metric: include_exclude
  expected: [You got here.]
solution:
- {do: type, role: textbox, name: Name, text: Ada}
- {do: select, role: combobox, name: Size, option: Large}
- {do: click, role: button, name: Send}
"""
WAYS = {
    "bare Playwright": None,
    "episode, `--webbench-artifacts none`": (False, False),
    "episode, `--webbench-artifacts no-shots`": (False, True),
    "episode, `--webbench-artifacts all`": (True, True),
}


def bare(browser: Browser, world: World, task: Task) -> None:
    context = browser.new_context(**world.context_args())
    page = context.new_page()
    page.goto(task.start_url)
    performer = StepPerformer()
    for step in task.solution:
        performer.perform(page, step)
    page.wait_for_load_state()
    assert "You got here." in page.inner_text("body")
    context.close()


def episode(
    browser: Browser,
    runner: EpisodeRunner,
    world: World,
    task: Task,
    run: RunDir,
    *,
    agent: Callable[[], Agent] | None = None,
    window: dict[str, Any] | None = None,
) -> Callable[[bool, bool], EpisodeResult]:
    """A function that runs one episode, judges it and writes all files.

    ``agent`` makes its agent, a scripted one without; ``window`` are further arguments of its
    browser context.
    """
    numbers = itertools.count()

    def once(step_shots: bool, archive: bool) -> EpisodeResult:
        key = ItemKey("bench", task.id, "bench", next(numbers) + 1)
        folder = run.begin_episode(key)
        folder.write("task.json", task.model_dump_json(indent=1) + "\n")
        context_provider = ContextProvider(EpisodeJournal(folder), LocalBackoff(), trusted=True)
        settings = EpisodeSettings(
            max_actions=60,
            max_seconds=60,
            locale="en-US",
            timezone="UTC",
            archive=archive,
            context_provider=context_provider,
        )
        result = runner.run(
            task,
            Scripted(task.solution, StepPerformer().perform) if agent is None else agent(),
            settings=settings,
            sink=folder,
            open_session=lambda extra: Session(
                fresh_context(browser, {**world.context_args(), **(window or {}), **extra}),
                folder,
                step_shots=step_shots,
            ),
        )
        copies = result.captured.archive
        if copies.mhtml is not None and copies.screenshot is not None:
            folder.write("final.mhtml", copies.mhtml)
            folder.write("final.jpg", copies.screenshot)
        verdict = judge(task, folder.write_evidence(result.captured.evidence))
        assert verdict.outcome is Outcome.PASSED, verdict
        folder.write("verdict.json", verdict.to_json())
        folder.commit()
        entry = LedgerEntry(
            suite="bench", task=task.id, agent="bench", world=world.name, outcome="passed"
        )
        run.record(entry, "main")
        return result

    return once


def main(rounds: int = 25) -> str:
    task = parse_task(TASK, "three-actions.yaml")
    world = open_world("replica", MINI)
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = browser_provider(playwright, {}, "local").acquire(world)
        once = episode(browser, EpisodeRunner(Watchdog(), world), world, task, RunDir(Path(folder)))
        ways = {
            name: (lambda: bare(browser, world, task))
            if flags is None
            else (lambda flags=flags: once(*flags))
            for name, flags in WAYS.items()
        }
        samples = in_turn(ways, rounds=rounds)
        world.close()
    against = ratios(samples, "bare Playwright")
    rows = [[name, str(sample), f"{against[name]:.2f}"] for name, sample in samples.items()]
    return table(
        ["3-action task, replica world", "wall time: median (range)", "ratio to bare"], rows
    )


if __name__ == "__main__":
    print(main())
