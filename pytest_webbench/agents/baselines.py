"""Agents without a model: what a benchmark must not reward, and the proof that a task is doable."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from ..browser.random_actions import RandomActions
from ..checks import Value
from ..errors import StepError
from ..judge.episode_mutants import MutantStep, PageStep
from ..task.models import TaskBrief
from ..task.placeholders import filled, filled_json
from ..task.script import Done, Read, Refuse
from .base import Budget, GaveUp

if TYPE_CHECKING:
    from playwright.sync_api import Page

Perform = Callable[["Page", Any], None]
"""Does one step: of a script, or of an episode made from one."""
ReadValues = Callable[["Page", Read], Value]
"""Reads what a step asks for; the page is any tab of the episode."""
_ELEMENTS: Final = (
    "a[href]:visible, button:visible, input:visible, select:visible, summary:visible, "
    "[role=button]:visible"
)


class Noop:
    """Does nothing, and answers nothing or one fixed text."""

    def __init__(self, answer: str | None = None) -> None:
        self._answer = answer

    def run(self, brief: TaskBrief, page: Page, budget: Budget) -> str | None:
        """Return the fixed answer."""
        del brief, page, budget
        return self._answer


class Scripted:
    """Plays a list of steps.

    ``perform`` finds each element by role and name, in the tab in front; ``read`` reads from it.
    """

    def __init__(
        self, steps: Sequence[MutantStep], perform: Perform, read: ReadValues | None = None
    ) -> None:
        self._steps = steps
        self._perform = perform
        self._read = read
        self._values: dict[str, Value] = {}

    def run(self, brief: TaskBrief, page: Page, budget: Budget) -> str | None:
        """Play all steps; the answer is that of the step ``done``, `GaveUp` that of ``refuse``."""
        del budget
        for step in self._steps:
            if isinstance(step, Done):
                return self._answer(step, brief)
            if isinstance(step, Refuse):
                raise GaveUp(filled(step, self._values).reason)
            tabs = page.context.pages
            if not tabs:
                raise StepError("every tab is closed")
            if isinstance(step, Read) and self._read is not None:
                self._values[step.into] = self._read(tabs[-1], step)
            else:
                self._perform(tabs[-1], self._filled(step))
        return None

    def _answer(self, step: Done, brief: TaskBrief) -> str:
        if brief.answer_schema is not None:
            return filled_json(step.answer, self._values)
        return filled(step, self._values).answer

    def _filled(self, step: MutantStep) -> MutantStep:
        if not isinstance(step, PageStep):
            return filled(step, self._values)
        if step.step is None:
            return step
        return replace(step, step=filled(step.step, self._values))


class Random:
    """Clicks, types and chooses at random, always the same with the same seed.

    Stops after ``most_actions``, or when the budget is used up.
    """

    def __init__(self, seed: int = 0, *, most_actions: int = 20) -> None:
        self._random = random.Random(seed)
        self._most_actions = most_actions
        self._actions = RandomActions()

    def run(self, brief: TaskBrief, page: Page, budget: Budget) -> str | None:
        """Act at random; the answer, if one is wanted, is a random word of the goal."""
        words = brief.goal.split()
        # Most clicks miss or do nothing that is counted, so attempts are limited, too.
        for _ in range(min(self._most_actions, budget.actions)):
            if budget.actions_left == 0 or not page.context.pages:
                break
            self._act(page.context.pages[-1], words)
        return self._random.choice(words) if brief.wants_answer else None

    def _act(self, page: Page, words: list[str]) -> None:
        elements = page.locator(_ELEMENTS)
        count = elements.count()  # of what is visible: hidden elements only cost time-outs
        if not count:
            return
        element = elements.nth(self._random.randrange(count))
        word = self._random.choice(words)
        option = self._random.randrange(1000)
        self._actions.try_use(element, word, option=option)
