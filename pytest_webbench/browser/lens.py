"""Our script in one frame, whatever process that lives in: an isolated world that pages cannot see into."""

from __future__ import annotations

import json
import secrets
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import CDPSession, Error, Page

from ..evidence.scrub import scrub_deep

_WORLD: Final = "webbench-eyes"
_KEY: Final = f"eyes_{secrets.token_hex(8)}"
"""Where our script is found in its world; numbers of worlds may be given anew, so that another world may answer."""


@cache
def _script() -> str:
    return (Path(__file__).parent / "observer.js").read_text(encoding="utf-8")


class Lens:
    """One frame of a page; ``ref`` names the element in the frame ``parent`` that holds it."""

    def __init__(self, page: Page, session: CDPSession, frame: str, parent: Lens | None = None, ref: str = "") -> None:
        self.page, self.session, self.frame = page, session, frame
        self.parent, self.ref = parent, ref
        self._world: int | None = None

    def call(self, name: str, *arguments: Any) -> Any:
        """The JSON that a function of ``observer.js`` answers; `Error` if the document goes away meanwhile."""
        given = ",".join(json.dumps(argument) for argument in arguments)
        return _decoded(self._evaluate(f"{_KEY}.{name}({given})"))

    def ask(self, function: str, argument: Any) -> Any:
        """The JSON that another function answers; it is handed the eyes, whose ``element(ref)`` finds elements."""
        return _decoded(self._evaluate(f"({function})({_KEY}, {json.dumps(argument)})"))

    def _evaluate(self, expression: str, *, by_value: bool = True) -> dict[str, Any]:
        """In the world known from before; if its document has gone, in a new one that gets the script first."""
        options = {"returnByValue": by_value, "awaitPromise": True}
        known = self._world
        if known is not None:
            with suppress(Error):
                call = {"expression": f"globalThis.{_KEY} ? {expression} : null", "contextId": known, **options}
                result = _result(self.session.send("Runtime.evaluate", call))
                if result.get("subtype") != "null":
                    return result
        world = self.session.send("Page.createIsolatedWorld", {"frameId": self.frame, "worldName": _WORLD})
        self._world = world["executionContextId"]
        call = {"expression": f'({_script()})("{_KEY}");{expression}', "contextId": self._world, **options}
        return _result(self.session.send("Runtime.evaluate", call))

    def within(self, ref: str) -> Lens | None:
        """The frame of another origin that an element holds; None if it is gone."""
        with suppress(Error, KeyError):
            found = self._evaluate(f"{_KEY}.element({json.dumps(ref)})", by_value=False)["objectId"]
            frame = self.session.send("DOM.describeNode", {"objectId": found})["node"]["frameId"]
            return Lens(self.page, self._session_of(frame), frame, self, ref)
        return None

    def _session_of(self, frame: str) -> CDPSession:
        """A session with the process that the frame lives in: ours, or one of the frame's own."""
        with suppress(Error):
            self.session.send("Page.createIsolatedWorld", {"frameId": frame, "worldName": _WORLD})
            return self.session
        for candidate in self.page.frames[1:]:
            with suppress(Error):  # it lives in its parent's process
                session = self.page.context.new_cdp_session(candidate)
                if session.send("Page.getFrameTree")["frameTree"]["frame"]["id"] == frame:
                    return session
                session.detach()
        raise Error("the frame is gone")


def _decoded(result: dict[str, Any]) -> Any:
    value = result.get("value")
    if not isinstance(value, str) or not value:
        return None
    # Our script mends halves of characters, which nothing that speaks UTF-8 takes; should one be left, look at all.
    return scrub_deep(json.loads(value)) if "\\ud" in value else json.loads(value)


def _result(answer: dict[str, Any]) -> dict[str, Any]:
    if "exceptionDetails" in answer:
        details = answer["exceptionDetails"]
        text = details.get("exception", {}).get("description") or details.get("text", "")
        raise Error(f"in-page script failed: {text[:300]}")
    result: dict[str, Any] = answer["result"]
    return result
