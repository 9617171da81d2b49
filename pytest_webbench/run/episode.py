"""A stored episode: what its folder holds of the task, the verdict and the agent's own account."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel, ConfigDict

from .._json import parse_object
from ..evidence.episode_files import EpisodeFiles
from ..judge import Verdict
from ..task import Task
from ..task.stored import parse_stored_task


class Shot(BaseModel):
    """A picture taken when an action took effect: of which page, at which width in CSS pixels."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    number: int
    url: str = ""
    width: int = 0


class StoredEpisode(EpisodeFiles):
    """One attempt's folder; see `EpisodeFiles` for what a damaged one gives."""

    def task(self) -> Task | None:
        """The task as it was given to the agent and judged."""
        return self.parse("task.json", parse_stored_task)

    def verdict(self) -> Verdict | None:
        """The verdict as it was last judged."""
        return self.parse("verdict.json", Verdict.model_validate_json)

    def journal(self) -> Iterator[dict[str, Any]]:
        """The agent's own account, one object per note."""
        return self.lines("agent.jsonl", parse_object)

    def shots(self) -> list[Shot]:
        """The pictures that were taken, in order, with what is known of each."""
        known = {}
        for shot in self.lines("shots.jsonl", Shot.model_validate_json):
            known[shot.number] = shot
        found = []
        for name in EpisodeFiles(self._root, self._name("shots")).names:
            number = name.removesuffix(".jpg")
            if number != name and number.isdecimal():
                found.append(known.get(int(number), Shot(number=int(number))))
        return sorted(found, key=lambda shot: shot.number)
