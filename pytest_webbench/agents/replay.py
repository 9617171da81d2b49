"""The type ``replay``: repeats the steps of a recorded episode, and gives its answer."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from pydantic import Field

from ..browser.replayer import Replayer
from ..errors import SettingsError, StepError
from ..evidence.episode_files import EpisodeFiles
from ..evidence.models import ObservedAction
from ..task.models import TaskBrief
from .base import Agent, Budget, GaveUp
from .options import AgentOptions
from .registry import AgentType, BuildContext

if TYPE_CHECKING:
    from playwright.sync_api import Page

Repeat = Callable[["Page", ObservedAction], None]
"""Repeats one recorded action in a page; `StepError` if that is impossible."""
_STEPS_FILE: Final = "steps.jsonl"


class ReplayOptions(AgentOptions):
    """Keys of ``[agents.<name>]`` with ``type = "replay"``."""

    type: Literal["replay"] = "replay"
    path: Path = Field(description="folder of a run, or of one episode")
    agent: str | None = Field(
        None, description="whose episodes to replay, if the run has those of several agents"
    )

    @classmethod
    def inline(cls, rest: str) -> dict[str, Any]:
        """``replay:runs/first-try``."""
        return {"path": rest}


def make(options: ReplayOptions, build: BuildContext) -> Agent:
    """A fresh agent; `SettingsError` if there is no recording at the path."""
    path = build.root / options.path
    if not (path / _STEPS_FILE).is_file() and not (path / "episodes").is_dir():
        raise SettingsError(
            f"agent {build.name!r}: {path} is the folder of neither a run nor an episode with steps"
        )
    return ReplayAgent(path, Replayer().do, agent=options.agent)


AGENT_TYPE: Final = AgentType(
    summary="repeats a recorded episode", options=ReplayOptions, make=make
)


class ReplayAgent:
    """Repeats an episode's steps in order; `GaveUp` at the first that cannot be repeated."""

    def __init__(self, path: Path, repeat: Repeat, *, agent: str | None = None) -> None:
        self._path = path
        self._repeat = repeat
        self._agent = agent

    def run(self, brief: TaskBrief, page: Page, budget: Budget) -> str | None:
        """Replay the episode of this task; the answer is the recorded one."""
        episode = self._episode(brief.task_id)
        for step in episode.steps():
            if budget.actions_left == 0:
                raise GaveUp("the recording has more actions than the budget allows")
            # A step can close the tab that it was recorded in; the replayer finds the right one.
            tabs = [tab for tab in page.context.pages if not tab.is_closed()]
            try:
                self._repeat(tabs[0] if tabs else page, step)
            except StepError as error:
                raise GaveUp(f"the recording {episode.path} cannot be repeated: {error}") from error
        return episode.answer()

    def _episode(self, task: str) -> EpisodeFiles:
        """The recorded episode of the task."""
        single = EpisodeFiles(self._path)
        if _STEPS_FILE in single.names:
            recorded = single.task_id() or task
            if recorded != task:
                raise GaveUp(f"{self._path} is a recording of the task {recorded}, not of {task}")
            return single
        pattern = f"{self._agent or '*'}/{task}/{_STEPS_FILE}"
        found = sorted((self._path / "episodes").glob(pattern))
        if not found:
            raise GaveUp(f"{self._path} has no recorded steps of the task {task}")
        if len(found) > 1:
            agents = ", ".join(steps.parent.parent.name for steps in found)
            raise SettingsError(
                f"{self._path} has episodes of {task} by several agents: {agents}; "
                "choose one as `agent`"
            )
        return EpisodeFiles(self._path, found[0].parent.relative_to(self._path).as_posix())
