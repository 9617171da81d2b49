"""Plays a script in a context of its own, and takes DOM snapshots with a step's target marked."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from playwright.sync_api import Browser, BrowserContext, Error, Locator, Page, sync_playwright

from .._proxies import spare_loopback
from ..errors import StepError
from ..task import ScriptStep
from ..task.script import Click, Select, SetChecked, Type
from ..world import World
from .local import LocalBrowser
from .observer import Observer
from .playwright_errors import reason_of
from .script import StepPerformer, describe, element_of
from .settle import requests_of, settle

_TIMEOUT: Final = 10_000
_FIRST_CHANGE_SECONDS: Final = 0.3
"""How long a page that is at rest is waited for: suggestions and skeletons are replaced a moment
after a step."""
_MARK: Final = "(element, name) => element.setAttribute(name, '')"
_UNMARK: Final = "(element, name) => element.removeAttribute(name)"


class ScriptPlayer:
    """One script as it is played."""

    def __init__(self, context: BrowserContext) -> None:
        self._context, self._observer = context, Observer()
        self._performer = StepPerformer(self._observer)

    @property
    def page(self) -> Page:
        """The tab that the next step belongs to."""
        return self._performer.front(self._context)

    def perform(self, step: ScriptStep) -> None:
        """Do a step; `StepError` says why it could not be done."""
        self._performer.perform(self.page, step)

    def snapshot(self, step: Click | Type | Select | SetChecked, mark: str) -> dict[str, Any]:
        """The answer to ``DOMSnapshot.captureSnapshot``.

        In it the step's target has the attribute ``mark``. `StepError` if there is no such target.
        """
        page = self.page
        try:
            target = element_of(page, step)
            target.wait_for(state="visible", timeout=_TIMEOUT)
            with requests_of(page) as requests:
                settle(self._observer.frame(page), requests, expect=_FIRST_CHANGE_SECONDS)
            return self._marked_snapshot(page, target, mark)
        except Error as error:
            raise StepError(
                f"{describe(step)}: no snapshot with its target: {reason_of(error)}"
            ) from error

    def _marked_snapshot(self, page: Page, target: Locator, mark: str) -> dict[str, Any]:
        # In the page's own world, for Playwright hands its elements to no other.
        target.evaluate(_MARK, mark, timeout=_TIMEOUT)
        snapshot: dict[str, Any] = self._observer.cdp(page).session.send(
            "DOMSnapshot.captureSnapshot", {"computedStyles": []}
        )
        target.evaluate(_UNMARK, mark, timeout=_TIMEOUT)
        return snapshot


@contextmanager
def played(browser: Browser, context_args: dict[str, Any], url: str) -> Iterator[ScriptPlayer]:
    """A fresh context with a tab that shows ``url``; `StepError` if that does not open."""
    context = browser.new_context(**context_args)
    try:
        try:
            context.new_page().goto(url)
        except Error as error:
            raise StepError(f"{url} does not open: {reason_of(error)}") from error
        yield ScriptPlayer(context)
    finally:
        context.close()


@contextmanager
def local_browser(world: World) -> Iterator[Browser]:
    """A browser of this machine that lives in ``world``, for commands; it ends with the block."""
    spare_loopback()
    with sync_playwright() as playwright:
        provider = LocalBrowser(playwright, {})
        try:
            yield provider.acquire(world)
        finally:
            provider.release()
