"""Agents without a model: what a benchmark must not reward, and what proves that a task can be done."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ..errors import StepError
from ..task.models import Done, Step, TaskBrief
from .base import Budget

if TYPE_CHECKING:
    from playwright.sync_api import Page

Perform = Callable[["Page", Step], None]


class Noop:
    """Does nothing and says nothing, or says one fixed thing."""

    def __init__(self, answer: str | None = None) -> None:
        self._answer = answer

    def run(self, brief: TaskBrief, page: Page, budget: Budget) -> str | None:
        del brief, page, budget
        return self._answer


class Scripted:
    """Plays a list of steps: looks for each element by role and name, and acts on it in the newest tab."""

    def __init__(self, steps: Sequence[Step], perform: Perform) -> None:
        self._steps, self._perform = steps, perform

    def run(self, brief: TaskBrief, page: Page, budget: Budget) -> str | None:
        del brief, budget
        for step in self._steps:
            if isinstance(step, Done):
                return step.answer
            tabs = page.context.pages
            if not tabs:
                raise StepError("every tab is closed")
            self._perform(tabs[-1], step)
        return None


class Random:
    """Clicks, types and chooses at random, the same for the same seed; stops after ``most_actions``."""

    _ELEMENTS = "a[href]:visible, button:visible, input:visible, select:visible, summary:visible, [role=button]:visible"

    def __init__(self, seed: int = 0, *, most_actions: int = 20) -> None:
        self._random = random.Random(seed)
        self._most_actions = most_actions

    def run(self, brief: TaskBrief, page: Page, budget: Budget) -> str | None:
        words = brief.goal.split()
        for _ in range(min(self._most_actions, budget.actions)):
            if budget.actions_left == 0 or not page.context.pages:
                break
            self._act(page.context.pages[-1], words)
        return self._random.choice(words) if brief.wants_answer else None

    def _act(self, page: Page, words: list[str]) -> None:
        from ..browser.script import try_quickly

        elements = page.locator(self._ELEMENTS)
        count = elements.count()
        if not count:
            return
        element = elements.nth(self._random.randrange(count))
        try_quickly(element, self._random.choice(words), option=self._random.randrange(1000))
