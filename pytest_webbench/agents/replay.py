"""The replay agent: repeats the steps of a recorded episode of the same task, and gives its answer."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from ..errors import SettingsError, StepError
from ..evidence.models import ObservedAction
from ..evidence.steps import read_steps
from ..task.models import TaskBrief
from .base import Agent, Budget, GaveUp
from .types import AgentOptions, Kit

if TYPE_CHECKING:
    from playwright.sync_api import Page

Repeat = Callable[["Page", ObservedAction], None]


class Options(AgentOptions):
    """Keys of ``[agents.<name>]`` with ``type = "replay"``."""

    type: Literal["replay"] = "replay"
    path: Path = Field(description="folder of a run, or of one episode")
    agent: str | None = Field(None, description="whose episodes to replay, if the run has those of several agents")

    @classmethod
    def inline(cls, rest: str) -> dict[str, Any]:
        """``replay:runs/first-try``."""
        return {"path": rest}


def make(options: Options, kit: Kit) -> Agent:
    """A fresh agent; `SettingsError` if there is no recording at the path."""
    from ..browser.again import Again

    path = kit.root / options.path
    if not (path / "steps.jsonl").is_file() and not (path / "episodes").is_dir():
        raise SettingsError(f"agent {kit.name!r}: {path} is the folder of neither a run nor an episode with steps")
    return Replay(path, Again().do, agent=options.agent)


class Replay:
    """Repeats an episode's steps in order; `GaveUp` at the first that cannot be repeated."""

    def __init__(self, path: Path, repeat: Repeat, *, agent: str | None = None) -> None:
        self._path, self._repeat, self._agent = path, repeat, agent

    def run(self, brief: TaskBrief, page: Page, budget: Budget) -> str | None:
        """Replay the episode of this task."""
        folder = self._episode(brief.task_id)
        for step in read_steps(folder):
            if budget.actions_left == 0:
                raise GaveUp("the recording has more actions than the budget allows")
            try:
                self._repeat(next((tab for tab in page.context.pages if not tab.is_closed()), page), step)
            except StepError as error:
                raise GaveUp(f"the recording {folder} cannot be repeated: {error}") from error
        return recorded_answer(folder)

    def _episode(self, task: str) -> Path:
        """The folder of the task's episode."""
        if (self._path / "steps.jsonl").is_file():
            recorded = _read(self._path / "task.json").get("id", task)
            if recorded != task:
                raise GaveUp(f"{self._path} is a recording of the task {recorded}, not of {task}")
            return self._path
        found = sorted(
            folder.parent for folder in (self._path / "episodes").glob(f"{self._agent or '*'}/{task}/steps.jsonl")
        )
        if not found:
            raise GaveUp(f"{self._path} has no recorded steps of the task {task}")
        if len(found) > 1:
            names = ", ".join(folder.parent.name for folder in found)
            raise SettingsError(
                f"{self._path} has episodes of {task} by several agents: {names}; choose one as `agent`"
            )
        return found[0]


def recorded_answer(folder: Path) -> str | None:
    """The answer that was given; None if there was none."""
    answer = _read(folder / "evidence.json").get("answer")
    return answer if isinstance(answer, str) else None


def _read(path: Path) -> dict[str, Any]:
    """A JSON object; empty if there is none that can be read."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
