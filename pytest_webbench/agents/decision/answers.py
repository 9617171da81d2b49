"""Reads what a decisions API has answered.

Only a sound probability distribution over exactly the options that were offered is accepted. Pure.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Final, TypeGuard

from ..._json import object_in
from ..._usage import Usage, believed
from ...errors import BadReply
from .menu import TARGETED, Menu
from .questions import target_question

TOLERANCE: Final = 0.02
"""By how much the sum of probabilities may differ from 1."""
TIE: Final = 1e-6
"""By how much the choice may be less probable than the most probable option: rounding only."""


@dataclass(frozen=True, slots=True)
class QuestionAnswer:
    """The answer to one question."""

    choice: str
    probabilities: dict[str, float]
    """From 0 to 1, by option."""

    @property
    def probability(self) -> float:
        """Of the choice."""
        return self.probabilities[self.choice]


@dataclass(frozen=True, slots=True)
class MenuChoice:
    """The operation chosen and, where it needs one, its target."""

    operation: QuestionAnswer
    target: QuestionAnswer | None = None

    @property
    def probability(self) -> float:
        """Of operation and target together."""
        if self.target is None:
            return self.operation.probability
        return self.operation.probability * self.target.probability


def choice_in(reply: object, menu: Menu, *, joint: bool = False) -> MenuChoice:
    """The choice in a reply; `BadReply` if it has none that counts.

    By default the operation is chosen first, and only the question for its target counts. With
    ``joint`` all questions count, and the pair with the greatest product of probabilities is taken.
    """
    answers = _answers(reply)
    operation = read_answer(answers, "operation", menu.operations)
    if not joint:
        return _with_target(menu, answers, operation, operation.choice)
    choices = [_with_target(menu, answers, operation, name) for name in menu.operations]
    return max(choices, key=attrgetter("probability"))


def _with_target(
    menu: Menu, answers: dict[str, Any], operation: QuestionAnswer, name: str
) -> MenuChoice:
    # With `joint` this is any operation, not only the one that the model chose.
    chosen = QuestionAnswer(name, operation.probabilities)
    if name not in TARGETED:
        return MenuChoice(chosen)
    return MenuChoice(chosen, read_answer(answers, target_question(name), menu.targets[name]))


def read_answer(answers: dict[str, Any], question: str, options: Collection[str]) -> QuestionAnswer:
    """The answer to one question; `BadReply` says what is wrong with it."""
    answer = answers.get(question)
    if not isinstance(answer, dict):
        raise BadReply(f"no answer to {question!r}")
    choice, given = answer.get("choice"), answer.get("probabilities")
    if not isinstance(choice, str) or choice not in options:
        raise BadReply(f"{question}: the choice {_short(choice)} was not offered")
    if not isinstance(given, dict) or set(given) != set(options):
        raise BadReply(
            f"{question}: probabilities must name exactly the {len(options)} options offered"
        )
    probabilities = {option: _number(question, option, given[option]) for option in options}
    total = math.fsum(probabilities.values())
    # Servers round probabilities before they send them.
    if abs(total - 1) > TOLERANCE:
        raise BadReply(f"{question}: probabilities sum to {total:.4g}, not 1")
    if probabilities[choice] < max(probabilities.values()) - TIE:
        raise BadReply(f"{question}: the choice {_short(choice)} is not the most probable option")
    return QuestionAnswer(choice, probabilities)


def usage_of(reply: object, seconds: float) -> Usage:
    """What a reply says it has cost; nonsense counts as nothing."""
    usage = object_in(reply, "usage")
    return Usage(
        calls=1,
        seconds=seconds,
        input_tokens=_count(usage.get("input_tokens")),
        output_tokens=_count(usage.get("output_tokens")),
        cost=believed(usage.get("cost")),
    )


def _answers(reply: object) -> dict[str, Any]:
    answers = reply.get("answers") if isinstance(reply, dict) else None
    if not isinstance(answers, dict):
        raise BadReply("the reply has no object `answers`")
    return answers


def _number(question: str, option: str, value: object) -> float:
    if not _is_number(value) or not 0 <= value <= 1:
        raise BadReply(
            f"{question}: the probability of {_short(option)} is {_short(value)}, "
            "not a number from 0 to 1"
        )
    return float(value)


def _is_number(value: object) -> TypeGuard[int | float]:
    # JSON's integers have no bound, but float() of a huge one raises OverflowError.
    return isinstance(value, int | float) and not isinstance(value, bool) and -1e300 < value < 1e300


def _count(value: Any) -> int:
    return int(believed(value) or 0)


def _short(value: object) -> str:
    return repr(value)[:80]
