"""The harness's own CDP session with one page; never handed to an agent."""

from __future__ import annotations

import base64
import json
import secrets
from collections.abc import Callable, Mapping
from typing import Any, Final

from playwright.sync_api import CDPSession, Page

from .isolated_world import IsolatedWorld, WorldScript
from .page_scripts import RECORDER, bundle

_TOKEN: Final = secrets.token_hex(8)
"""Part of the names that a client of the browser would look for to forge what we record."""
HARNESS_WORLD: Final = WorldScript(f"webbench_{_TOKEN}")
"""Where the harness's scripts run, the recorder of input among them."""
COUNTER_WORLD: Final = WorldScript(f"webbench_counter_{_TOKEN}")
"""Where nothing of ours stays, so that whatever somebody changed in the other does not matter."""
# In our world only: a page that could call it could forge actions.
BINDING: Final = {"name": f"tell_{_TOKEN}", "executionContextName": HARNESS_WORLD.name}
_HANDLE: Final = f"recording_{_TOKEN}"
"""The global function of the recorder that takes commands."""
IN_EVERY_DOCUMENT: Final = "Page.addScriptToEvaluateOnNewDocument"
LAST_INPUT: Final = f'globalThis.{_HANDLE}?.("last")'
"""The next action is the last that the budget allows: a page refuses further ones by itself."""
NO_INPUT: Final = f'globalThis.{_HANDLE}?.("over")'
"""The action budget is used up: no more clicks, keys and choices."""
_COUNTED: Final = ("click", "auxclick", "keydown", "input")
PULSE: Final = f"""(() => {{
  const ask = (view) => {{
    try {{
      view.{_HANDLE}?.("pulse");
      for (let index = 0; index < view.length; index += 1) ask(view[index]);
    }} catch {{}}  // a frame of another origin
  }};
  ask(globalThis);
}})()"""
"""Lets the recorders of a page and of its frames say how much they have seen."""
_COUNTS: Final = f"""(() => {{
  const found = [];
  const look = (view) => {{
    try {{
      const {{ eventCounts, timeOrigin }} = view.performance;
      const counts = {json.dumps(_COUNTED)}.map((kind) => [kind, eventCounts.get(kind)]);
      found.push([timeOrigin, Object.fromEntries(counts)]);
      for (let index = 0; index < view.length; index += 1) look(view[index]);
    }} catch {{}}
  }};
  look(globalThis);
  return found;
}})()"""
_NO_BODIES: Final = {"maxTotalBufferSize": 0, "maxResourceBufferSize": 0, "maxPostDataSize": 0}
"""The browser need not keep what it has loaded: only who answered is looked at."""
# Taken after every action, so speed matters more than sharpness.
_SCREENSHOT: Final = {"format": "jpeg", "quality": 60, "optimizeForSpeed": True}

OnEvent = Callable[[dict[str, Any]], None]
"""Takes what a CDP event says, or the message of the recorder."""


class CdpSession:
    """Talks to one page behind the agent's back: our world, recorder, screenshots, history."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.session: CDPSession = page.context.new_cdp_session(page)
        self.world = IsolatedWorld(page, self.session, HARNESS_WORLD)
        """The harness's world in the main frame."""
        self._counter = IsolatedWorld(page, self.session, COUNTER_WORLD)

    def start(
        self,
        on_report: Callable[[str], None] | None,
        on_event: Mapping[str, Callable[[Any], None]],
    ) -> None:
        """Begin to observe.

        ``on_report`` gets what the recorder reports, None if that is not wanted here; ``on_event``
        holds handlers of CDP events by their names.
        """
        # Handlers first: a domain reports what it knows already as soon as it is enabled.
        for name, handler in on_event.items():
            self.session.on(name, handler)
        self.session.send("Page.enable")
        self.session.send("Runtime.enable")
        self.session.send("Network.enable", _NO_BODIES)
        if on_report is not None:
            self._record_input(on_report)

    def _record_input(self, on_report: Callable[[str], None]) -> None:
        def called(event: dict[str, Any]) -> None:
            if event["name"] == BINDING["name"]:
                on_report(event["payload"])

        self.session.on("Runtime.bindingCalled", called)
        self.session.send("Runtime.addBinding", BINDING)
        self.run_in_every_document(recorder())

    def run_in_every_document(self, source: str) -> None:
        """Run a script of ours in every document of the page, now and from now on."""
        self.session.send(IN_EVERY_DOCUMENT, in_our_world(source))

    def input_counts(self) -> list[tuple[float, dict[str, int]]]:
        """How much real input there was in the page and in each frame of its origin.

        The browser itself counts, by kind of event. A document is named by the moment it began.
        """
        return [(began, counts) for began, counts in self._counter.evaluate(_COUNTS)]

    def target_id(self) -> str:
        """What the browser calls this page."""
        return str(self._target_info()["targetId"])

    def title(self) -> str:
        """The page's title as the browser knows it, even of a page that does not answer."""
        return str(self._target_info()["title"])

    def _target_info(self) -> dict[str, Any]:
        info: dict[str, Any] = self.session.send("Target.getTargetInfo")["targetInfo"]
        return info

    def allow_copying(self) -> None:
        """Let pages of this context fill the clipboard, as the copy buttons of sites do.

        None may read it. A browser without a window refuses both by itself; Playwright's
        `grant_permissions` would refuse everything else.
        """
        permission = {"permission": {"name": "clipboard-write"}, "setting": "granted"}
        context = self._target_info()["browserContextId"]
        self.session.send("Browser.setPermission", {**permission, "browserContextId": context})

    def stop_scripts(self) -> None:
        """End a script that never returns; works although the page does not answer."""
        self.session.send("Runtime.terminateExecution")

    def scrolled(self) -> tuple[float, float]:
        """How far the page is scrolled, in CSS pixels."""
        view = self.session.send("Page.getLayoutMetrics")["cssVisualViewport"]
        return round(view["pageX"]), round(view["pageY"])

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
        tree = self.session.send("Page.getFrameTree")["frameTree"]
        nodes: list[dict[str, Any]] = []
        # Chromium returns the tree of one document only.
        for frame in _frame_ids(tree):
            nodes += self.session.send("Accessibility.getFullAXTree", {"frameId": frame})["nodes"]
        return nodes

    def history(self) -> tuple[int, list[dict[str, Any]]]:
        """Index of the current entry, and all entries, oldest first."""
        answer = self.session.send("Page.getNavigationHistory")
        return answer["currentIndex"], answer["entries"]

    def go_to(self, entry: dict[str, Any]) -> None:
        """Go to an entry of the history."""
        self.session.send("Page.navigateToHistoryEntry", {"entryId": entry["id"]})


def recorder() -> str:
    """The script that records input and which pages are shown."""
    return bundle(*RECORDER, result=f'recording("{BINDING["name"]}", "{_HANDLE}")')


def in_our_world(source: str) -> dict[str, Any]:
    """Parameters of `IN_EVERY_DOCUMENT`."""
    # `runImmediately`, because the document that is open now needs the script too.
    return {"source": source, "worldName": HARNESS_WORLD.name, "runImmediately": True}


def _frame_ids(tree: dict[str, Any]) -> list[str]:
    found = [tree["frame"]["id"]]
    for child in tree.get("childFrames", ()):
        found += _frame_ids(child)
    return found
