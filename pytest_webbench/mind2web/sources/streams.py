"""Tasks from a stream of JSON, one by one: a shard of a gigabyte needs the memory of one task."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Iterator
from typing import IO, Any

import ijson

from ...errors import InfraError


class ChunkStream(io.RawIOBase):
    """A readable file made of chunks that arrive one by one."""

    def __init__(self, chunks: Iterable[bytes]) -> None:
        self._chunks, self._rest = iter(chunks), b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._rest:
            try:
                self._rest = next(self._chunks)
            except StopIteration:
                return 0
        count = min(len(buffer), len(self._rest))
        buffer[:count], self._rest = self._rest[:count], self._rest[count:]
        return count


def tasks_in(stream: IO[bytes] | io.RawIOBase, where: str) -> Iterator[dict[str, Any]]:
    """The objects of a JSON array; in one edition an element is a string that holds the object.

    `InfraError` if the stream is anything else; ``where`` names it in the message.
    """
    try:
        # By default, ijson makes Decimals of fractions, which JSON cannot write again.
        for item in ijson.items(stream, "item", use_float=True):
            task = json.loads(item) if isinstance(item, str) else item
            if not isinstance(task, dict):
                raise InfraError(f"{where}: an element is a {type(task).__name__}, not a task")
            yield task
    except (ijson.JSONError, ValueError) as error:
        raise InfraError(f"{where}: not a JSON array of tasks: {str(error)[:200]}") from error
