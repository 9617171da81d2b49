"""Writes the report: an index of all episodes, and files with the details of a few each.

A browser loads a file of details when one of its episodes is looked at.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import quote

from ...errors import UsageError
from ...evidence.episode_files import RECORDED_PAGE
from ...run import RunDir, StoredEpisode
from ...run.annotations import read_notes
from ...run.ledger import RECORDED
from ...run.publish import Publication, rewrite
from ..results import ItemResult, RunResults, TaskKey, read_results, tagged
from .encode import script_of
from .episode import StoredTask, episode_data, first_failing, read_task, task_data
from .index import Index
from .numbers import overview_data
from .pages import safe_page, safe_recording
from .recorded import RoleCounts, read_step, step_data
from .shell import index_html

_CHUNK: Final = 40
"""Episodes per file."""
NOTES: Final = "data/notes.js"


class _Numbered(NamedTuple):
    """A result, and the number of its run in the report."""

    run: int
    result: ItemResult


def report_folder(run: RunDir, other: RunDir | None = None) -> Path:
    """Where the report of a run is written, or that of its comparison with another."""
    if other is None:
        return run.path / "report"
    return run.path / f"report-with-{other.path.resolve().name}"


def write_report(
    run: RunDir, other: RunDir | None = None, *, on_episode: Callable[[int], None] = lambda _: None
) -> Path:
    """Write the report of a run, beside another if given, and return its ``index.html``.

    ``on_episode`` is called with a number of episodes done. `StoreError` if the folder cannot be
    written, `UsageError` if the two runs are the same.
    """
    dirs = [run]
    if other is not None:
        dirs.append(other)
    runs = _told_apart(list(map(read_results, dirs)), dirs)
    publication = Publication(report_folder(run, other))
    index = Index()
    details = _Details(dirs, index, publication)
    for number, chunk in enumerate(_chunks(runs)):
        publication.write(f"data/{number}.js", details.script(number, chunk))
        on_episode(len(chunk))
    overview = {
        "bases": [_relative_address(one.path, publication.final) for one in dirs],
        **overview_data(runs),
        "roles": details.roles.data(),
    }
    publication.write("data/overview.js", script_of("overview", overview))
    publication.write("data/items.js", script_of("items", index.data()))
    publication.write(NOTES, script_of("notes", notes_data(dirs)))
    publication.write("index.html", index_html(title_of(dirs)))
    return publication.commit() / "index.html"


def write_notes(folder: Path, dirs: Sequence[RunDir]) -> None:
    """Bring the notes in a written report up to date."""
    rewrite(folder, NOTES, script_of("notes", notes_data(dirs)))


def notes_data(dirs: Sequence[RunDir]) -> list[dict[str, Any]]:
    """All notes that hold, each with the number of its run."""
    found = []
    for number, one in enumerate(dirs):
        for note in read_notes(one.path):
            found.append({"run": number, **note.model_dump(mode="json")})
    return found


def title_of(dirs: Sequence[RunDir]) -> str:
    """Title of the report of these runs."""
    return " and ".join(one.path.name for one in dirs)


def _told_apart(runs: list[RunResults], dirs: Sequence[RunDir]) -> list[RunResults]:
    """Runs of the same name are called after the folder that each is in as well."""
    if len({run.tag for run in runs}) == len(runs):
        return runs
    paths = [one.path.resolve() for one in dirs]
    tags = [f"{path.parent.name}/{path.name}" for path in paths]
    if len(set(tags)) < len(tags):
        raise UsageError(
            f"{paths[0]} and {paths[1]} cannot be told apart: compare two runs with different names"
        )
    return list(map(tagged, runs, tags))


def _relative_address(run: Path, report: Path) -> str:
    """A run's folder as a relative address in its report."""
    steps = os.path.relpath(run.absolute(), report.absolute()).split(os.sep)
    return "/".join(map(quote, steps))


def _chunks(runs: Sequence[RunResults]) -> Iterator[list[_Numbered]]:
    """All episodes of a task together, for they are looked at together; many in several files."""
    every = []
    for number, run in enumerate(runs):
        every += [_Numbered(number, result) for result in run.results]
    every.sort(key=lambda one: (one.result.task, one.run, one.result.plan.key))
    for _, group in groupby(every, key=_task_of):
        same = list(group)
        for start in range(0, len(same), _CHUNK):
            yield same[start : start + _CHUNK]


def _task_of(one: _Numbered) -> TaskKey:
    return one.result.task


class _Details:
    """Makes the files of details.

    Their episodes go into the index, archived pages into files of the publication.
    """

    def __init__(self, dirs: Sequence[RunDir], index: Index, publication: Publication) -> None:
        self._dirs, self._index, self._publication = dirs, index, publication
        self.roles = RoleCounts()
        """The recorded steps among the episodes."""

    def script(self, number: int, chunk: Sequence[_Numbered]) -> str:
        """File ``number``, with the details of one chunk."""
        tasks: dict[str, StoredTask | None] = {}
        episodes = []
        for one in chunk:
            episodes.append(self._episode(one, tasks, chunk=number))
        shown = [(key, task_data(file)) for key, file in tasks.items()]
        return script_of(str(number), {"tasks": shown, "episodes": episodes})

    def _episode(
        self, one: _Numbered, tasks: dict[str, StoredTask | None], *, chunk: int
    ) -> dict[str, Any]:
        entry, item = one.result.entry, len(self._index)
        episode = self._dirs[one.run].stored_episode(entry)
        # Tasks are stored once per file of details: a goal can be long, and repeats are many.
        digest = f"{one.run}:{entry.task_digest}"
        if tasks.get(digest) is None:
            tasks[digest] = read_task(episode)
        file = tasks[digest]
        detail = episode_data(episode, file, one.result.attempts)
        page = self._page(episode, one.result, detail)
        if page is not None:
            self._publication.write(f"pages/{item}.html", page)
        why = goal = ""
        if one.result.quarantined:
            why = entry.detail
        elif entry.outcome == "failed":
            why = first_failing(detail["verdict"])
        if file is not None:
            goal = file.shown.goal
        self._index.add(one.run, one.result, why=why, chunk=chunk, goal=goal)
        return {"item": item, "task": digest, "archived": page is not None, **detail}

    def _page(
        self, episode: StoredEpisode, result: ItemResult, detail: dict[str, Any]
    ) -> str | None:
        """An episode's page; a recorded step, which has one of its own, is added to ``detail``."""
        if not result.entry.world.startswith(RECORDED):
            return safe_page(episode.content("final.mhtml"))
        step = read_step(episode)
        if step is None:
            return None
        if result.entry.outcome != "unscored":
            self.roles.add(result, step)
        detail["recorded"] = step_data(step)
        return safe_recording(episode.content(RECORDED_PAGE), step.marks())
