"""Reads what a decisions API answered: only a sound distribution over exactly what was offered is accepted. Pure."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Final, TypeGuard

from ...errors import BadReply
from ..base import Usage
from .menu import TARGETED, Menu
from .questions import target_question

TOLERANCE: Final = 0.02
"""By how much the sum of probabilities may differ from 1."""
TIE: Final = 1e-6


@dataclass(frozen=True, slots=True)
class Answer:
    """One answered question."""

    choice: str
    probabilities: dict[str, float]

    @property
    def probability(self) -> float:
        """Of the choice."""
        return self.probabilities[self.choice]


@dataclass(frozen=True, slots=True)
class Picked:
    """The operation chosen and, where it has one, its target."""

    operation: Answer
    target: Answer | None = None

    @property
    def probability(self) -> float:
        """Of operation and target together."""
        return self.operation.probability * (self.target.probability if self.target else 1.0)


def pick(menu: Menu, reply: object, *, joint: bool = False) -> Picked:
    """The choice that a reply makes; `BadReply` if it makes none that counts.

    By default the operation is chosen first, and only the question for its target is looked at. With ``joint`` all
    questions are, and the pair with the greatest product of probabilities is taken.
    """
    answers = _answers(reply)
    operation = read_answer(answers, "operation", menu.operations)
    if joint:
        return max((_with_target(menu, answers, operation, name) for name in menu.operations), key=_probability)
    return _with_target(menu, answers, operation, operation.choice)


def _probability(picked: Picked) -> float:
    return picked.probability


def _with_target(menu: Menu, answers: dict[str, Any], operation: Answer, name: str) -> Picked:
    chosen = Answer(name, operation.probabilities)
    if name not in TARGETED:
        return Picked(chosen)
    return Picked(chosen, read_answer(answers, target_question(name), menu.targets[name]))


def read_answer(answers: dict[str, Any], question: str, options: Collection[str]) -> Answer:
    """The answer to one question; `BadReply` says what is wrong with it."""
    answer = answers.get(question)
    if not isinstance(answer, dict):
        raise BadReply(f"no answer to {question!r}")
    choice, given = answer.get("choice"), answer.get("probabilities")
    if not isinstance(choice, str) or choice not in options:
        raise BadReply(f"{question}: the choice {_short(choice)} was not offered")
    if not isinstance(given, dict) or set(given) != set(options):
        raise BadReply(f"{question}: probabilities must name exactly the {len(options)} options offered")
    probabilities = {option: _number(question, option, given[option]) for option in options}
    total = math.fsum(probabilities.values())
    if abs(total - 1) > TOLERANCE:
        raise BadReply(f"{question}: probabilities sum to {total:.4g}, not 1")
    if probabilities[choice] < max(probabilities.values()) - TIE:
        raise BadReply(f"{question}: the choice {_short(choice)} is not the most probable option")
    return Answer(choice, probabilities)


def usage_of(reply: object, seconds: float) -> Usage:
    """What a reply says that it has cost; nonsense counts as nothing."""
    told = reply.get("usage") if isinstance(reply, dict) else None
    told = told if isinstance(told, dict) else {}
    cost = told.get("cost")
    return Usage(
        calls=1,
        seconds=seconds,
        input_tokens=_count(told.get("input_tokens")),
        output_tokens=_count(told.get("output_tokens")),
        cost=float(cost) if _is_number(cost) and cost >= 0 else None,
    )


def _answers(reply: object) -> dict[str, Any]:
    answers = reply.get("answers") if isinstance(reply, dict) else None
    if not isinstance(answers, dict):
        raise BadReply("the reply has no object `answers`")
    return answers


def _number(question: str, option: str, value: object) -> float:
    if not _is_number(value) or not 0 <= value <= 1:
        raise BadReply(f"{question}: the probability of {_short(option)} is {_short(value)}, not a number from 0 to 1")
    return float(value)


def _is_number(value: object) -> TypeGuard[int | float]:
    return isinstance(value, int | float) and not isinstance(value, bool) and -1e300 < value < 1e300


def _count(value: Any) -> int:
    return int(value) if _is_number(value) and value >= 0 else 0


def _short(value: object) -> str:
    return repr(value)[:80]
