"""Writes the report: an index of all episodes, and files with the details of a few each that are loaded when needed."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import quote

from ...errors import UsageError
from ...run import RunDir
from ...run.notes import read_notes
from ...run.publish import Publication, rewrite
from ..items import Item, RunItems, items_of
from .encode import script_of
from .episode import Asked, Folder, episode_data, first_failing, read_task, task_data
from .index import Index
from .numbers import overview_data
from .pages import safe_page
from .shell import index_html

_CHUNK: Final = 40
"""Episodes per file."""
NOTES: Final = "data/notes.js"


class _Place(NamedTuple):
    """An item, and where its run stands in the report."""

    run: int
    item: Item


def report_folder(run: RunDir, other: RunDir | None = None) -> Path:
    """Where the report of a run is written, or that of its comparison with another."""
    return run.path / ("report" if other is None else f"report-with-{other.path.name}")


def write_report(
    run: RunDir, other: RunDir | None = None, *, on_episode: Callable[[int], None] = lambda _: None
) -> Path:
    """Write the report of a run, beside another if given, and return its ``index.html``.

    ``on_episode`` is called as episodes are done, with their number. `StoreError` if the folder cannot be written.
    """
    dirs = [run] if other is None else [run, other]
    runs = _told_apart([items_of(one) for one in dirs], dirs)
    publication = Publication(report_folder(run, other))
    index = Index()
    for number, chunk in enumerate(_chunks(runs)):
        publication.write(f"data/{number}.js", _details(dirs, chunk, number, index, publication))
        on_episode(len(chunk))
    bases = [_way(publication.final, one.path) for one in dirs]
    publication.write("data/overview.js", script_of("overview", {"bases": bases, **overview_data(runs)}))
    publication.write("data/items.js", script_of("items", index.data()))
    publication.write(NOTES, script_of("notes", notes_data(dirs)))
    publication.write("index.html", index_html(_title(dirs)))
    return publication.commit() / "index.html"


def write_notes(folder: Path, dirs: Sequence[RunDir]) -> None:
    """Bring the notes in a written report up to date."""
    rewrite(folder, NOTES, script_of("notes", notes_data(dirs)))


def notes_data(dirs: Sequence[RunDir]) -> list[dict[str, Any]]:
    """All notes that hold, each with the number of its run."""
    return [
        {"run": number, **note.model_dump(mode="json")}
        for number, one in enumerate(dirs)
        for note in read_notes(one.path)
    ]


def _told_apart(runs: list[RunItems], dirs: Sequence[RunDir]) -> list[RunItems]:
    """Two runs of the same name are called after the folder that each lies in as well."""
    if len({run.tag for run in runs}) == len(runs):
        return runs
    paths = [one.path.resolve() for one in dirs]
    tags = [f"{path.parent.name}/{path.name}" for path in paths]
    if len(set(tags)) < len(tags):
        raise UsageError(f"{paths[0]} and {paths[1]} cannot be told apart: compare two runs with different names")
    return [
        replace(run, tag=tag, items=tuple(replace(item, run=tag) for item in run.items))
        for run, tag in zip(runs, tags, strict=True)
    ]


def _title(dirs: Sequence[RunDir]) -> str:
    return " and ".join(one.path.name for one in dirs)


def _way(report: Path, run: Path) -> str:
    """From the report to a run's folder, as a relative address."""
    steps = os.path.relpath(run.absolute(), report.absolute()).split(os.sep)
    return "/".join(quote(step) for step in steps)


def _chunks(runs: Sequence[RunItems]) -> Iterator[list[_Place]]:
    """All episodes of a task together, for they are looked at together; many of a task in several files."""
    places = [_Place(number, item) for number, run in enumerate(runs) for item in run.items]
    places.sort(key=lambda place: (place.item.plan.suite, place.item.plan.task, place.run, place.item.plan.key))
    for _, group in groupby(places, key=lambda place: (place.item.plan.suite, place.item.plan.task)):
        same = list(group)
        yield from (same[start : start + _CHUNK] for start in range(0, len(same), _CHUNK))


def _details(
    dirs: Sequence[RunDir], chunk: Sequence[_Place], number: int, index: Index, publication: Publication
) -> str:
    """The file with the details of one chunk; its episodes go into the index, their archived pages into files."""
    tasks: dict[str, Asked | None] = {}
    episodes = []
    for place in chunk:
        item, count = place.item, len(index)
        folder = Folder(dirs[place.run].folder_of(item.result))
        digest = f"{place.run}:{item.result.task_digest}"
        if tasks.get(digest) is None:
            tasks[digest] = read_task(folder)
        detail = episode_data(folder, tasks[digest], item.attempts)
        page = safe_page(folder.path / "final.mhtml") if "final.mhtml" in folder.names else None
        if page is not None:
            publication.write(f"pages/{count}.html", page)
        why = first_failing(detail["verdict"]) if item.result.outcome == "failed" else ""
        asked = tasks[digest]
        index.add(place.run, item, why, number, asked.stored if asked else None)
        episodes.append({"item": count, "task": digest, "archived": page is not None, **detail})
    return script_of(
        str(number), {"tasks": [(key, task_data(task)) for key, task in tasks.items()], "episodes": episodes}
    )
