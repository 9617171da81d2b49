"""The dataset at its authors' hub: which file holds which split, streamed only as far as needed."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import httpx

from ...errors import SettingsError
from ..selection import HUB, SHARDS
from . import archive
from .remote import RemoteFile, Seekable
from .streams import ChunkStream, tasks_in

DATASET: Final = "osunlp/Mind2Web"
_AGENT: Final = "pytest-webbench"


class Shard(NamedTuple):
    """One part of a split."""

    split: str
    number: int


def shards_of(split: str, chosen: int | None = None) -> list[Shard]:
    """All shards of a split, or the one chosen; `SettingsError` lists what exists."""
    if split not in SHARDS:
        raise SettingsError(f"split {split!r} does not exist; use one of {', '.join(SHARDS)}")
    if chosen is not None and not 0 <= chosen < SHARDS[split]:
        raise SettingsError(f"split {split} has the shards 0 to {SHARDS[split] - 1}, not {chosen}")
    numbers = range(SHARDS[split]) if chosen is None else [chosen]
    return [Shard(split, number) for number in numbers]


class Hub:
    """Reads the dataset over HTTP."""

    def __init__(
        self, *, base: str = HUB, revision: str, token: str = "", timeout: float = 60.0
    ) -> None:
        self._root = f"{base.rstrip('/')}/datasets/{DATASET}/resolve/{revision}"
        self._token = token
        self._client = httpx.Client(timeout=timeout, headers={"User-Agent": _AGENT})
        self._test: tuple[RemoteFile, dict[str, int]] | None = None
        self._files: list[RemoteFile] = []

    @property
    def received(self) -> int:
        """Bytes downloaded so far."""
        return sum(file.received for file in self._files)

    def tasks(self, shard: Shard) -> Iterator[dict[str, Any]]:
        """Tasks of a shard in the dataset's order; whoever stops iterating stops the download.

        `InfraError` if the hub cannot be reached, `SettingsError` if it refuses or lacks the file.
        """
        if shard.split == "train":
            file = self._file(f"data/train/train_{shard.number}.json")
            yield from tasks_in(ChunkStream(file.stream()), file.url)
            return
        file, directory = self._test_archive()
        name = archive.member_of(shard.split, shard.number)
        yield from archive.tasks_of_member(directory, name, open_at=file.stream, where=file.url)

    def close(self) -> None:
        """Close all connections."""
        self._client.close()

    def _file(self, path: str) -> RemoteFile:
        file = RemoteFile(self._client, f"{self._root}/{path}", token=self._token)
        self._files.append(file)
        return file

    def _test_archive(self) -> tuple[RemoteFile, dict[str, int]]:
        if self._test is None:
            file = self._file("test.zip")
            # The table of contents is at the end of the file: some 100 kB in small reads.
            buffered = io.BufferedReader(Seekable(file), 1 << 16)
            self._test = (file, archive.members(buffered))
        return self._test
