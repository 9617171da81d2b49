"""JavaScript of ours in a page's frames, in isolated worlds: pages neither see nor change it."""

from __future__ import annotations

import secrets
from contextlib import suppress
from typing import Any, Final, NamedTuple

from playwright.sync_api import CDPSession, Error, Page

from .playwright_errors import SCRIPT_FAILED

_TOKEN: Final = secrets.token_hex(8)
_LONGEST_ERROR: Final = 300


class WorldScript(NamedTuple):
    """A kind of world: its name, an identifier, and the script that runs first in each of them."""

    name: str
    source: str = ""


class IsolatedWorld:
    """The world of one kind in one frame, whatever document the frame holds.

    ``frame`` is the frame's CDP id; None means the main frame. ``session`` has to be connected to
    the process that the frame lives in.
    """

    def __init__(
        self, page: Page, session: CDPSession, script: WorldScript, *, frame: str | None = None
    ) -> None:
        self.page, self.session, self.script = page, session, script
        self._frame = frame
        self._context: int | None = None
        self._mark = f"globalThis.{script.name}_{_TOKEN}"
        """Tells our world from others: Chromium numbers contexts per process, so that after a
        navigation to another process an old number may belong to somebody else's world."""
        self._marked_with = ""

    def evaluate(self, expression: str, *, wait: bool = False) -> Any:
        """The JSON-like value of an expression; with ``wait``, of the promise that it gives.

        Playwright's `Error` if it throws or if its document goes away meanwhile.
        """
        return self._evaluate(expression, returnByValue=True, awaitPromise=wait).get("value")

    def within(self, element: str) -> IsolatedWorld:
        """The same kind of world in the frame that an expression's element holds.

        Playwright's `Error` if there is no such element or frame.
        """
        found = self._evaluate(element)
        if "objectId" not in found:
            raise Error("the frame's element is gone")
        node = self.session.send("DOM.describeNode", {"objectId": found["objectId"]})["node"]
        if "frameId" not in node:
            raise Error("the element holds no frame")
        frame = node["frameId"]
        return IsolatedWorld(self.page, self._session_of(frame), self.script, frame=frame)

    def _evaluate(self, expression: str, **options: Any) -> dict[str, Any]:
        if self._context is not None:
            # The check travels with the expression: between two calls a navigation could put
            # another world under the same number.
            guarded = (
                f'{self._mark} === "{self._marked_with}" ? ({expression}) : "missing {_TOKEN}"'
            )
            try:
                found = self._send(guarded, options)
            except _ContextGoneError:
                pass
            else:
                if found.get("value") != f"missing {_TOKEN}":
                    return found
        self._create()
        return self._send(
            f'{self.script.source};{self._mark} = "{self._marked_with}";({expression})', options
        )

    def _create(self) -> None:
        frame = self._frame or _main_frame(self.session)
        world = self.session.send(
            "Page.createIsolatedWorld", {"frameId": frame, "worldName": self.script.name}
        )
        # The mark names the frame: the frames of one process have worlds of the same name.
        self._context, self._marked_with = world["executionContextId"], frame

    def _send(self, expression: str, options: dict[str, Any]) -> dict[str, Any]:
        call = {"expression": expression, "contextId": self._context, **options}
        try:
            answer = self.session.send("Runtime.evaluate", call)
        except Error as error:
            if "Cannot find context" in error.message:
                raise _ContextGoneError(error.message) from error
            raise
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            text = details.get("exception", {}).get("description") or details.get("text", "")
            raise Error(f"{SCRIPT_FAILED}: {text[:_LONGEST_ERROR]}")
        result: dict[str, Any] = answer["result"]
        return result

    def _session_of(self, frame: str) -> CDPSession:
        """A session with the process that a frame lives in: ours, or one of the frame's own."""
        with suppress(Error):  # only a frame of our process lets us make a world in it
            self.session.send(
                "Page.createIsolatedWorld", {"frameId": frame, "worldName": self.script.name}
            )
            return self.session
        for candidate in self.page.frames[1:]:
            with suppress(Error):  # Playwright refuses frames that live in their parent's process
                session = self.page.context.new_cdp_session(candidate)
                if _main_frame(session) == frame:
                    return session
                session.detach()
        raise Error("the frame is gone")


class _ContextGoneError(Error):
    """The document that a context belonged to has gone; nothing was evaluated."""


def _main_frame(session: CDPSession) -> str:
    """The frame at the top of a session's target: a page, or a frame of another site."""
    return str(session.send("Page.getFrameTree")["frameTree"]["frame"]["id"])
