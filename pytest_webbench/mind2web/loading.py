"""Reads the recorded steps that a selection means: from the suite, the user's file, or the hub."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, TypeAlias

from ..errors import SettingsError
from .normalize import steps_of
from .records import RecordedStep
from .selection import Selection
from .sources.hub import Hub, shards_of
from .sources.local import steps_in
from .store import StepStore, cached, index_of

OnProgress: TypeAlias = Callable[[int, int], None]
"""Called during a download with the number of tasks and of bytes received so far."""


def load_steps(
    selection: Selection, bundled: Path, *, on_progress: OnProgress | None = None
) -> StepStore:
    """The selected steps, from the cache if they are in it; ``bundled`` is the suite's own file.

    Raises `SettingsError` if there are none or if a setting cannot be used, `InfraError` if the
    hub cannot be reached, `StoreError` if the cache cannot be written.
    """
    if selection.source == "hf":
        steps = _from_hub(selection, on_progress)
    else:
        steps = _from_file(selection, bundled)
    if not steps.entries:
        where = selection.split if selection.source == "hf" else _file(selection, bundled)
        raise SettingsError(f"there are no steps in {where}")
    if selection.limit_tasks is not None:
        steps = steps.first_tasks(selection.limit_tasks)
    if selection.sample is not None:
        steps = steps.sample(selection.sample, selection.seed)
    return StepStore(steps.path, steps.entries[: selection.limit])


def _from_hub(selection: Selection, on_progress: OnProgress | None) -> StepStore:
    key = [
        "hf",
        selection.hub,
        selection.revision,
        selection.split,
        selection.shard,
        # A download of only the first tasks is not the whole split.
        selection.limit_tasks,
    ]
    return cached(selection.cache, key, lambda: _download(selection, on_progress))


def _download(selection: Selection, on_progress: OnProgress | None) -> Iterator[RecordedStep]:
    hub = Hub(base=selection.hub, revision=selection.revision, token=os.environ.get("HF_TOKEN", ""))
    try:
        tasks = islice(_tasks_of(hub, selection), selection.limit_tasks)
        for number, task in enumerate(tasks, start=1):
            if on_progress is not None:
                on_progress(number, hub.received)
            yield from steps_of(task, split=selection.split)
    finally:
        hub.close()


def _tasks_of(hub: Hub, selection: Selection) -> Iterator[dict[str, Any]]:
    for shard in shards_of(selection.split, selection.shard):
        yield from hub.tasks(shard)


def _from_file(selection: Selection, bundled: Path) -> StepStore:
    path = _file(selection, bundled)
    if path.suffix == ".jsonl" and path.is_file():
        return index_of(path)  # it already is what a cache would hold
    # Size and time instead of a digest, since files may hold gigabytes.
    state = [(str(one), one.stat().st_size, one.stat().st_mtime_ns) for one in _files(path)]
    key = ["file", state, selection.split, selection.shard]
    return cached(selection.cache, key, lambda: _read(path, selection))


def _file(selection: Selection, bundled: Path) -> Path:
    if selection.source == "bundled":
        return bundled
    if selection.path is None:
        raise SettingsError("--m2w-source file needs --m2w-path")
    return selection.path


def _files(path: Path) -> list[Path]:
    if not path.exists():
        raise SettingsError(f"{path} does not exist")
    if path.is_dir():
        return sorted(one for one in path.iterdir() if one.is_file())
    return [path]


def _read(path: Path, selection: Selection) -> Iterator[RecordedStep]:
    if selection.split == "train":
        return steps_in(path, [])  # the encrypted archive holds test splits only
    return steps_in(path, shards_of(selection.split, selection.shard))
