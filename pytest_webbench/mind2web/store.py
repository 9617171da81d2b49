"""Recorded steps on disk, with an index: a page is read when its step is measured, not before.

What was downloaded, decrypted or decompressed is kept in a cache outside of any repository, so
that it is done once.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import random
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any, Final, NamedTuple

from .._json import parse_object
from .._locks import LockFile
from ..errors import SettingsError, StoreError
from .records import RecordedStep, read_lines, to_line

FORMAT: Final = 1
"""Part of every key of the cache: goes up when the same source would give other steps."""


class Entry(NamedTuple):
    """One step in the index; ``offset`` and ``length`` locate its line in the file, in bytes."""

    offset: int
    length: int
    task: str
    number: int
    website: str
    domain: str
    op: str
    role: str
    split: str
    digest: str

    @property
    def name(self) -> str:
        """``<task>-<i>``."""
        return f"{self.task}-{self.number}"


@dataclass(frozen=True, slots=True)
class StepStore:
    """Steps of one JSONL file: those that are selected, in order."""

    path: Path
    entries: tuple[Entry, ...]

    def read(self, entry: Entry) -> RecordedStep:
        """The step; `StoreError` if the file has changed or cannot be read."""
        try:
            with self.path.open("rb") as file:
                file.seek(entry.offset)
                line = file.read(entry.length)
        except OSError as error:
            raise StoreError(f"{self.path} cannot be read: {error}") from error
        if _digest(line) != entry.digest:
            raise StoreError(f"{self.path} has changed since it was indexed; run again")
        step = next(read_lines([line.decode("utf-8", "replace")], str(self.path)))
        return step.model_copy(update={"task_id": entry.task, "step_index": entry.number})

    def first_tasks(self, count: int) -> StepStore:
        """Only the steps of the first ``count`` tasks."""
        tasks = list(dict.fromkeys(entry.task for entry in self.entries))
        return self._only(set(tasks[:count]))

    def sample(self, tasks: int, seed: int) -> StepStore:
        """A random sample of whole tasks, each site with its share; the same for the same seed.

        This is systematic sampling: tasks are put in order of their sites, both shuffled, and taken
        at equal distances. Every task has the same chance, so that means over the sample are
        unbiased.
        """
        source = random.Random(seed)
        ordered = self._tasks_by_site(source)
        if tasks >= len(ordered):
            return self
        distance = len(ordered) / tasks
        start = source.random() * distance
        last = len(ordered) - 1  # rounding may step over it
        chosen = {ordered[min(int(start + step * distance), last)] for step in range(tasks)}
        return self._only(chosen)

    def _tasks_by_site(self, source: random.Random) -> list[str]:
        sites: dict[str, list[str]] = {}
        for task, site in sorted({entry.task: entry.website for entry in self.entries}.items()):
            sites.setdefault(site, []).append(task)
        names = sorted(sites)
        source.shuffle(names)
        ordered: list[str] = []
        for name in names:
            ordered += source.sample(sites[name], len(sites[name]))
        return ordered

    def _only(self, tasks: set[str]) -> StepStore:
        return replace(self, entries=tuple(entry for entry in self.entries if entry.task in tasks))

    def copy_to(self, path: Path, names: set[str]) -> int:
        """Write the steps with these names to a file of their own; returns how many there are."""
        steps = (self.read(entry) for entry in self.entries if entry.name in names)
        return _write(path, steps)


# -- The index -------------------------------------------------------------------------------------


def index_of(path: Path) -> StepStore:
    """All steps of a JSONL file; `SettingsError` names a line that is not a step."""
    entries: list[Entry] = []
    offset = 0
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                if line.strip():
                    entries.append(_entry(line, offset, f"{path}, line {number}"))
                offset += len(line)
    except OSError as error:
        raise SettingsError(f"{path} cannot be read: {error}") from error
    return StepStore(path, tuple(_uniquely_named(entries)))


def _entry(line: bytes, offset: int, where: str) -> Entry:
    step = parse_object(line)
    if step is None:
        raise SettingsError(f"{where}: not a recorded step: it is not a JSON object")
    if "cleaned_html" not in step:
        raise SettingsError(f"{where}: not a recorded step: it has no `cleaned_html`")
    index = step.get("step_index")
    return Entry(
        offset=offset,
        length=len(line),
        task=_text(step, "task_id") or "task",
        number=index if isinstance(index, int) else 0,
        website=_text(step, "website"),
        domain=_text(step, "domain"),
        op=_text(step, "op"),
        role=_text(step, "role"),
        split=_text(step, "split"),
        digest=_digest(line),
    )


def _text(step: dict[str, Any], key: str) -> str:
    return str(step.get(key) or "")


def _uniquely_named(entries: list[Entry]) -> Iterator[Entry]:
    """Two shards can hold a task of the same name: the later one gets a number."""
    taken: set[str] = set()
    for entry in entries:
        unique, count = entry, 1
        while unique.name in taken:
            count += 1
            unique = entry._replace(task=f"{entry.task}.{count}")
        taken.add(unique.name)
        yield unique


def _digest(line: bytes) -> str:
    return hashlib.blake2b(line.strip(), digest_size=16).hexdigest()


# -- Files -----------------------------------------------------------------------------------------


def cached(cache: Path, key: object, steps: Callable[[], Iterable[RecordedStep]]) -> StepStore:
    """The steps that ``key`` stands for: from the cache, or from ``steps`` if they are not in it.

    One process calls ``steps`` while others wait. `StoreError` if the cache cannot be written.
    """
    cache = cache.expanduser()
    path = cache / f"{_cache_name(key)}.jsonl"
    if not path.is_file():
        try:
            cache.mkdir(parents=True, exist_ok=True)
            with LockFile(path.with_suffix(".lock")).held():
                if not path.is_file():  # another process may have written it meanwhile
                    _write(path, steps())
        except OSError as error:
            raise StoreError(
                f"{cache} cannot be written: {error}; choose another folder with --m2w-cache"
            ) from error
    return index_of(path)


def _cache_name(key: object) -> str:
    text = json.dumps([FORMAT, key], sort_keys=True, default=str)
    return hashlib.blake2b(text.encode(), digest_size=12).hexdigest()


def write_steps(path: Path, steps: Iterable[RecordedStep]) -> int:
    """Write steps to a file, as gzip if its name ends in ``.gz``; returns how many there are.

    `StoreError` if the file cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return _write(path, steps)
    except OSError as error:
        raise StoreError(f"{path} cannot be written: {error}") from error


def _write(path: Path, steps: Iterable[RecordedStep]) -> int:
    """Write the whole file or nothing."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    count = 0
    try:
        with _opened(temporary, compressed=path.suffix == ".gz") as file:
            for step in steps:
                file.write(to_line(step).encode("utf-8", "replace") + b"\n")
                count += 1
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
    return count


@contextmanager
def _opened(path: Path, *, compressed: bool) -> Iterator[IO[bytes] | gzip.GzipFile]:
    with path.open("wb") as raw:
        if not compressed:
            yield raw
            return
        # Without name and time, so that the same steps give the same bytes.
        with gzip.GzipFile("", "wb", 9, raw, mtime=0) as packed:
            yield packed
