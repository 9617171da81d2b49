"""What a cheat knows of a task beforehand: what its reference solution showed."""

from __future__ import annotations

from pathlib import Path
from typing import Final, NamedTuple

from ..agents.base import GaveUp
from ..evidence.episode_files import EpisodeFiles
from ..evidence.models import HowOpened, ObservedAction

RUNS: Final = Path("runs")
TAG: Final = "redteam-"
"""How tags of runs begin that hold solutions and cheats."""
REFERENCE: Final = "reference"


class Loot(NamedTuple):
    """The end of the solution, and the way to it."""

    url: str
    title: str
    answer: str | None
    storage: dict[str, str]
    way: tuple[str, ...]
    """Addresses of the pages between the start page and the end."""
    actions: tuple[ObservedAction, ...]


def loot_of(task: str) -> Loot:
    """What the newest run with solutions holds of a task; `GaveUp` if that is nothing."""
    folders = sorted(RUNS.glob(f"{TAG}*/episodes/{REFERENCE}/{task}"), key=_age)
    if not folders:
        raise GaveUp(f"no solution of {task} was played: run webbench redteam")
    evidence = EpisodeFiles(folders[-1]).evidence()
    if evidence is None or evidence.page is None:
        raise GaveUp(f"the solution of {task} left no page")
    way = []
    for page in evidence.pages_seen:
        if page.how is not HowOpened.START and not page.final:
            way.append(page.url)
    return Loot(
        url=evidence.page.url,
        title=evidence.page.title,
        answer=evidence.answer,
        storage=dict(evidence.local_storage),
        way=tuple(way),
        actions=evidence.actions,
    )


def _age(folder: Path) -> float:
    return folder.stat().st_mtime
