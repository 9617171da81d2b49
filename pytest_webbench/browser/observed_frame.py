"""One frame of a page as the observer's script sees it."""

from __future__ import annotations

import json
from contextlib import suppress
from functools import cache
from typing import Any, Final

from playwright.sync_api import CDPSession, Error, Page

from .._text import sanitize_deep
from .isolated_world import IsolatedWorld, WorldScript
from .page_scripts import OBSERVER, bundle

_OBSERVER: Final = "webbenchObserver"


@cache
def _observer_script() -> WorldScript:
    source = bundle(*OBSERVER, result="observer")
    # Once per document: a second run would forget which element has which ref.
    return WorldScript("webbench_observer", f"globalThis.{_OBSERVER} ??= {source}")


class ObservedFrame:
    """Calls the observer's functions in one frame.

    ``ref`` names the element of the frame ``parent`` that holds this frame.
    """

    def __init__(
        self, world: IsolatedWorld, parent: ObservedFrame | None = None, ref: str = ""
    ) -> None:
        self.world, self.parent, self.ref = world, parent, ref

    @classmethod
    def of_page(cls, page: Page, session: CDPSession) -> ObservedFrame:
        """The main frame."""
        return cls(IsolatedWorld(page, session, _observer_script()))

    @property
    def page(self) -> Page:
        """The tab that the frame is part of."""
        return self.world.page

    def call(self, name: str, *arguments: Any) -> Any:
        """The JSON that a function of the observer answers.

        Playwright's `Error` if the document goes away meanwhile, and the one after it, too.
        """
        given = ",".join(json.dumps(argument) for argument in arguments)
        return self._read(f"{_OBSERVER}.{name}({given})")

    def ask(self, function: str, argument: Any) -> Any:
        """The JSON that a function of the caller's answers, which is handed the observer."""
        return self._read(f"({function})({_OBSERVER}, {json.dumps(argument)})")

    def within(self, ref: str) -> ObservedFrame | None:
        """The frame of another origin that an element holds; None if it is gone."""
        with suppress(Error):
            world = self.world.within(f"{_OBSERVER}.element({json.dumps(ref)})")
            return ObservedFrame(world, self, ref)
        return None

    def _read(self, expression: str) -> Any:
        try:
            text = self.world.evaluate(expression, wait=True)
        except Error:  # the document went away under the call: ask the next one
            text = self.world.evaluate(expression, wait=True)
        if not isinstance(text, str) or not text:
            return None
        # The script mends halves of surrogate pairs; should one be left, it would break UTF-8.
        return sanitize_deep(json.loads(text)) if "\\ud" in text else json.loads(text)
