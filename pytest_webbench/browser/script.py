"""Does one step of a task's script in a page: choose the element by role and name, act on it as a user would."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

from playwright.sync_api import Error, Locator, Page, Request
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from ..errors import StepError
from ..task import Step
from ..task.models import Back, Click, Done, Goto, Hover, Press, Scroll, Select, SetChecked, Type
from .session import first_line
from .settle import new_tabs, requests_of

STEP_SECONDS: Final = 10.0
"""How long an element may take to appear and to become ready."""


def perform(page: Page, step: Step) -> None:
    """Do ``step`` on ``page``; `StepError` says why it could not be done."""
    try:
        with requests_of(page) as requests:
            _perform(page, step)
            _settle(page, requests.documents)
    except PlaywrightTimeout as error:
        raise StepError(f"{describe(step)}: {_why(page, step)}") from error
    except Error as error:
        raise StepError(f"{describe(step)}: {first_line(error)}") from error


@contextmanager
def _new_tabs(page: Page) -> Iterator[None]:
    session = page.context.new_cdp_session(page)
    session.send("Page.enable")
    with new_tabs(page, session):
        yield
    with suppress(Error):  # what was done may have closed the tab
        session.detach()


def _settle(page: Page, pending: set[Request]) -> None:
    """If the step made the page's own script open another document, wait for that: the next step belongs to it."""
    try:
        page.evaluate("new Promise(requestAnimationFrame)")
        while pending and not page.is_closed():
            page.evaluate("new Promise(requestAnimationFrame)")
    except Error:
        pass  # the document went away, or the tab did: just what is waited for
    if not page.is_closed():
        page.wait_for_load_state(timeout=STEP_SECONDS * 1000)


def _perform(page: Page, step: Step) -> None:
    timeout = STEP_SECONDS * 1000
    match step:
        case Click():
            with _new_tabs(page):
                element_of(page, step).click(timeout=timeout)
        case Type():
            element_of(page, step).fill(step.text, timeout=timeout)
        case Select():
            element_of(page, step).select_option(label=step.option, timeout=timeout)
        case SetChecked():
            element_of(page, step).set_checked(step.on, timeout=timeout)
        case Hover():
            element_of(page, step).hover(timeout=timeout)
        case Press():
            page.keyboard.press(step.key)
        case Scroll():
            page.mouse.wheel(0, 100_000)
        case Goto():
            page.goto(step.url, timeout=timeout * 3)
        case Back():
            page.go_back(timeout=timeout * 3)
        case Done():
            pass


def element_of(page: Page, step: Click | Type | Select | SetChecked | Hover) -> Locator:
    """The element that a step of a script names."""
    root = page.frame_locator(step.frame) if step.frame else page
    found = root.get_by_role(step.role, name=step.name, exact=step.exact)
    return found.last if step.nth < 0 else found.nth(step.nth)


def _why(page: Page, step: Step) -> str:
    if not isinstance(step, Click | Type | Select | SetChecked | Hover):
        return f"took longer than {STEP_SECONDS:g} s"
    same_role = (page.frame_locator(step.frame) if step.frame else page).get_by_role(step.role)
    names = [text.strip()[:60] for text in same_role.all_inner_texts()[:15]]
    return f"no such element became ready within {STEP_SECONDS:g} s at {page.url}; {step.role} elements there: {names}"


def describe(step: Step) -> str:  # noqa: PLR0911 - one line per kind
    """A step in words, for messages: ``click link "Next"``."""
    match step:
        case Click() | Hover() | SetChecked():
            return f'{step.do} {step.role} "{step.name}"'
        case Type():
            return f'type {step.text!r} into {step.role} "{step.name}"'
        case Select():
            return f'select {step.option!r} in {step.role} "{step.name}"'
        case Press():
            return f"press {step.key}"
        case Goto():
            return f"goto {step.url}"
        case Done():
            return f"done {step.answer!r}"
        case _:
            return step.do


def try_quickly(element: Locator, text: str, *, option: int, seconds: float = 0.4) -> bool:
    """Use an element in whatever way it offers; False if it does not let itself be used at once."""
    timeout = seconds * 1000
    try:
        kind = element.evaluate("element => element.tagName + ':' + (element.type || '')", timeout=timeout)
        if kind.startswith("SELECT"):
            options = element.locator("option").count()
            element.select_option(index=option % max(1, options), timeout=timeout)
        elif kind.startswith("INPUT") and kind.split(":")[1] in ("text", "search", "email", "url", "tel", "number"):
            element.fill(text if kind != "INPUT:number" else str(option), timeout=timeout)
            element.press("Enter", timeout=timeout)
        else:
            element.click(timeout=timeout)
    except Error:
        return False
    return True
