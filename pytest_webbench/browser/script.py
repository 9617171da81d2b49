"""Does the steps of a task's script: finds each element by role and name, acts as a user would."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final, TypeVar
from urllib.parse import urljoin

from playwright.sync_api import BrowserContext, Error, Locator, Page
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from ..errors import StepError
from ..task import ScriptStep
from ..task.script import (
    Back,
    Click,
    CloseTab,
    Done,
    Drag,
    Goto,
    Hover,
    Press,
    Read,
    Refuse,
    Scroll,
    Select,
    SetChecked,
    Slide,
    SwitchTab,
    Target,
    Type,
    Upload,
)
from . import moving
from .field_formats import fill
from .observer import Observer
from .performer import Effect, Performer
from .script_gestures import STEP_SECONDS, click_with_dialog, drag, slide, upload
from .settle import TO_GO_ON

_TIMEOUT: Final = STEP_SECONDS * 1000
_DOCUMENT_TIMEOUT: Final = 3 * _TIMEOUT
_MOST_NAMES: Final = 15
_TO_THE_END: Final = 100_000
"""CSS pixels: one turn of the wheel that goes as far as the page does."""

T = TypeVar("T")

OnElement = Click | Type | Select | SetChecked | Hover | Slide | Drag | Upload
"""Steps that name an element."""
OnTab = Press | Scroll | Goto | Back | SwitchTab | CloseTab
"""Steps that concern a tab as a whole."""


class StepPerformer:
    """Performs the steps of scripts in the tabs of one episode, and knows which tab is in front.

    ``files`` is the folder whose files may be uploaded.
    """

    def __init__(self, observer: Observer | None = None, *, files: Path | None = None) -> None:
        self._files = files
        self._performer = Performer(observer or Observer(), patience=TO_GO_ON)
        self._front: Page | None = None
        self._known: list[Page] = []
        """Tabs that were open after the last step."""

    def perform(self, page: Page, step: ScriptStep) -> None:
        """Do ``step`` in the tab in front; ``page`` is any tab of the episode.

        In front is the newest tab, unless a step went on in another one. `StepError` says why the
        step could not be done.
        """
        if isinstance(step, Done | Refuse):
            return
        if isinstance(step, Read):
            raise StepError(f"{describe(step)}: only the scripted agent reads values from pages")
        if isinstance(step, OnElement):
            self.act(
                page.context,
                describe(step),
                locate=lambda tab: element_of(tab, step),
                use=lambda element: _use(element, step, self._files),
                stay=isinstance(step, Click) and step.new_tab,
            )
        else:
            self.act(
                page.context,
                describe(step),
                locate=lambda tab: tab,
                use=lambda tab: _use_tab(tab, step),
            )

    def act(
        self,
        context: BrowserContext,
        title: str,
        *,
        locate: Callable[[Page], T],
        use: Callable[[T], Effect | None],
        stay: bool = False,
    ) -> None:
        """As `Performer.act`, in the tab in front; ``stay`` in it, whatever opens."""
        front = self.front(context)
        try:
            went = self._performer.act(front, title, locate=lambda: locate(front), use=use)
            self._front = front if stay else went
        finally:
            self._known = list(context.pages)

    def front(self, context: BrowserContext) -> Page:
        """The tab that the next step belongs to; `StepError` if none is open."""
        opened = [tab for tab in context.pages if not tab.is_closed()]
        if not opened:
            raise StepError("every tab is closed")
        came = [tab for tab in opened if tab not in self._known]
        if came or self._front not in opened:
            return opened[-1]
        return self._front


def _open_behind(link: Locator, step: Click) -> None:
    # The browser announces no window for a tab that stays behind, so `Performer` would miss it.
    with link.page.context.expect_page(timeout=_TIMEOUT):
        moving.click(link, link.page, milliseconds=_TIMEOUT, modifier="ControlOrMeta")


def _click(element: Locator, step: Click) -> None:
    if step.new_tab:
        _open_behind(element, step)
    elif step.dialog is None:
        moving.click(element, element.page, milliseconds=_TIMEOUT)
    else:
        click_with_dialog(element, describe(step), accept=step.dialog == "accept")


def _use(element: Locator, step: OnElement, files: Path | None) -> None:
    try:
        match step:
            case Click():
                _click(element, step)
            case Type():
                name = f"{describe(step)}: the field"
                fill(element, step.text, name=name, milliseconds=_TIMEOUT)
            case Select():
                element.select_option(label=step.option, timeout=_TIMEOUT)
            case SetChecked():
                moving.set_checked(element, element.page, on=step.on, milliseconds=_TIMEOUT)
            case Hover():
                moving.hover(element, milliseconds=_TIMEOUT)
            case Slide():
                slide(element, describe(step), to=step.to)
            case Drag():
                drag(element, onto=element_of(element.page, step.to))
            case Upload():
                upload(element, describe(step), names=step.files, folder=files)
    except PlaywrightTimeout as error:
        page = element.page
        raise StepError(
            f"{describe(step)}: no such element became ready within {STEP_SECONDS:g} s at "
            f"{page.url}; {step.role} elements there: {_names(page, step)}"
        ) from error


def _use_tab(page: Page, step: OnTab) -> Effect | None:
    match step:
        case Press(target=Target() as target):
            element_of(page, target).press(step.key, timeout=_TIMEOUT)
        case Press():
            page.keyboard.press(step.key)
        case Scroll():
            page.mouse.wheel(0, _TO_THE_END)
        case Goto():
            # Relative if it was read from a link.
            page.goto(urljoin(page.url, step.url), timeout=_DOCUMENT_TIMEOUT)
        case Back():
            page.go_back(timeout=_DOCUMENT_TIMEOUT)
        case SwitchTab():
            return Effect(front=_brought_to_front(page, step))
        case CloseTab():
            return Effect(front=_closed(page))
    return None


def _brought_to_front(page: Page, step: SwitchTab) -> Page:
    tabs = page.context.pages
    try:
        tab = tabs[step.index]
    except IndexError as error:
        raise StepError(
            f"{describe(step)}: there is no such tab, only {len(tabs)}: use 0 to {len(tabs) - 1}, "
            "or -1 for the newest"
        ) from error
    tab.bring_to_front()
    return tab


def _closed(page: Page) -> Page:
    others = [tab for tab in page.context.pages if tab is not page]
    if not others:
        raise StepError("close: this is the last tab; an episode ends with a tab open")
    page.close()
    others[-1].bring_to_front()
    return others[-1]


def element_of(page: Page, step: Target) -> Locator:
    """The element that a step of a script names."""
    root = page.frame_locator(step.frame) if step.frame else page
    found = root.get_by_role(step.role, name=step.name, exact=step.exact)
    return found.last if step.nth < 0 else found.nth(step.nth)


def _names(page: Page, step: OnElement) -> list[str]:
    root = page.frame_locator(step.frame) if step.frame else page
    names: list[str] = []
    with suppress(Error):  # what can be listed is enough: the page may change meanwhile
        for element in root.get_by_role(step.role).all()[:_MOST_NAMES]:
            text = element.text_content(timeout=_TIMEOUT) or ""
            names.append(" ".join(text.split())[:60])
    return names


def describe(step: ScriptStep) -> str:  # noqa: PLR0911, PLR0912 - one line per kind
    """A step in words, for messages: ``click link "Next"``."""
    match step:
        case Click(new_tab=True):
            return f'click {step.role} "{step.name}" for a new tab'
        case Click() | Hover() | SetChecked():
            return f'{step.do} {step.role} "{step.name}"'
        case Type():
            return f'type {step.text!r} into {step.role} "{step.name}"'
        case Select():
            return f'select {step.option!r} in {step.role} "{step.name}"'
        case Slide():
            return f'slide {step.role} "{step.name}" to {step.to}'
        case Drag():
            return f'drag {step.role} "{step.name}" to {step.to.role} "{step.to.name}"'
        case Upload():
            return f'upload {", ".join(step.files)} by {step.role} "{step.name}"'
        case Press(target=Target() as target):
            return f'press {step.key} on {target.role} "{target.name}"'
        case Press():
            return f"press {step.key}"
        case Read():
            return f"read {step.into}"
        case Goto():
            return f"goto {step.url}"
        case SwitchTab():
            return f"tab {step.index}"
        case Done():
            return f"done {step.answer!r}"
        case Refuse():
            return f"refuse: {step.reason}"
        case _:
            return step.do
