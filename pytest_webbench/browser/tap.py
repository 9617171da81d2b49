"""Records input in an episode's own browser, over a connection that holds every new tab until it is recorded.

In a shared browser the agent's calls and ours go through one pipe, so our recorder is in a new tab before the agent can
act there. The client of another process is not so polite: it may have opened an address and clicked before we are told
of the tab. So the browser is asked, over a WebSocket and in a thread of our own, to stop each new tab before it begins.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from contextlib import ExitStack, suppress
from itertools import count
from typing import Any, Final

from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

from .channel import BINDING, IN_EVERY_DOCUMENT, in_our_world, recorder

_OPEN_SECONDS: Final = 10.0
_MOST_BYTES: Final = 16_000_000
CANNOT_HEAR: Final = (WebSocketException, OSError)
"""What goes wrong with a connection."""

_DELIVERED: Final = ("Runtime.bindingCalled", "Page.frameRequestedNavigation", "Page.frameNavigated")

Deliver = Callable[[str, str, dict[str, Any]], None]
"""Takes the target id of a tab, an event's name and its parameters, in order; called in the tap's thread."""


class Tap:
    """Connected until it is closed or the browser ends."""

    def __init__(self, url: str, deliver: Deliver) -> None:
        self._deliver = deliver
        self._numbers = count(1)
        self._targets: dict[str, str] = {}
        """Target ids by session id."""
        self._asked: dict[int, threading.Event] = {}
        self._sources = [recorder()]
        self._lock = threading.Lock()
        self._connection = ExitStack()
        opening = connect(
            url, open_timeout=_OPEN_SECONDS, close_timeout=0.1, max_size=_MOST_BYTES, compression=None, proxy=None,
            ping_interval=None,
        )  # fmt: skip
        self._socket = self._connection.enter_context(opening)
        self._thread = threading.Thread(target=self._listen, daemon=True, name="webbench-tap")
        self._thread.start()
        attach = {"autoAttach": True, "waitForDebuggerOnStart": True, "flatten": True, "filter": [{"type": "page"}]}
        self._ask(None, "Target.setAutoAttach", attach).wait(_OPEN_SECONDS)
        self.settle()

    def run_everywhere(self, source: str) -> None:
        """Run a script of ours in every document of every tab, now and from now on."""
        with self._lock:
            self._sources.append(source)
            sessions = list(self._targets)
        for session in sessions:
            self._send(session, IN_EVERY_DOCUMENT, in_our_world(source))

    def settle(self) -> None:
        """Wait until everything is delivered that was done up to now; a page that does not answer is not waited for."""
        with self._lock:
            sessions = list(self._targets)
        answers = [self._ask(session, "Page.getFrameTree") for session in sessions]
        for answer in answers:
            answer.wait(1.0)

    def targets(self) -> set[str]:
        """Ids of the tabs that are open."""
        with self._lock:
            return set(self._targets.values())

    def close(self) -> None:
        """Stop to listen."""
        with suppress(*CANNOT_HEAR):
            self._connection.close()
        self._thread.join(_OPEN_SECONDS)

    def _send(self, session: str | None, method: str, parameters: dict[str, Any] | None = None) -> int:
        number = next(self._numbers)
        command = {"id": number, "method": method, "params": parameters or {}}
        with suppress(*CANNOT_HEAR):
            self._socket.send(json.dumps(command if session is None else {**command, "sessionId": session}))
        return number

    def _ask(self, session: str | None, method: str, parameters: dict[str, Any] | None = None) -> threading.Event:
        """Set when the answer has come, whatever it says, or can come no more."""
        answered = threading.Event()
        with self._lock:
            number = self._send(session, method, parameters)
            self._asked[number] = answered
        return answered

    def _listen(self) -> None:
        with suppress(*CANNOT_HEAR):
            for message in self._socket:
                self._take(json.loads(message))
        with self._lock:
            for answered in self._asked.values():
                answered.set()

    def _take(self, message: dict[str, Any]) -> None:
        method, parameters = message.get("method"), message.get("params", {})
        if method in _DELIVERED:
            self._deliver(self._targets[message["sessionId"]], method, parameters)
        elif method == "Target.attachedToTarget":
            self._attached(parameters)
        elif method == "Target.detachedFromTarget":
            with self._lock:
                self._targets.pop(parameters["sessionId"], None)
        elif "id" in message:
            self._answered(message["id"])

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
        # A tab that is to open an address answers none of these before it may begin, but does them before that.
        self._send(session, "Runtime.runIfWaitingForDebugger")

    def _answered(self, number: int) -> None:
        with self._lock:
            answered = self._asked.pop(number, None)
        if answered is not None:
            answered.set()
