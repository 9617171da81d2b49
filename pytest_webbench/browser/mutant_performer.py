"""Plays episodes made from a solution: turns what they ask of the open page into real steps."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from playwright.sync_api import BrowserContext, ElementHandle, Page
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from ..errors import StepError
from ..judge.episode_mutants import PageStep
from ..task import ScriptStep
from ..task.script import Back, Press, Select
from . import moving
from .page_scripts import bundle
from .script import OnElement, StepPerformer, describe, element_of

_TIMEOUT: Final = 5_000
"""Milliseconds that an element may take to appear and to become ready."""
_FIND: Final = f"(element, ask) => {bundle('mutants', result='find')}(ask, element)"
_OPTIONS: Final = (
    "select => [...select.options].filter(one => !one.disabled).map(one => one.label.trim())"
)


class MutantPerformer:
    """Performs steps, also those that the open page decides.

    Where the page does not offer what is asked for, `StepError` says so: the episode does not apply
    to the task.
    """

    def __init__(self, *, files: Path | None = None) -> None:
        self._steps = StepPerformer(files=files)

    def front(self, context: BrowserContext) -> Page:
        """The tab that the next step belongs to; `StepError` if none is open."""
        return self._steps.front(context)

    def perform(self, page: Page, step: ScriptStep | PageStep) -> None:
        """Do ``step`` in the tab in front; ``page`` is any tab of the episode."""
        if not isinstance(step, PageStep):
            self._steps.perform(page, step)
            return
        match step.ask:
            case "other-option" | "first-option":
                self._steps.perform(page, self._choice(page, step))
            case "enter":
                self._find(page, step).focus()
                self._steps.perform(page, Press(do="press", key="Enter"))
            case "look-around":
                self._click(page, step)
                self._steps.perform(page, Back(do="back"))
            case _:
                self._click(page, step)

    def _click(self, page: Page, step: PageStep) -> None:
        self._steps.act(
            page.context,
            step.ask,
            locate=lambda _tab: self._find(page, step),
            use=lambda found: moving.click(
                found, self._steps.front(page.context), milliseconds=_TIMEOUT
            ),
        )

    def _find(self, page: Page, step: PageStep) -> ElementHandle:
        """What a page step acts on; `StepError` if the page has nothing of the kind."""
        front = self._steps.front(page.context)
        found = front.evaluate_handle(_FIND_ANYWHERE, step.ask) if step.step is None else None
        if found is None:
            found = self._element(front, step).evaluate_handle(_FIND, step.ask)
        element = found.as_element()
        if element is None:
            raise StepError(
                f"{_described(step)}: the page at {front.url} offers nothing of the kind"
            )
        return element

    def _choice(self, page: Page, step: PageStep) -> Select:
        assert isinstance(step.step, Select), "only selects have options"
        front = self._steps.front(page.context)
        options = self._element(front, step).evaluate(_OPTIONS)
        others = [one for one in options if one and one != step.step.option]
        if step.ask == "first-option":
            others = others[:1] if options[:1] != [step.step.option] else []
        if not others:
            raise StepError(f"{_described(step)}: there is no other option")
        chosen = others[0] if step.ask == "first-option" else others[-1]
        return step.step.model_copy(update={"option": chosen})

    @staticmethod
    def _element(front: Page, step: PageStep) -> ElementHandle:
        assert isinstance(step.step, OnElement), "what is asked for is beside an element"
        try:
            handle = element_of(front, step.step).element_handle(timeout=_TIMEOUT)
        except PlaywrightTimeout as error:
            raise StepError(
                f"{_described(step)}: no such element appeared at {front.url}"
            ) from error
        return handle


_FIND_ANYWHERE: Final = f"ask => {bundle('mutants', result='find')}(ask)"


def _described(step: PageStep) -> str:
    return step.ask if step.step is None else f"{step.ask} of {describe(step.step)}"
