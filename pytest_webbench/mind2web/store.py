"""Recorded steps on disk with an index: a worker holds a line per step and reads a page when it is that page's turn.

What is downloaded, decrypted or decompressed is kept, outside of any repository, and never written a second time.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, NamedTuple

from filelock import FileLock

from ..errors import SettingsError, StoreError
from .records import RecordedStep, read_lines, to_line

FORMAT: Final = 1
"""Part of every key: what an older program has normalised is not taken for what this one would."""


class Entry(NamedTuple):
    """One step's line in the index."""

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
class Steps:
    """Steps of one JSONL file, those that are chosen, in order."""

    path: Path
    entries: tuple[Entry, ...]

    def read(self, entry: Entry) -> RecordedStep:
        """The step; `StoreError` if the file is not what it was."""
        try:
            with self.path.open("rb") as file:
                file.seek(entry.offset)
                line = file.read(entry.length)
        except OSError as error:
            raise StoreError(f"{self.path} cannot be read: {error}") from error
        if _digest(line) != entry.digest:
            raise StoreError(f"{self.path} has changed since the steps in it were counted; run again")
        step = next(read_lines([line.decode("utf-8", "replace")], str(self.path)))
        return step.model_copy(update={"task_id": entry.task, "step_index": entry.number})

    def first_tasks(self, count: int) -> Steps:
        """The steps of the first tasks only."""
        names = set(list(dict.fromkeys(entry.task for entry in self.entries))[:count])
        return replace(self, entries=tuple(entry for entry in self.entries if entry.task in names))

    def sample(self, tasks: int, seed: int) -> Steps:
        """Whole tasks drawn by lot, of each site its share, the same for the same seed.

        Tasks are put in order of their sites, both shuffled, and taken at equal distances: every task has the same
        chance, so that means over the sample are those of the whole.
        """
        source = random.Random(seed)
        by_site: dict[str, list[str]] = {}
        for task, site in sorted({entry.task: entry.website for entry in self.entries}.items()):
            by_site.setdefault(site, []).append(task)
        sites = sorted(by_site)
        source.shuffle(sites)
        ordered = [task for site in sites for task in source.sample(by_site[site], len(by_site[site]))]
        if tasks >= len(ordered):
            return self
        distance = len(ordered) / tasks
        start = source.random() * distance
        chosen = {ordered[min(int(start + number * distance), len(ordered) - 1)] for number in range(tasks)}
        return replace(self, entries=tuple(entry for entry in self.entries if entry.task in chosen))

    def copy_to(self, path: Path, names: set[str]) -> int:
        """Write the steps with these names as JSONL of their own; how many."""
        lines = [to_line(self.read(entry)) for entry in self.entries if entry.name in names]
        _write(path, iter(lines))
        return len(lines)


def index_of(path: Path) -> Steps:
    """All steps of a JSONL file."""
    entries, offset = [], 0
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                if line.strip():
                    entries.append(_entry(line, offset, f"{path}, line {number}"))
                offset += len(line)
    except OSError as error:
        raise SettingsError(f"{path} cannot be read: {error}") from error
    return Steps(path, tuple(_with_names_of_their_own(entries)))


def _entry(line: bytes, offset: int, where: str) -> Entry:
    try:
        told: Any = json.loads(line)
    except ValueError as error:
        raise SettingsError(f"{where}: no JSON: {error}") from error
    if not isinstance(told, dict) or "cleaned_html" not in told:
        raise SettingsError(f"{where}: no recorded step: it has no `cleaned_html`")
    text = {key: str(told.get(key) or "") for key in ("task_id", "website", "domain", "op", "role", "split")}
    index = told.get("step_index")
    return Entry(
        offset, len(line), text["task_id"] or "task", index if isinstance(index, int) else 0,
        text["website"], text["domain"], text["op"], text["role"], text["split"], _digest(line),
    )  # fmt: skip


def _with_names_of_their_own(entries: list[Entry]) -> Iterator[Entry]:
    """Two shards can hold a task of the same name: the later one gets a number."""
    taken: set[str] = set()
    for entry in entries:
        own, count = entry, 1
        while own.name in taken:
            count += 1
            own = entry._replace(task=f"{entry.task}.{count}")
        taken.add(own.name)
        yield own


def kept(cache: Path, key: object, steps: Callable[[], Iterator[RecordedStep]]) -> Steps:
    """The steps that ``key`` stands for: from the cache, or made now, by one process while the others wait."""
    name = hashlib.blake2b(json.dumps([FORMAT, key], sort_keys=True, default=str).encode(), digest_size=12).hexdigest()
    path = cache / f"{name}.jsonl"
    if not path.is_file():
        try:
            cache.mkdir(parents=True, exist_ok=True)
            with FileLock(cache / f"{name}.lock"):
                if not path.is_file():
                    _write(path, map(to_line, steps()))
        except OSError as error:
            raise StoreError(f"{cache} cannot be written: {error}; choose another folder with --m2w-cache") from error
    return index_of(path)


def _write(path: Path, lines: Iterator[str]) -> None:
    """The whole file or none; compressed if its name says so, the same bytes for the same steps."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with temporary.open("wb") as raw:
            file = gzip.GzipFile("", "wb", 9, raw, mtime=0) if path.suffix == ".gz" else raw
            for line in lines:
                file.write(line.encode("utf-8", "replace") + b"\n")
            if file is not raw:
                file.close()
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def write_steps(path: Path, steps: Iterator[RecordedStep]) -> None:
    """Steps as a file of their own."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _write(path, map(to_line, steps))
    except OSError as error:
        raise StoreError(f"{path} cannot be written: {error}") from error


def _digest(line: bytes) -> str:
    return hashlib.blake2b(line.strip(), digest_size=16).hexdigest()
