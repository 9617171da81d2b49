"""The harness's own CDP session with one page; never handed to an agent."""

from __future__ import annotations

import base64
import json
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import CDPSession, Error, Page

WORLD: Final = "webbench"
BINDING: Final = {"name": "__webbench_action", "executionContextName": WORLD}
IN_EVERY_DOCUMENT: Final = "Page.addScriptToEvaluateOnNewDocument"
LAST_INPUT: Final = "globalThis.__webbench_last = true"
"""The next action is the last that the budget allows: a page refuses further ones by itself."""
NO_INPUT: Final = "globalThis.__webbench_over = true"
"""The action budget is used up: no more clicks, keys and choices."""
_SCREENSHOT = {"format": "jpeg", "quality": 60, "optimizeForSpeed": True}


@cache
def _script(name: str) -> str:
    return (Path(__file__).parent / name).read_text(encoding="utf-8")


class Channel:
    """Talks to one page behind the agent's back: isolated world, input recorder, screenshots, history."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.session: CDPSession = page.context.new_cdp_session(page)
        self._world: int | None = None
        """Execution context of the main frame's isolated world, as long as its document lives."""

    def start(self, on_action: Any, on_event: dict[str, Any]) -> None:
        """Begin to observe: ``on_action`` gets each observed input as a dict, ``on_event`` maps CDP events."""
        self.session.on("Runtime.bindingCalled", lambda event: self._on_binding(event, on_action))
        self.session.on("Runtime.executionContextsCleared", lambda _event: self._forget_world())
        for name, handler in on_event.items():
            self.session.on(name, handler)
        self.session.send("Page.enable")
        self.session.send("Runtime.enable")
        if on_action is not None:
            self.session.send("Runtime.addBinding", BINDING)
            self.run_in_every_document(recorder())

    def _on_binding(self, event: dict[str, Any], on_action: Any) -> None:
        if event["name"] == "__webbench_action":
            on_action(json.loads(event["payload"]))

    def run_in_every_document(self, source: str) -> None:
        """Run a script of ours in every document of the page, now and from now on."""
        self.session.send(IN_EVERY_DOCUMENT, in_our_world(source))

    def target_id(self) -> str:
        """What the browser calls this page."""
        return str(self.session.send("Target.getTargetInfo")["targetInfo"]["targetId"])

    def _forget_world(self) -> None:
        self._world = None

    def _isolated_world(self) -> int:
        if self._world is None:
            frame = self.session.send("Page.getFrameTree")["frameTree"]["frame"]["id"]
            world = self.session.send("Page.createIsolatedWorld", {"frameId": frame, "worldName": WORLD})
            self._world = world["executionContextId"]
        return self._world

    def evaluate(self, expression: str, *, wait: bool = False) -> Any:
        """The value of an expression in the main frame's isolated world; ``wait`` for the promise that it gives."""
        world = self._isolated_world()
        options = {"expression": expression, "contextId": world, "returnByValue": True, "awaitPromise": wait}
        try:
            answer = self.session.send("Runtime.evaluate", options)
        except Error:
            self._world = None  # the document went away meanwhile
            raise
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            text = details.get("exception", {}).get("description") or details.get("text", "")
            raise Error(f"in-page script failed: {text[:300]}")
        return answer["result"].get("value")

    def stop_scripts(self) -> None:
        """End a script that never returns; works although the page does not answer."""
        self.session.send("Runtime.terminateExecution")

    def screenshot(self) -> bytes:
        """What the page shows now, as JPEG."""
        return base64.b64decode(self.session.send("Page.captureScreenshot", _SCREENSHOT)["data"])

    def archive(self) -> str:
        """The page with its images and styles as one MHTML text."""
        return str(self.session.send("Page.captureSnapshot", {"format": "mhtml"})["data"])

    def close_dialog(self) -> None:
        """Dismiss the dialog that keeps the page from answering; `Error` if there is none."""
        self.session.send("Page.handleJavaScriptDialog", {"accept": False})

    def accessible_nodes(self) -> list[dict[str, Any]]:
        """The nodes of the accessibility tree, frames of the same process included."""
        frames = _frame_ids(self.session.send("Page.getFrameTree")["frameTree"])
        found = (self.session.send("Accessibility.getFullAXTree", {"frameId": frame}) for frame in frames)
        return [node for answer in found for node in answer["nodes"]]

    def evaluate_in_frame(self, element: str, expression: str) -> Any:
        """The value of an expression in the frame, of any site, whose element another expression gives."""
        found = self.session.send("Runtime.evaluate", {"expression": element, "contextId": self._isolated_world()})
        node = self.session.send("DOM.describeNode", {"objectId": found["result"]["objectId"]})["node"]
        frame = node["frameId"]
        session = self._session_of(frame)
        world = session.send("Page.createIsolatedWorld", {"frameId": frame, "worldName": WORLD})
        options = {"expression": expression, "contextId": world["executionContextId"], "returnByValue": True}
        return session.send("Runtime.evaluate", options)["result"].get("value")

    def _session_of(self, frame_id: str) -> CDPSession:
        """A session with the process that the frame lives in: often that of the page, or one of its own."""
        for frame in self.page.frames[1:]:
            with suppress(Error):  # it lives in its parent's process
                session = self.page.context.new_cdp_session(frame)
                if session.send("Page.getFrameTree")["frameTree"]["frame"]["id"] == frame_id:
                    return session
        return self.session

    def history(self) -> tuple[int, list[dict[str, Any]]]:
        """Index of the current entry, and all entries, oldest first."""
        answer = self.session.send("Page.getNavigationHistory")
        return answer["currentIndex"], answer["entries"]


def recorder() -> str:
    """The script that records input."""
    return _script("recorder.js")


def in_our_world(source: str) -> dict[str, Any]:
    """Parameters of `IN_EVERY_DOCUMENT`."""
    return {"source": source, "worldName": WORLD, "runImmediately": True}


def _frame_ids(tree: dict[str, Any]) -> list[str]:
    return [tree["frame"]["id"], *(one for child in tree.get("childFrames", ()) for one in _frame_ids(child))]
