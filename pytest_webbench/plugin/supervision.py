"""Without xdist, a process that runs items below one that outlives their agents.

An agent that cannot be interrupted takes the process that runs it with it. Under xdist, another
worker goes on. Without, pytest's own process divides in two before the first item: the new one runs
the items, the old one waits for its end and starts the session again if an agent was the reason.
The same tag then goes on with the next item.
"""

from __future__ import annotations

import ctypes
import os
import select
import signal
import sys
import threading
import warnings
from contextlib import suppress
from functools import partial
from types import FrameType
from typing import Any, Final, NamedTuple, NoReturn

from ..episode.overseer import oversee
from ..episode.oversight import Oversight
from ..run.attempt import UNSTOPPABLE_EXIT
from .invocation import Invocation

_RESTARTS: Final = "_WEBBENCH_RESTARTS"
"""How often this session was started again."""
_IDLE: Final = "(run_server)"
"""In the name of a thread of pytest-rerunfailures, which waits for workers of xdist."""
_SAME_MOMENT_SECONDS: Final = 1.0
_PASSED_ON: Final = (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
_PR_SET_PDEATHSIG: Final = 1


class Supervision(NamedTuple):
    """In the process that runs the items: how it is watched."""

    pipe: int

    def oversight(self) -> Oversight:
        """Where orders for the process above go."""
        return Oversight(self.pipe)


def supervise(invocation: Invocation, *, most_restarts: int) -> Supervision | None:
    """Divide, if that is possible.

    Returns in the new process only; the old one ends or is replaced in here.
    """
    if not _may_divide(invocation):
        return None
    # The process above must have its own standard streams again to go on with them.
    captured: Any = invocation.config.pluginmanager.get_plugin("capturemanager")
    if captured is not None:
        captured.suspend_global_capture(in_=True)
    supervision = _divide(invocation.tag, most_restarts)
    if captured is not None:
        captured.resume_global_capture()
    return supervision


def _may_divide(invocation: Invocation) -> bool:
    """Whether this process is pytest's own, with nothing else going on in it.

    A session within another program, one in a debugger, and xdist's processes are left alone.
    """
    others = [thread for thread in threading.enumerate() if thread is not threading.main_thread()]
    alone = all(_IDLE in thread.name for thread in others) and not _is_debugged()
    own = list(invocation.config.invocation_params.args) == sys.argv[1:]
    serial = not invocation.is_worker and not invocation.is_controller
    return sys.platform == "linux" and alone and own and serial


def _is_debugged() -> bool:
    trace = sys.gettrace()
    # The one that measures coverage goes on in the new process by itself.
    module = str(getattr(trace, "__module__", type(trace).__module__))
    return trace is not None and module.partition(".")[0] != "coverage"


def _divide(tag: str, most_restarts: int) -> Supervision:
    reading, writing = os.pipe()
    interrupts, interrupted = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    above = os.getpid()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # for the thread that is idle
        below = os.fork()
    if below:
        os.close(writing)
        os.close(interrupted)
        _wait(below, reading, interrupts, tag=tag, most_restarts=most_restarts)
    os.close(reading)
    os.close(interrupts)
    _tell_of_interrupts(interrupted)
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != above:  # it ended before it could matter to us
        os._exit(1)
    return Supervision(writing)


def _tell_of_interrupts(pipe: int) -> None:
    """Let the process above know that a Ctrl+C has arrived here."""
    before: Any = signal.getsignal(signal.SIGINT)
    if not callable(before):
        return

    def note(number: int, frame: FrameType | None) -> None:
        with suppress(OSError):
            os.write(pipe, b"i")
        before(number, frame)

    signal.signal(signal.SIGINT, note)


def _wait(below: int, orders: int, interrupts: int, *, tag: str, most_restarts: int) -> NoReturn:
    received, receiving = os.pipe()
    os.set_blocking(receiving, False)
    # A signal goes to any thread that does not block it, and others than ours may run: this pipe
    # tells of it whichever it was.
    signal.set_wakeup_fd(receiving, warn_on_full_buffer=False)
    signal.signal(signal.SIGINT, lambda _number, _frame: None)
    passing = partial(_pass_on_interrupts, below, received, interrupts)
    threading.Thread(target=passing, daemon=True).start()
    for number in _PASSED_ON:
        signal.signal(number, lambda received, _frame: os.kill(below, received))
    ended = oversee(below, orders)
    code = os.waitstatus_to_exitcode(os.waitpid(below, 0)[1])
    restarts = int(os.environ.get(_RESTARTS, "0"))
    if (ended or code == UNSTOPPABLE_EXIT) and restarts < most_restarts:
        _start_again(tag, restarts + 1)
    if code < 0:
        if -code != signal.SIGKILL:  # which has no handler to be set
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code)


def _pass_on_interrupts(below: int, received: int, interrupts: int) -> None:
    # Ctrl+C goes to both processes by itself; what a program sends may come to this one alone.
    while True:
        if os.read(received, 1)[0] != signal.SIGINT:
            continue
        if select.select([interrupts], [], [], _SAME_MOMENT_SECONDS)[0]:
            os.read(interrupts, 100)
        else:
            with suppress(ProcessLookupError):
                os.kill(below, signal.SIGINT)
            os.read(interrupts, 100)


def _start_again(tag: str, restarts: int) -> NoReturn:
    os.write(1, b"\nwebbench: an agent could not be interrupted; going on with the next task\n")
    for number in _PASSED_ON:
        signal.signal(number, signal.SIG_DFL)
    options = f"{os.environ.get('PYTEST_ADDOPTS', '')} --webbench-run={tag}".strip()
    environment = {**os.environ, "PYTEST_ADDOPTS": options, _RESTARTS: str(restarts)}
    os.execve(sys.executable, [sys.executable, *sys.orig_argv[1:]], environment)
