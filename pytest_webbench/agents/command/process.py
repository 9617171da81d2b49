"""A program that runs for one episode, below a supervisor (`browser.supervisor`).

The supervisor ends the program and everything that it has started, even if we are killed.
"""

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

from ...browser import supervisor
from ...browser.event_loop import finish
from .protocol import MOST_BYTES

# As long as the supervisor may take, and some time to remove the folder.
_END_SECONDS: Final = supervisor.GRACE_SECONDS + supervisor.KILL_SECONDS + 2.0
_READ_SECONDS: Final = 2.0

TakeLine = Callable[[bytes], None]


class Program:
    """A program, started at once in a session of its own.

    ``output`` and ``errors`` get the lines of standard output and standard error, each in a thread
    of its own.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        cwd: Path,
        environment: Mapping[str, str],
        output: TakeLine,
        errors: TakeLine,
    ) -> None:
        # The supervisor ends everything once this pipe is closed at our end: by us, or by the
        # system if we die.
        reading, self._lifeline = os.pipe()
        scratch = tempfile.mkdtemp(prefix="webbench-agent-")  # the supervisor removes it
        arguments = ["program", str(reading), scratch, *command]
        try:
            self._supervisor = subprocess.Popen(
                # Isolated, so that PYTHONPATH and the program's folder cannot replace its modules.
                [sys.executable, "-I", supervisor.__file__, *arguments],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=cwd,
                env={**environment, "TMPDIR": scratch},
                # Only this end is passed on: a copy of the other would keep the pipe open after our
                # death.
                pass_fds=[reading],
                start_new_session=True,
            )
        finally:
            os.close(reading)
        self._readers = [
            _start_reader(self._supervisor.stdout, output, "webbench-agent-output"),
            _start_reader(self._supervisor.stderr, errors, "webbench-agent-errors"),
        ]

    def talk(self, request: bytes) -> int:
        """Write ``request`` to standard input and wait for the program's end.

        Returns its exit code; a negative one is the number of the signal that ended it.
        """
        stdin = self._supervisor.stdin
        assert stdin is not None, "it was opened as a pipe"
        # A program that takes the request from its environment may close its input unread.
        with suppress(OSError):
            stdin.write(request)
            stdin.flush()
        with suppress(OSError):
            stdin.close()
        code = self._supervisor.wait()
        # A child that outlives the program can keep the pipes open, so do not wait for their end.
        for reader in self._readers:
            reader.join(_READ_SECONDS)
        return code

    def end(self) -> None:
        """End the program if it still runs, and wait until all that it has started is gone."""
        with suppress(OSError):
            os.close(self._lifeline)
        self._lifeline = -1  # the number may belong to another file by the next call
        finish(self._wait, _END_SECONDS)

    def _wait(self) -> None:
        with suppress(subprocess.TimeoutExpired):
            self._supervisor.wait(_END_SECONDS)
        for reader in self._readers:
            reader.join(_READ_SECONDS)
        if any(reader.is_alive() for reader in self._readers):
            return  # closing a pipe that a thread reads from blocks until the read returns
        for stream in (self._supervisor.stdin, self._supervisor.stdout, self._supervisor.stderr):
            if stream is not None:
                with suppress(OSError):
                    stream.close()


def _start_reader(stream: IO[bytes] | None, take: TakeLine, name: str) -> threading.Thread:
    assert stream is not None, "it was opened as a pipe"

    def read() -> None:
        # The bound keeps a program that never ends its line from filling our memory.
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
