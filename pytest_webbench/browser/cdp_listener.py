"""Listens to input in a browser that another process drives.

In a shared browser the agent's calls and ours go through one pipe, so our recorder is in a new tab
before the agent can act there. The client of another process may have opened an address and
clicked before we hear of the tab. So the browser is asked, over a WebSocket and in a thread of our
own, to hold each new tab until its input is recorded. A page can break
this connection, by a message that is larger than any connection takes: then it is opened again.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from contextlib import ExitStack, suppress
from itertools import count
from typing import Any, Final

from websockets.exceptions import WebSocketException
from websockets.sync.client import ClientConnection, connect

from .cdp_session import BINDING, IN_EVERY_DOCUMENT, in_our_world, recorder

_OPEN_SECONDS: Final = 10.0
_ANSWER_SECONDS: Final = 1.0
# By default, a message over 1 MiB closes the connection; typing a long text can send one.
_MOST_BYTES: Final = 64_000_000
_UNUSED: Final = '{"method":"Runtime.'
_REPORT: Final = '{"method":"Runtime.bindingCalled"'
CANNOT_HEAR: Final = (WebSocketException, OSError)
"""What goes wrong with a connection."""

_DELIVERED: Final = (
    "Runtime.bindingCalled",
    "Page.frameRequestedNavigation",
    "Page.frameNavigated",
)

_ATTACH: Final = {
    "autoAttach": True,
    "waitForDebuggerOnStart": True,
    "flatten": True,
    # Without the filter, frames and workers would be held too, and nobody would let them run.
    "filter": [{"type": "page"}],
}

Deliver = Callable[[str, str, dict[str, Any]], None]
"""Takes the target id of a tab, an event's name and its parameters.

Called in the order of events, in the listener's thread.
"""


class CdpListener:
    """Connected until it is closed or the browser ends."""

    def __init__(self, url: str, deliver: Deliver) -> None:
        self._deliver = deliver
        self._numbers = count(1)
        self._targets: dict[str, str] = {}
        """Target ids by session id."""
        self._answered: dict[int, threading.Event] = {}
        """By the number of a command; set when its answer has come."""
        self._sources = [recorder()]
        self._lock = threading.Lock()
        self._url = url
        self._closing = threading.Event()
        self._broken = 0
        """How often the connection broke and was opened again."""
        self._connections = ExitStack()
        self._socket = self._connect()
        self._thread = threading.Thread(
            target=self._listen, daemon=True, name="webbench-cdp-listener"
        )
        self._thread.start()
        self._ask(None, "Target.setAutoAttach", _ATTACH).wait(_OPEN_SECONDS)
        self.settle()

    def _connect(self) -> ClientConnection:
        # The browser is on this machine: a proxy from the environment cannot reach it, and
        # compression only costs time. No pings: a browser that is busy for 20 s would be cut off.
        opening = connect(
            self._url,
            open_timeout=_OPEN_SECONDS,
            close_timeout=0.1,
            max_size=_MOST_BYTES,
            compression=None,
            proxy=None,
            ping_interval=None,
        )
        return self._connections.enter_context(opening)

    def run_everywhere(self, source: str) -> None:
        """Run a script of ours in every document of every tab, now and from now on."""
        with self._lock:
            self._sources.append(source)
            sessions = list(self._targets)
        for session in sessions:
            self._send(session, IN_EVERY_DOCUMENT, in_our_world(source))

    def settle(self) -> None:
        """Wait until everything is delivered that was done up to now.

        A page that does not answer is given up after a second.
        """
        with self._lock:
            sessions = list(self._targets)
        answers = [self._ask(session, "Page.getFrameTree") for session in sessions]
        for answer in answers:
            answer.wait(_ANSWER_SECONDS)

    def targets(self) -> set[str]:
        """Ids of the tabs that are open."""
        with self._lock:
            return set(self._targets.values())

    def gaps(self) -> list[str]:
        """How the connection was interrupted."""
        if not self._broken:
            return []
        return [f"the connection that tells of input broke and was opened again: {self._broken}"]

    def close(self) -> None:
        """Stop to listen."""
        self._closing.set()
        with suppress(*CANNOT_HEAR):
            self._connections.close()
        self._thread.join(_OPEN_SECONDS)

    def _send(
        self, session: str | None, method: str, parameters: dict[str, Any] | None = None
    ) -> int:
        number = next(self._numbers)
        command = {"id": number, "method": method, "params": parameters or {}}
        if session is not None:
            command["sessionId"] = session
        with suppress(*CANNOT_HEAR):
            self._socket.send(json.dumps(command))
        return number

    def _ask(
        self, session: str | None, method: str, parameters: dict[str, Any] | None = None
    ) -> threading.Event:
        """An event that is set when the answer has come, whatever it says, or cannot come."""
        answered = threading.Event()
        with self._lock:
            # Under the lock: the answer may arrive before its number is noted.
            number = self._send(session, method, parameters)
            self._answered[number] = answered
        return answered

    def _listen(self) -> None:
        with suppress(*CANNOT_HEAR):
            self._read()
            while not self._closing.is_set():
                self._reopen()
                self._read()
        self._answer_all()

    def _read(self) -> None:
        with suppress(*CANNOT_HEAR):
            for message in self._socket:
                self._take(str(message))

    def _reopen(self) -> None:
        """Raises one of `CANNOT_HEAR` if the browser has ended."""
        self._socket = self._connect()
        self._broken += 1
        with self._lock:
            self._targets.clear()
        self._answer_all()
        self._send(None, "Target.setAutoAttach", _ATTACH)

    def _answer_all(self) -> None:
        with self._lock:
            # No answer can come any more, but somebody may be waiting for one.
            for answered in self._answered.values():
                answered.set()

    def _take(self, text: str) -> None:
        if text.startswith(_UNUSED) and not text.startswith(_REPORT):
            return  # what pages write to the console may be large
        message = json.loads(text)
        method, parameters = message.get("method"), message.get("params", {})
        if method in _DELIVERED:
            self._deliver(self._targets[message["sessionId"]], method, parameters)
        elif method == "Target.attachedToTarget":
            self._attached(parameters)
        elif method == "Target.detachedFromTarget":
            with self._lock:
                self._targets.pop(parameters["sessionId"], None)
        elif "id" in message:
            self._note_answer(message["id"])

    def _attached(self, parameters: dict[str, Any]) -> None:
        session = parameters["sessionId"]
        with self._lock:
            self._targets[session] = parameters["targetInfo"]["targetId"]
            sources = list(self._sources)
        self._send(session, "Page.enable")
        self._send(session, "Runtime.enable")
        self._send(session, "Runtime.addBinding", BINDING)
        for source in sources:
            self._send(session, IN_EVERY_DOCUMENT, in_our_world(source))
        # A tab that is to open an address answers nothing before it may begin, but has done all of
        # this by then.
        self._send(session, "Runtime.runIfWaitingForDebugger")

    def _note_answer(self, number: int) -> None:
        with self._lock:
            answered = self._answered.pop(number, None)
        if answered is not None:
            answered.set()
