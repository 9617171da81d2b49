"""Recorded steps in local files: JSONL, task JSON, the encrypted archive, parquet tables."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import IO, Any, Final, TypeAlias

from ...errors import InfraError, SettingsError
from ..normalize import step_of, steps_of
from ..records import RecordedStep, read_jsonl
from . import archive
from .hub import Shard
from .streams import tasks_in

_CHUNK: Final = 1 << 18
"""Bytes that are read of an archive at a time."""
_ROWS: Final = 64
"""Rows that are read of a table at a time."""

Reader: TypeAlias = Callable[[Path, list[Shard]], Iterator[RecordedStep]]


def steps_in(path: Path, shards: list[Shard]) -> Iterator[RecordedStep]:
    """Steps of a file, or of all files in a folder in order of their names.

    ``shards`` choose members of an encrypted archive. `SettingsError` if the path is missing or of
    another kind, `InfraError` if a file is damaged.
    """
    if path.is_dir():
        yield from _steps_in_folder(path, shards)
        return
    reader = _READERS.get(_kind(path))
    if reader is None:
        raise SettingsError(
            f"{path}: use a file that ends in {', '.join(_READERS)}, or a folder of such files"
        )
    if not path.is_file():
        raise SettingsError(f"{path} does not exist")
    try:
        yield from reader(path, shards)
    except OSError as error:
        raise SettingsError(f"{path} cannot be read: {error}") from error


def _steps_in_folder(folder: Path, shards: list[Shard]) -> Iterator[RecordedStep]:
    files = sorted(file for file in folder.iterdir() if _kind(file) in _READERS)
    if not files:
        raise SettingsError(f"{folder} holds no file that ends in {', '.join(_READERS)}")
    for file in files:
        yield from steps_in(file, shards)


def _kind(path: Path) -> str:
    return ".jsonl.gz" if path.name.endswith(".jsonl.gz") else path.suffix


# -- Readers, one per kind of file -----------------------------------------------------------------


def _lines(path: Path, _shards: list[Shard]) -> Iterator[RecordedStep]:
    yield from read_jsonl(path)


def _tasks(path: Path, _shards: list[Shard]) -> Iterator[RecordedStep]:
    """A task, or an array of tasks, as the dataset has them."""
    with path.open("rb") as file:
        if _first_byte(file) == b"[":
            for task in tasks_in(file, str(path)):
                yield from steps_of(task)
            return
        try:
            task = json.load(file)
        except ValueError as error:
            raise SettingsError(f"{path} is not JSON: {error}") from error
    if isinstance(task, dict):
        yield from steps_of(task)


def _first_byte(file: IO[bytes]) -> bytes:
    """The first byte that is not white space; the file stands at its beginning afterwards."""
    byte = file.read(1)
    while byte.isspace():
        byte = file.read(1)
    file.seek(0)
    return byte


def _archive(path: Path, shards: list[Shard]) -> Iterator[RecordedStep]:
    with path.open("rb") as file:
        directory = archive.members(file)
    for shard in shards:
        name = archive.member_of(shard.split, shard.number)
        tasks = archive.tasks_of_member(
            directory, name, open_at=partial(_bytes_from, path), where=str(path)
        )
        for task in tasks:
            yield from steps_of(task, split=shard.split)


def _bytes_from(path: Path, start: int) -> Iterator[bytes]:
    with path.open("rb") as file:
        file.seek(start)
        while chunk := file.read(_CHUNK):
            yield chunk


def _table(path: Path, _shards: list[Shard]) -> Iterator[RecordedStep]:
    """The multimodal edition: a row per action, those of a task one after the other."""
    try:
        from pyarrow import parquet  # an extra of this package, for this kind of file alone
    except ImportError as error:
        raise SettingsError(
            f"{path}: reading parquet needs pyarrow; "
            "install it with  pip install 'pytest-webbench[mind2web]'"
        ) from error
    try:
        table = parquet.ParquetFile(path)
    except Exception as error:  # pyarrow raises many kinds, its own and Python's
        raise InfraError(f"{path} cannot be read as parquet: {error}") from error
    for _task, rows in groupby(_rows(table), key=lambda row: row.get("annotation_id")):
        yield from _steps_of_rows(list(rows))


def _rows(table: Any) -> Iterator[dict[str, Any]]:
    # The screenshots are most of a file, and nothing here looks at them.
    columns = [name for name in table.schema_arrow.names if name != "screenshot"]
    for batch in table.iter_batches(batch_size=_ROWS, columns=columns):
        yield from batch.to_pylist()


def _steps_of_rows(rows: list[dict[str, Any]]) -> Iterator[RecordedStep]:
    head = rows[0]
    reprs = [str(one) for one in head.get("action_reprs") or []]
    common = {
        "task_id": str(head.get("annotation_id") or ""),
        "goal": str(head.get("confirmed_task") or ""),
        "num_steps": max(len(reprs), len(rows)),
        "website": str(head.get("website") or ""),
        "domain": str(head.get("domain") or ""),
        "subdomain": str(head.get("subdomain") or ""),
    }
    for number, row in enumerate(rows):
        index = str(row.get("target_action_index"))
        place = int(index) if index.isdecimal() else number
        step = step_of(row, common, index=place, reprs=reprs)
        if step is not None:
            yield step


_READERS: Final[dict[str, Reader]] = {
    ".jsonl": _lines,
    ".jsonl.gz": _lines,
    ".json": _tasks,
    ".zip": _archive,
    ".parquet": _table,
}
