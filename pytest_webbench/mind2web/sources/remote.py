"""A file on a web server, read in parts: by ranges, resumed after a break, and of one version."""

from __future__ import annotations

import io
import time
from collections.abc import Callable, Iterator
from http import HTTPStatus
from typing import Any, Final

import httpx

from ...errors import InfraError, SettingsError

TRIES: Final = 4
_CHUNK: Final = 1 << 18
_FIRST_PAUSE: Final = 0.5
_NO_ENTRY: Final = (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN)


class RemoteFile:
    """One file of a server.

    Reading it raises `SettingsError` if the server refuses access or has no such file, and
    `InfraError` for all other trouble.
    """

    def __init__(
        self,
        client: httpx.Client,
        url: str,
        *,
        token: str = "",
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        self._client, self.url, self._pause = client, url, pause
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._version: str | None = None
        self.received = 0
        """Bytes of content that were downloaded."""

    def stream(self, start: int = 0, end: int | None = None) -> Iterator[bytes]:
        """Chunks from ``start`` up to, not including, ``end``; None is the end of the file.

        After a broken connection it continues at the byte where that broke.
        """
        at, failures = start, 0
        while end is None or at < end:
            before = at
            try:
                for chunk in self._request(at, end):
                    yield chunk
                    at += len(chunk)
                    self.received += len(chunk)
                return
            except httpx.HTTPError as error:
                # Slow progress is progress: only tries in a row without a byte count.
                if at > before:
                    failures = 0
                failures += 1
                if failures >= TRIES:
                    raise InfraError(f"{self.url}: {type(error).__name__}: {error}") from error
                self._pause(_FIRST_PAUSE * 2**failures)

    def read(self, start: int, end: int) -> bytes:
        """The bytes from ``start`` up to, not including, ``end``."""
        return b"".join(self.stream(start, end))

    def size(self) -> int:
        """Length in bytes."""
        with self._open("bytes=0-0") as response:
            self._expect_part(response, 0)
            response.read()
            return int(response.headers["content-range"].rpartition("/")[2])

    def _request(self, start: int, end: int | None) -> Iterator[bytes]:
        with self._open(_byte_range(start, end)) as response:
            if start or end is not None:
                self._expect_part(response, start)
            else:
                self._expect_whole(response)
            # A body that ends too early is an error of httpx, which `stream` resumes after.
            yield from response.iter_raw(_CHUNK)

    def _open(self, byte_range: str | None) -> Any:
        # A range of a compressed body would be of no use.
        headers = {**self._headers, "Accept-Encoding": "identity"}
        if byte_range:
            headers["Range"] = byte_range
        # The hub redirects to a storage service; httpx drops the token on the way to another host.
        return self._client.stream("GET", self.url, headers=headers, follow_redirects=True)

    def _expect_whole(self, response: httpx.Response) -> None:
        self._refuse_errors(response)
        self._same_version(response)

    def _expect_part(self, response: httpx.Response, start: int) -> None:
        self._refuse_errors(response)
        if response.status_code != HTTPStatus.PARTIAL_CONTENT:
            raise InfraError(
                f"{self.url}: the server does not send parts of a file (it answered "
                f"{response.status_code} to a range request); download the whole file and name it "
                "with --m2w-path"
            )
        given = response.headers.get("content-range", "")
        if not given.startswith(f"bytes {start}-"):
            raise InfraError(
                f"{self.url}: asked for bytes from {start} on, got {given or 'no Content-Range'!r}"
            )
        self._same_version(response)

    def _refuse_errors(self, response: httpx.Response) -> None:
        status = response.status_code
        if status in _NO_ENTRY:
            raise SettingsError(
                f"{self.url}: the server refuses access (HTTP {status}); if the dataset needs an "
                "account, accept its terms and put a token into the environment variable HF_TOKEN"
            )
        if status == HTTPStatus.NOT_FOUND:
            raise SettingsError(
                f"{self.url}: there is no such file (HTTP 404); check split, shard and revision"
            )
        if status >= HTTPStatus.BAD_REQUEST:
            raise httpx.HTTPStatusError(
                f"HTTP {status}", request=response.request, response=response
            )

    def _same_version(self, response: httpx.Response) -> None:
        # Parts of two versions would add up to a file that nobody published.
        version = response.headers.get("etag")
        if self._version is not None and version != self._version:
            raise InfraError(
                f"{self.url} changed while it was read (ETag {self._version} became {version}); "
                "run again"
            )
        self._version = version


def _byte_range(start: int, end: int | None) -> str | None:
    """The value of a ``Range`` header, whose end is inclusive; None for the whole file."""
    if end is not None:
        return f"bytes={start}-{end - 1}"
    return f"bytes={start}-" if start else None


class Seekable(io.RawIOBase):
    """The file as `zipfile` needs it. Each read is a request: wrap it in an `io.BufferedReader`."""

    def __init__(self, file: RemoteFile) -> None:
        self._file, self._size, self._at = file, file.size(), 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._size}[whence]
        self._at = max(0, base + offset)
        return self._at

    def readinto(self, buffer: Any) -> int:
        end = min(self._size, self._at + len(buffer))
        if end <= self._at:
            return 0
        data = self._file.read(self._at, end)
        buffer[: len(data)] = data
        self._at += len(data)
        return len(data)
