"""The replay agent: whose steps it plays, in which order, and what it says when that fails."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

import pytest
from playwright.sync_api import Page

from pytest_webbench.agents import Budget, GaveUp
from pytest_webbench.agents.registry import BuildContext
from pytest_webbench.agents.replay import ReplayAgent, ReplayOptions, make
from pytest_webbench.browser.replayer import describe_recorded
from pytest_webbench.errors import SettingsError, StepError
from pytest_webbench.evidence.models import ObservedAction, TouchedElement
from pytest_webbench.task import TaskBrief


class Tab:
    """A tab that is open."""

    def __init__(self) -> None:
        self.context, self.pages = self, [self]

    def is_closed(self) -> bool:
        return False


def brief(task: str = "t") -> TaskBrief:
    return TaskBrief(
        task_id=task,
        goal="Do it.",
        start_url="https://a.test/",
        wants_answer=False,
        max_actions=60,
        max_seconds=9.0,
        locale="en-US",
        timezone="UTC",
    )


def action(number: int, name: str, kind: Any = "click") -> ObservedAction:
    return ObservedAction(
        number=number, kind=kind, target=TouchedElement(role="link", name=name, tag="a")
    )


def record(folder: Path, *names: str, task: str = "t", answer: str | None = None) -> Path:
    folder.mkdir(parents=True)
    steps = [action(number, name).model_dump_json() for number, name in enumerate(names, 1)]
    (folder / "steps.jsonl").write_text("\n".join(steps) + "\n", "utf-8")
    (folder / "task.json").write_text(json.dumps({"id": task}), "utf-8")
    (folder / "evidence.json").write_text(json.dumps({"answer": answer}), "utf-8")
    return folder


def play(
    path: Path, *, task: str = "t", agent: str | None = None, actions: int = 60
) -> tuple[str | None, list[str]]:
    done: list[str] = []

    def repeat(_page: Page, step: ObservedAction) -> None:
        if step.target.name == "gone":
            raise StepError(f"{describe_recorded(step)}: no such element")
        done.append(step.target.name)

    replay = ReplayAgent(path, repeat, agent=agent)
    return replay.run(
        brief(task), cast(Page, Tab()), Budget(actions, 60.0, lambda: len(done), lambda: 0.0)
    ), done


def test_replay_repeats_actions_in_order_and_answers(tmp_path: Path) -> None:
    assert play(record(tmp_path / "e", "A", "B", answer="17")) == ("17", ["A", "B"])


def test_run_is_searched_for_the_task(tmp_path: Path) -> None:
    record(tmp_path / "episodes" / "scripted" / "t", "A")
    record(tmp_path / "episodes" / "scripted" / "u", "B", task="u")
    assert play(tmp_path) == (None, ["A"])
    assert play(tmp_path, task="u") == (None, ["B"])


def test_replay_of_several_agents_needs_a_choice(tmp_path: Path) -> None:
    record(tmp_path / "episodes" / "one" / "t", "A")
    record(tmp_path / "episodes" / "two" / "t", "B")
    assert play(tmp_path, agent="two") == (None, ["B"])
    with pytest.raises(SettingsError, match="by several agents: one, two; choose one"):
        play(tmp_path)


def test_recording_of_another_task_is_refused(tmp_path: Path) -> None:
    with pytest.raises(GaveUp, match="a recording of the task t, not of u"):
        play(record(tmp_path / "e", "A"), task="u")
    (tmp_path / "run" / "episodes").mkdir(parents=True)
    with pytest.raises(GaveUp, match="has no recorded steps of the task t"):
        play(tmp_path / "run")


def test_unrepeatable_step_is_reported(tmp_path: Path) -> None:
    with pytest.raises(
        GaveUp, match=r'cannot be repeated: 2\. click link "gone": no such element$'
    ):
        play(record(tmp_path / "e", "A", "gone", "B"))


def test_budget_ends_a_replay(tmp_path: Path) -> None:
    with pytest.raises(GaveUp, match="more actions than the budget"):
        play(record(tmp_path / "e", "A", "B", "C"), actions=2)


def test_broken_lines_and_files_are_skipped(tmp_path: Path) -> None:
    folder = record(tmp_path / "e", "A", answer="17")
    with (folder / "steps.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"number": 2, "kin')
    for name in ("task.json", "evidence.json"):
        (folder / name).write_text("[", "utf-8")
    assert play(folder) == (None, ["A"])


def test_path_without_a_recording_is_a_settings_error(tmp_path: Path) -> None:
    options = ReplayOptions.model_validate(ReplayOptions.inline("nowhere"))
    with pytest.raises(SettingsError, match="folder of neither a run nor an episode"):
        make(options, BuildContext(name="replay", root=tmp_path))
    record(tmp_path / "nowhere", "A")
    assert isinstance(make(options, BuildContext(name="replay", root=tmp_path)), ReplayAgent)
