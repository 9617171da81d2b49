"""The test splits: members of one encrypted zip file, of which only what is asked for is read and decrypted."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterable, Iterator
from typing import IO, Any, Final

from stream_unzip import UnzipError, stream_unzip

from ...errors import InfraError, SettingsError
from .streams import ChunkStream, tasks_in

PASSWORD: Final = b"mind2web"
"""Published by the dataset's authors; it keeps crawlers out, nothing else."""

Open = Callable[[int], Iterable[bytes]]
"""Chunks of the archive from this byte on."""


def members(file: IO[bytes]) -> dict[str, int]:
    """Names of all JSON members and where they begin."""
    try:
        with zipfile.ZipFile(file) as archive:
            return {info.filename: info.header_offset for info in archive.infolist() if info.filename.endswith(".json")}
    except zipfile.BadZipFile as error:
        raise InfraError(f"the archive's table of contents cannot be read: {error}") from error


def member_of(split: str, shard: int) -> str:
    """How the dataset calls a shard of a test split."""
    return f"{split}/{split}_{shard}.json"


def tasks_of_member(directory: dict[str, int], name: str, open_at: Open, where: str) -> Iterator[dict[str, Any]]:
    """The tasks of one member, decrypted as they are asked for."""
    if name not in directory:
        raise SettingsError(f"{where} has no {name}; it has: {', '.join(sorted(directory))}")
    yield from tasks_in(ChunkStream(_decrypted(open_at(directory[name]), where)), f"{where}, {name}")


def _decrypted(chunks: Iterable[bytes], where: str) -> Iterator[bytes]:
    try:
        for _name, _size, content in stream_unzip(chunks, password=PASSWORD):
            yield from content
            return  # the members behind it are none of our business
    except UnzipError as error:
        raise InfraError(f"{where} cannot be decrypted: {type(error).__name__}: {error}") from error
