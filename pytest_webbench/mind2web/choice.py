"""Which steps a session measures, and where they are fetched from."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final, Literal

from ..errors import SettingsError
from .records import RecordedStep
from .store import Steps, index_of, kept

REVISION: Final = "17ece8eb89862368edc0cc806acee6fca5163474"
"""Commit of the dataset that is read unless another is asked for: figures of different data cannot be compared."""


Tell = Callable[[int, int], None]
"""Hears, while something is downloaded, how many tasks and bytes have come so far."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What the ``--m2w-*`` options say. ``bundled`` is the suite's own file."""

    source: Literal["bundled", "file", "hf"]
    bundled: Path
    cache: Path
    path: Path | None = None
    split: str = "test_task"
    shard: int | None = None
    revision: str = REVISION
    hub: str = "https://huggingface.co"
    limit_tasks: int | None = None
    limit: int | None = None
    sample: int | None = None
    seed: int = 0
    tell: Tell = lambda _tasks, _size: None

    def steps(self) -> Steps:
        """The chosen steps, from the cache where they are in it."""
        found = self._all()
        if not found.entries:
            raise SettingsError(
                f"there are no steps in {self.path or self.bundled if self.source != 'hf' else self.split}"
            )
        if self.limit_tasks is not None:
            found = found.first_tasks(self.limit_tasks)
        if self.sample is not None:
            found = found.sample(self.sample, self.seed)
        return Steps(found.path, found.entries[: self.limit])

    def _all(self) -> Steps:
        if self.source == "hf":
            # Where the first tasks are all that is wanted, no more than these are downloaded.
            first = self.limit_tasks
            return kept(self.cache, ["hf", self.hub, self.revision, self.split, self.shard, first], self._download)
        path = self.bundled if self.source == "bundled" else self.path
        if path is None:
            raise SettingsError("--m2w-source file needs --m2w-path")
        if path.suffix == ".jsonl" and path.is_file():
            return index_of(path)
        state = [(str(one), one.stat().st_size, one.stat().st_mtime_ns) for one in _files(path)]
        return kept(self.cache, ["file", state, self.split, self.shard], lambda: _read(path, self.split, self.shard))

    def _download(self) -> Iterator[RecordedStep]:
        from .normalize import steps_of
        from .sources.hub import Hub, shards_of

        hub = Hub(base=self.hub, revision=self.revision, token=os.environ.get("HF_TOKEN", ""))
        try:
            tasks = (task for shard in shards_of(self.split, self.shard) for task in hub.tasks(shard))
            for number, task in enumerate(islice(tasks, self.limit_tasks), start=1):
                self.tell(number, hub.received)
                yield from steps_of(task, split=self.split)
        finally:
            hub.close()


def _files(path: Path) -> list[Path]:
    if not path.exists():
        raise SettingsError(f"{path} does not exist")
    return sorted(one for one in path.iterdir() if one.is_file()) if path.is_dir() else [path]


def _read(path: Path, split: str, shard: int | None) -> Iterator[RecordedStep]:
    from .sources.hub import shards_of
    from .sources.local import steps_in

    return steps_in(path, shards_of(split, shard) if split != "train" else [])
