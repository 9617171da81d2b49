"""The test splits: members of one encrypted zip file, read and decrypted only as far as needed."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterable, Iterator
from typing import IO, Any, Final, TypeAlias

from stream_unzip import UnzipError, stream_unzip

from ...errors import InfraError, SettingsError
from .streams import ChunkStream, tasks_in

PASSWORD: Final = b"mind2web"
"""Published by the dataset's authors: it only keeps crawlers out."""

Open: TypeAlias = Callable[[int], Iterable[bytes]]
"""Chunks of the archive from this byte on."""


def members(file: IO[bytes]) -> dict[str, int]:
    """The names of all JSON members, each with the byte at which it begins."""
    try:
        with zipfile.ZipFile(file) as archive:
            infos = archive.infolist()
    except zipfile.BadZipFile as error:
        raise InfraError(f"the archive's table of contents cannot be read: {error}") from error
    return {info.filename: info.header_offset for info in infos if info.filename.endswith(".json")}


def member_of(split: str, shard: int) -> str:
    """The dataset's name for a shard of a test split."""
    return f"{split}/{split}_{shard}.json"


def tasks_of_member(
    directory: dict[str, int], name: str, *, open_at: Open, where: str
) -> Iterator[dict[str, Any]]:
    """The tasks of one member, decrypted as they are asked for; ``where`` is for messages.

    `SettingsError` if there is no such member, `InfraError` if it cannot be decrypted.
    """
    if name not in directory:
        raise SettingsError(f"{where} has no {name}; it has: {', '.join(sorted(directory))}")
    content = ChunkStream(_decrypted(open_at(directory[name]), where))
    yield from tasks_in(content, f"{where}, {name}")


def _decrypted(chunks: Iterable[bytes], where: str) -> Iterator[bytes]:
    # zipfile reads from seekable files only; over the network that would be a request per block.
    try:
        for _name, _size, content in stream_unzip(chunks, password=PASSWORD):
            yield from content
            return  # the chunks begin with the member asked for; leave those after it alone
    except UnzipError as error:
        raise InfraError(f"{where} cannot be decrypted: {type(error).__name__}: {error}") from error
