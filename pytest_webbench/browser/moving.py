"""Uses elements that never come to rest as a person does: where they are, if nothing covers them.

Playwright waits until an element stands still, and in vain for one that pulses or drifts. So after
a while the pointer is put on it, and the page is asked whether it is the element that is under the
pointer. Playwright asks that in a world of its own, as it does all else.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal

from playwright.sync_api import ElementHandle, Locator, Page
from playwright.sync_api import TimeoutError as PlaywrightTimeout

_HOVER_MILLISECONDS: Final = 3_000
_ATTEMPTS: Final = 3
_UNDER_POINTER: Final = ":scope:hover"
_NOT_AT_REST: Final = "element is not stable"
_OTHER_OBSTACLES: Final = (
    "intercepts pointer events",
    "element is not enabled",
    "element is not visible",
    "element is outside of the viewport",
)
Target = Locator | ElementHandle


def click(
    target: Target,
    page: Page,
    *,
    milliseconds: float,
    modifier: Literal["ControlOrMeta"] | None = None,
) -> None:
    """Click ``target`` in the tab ``page``; Playwright's `Error` if it is not ready in time."""
    modifiers = [modifier] if modifier else None

    if _done_at_rest(target, lambda: target.click(timeout=milliseconds, modifiers=modifiers)):
        return
    if modifier:
        page.keyboard.down(modifier)
    page.mouse.down()
    page.mouse.up()
    if modifier:
        page.keyboard.up(modifier)


def hover(target: Target, *, milliseconds: float) -> None:
    """Put the pointer on ``target``; Playwright's `Error` if it is not ready in time."""
    _done_at_rest(target, lambda: target.hover(timeout=milliseconds))


def set_checked(target: Target, page: Page, *, on: bool, milliseconds: float) -> None:
    """Tick ``target`` or take its tick away; Playwright's `Error` if it is not ready in time."""

    done = _done_at_rest(target, lambda: target.set_checked(on, timeout=milliseconds))
    if not done and target.is_checked() is not on:
        page.mouse.down()
        page.mouse.up()


def _done_at_rest(target: Target, act: Callable[[], None]) -> bool:
    """Whether ``act`` was done; if its element never came to rest, the pointer is on it now."""
    try:
        act()
    except PlaywrightTimeout as error:
        if not _was_moving(error):
            raise
        _point_at(target, error)
        return False
    return True


def _was_moving(error: PlaywrightTimeout) -> bool:
    """Whether the element would have been ready, had it stood still."""
    moving = error.message.rfind(_NOT_AT_REST)
    return moving > max(error.message.rfind(obstacle) for obstacle in _OTHER_OBSTACLES)


def _point_at(target: Target, error: PlaywrightTimeout) -> None:
    """Put the pointer on a moving element; ``error`` is raised if something else is there."""
    for _ in range(_ATTEMPTS):
        # Forced: without waiting for rest, and so without Playwright's own look at what covers it.
        target.hover(force=True, timeout=_HOVER_MILLISECONDS)
        if _is_under_pointer(target):
            return
    raise error


def _is_under_pointer(target: Target) -> bool:
    if isinstance(target, ElementHandle):
        return target.query_selector(_UNDER_POINTER) is not None
    return target.locator(_UNDER_POINTER).count() > 0
