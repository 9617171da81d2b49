"""The dataset where its authors publish it: which file holds which split, streamed only as far as it is needed."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import httpx

from ...errors import SettingsError
from . import archive
from .remote import RemoteFile, Seekable
from .streams import ChunkStream, tasks_in

HUB: Final = "https://huggingface.co"
DATASET: Final = "osunlp/Mind2Web"
SHARDS: Final = {"train": 11, "test_task": 3, "test_website": 2, "test_domain": 10}
_AGENT: Final = "pytest-webbench"


class Shard(NamedTuple):
    """One part of a split."""

    split: str
    number: int


def shards_of(split: str, chosen: int | None = None) -> list[Shard]:
    """The shards of a split, or the one chosen; `SettingsError` lists what there is."""
    if split not in SHARDS:
        raise SettingsError(f"split {split!r} does not exist; use one of {', '.join(SHARDS)}")
    if chosen is not None and not 0 <= chosen < SHARDS[split]:
        raise SettingsError(f"split {split} has the shards 0 to {SHARDS[split] - 1}, not {chosen}")
    return [Shard(split, number) for number in ([chosen] if chosen is not None else range(SHARDS[split]))]


class Hub:
    """Reads the dataset over HTTP."""

    def __init__(self, *, base: str = HUB, revision: str, token: str = "", timeout: float = 60.0) -> None:
        self._root = f"{base.rstrip('/')}/datasets/{DATASET}/resolve/{revision}"
        self._token = token
        self._client = httpx.Client(timeout=timeout, headers={"User-Agent": _AGENT})
        self._test: tuple[RemoteFile, dict[str, int]] | None = None
        self._files: list[RemoteFile] = []

    @property
    def received(self) -> int:
        """Bytes that were downloaded so far."""
        return sum(file.received for file in self._files)

    def tasks(self, shard: Shard) -> Iterator[dict[str, Any]]:
        """Tasks of a shard in the dataset's order; stop asking and the download stops."""
        if shard.split == "train":
            file = self._file(f"data/train/train_{shard.number}.json")
            yield from tasks_in(ChunkStream(file.stream()), file.url)
            return
        file, directory = self._test_archive()
        name = archive.member_of(shard.split, shard.number)
        yield from archive.tasks_of_member(directory, name, file.stream, file.url)

    def close(self) -> None:
        """Give up all connections."""
        self._client.close()

    def _file(self, path: str) -> RemoteFile:
        file = RemoteFile(self._client, f"{self._root}/{path}", token=self._token)
        self._files.append(file)
        return file

    def _test_archive(self) -> tuple[RemoteFile, dict[str, int]]:
        if self._test is None:
            file = self._file("test.zip")
            buffered = io.BufferedReader(Seekable(file), 1 << 16)
            self._test = (file, archive.members(buffered))
        return self._test
