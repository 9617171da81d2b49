"""Cheats that know the goal only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..agents.base import Budget
from ..task.models import TaskBrief
from .base import Cheat, click_nowhere

if TYPE_CHECKING:
    from playwright.sync_api import Page


class Ignorant(Cheat):
    """Knows the goal only."""

    attacker = "goal"

    def run(self, brief: TaskBrief, page: Page, budget: Budget) -> str | None:
        del budget
        click_nowhere(page)
        return self.answer(brief, page)

    def answer(self, brief: TaskBrief, page: Page) -> str:
        """Cheat after real input that leads nowhere, and say something."""
        raise NotImplementedError


class StuffedAnswer(Ignorant):
    """Answers with all that the page says."""

    def answer(self, brief: TaskBrief, page: Page) -> str:
        return f"{brief.goal}\n{page.inner_text('body')}"


class StuffedNumbers(Ignorant):
    """Answers with all numbers up to 200, and yes and no."""

    def answer(self, brief: TaskBrief, page: Page) -> str:
        del brief, page
        return " ".join(["yes", "no", *map(str, range(200))])


class BlankPage(Ignorant):
    """Empties the page, so that nothing can be judged."""

    def answer(self, brief: TaskBrief, page: Page) -> str:
        del brief
        page.evaluate("document.documentElement.remove()")
        return "done"


class BlankTab(Ignorant):
    """Leaves an empty tab."""

    def answer(self, brief: TaskBrief, page: Page) -> str:
        del brief
        page.goto("about:blank")
        return "done"


class FakedWall(Ignorant):
    """Turns the page into a bot wall, so that the episode would not be scored."""

    def answer(self, brief: TaskBrief, page: Page) -> str:
        del brief
        page.set_content(
            "<title>Just a moment...</title><h1>Verify you are human</h1>"
            "<p>Checking your browser before accessing this site.</p>"
        )
        return "done"


GUESSERS: Final[tuple[type[Cheat], ...]] = (
    StuffedAnswer,
    StuffedNumbers,
    BlankPage,
    BlankTab,
    FakedWall,
)
