"""A program that runs for one episode, below a keeper that ends it and all that it started (`browser.keeper`)."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Final

from ...browser import keeper
from ...browser.beside import finish
from .protocol import MOST_BYTES

_END_SECONDS: Final = keeper.GRACE_SECONDS + keeper.KILL_SECONDS + 2.0
_READ_SECONDS: Final = 2.0

TakeLine = Callable[[bytes], None]


class Program:
    """Started at once, in a session of its own; ``output`` and ``errors`` get its lines, each in its own thread."""

    def __init__(
        self, command: Sequence[str], *, cwd: Path, environment: Mapping[str, str], output: TakeLine, errors: TakeLine
    ) -> None:
        reading, self._writing = os.pipe()
        scratch = tempfile.mkdtemp(prefix="webbench-agent-")  # the keeper removes it
        try:
            self._keeper = subprocess.Popen(
                [sys.executable, "-I", keeper.__file__, "program", str(reading), scratch, *command],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                cwd=cwd, env={**environment, "TMPDIR": scratch}, pass_fds=[reading], start_new_session=True,
            )  # fmt: skip
        finally:
            os.close(reading)
        self._readers = [
            _reader(self._keeper.stdout, output, "webbench-agent-output"),
            _reader(self._keeper.stderr, errors, "webbench-agent-errors"),
        ]

    def talk(self, request: bytes) -> int:
        """Hand over ``request`` and wait for the program's end; its exit code, negative for a signal's number."""
        assert self._keeper.stdin is not None, "it was opened as a pipe"
        with suppress(OSError):  # it need not read
            self._keeper.stdin.write(request)
            self._keeper.stdin.flush()
        with suppress(OSError):
            self._keeper.stdin.close()
        code = self._keeper.wait()
        for reader in self._readers:
            reader.join(_READ_SECONDS)
        return code

    def end(self) -> None:
        """End it, if it still runs, and wait until it and all that it started are gone."""
        with suppress(OSError):
            os.close(self._writing)  # the keeper notices and needs nothing more of us
        self._writing = -1
        finish(self._wait, _END_SECONDS)

    def _wait(self) -> None:
        with suppress(subprocess.TimeoutExpired):
            self._keeper.wait(_END_SECONDS)
        for reader in self._readers:
            reader.join(_READ_SECONDS)
        for stream in (self._keeper.stdin, self._keeper.stdout, self._keeper.stderr):
            if stream is not None and not any(reader.is_alive() for reader in self._readers):
                with suppress(OSError):
                    stream.close()


def _reader(stream: IO[bytes] | None, take: TakeLine, name: str) -> threading.Thread:
    assert stream is not None, "it was opened as a pipe"

    def read() -> None:
        for line in iter(lambda: stream.readline(MOST_BYTES), b""):
            take(line)

    thread = threading.Thread(target=read, daemon=True, name=name)
    thread.start()
    return thread


def how_it_ended(code: int) -> str:
    """An exit code in words: ``ended with exit code 3``, ``was ended by SIGKILL``."""
    if code >= 0:
        return f"ended with exit code {code}"
    with suppress(ValueError):
        return f"was ended by {signal.Signals(-code).name}"
    return f"was ended by signal {-code}"
