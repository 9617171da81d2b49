"""Uses any element in whatever way it offers: what the random agent does."""

from __future__ import annotations

from typing import Final

from playwright.sync_api import Locator, Page

from ..errors import StepError
from .observer import Observer
from .performer import Performer
from .settle import TO_GO_ON

_TIMEOUT: Final = 400
"""Milliseconds: what is not ready at once is left alone."""
_TEXT_FIELDS: Final = (
    "input:not([type]), input[type=text i], input[type=search i], input[type=email i], "
    "input[type=url i], input[type=tel i]"
)


class RandomActions:
    """Uses elements in the tabs of one episode."""

    def __init__(self) -> None:
        self._performer = Performer(Observer(), patience=TO_GO_ON)

    def try_use(self, element: Locator, text: str, *, option: int) -> bool:
        """Choose, type or click; False if that could not be done at once.

        ``text`` goes into a field for text; the number ``option`` goes into one for numbers and
        says which of a list's options is chosen, counted round and round.
        """
        page = element.page
        try:
            self._performer.act(
                page,
                "use",
                locate=lambda: element,
                use=lambda found: _use(page, found, text, option=option),
            )
        except StepError:
            return False
        return True


def _use(page: Page, element: Locator, text: str, *, option: int) -> None:
    if _is(page, element, "select"):
        options = element.locator("option").count()
        element.select_option(index=option % max(1, options), timeout=_TIMEOUT)
    elif _is(page, element, _TEXT_FIELDS):
        _type(element, text)
    elif _is(page, element, "input[type=number i]"):
        _type(element, str(option))
    else:
        element.click(timeout=_TIMEOUT)


def _is(page: Page, element: Locator, selector: str) -> bool:
    return element.and_(page.locator(selector)).count() > 0


def _type(element: Locator, text: str) -> None:
    element.fill(text, timeout=_TIMEOUT)
    element.press("Enter", timeout=_TIMEOUT)
