"""Recorded steps in files of this machine: JSONL, task JSON, the encrypted archive, the multimodal edition's tables."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Any, Final

from ...errors import InfraError, SettingsError
from ..normalize import step_of, steps_of
from ..records import RecordedStep, read_jsonl, unpacked
from . import archive
from .hub import Shard
from .streams import tasks_in

_CHUNK: Final = 1 << 18


def steps_in(path: Path, shards: list[Shard]) -> Iterator[RecordedStep]:
    """Steps of a file, or of all files in a folder by name. ``shards`` choose members of an encrypted archive."""
    if path.is_dir():
        files = sorted(file for file in path.iterdir() if _kind(file) in _READERS)
        if not files:
            raise SettingsError(f"{path} holds no file that ends in {', '.join(_READERS)}")
        for file in files:
            yield from steps_in(file, shards)
        return
    if _kind(path) not in _READERS:
        raise SettingsError(f"{path}: use a file that ends in {', '.join(_READERS)}, or a folder of such files")
    if not path.is_file():
        raise SettingsError(f"{path} does not exist")
    try:
        yield from _READERS[_kind(path)](path, shards)
    except OSError as error:
        raise SettingsError(f"{path} cannot be read: {error}") from error


def _kind(path: Path) -> str:
    return ".jsonl.gz" if path.name.endswith(".jsonl.gz") else path.suffix


def _jsonl(path: Path, _shards: list[Shard]) -> Iterator[RecordedStep]:
    yield from read_jsonl(path)


def _packed(path: Path, _shards: list[Shard]) -> Iterator[RecordedStep]:
    yield from unpacked(path)


def _tasks(path: Path, _shards: list[Shard]) -> Iterator[RecordedStep]:
    """A task, or an array of tasks, as the dataset has them."""
    with path.open("rb") as file:
        first = next((byte for byte in iter(lambda: file.read(1), b"") if not byte.isspace()), b"")
        file.seek(0)
        if first == b"[":
            for task in tasks_in(file, str(path)):
                yield from steps_of(task)
            return
        try:
            task = json.load(file)
        except ValueError as error:
            raise SettingsError(f"{path} is no JSON: {error}") from error
        yield from steps_of(task if isinstance(task, dict) else {})


def _archive(path: Path, shards: list[Shard]) -> Iterator[RecordedStep]:
    with path.open("rb") as file:
        directory = archive.members(file)
    for shard in shards:
        name = archive.member_of(shard.split, shard.number)
        for task in archive.tasks_of_member(directory, name, lambda start: _from(path, start), str(path)):
            yield from steps_of(task, split=shard.split)


def _from(path: Path, start: int) -> Iterator[bytes]:
    with path.open("rb") as file:
        file.seek(start)
        yield from iter(lambda: file.read(_CHUNK), b"")


def _table(path: Path, _shards: list[Shard]) -> Iterator[RecordedStep]:
    """Rows of one action each; those of a task lie together."""
    try:
        from pyarrow import parquet
    except ImportError as error:
        raise SettingsError(
            f"{path}: reading parquet needs pyarrow; install it with  pip install 'pytest-webbench[mind2web]'"
        ) from error
    try:
        table = parquet.ParquetFile(path)
    except Exception as error:
        raise InfraError(f"{path} is no parquet file that can be read: {error}") from error
    wanted = [name for name in table.schema_arrow.names if name != "screenshot"]
    rows = (row for batch in table.iter_batches(batch_size=64, columns=wanted) for row in batch.to_pylist())
    for _task, group in groupby(rows, key=lambda row: row.get("annotation_id")):
        yield from _steps_of_rows(list(group))


def _steps_of_rows(rows: list[dict[str, Any]]) -> Iterator[RecordedStep]:
    head = rows[0]
    reprs = [str(one) for one in head.get("action_reprs") or []]
    common = {
        "task_id": str(head.get("annotation_id") or ""),
        "goal": str(head.get("confirmed_task") or ""),
        "num_steps": max(len(reprs), len(rows)),
        **{key: str(head.get(key) or "") for key in ("website", "domain", "subdomain")},
    }
    for number, row in enumerate(rows):
        index = str(row.get("target_action_index"))
        at = int(index) if index.isdecimal() else number
        step = step_of(row, common, index=at, reprs=reprs)
        if step is not None:
            yield step


_READERS: Final[dict[str, Callable[[Path, list[Shard]], Iterator[RecordedStep]]]] = {
    ".jsonl": _jsonl,
    ".jsonl.gz": _packed,
    ".json": _tasks,
    ".zip": _archive,
    ".parquet": _table,
}
