"""What steps of a script do that is more than one call: sliders, dragging, files, dialogs."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Final

from playwright.sync_api import Dialog, Error, Locator, Page
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from .._suggest import unknown
from ..errors import StepError

STEP_SECONDS: Final = 10.0
"""How long an element may take to appear and to become ready."""
_TIMEOUT: Final = STEP_SECONDS * 1000
_DIALOG_MILLISECONDS: Final = 3_000
_MOST_KEYS: Final = 200
"""Presses of an arrow key; a slider that needs more should be given its end by Home or End."""
_SLIDER: Final = """element => element.matches("input[type=range]")
  ? {native: true, now: element.value, min: element.min || "0", max: element.max || "100",
     step: element.step || "1"}
  : {native: false, now: element.getAttribute("aria-valuenow"),
     min: element.getAttribute("aria-valuemin"), max: element.getAttribute("aria-valuemax")}"""


def click_with_dialog(element: Locator, title: str, *, accept: bool) -> None:
    """Click, and answer the dialog that this opens; `StepError` if none opens."""
    page = element.page
    opened: list[Dialog] = []

    def answer(dialog: Dialog) -> None:
        opened.append(dialog)
        if accept:
            dialog.accept()
        else:
            dialog.dismiss()

    page.once("dialog", answer)
    try:
        element.click(timeout=_TIMEOUT)
        if not opened:
            _wait_for_dialog(page, title)
    finally:
        if not opened:
            page.remove_listener("dialog", answer)


def _wait_for_dialog(page: Page, title: str) -> None:
    try:
        page.wait_for_event("dialog", timeout=_DIALOG_MILLISECONDS)
    except PlaywrightTimeout as error:
        seconds = _DIALOG_MILLISECONDS / 1000
        raise StepError(
            f"{title}: no dialog opened within {seconds:g} s; leave out `dialog`"
        ) from error


def drag(element: Locator, *, onto: Locator) -> None:
    """Drag an element onto another."""
    mouse = element.page.mouse
    element.hover(timeout=_TIMEOUT)
    mouse.down()
    try:
        # Forced, for what is dragged lies over the goal; twice, for some pages act on the second.
        onto.hover(timeout=_TIMEOUT, force=True)
        onto.hover(timeout=_TIMEOUT, force=True)
    finally:
        # A button left down would drag with whatever comes next.
        mouse.up()


def upload(element: Locator, title: str, *, names: Sequence[str], folder: Path | None) -> None:
    """Choose files of ``folder`` in the file chooser that a click on ``element`` opens."""
    paths = [_file(title, name, folder) for name in names]
    try:
        with element.page.expect_file_chooser(timeout=_TIMEOUT) as opened:
            element.click(timeout=_TIMEOUT)
    except PlaywrightTimeout as error:
        if element.count() == 0:
            raise
        raise StepError(f"{title}: the element opens no file chooser") from error
    chooser = opened.value
    if len(paths) > 1 and not chooser.is_multiple():
        raise StepError(f"{title}: the page takes one file only")
    chooser.set_files(paths)


def _file(title: str, name: str, folder: Path | None) -> Path:
    """A file of the suite's folder, links followed; `StepError` if there is none."""
    if folder is None:
        raise StepError(f"{title}: there is no suite folder to take files from")
    root = folder.resolve()
    path = (root / name).resolve()
    if not path.is_relative_to(root):
        raise StepError(f"{title}: {name} leads out of the suite's folder {root}")
    if path.is_file():
        return path
    beside = (root / name).parent.glob("*")
    inside = [one.relative_to(root).as_posix() for one in beside if one.is_file()]
    raise StepError(f"{title}: {unknown('file', name, inside)}, in the suite's folder {root}")


def slide(element: Locator, title: str, *, to: str | float) -> None:
    """Give a slider a value; `StepError` if it does not take it."""
    wanted = _number(str(to))
    if wanted is None:
        raise StepError(f"{title}: {to!r} is not a number")
    facts = element.evaluate(_SLIDER, timeout=_TIMEOUT)
    if facts["native"]:
        _fill_slider(element, title, facts, wanted)
    else:
        _press_to(element, title, wanted)


def _fill_slider(element: Locator, title: str, facts: dict[str, str], wanted: Decimal) -> None:
    with suppress(Error):  # Playwright refuses some values that the slider rounds
        element.fill(f"{wanted:f}", timeout=_TIMEOUT)
    if _number(element.input_value(timeout=_TIMEOUT)) != wanted:
        raise StepError(
            f"{title}: it goes from {facts['min']} to {facts['max']} in steps of {facts['step']}"
        )


def _press_to(element: Locator, title: str, wanted: Decimal) -> None:
    """Press arrow keys until a slider that a page has built has its value."""
    before: Decimal | None = None
    for _ in range(_MOST_KEYS):
        facts = element.evaluate(_SLIDER, timeout=_TIMEOUT)
        now = _number(facts["now"] or "")
        if now is None:
            raise StepError(f"{title}: it does not say where it stands (aria-valuenow)")
        if now == wanted:
            return
        if before is not None and (now == before or (now - wanted) * (before - wanted) < 0):
            break
        before = now
        element.press(_key(facts, now, wanted), timeout=_TIMEOUT)
    raise StepError(
        f"{title}: it stands at {now} and goes no nearer; it goes from {facts['min']} "
        f"to {facts['max']}"
    )


def _key(facts: dict[str, str], now: Decimal, wanted: Decimal) -> str:
    """The key that brings a slider nearer to its goal, its ends at once."""
    if wanted == _number(facts["max"] or ""):
        return "End"
    if wanted == _number(facts["min"] or ""):
        return "Home"
    return "ArrowRight" if now < wanted else "ArrowLeft"


def _number(text: str) -> Decimal | None:
    try:
        found = Decimal(text.strip())
    except InvalidOperation:
        return None
    return found if found.is_finite() else None
