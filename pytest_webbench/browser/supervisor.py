"""Ends what a worker has started once the worker is done with it or is gone, even by SIGKILL.

A program of its own: nothing within a process can outlive that process's SIGKILL, but whoever reads
a pipe notices its end. The worker holds the writing end of a pipe; this program holds the reading
end, and acts once that ends.

    python -I supervisor.py browser FOLDER
        end every process with this profile folder, remove the folder
    python -I supervisor.py program FD FOLDER COMMAND ...
        run COMMAND, end it and all that it started, remove the folder

``browser`` reads the pipe at its standard input. ``program`` reads it at FD, because the command
gets the three standard streams; it exits as the command did. Imports nothing of this package, for
it has to start quickly.
"""

from __future__ import annotations

import ctypes
import os
import queue
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress

import psutil

GRACE_SECONDS = 2.0
"""Between the request to end (SIGTERM) and the end (SIGKILL)."""
KILL_SECONDS = 5.0
CANNOT_START = 127
_IGNORED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36


def main(arguments: list[str]) -> int:
    """Do what the command line says; the exit code."""
    for number in _IGNORED:
        signal.signal(number, signal.SIG_IGN)  # we end with our pipe, and with nothing else
    if arguments[0] == "browser":
        return _supervise_browser(arguments[1])
    return _supervise_program(int(arguments[1]), arguments[2], arguments[3:])


def _supervise_browser(folder: str) -> int:
    _end_of(0)
    # Found by its profile folder: this program starts before the browser, so that a kill in between
    # leaves none behind.
    _kill(lambda: _with_profile(folder))
    shutil.rmtree(folder, ignore_errors=True)
    return 0


def _with_profile(folder: str) -> Iterable[psutil.Process]:
    """The browser of this profile and its helpers; none if it was closed in good order."""
    for process in psutil.process_iter(["cmdline"]):
        if f"--user-data-dir={folder}" in (process.info["cmdline"] or ()):
            yield process
            with suppress(psutil.Error):
                yield from process.children(recursive=True)


def _supervise_program(pipe: int, folder: str, command: list[str]) -> int:
    _adopt_orphans()
    try:
        program = subprocess.Popen(
            command,
            # A group of its own, so that all of it can be asked to end at once.
            start_new_session=True,
            preexec_fn=_begin,  # noqa: PLW1509 - safe, for there is one thread yet
        )
    except OSError as error:
        sys.stderr.write(f"{command[0]} could not be started: {error}\n")
        shutil.rmtree(folder, ignore_errors=True)
        return CANNOT_START
    events: queue.SimpleQueue[int | None] = queue.SimpleQueue()
    for wait in (lambda: _end_of(pipe), program.wait):
        threading.Thread(target=_report, args=(wait, events), daemon=True).start()
    if events.get() is None:
        _ask_to_end(program)
    _kill(lambda: _descendants(program.pid))
    shutil.rmtree(folder, ignore_errors=True)
    return _exit_as(program.wait())


def _end_of(pipe: int) -> None:
    while os.read(pipe, 1):
        pass


def _report(wait: Callable[[], int | None], events: queue.SimpleQueue[int | None]) -> None:
    events.put(wait())


def _adopt_orphans() -> None:
    """On Linux, whatever the program starts stays below us.

    Even what leaves its session and its parent, as a daemon does.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _begin() -> None:
    """In the program's process: take signals as usual, and end if somebody kills the supervisor."""
    for number in _IGNORED:
        signal.signal(number, signal.SIG_DFL)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def _ask_to_end(program: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(program.pid, signal.SIGTERM)
    with suppress(subprocess.TimeoutExpired):
        program.wait(GRACE_SECONDS)


def _descendants(group: int) -> list[psutil.Process]:
    """All below us; where there are no subreapers, a group's members can be elsewhere."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)
    return psutil.Process().children(recursive=True)


def _kill(find: Callable[[], Iterable[psutil.Process]]) -> None:
    """Kill all that is found until nothing is: a process may start another before it dies."""
    deadline = time.monotonic() + KILL_SECONDS
    while (found := [one for one in find() if _runs(one)]) and time.monotonic() < deadline:
        for process in found:
            with suppress(psutil.Error):
                process.kill()
        time.sleep(0.02)


def _runs(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False


def _exit_as(code: int) -> int:
    """Whoever waits for us is to see what became of the program."""
    if code < 0:
        with suppress(OSError):  # SIGKILL has no handler to be set
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
