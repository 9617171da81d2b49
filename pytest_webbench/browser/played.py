"""Plays the steps of a script in a context of its own, and takes DOM snapshots with a step's target marked."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from playwright.sync_api import Browser, BrowserContext, Error, Page, sync_playwright

from ..errors import StepError
from ..task import Step
from ..task.models import Click, Select, SetChecked, Type
from ..world import World
from .local import LocalBrowser
from .observe import Observer
from .script import describe, element_of, perform
from .session import first_line
from .settle import requests_of, settle

_SECONDS: Final = 10.0
_FIRST_CHANGE_SECONDS: Final = 0.3
"""How long a page that is at rest is waited for: suggestions and skeletons are replaced a moment after a step."""
_MARKING: Final = """(element, [name, on]) => {
  if (on) element.setAttribute(name, ""); else element.removeAttribute(name);
}"""


class Played:
    """One script as it is played; it goes on in whatever tab was opened last."""

    def __init__(self, context: BrowserContext) -> None:
        self._context, self._eyes = context, Observer()

    @property
    def page(self) -> Page:
        """The tab that the next step belongs to."""
        return self._context.pages[-1]

    def perform(self, step: Step) -> None:
        """Do a step; `StepError` says why it could not be done."""
        perform(self.page, step)

    def snapshot(self, step: Click | Type | Select | SetChecked, mark: str) -> dict[str, Any]:
        """The answer to ``DOMSnapshot.captureSnapshot``, in which the step's target has the attribute ``mark``."""
        page = self.page
        try:
            target = element_of(page, step)
            target.wait_for(state="visible", timeout=_SECONDS * 1000)
            with requests_of(page) as requests:
                settle(page, self._eyes.lens(page), requests, expect=_FIRST_CHANGE_SECONDS)
            target.evaluate(_MARKING, [mark, True], timeout=_SECONDS * 1000)
            told: dict[str, Any] = self._eyes.session(page).send("DOMSnapshot.captureSnapshot", {"computedStyles": []})
            target.evaluate(_MARKING, [mark, False], timeout=_SECONDS * 1000)
        except Error as error:
            raise StepError(f"{describe(step)}: no snapshot with its target: {first_line(error)}") from error
        return told


@contextmanager
def played(browser: Browser, context_args: dict[str, Any], url: str) -> Iterator[Played]:
    """A fresh context with a tab that shows ``url``; `StepError` if that does not open."""
    context = browser.new_context(**context_args)
    try:
        try:
            context.new_page().goto(url)
        except Error as error:
            raise StepError(f"{url} does not open: {first_line(error)}") from error
        yield Played(context)
    finally:
        context.close()


@contextmanager
def local_browser(world: World) -> Iterator[Browser]:
    """A browser of this machine that lives in ``world``, for commands; it ends with the block."""
    with sync_playwright() as playwright:
        provider = LocalBrowser(playwright, {})
        try:
            yield provider.acquire(world)
        finally:
            provider.release()
