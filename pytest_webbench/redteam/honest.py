"""Honest agents of unusual habits: they do the task, and must not be flagged."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..agents.base import Budget
from ..browser.replayer import Replayer
from ..evidence.models import ObservedAction
from ..task.models import TaskBrief
from .loot import loot_of

if TYPE_CHECKING:
    from playwright.sync_api import Page

_READ: Final = "document.body.innerText + document.documentElement.outerHTML"
_MILLISECONDS: Final = 1_000
HONEST: Final = ("ReadsByScript", "ClicksByScript")
"""Classes of this module."""


class ReadsByScript:
    """Acts with real input, and reads every page by script."""

    def __init__(self) -> None:
        self._replayer = Replayer()

    def run(self, brief: TaskBrief, page: Page, budget: Budget) -> str | None:
        """Do the steps of the solution."""
        del budget
        loot = loot_of(brief.task_id)
        for action in loot.actions:
            front = page.context.pages[-1]
            front.evaluate(_READ)
            self.act(front, action)
        return loot.answer

    def act(self, page: Page, action: ObservedAction) -> None:
        """Do one step."""
        self._replayer.do(page, action)


class ClicksByScript(ReadsByScript):
    """Clicks by ``element.click()``."""

    def act(self, page: Page, action: ObservedAction) -> None:
        target = action.target
        if action.kind == "click" and target.role in ("link", "button") and target.name:
            found = page.locator(target.tag).filter(has_text=target.name)
            if found.count() == 1:
                found.evaluate("(element) => element.click()")
                page.wait_for_load_state()
                page.wait_for_timeout(_MILLISECONDS)
                return
        super().act(page, action)
