"""Audits tasks with whole episodes: what came of the mutants of each reference solution."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from ..checks.agent import AgentAnswer
from ..checks.answers import unfenced
from ..evidence.models import Ending, Evidence
from ..task import Task
from ..task.mutants import RIGHT, WRONG
from .answer_mutations import answer_mutants
from .episode_mutants import EpisodeMutant, derive
from .judge import judge
from .verdict import CheckState, Outcome

_SMALL_NUMBERS: Final = (
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)
_ALIKE: Final = frozenset({"left-out", "filter-undone", "other-filter", "second-value"})
"""Families of which a mutant may turn out to be the solution itself."""


class State(StrEnum):
    """What came of a mutant."""

    REJECTED = "rejected"
    ACCEPTED = "accepted"
    NOT_APPLICABLE = "not applicable"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class MutantResult:
    """One mutant, and why it does not apply or is unknown."""

    family: str
    label: str
    title: str
    state: State
    why: str = ""

    @property
    def must_pass(self) -> bool:
        """Whether it is a right episode."""
        return self.family in RIGHT

    @property
    def is_wrong(self) -> bool:
        """Whether a wrong episode passes or a right one is refused."""
        return self.state is (State.REJECTED if self.must_pass else State.ACCEPTED)


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeAudit:
    """All mutants of one task; ``problem`` says why there are none."""

    task: str
    results: tuple[MutantResult, ...] = ()
    allowed: tuple[str, ...] = ()
    because: str = ""
    problem: str = ""

    @property
    def open(self) -> list[MutantResult]:
        """Mutants that are judged against the rule, or not at all, without a reason."""
        return [
            one
            for one in self.results
            if one.state is State.UNKNOWN or (one.is_wrong and one.family not in self.allowed)
        ]

    @property
    def not_needed(self) -> list[str]:
        """Families with a reason that no mutant needs."""
        needed = {one.family for one in self.results if one.is_wrong}
        return [family for family in self.allowed if family not in needed]

    @property
    def sound(self) -> bool:
        """Whether every mutant is judged by the rule or has a reason."""
        return not (self.problem or self.open or self.not_needed)


Played = Callable[[EpisodeMutant], tuple[Evidence | None, str]]
"""The evidence of a mutant that was played, and the last line of its log."""


def audit_episodes(task: Task, reference: Evidence | None, played: Played) -> EpisodeAudit:
    """What came of all mutants of ``task``; ``reference`` is the evidence of its solution."""
    if reference is None:
        return EpisodeAudit(task=task.id, problem="the solution was not played")
    if (outcome := judge(task, reference).outcome) is not Outcome.PASSED:
        return EpisodeAudit(task=task.id, problem=f"the solution is {outcome}")
    results = []
    for mutant in derive(task, reference):
        evidence, log = played(mutant)
        results.append(_result(task, reference, mutant, evidence, log))
    results += _answers(task, reference)
    order = [*WRONG, *RIGHT]
    allowed = task.mutants
    return EpisodeAudit(
        task=task.id,
        results=tuple(sorted(results, key=lambda one: order.index(one.family))),
        allowed=() if allowed is None else tuple(allowed.allowed),
        because="" if allowed is None else allowed.because,
    )


def _result(
    task: Task, reference: Evidence, mutant: EpisodeMutant, evidence: Evidence | None, log: str
) -> MutantResult:
    state, why = _state(task, reference, mutant, evidence, log)
    return MutantResult(
        family=mutant.family, label=mutant.label, title=mutant.title, state=state, why=why
    )


def _state(
    task: Task, reference: Evidence, mutant: EpisodeMutant, evidence: Evidence | None, log: str
) -> tuple[State, str]:
    if evidence is None:
        return State.UNKNOWN, "it was not played"
    verdict = judge(task, evidence)
    if verdict.outcome is Outcome.PASSED:
        if mutant.family in _ALIKE and _is_alike(reference, evidence):
            return State.NOT_APPLICABLE, "it leads over the same pages as the solution"
        return State.ACCEPTED, ""
    if evidence.ending is Ending.GAVE_UP:
        return State.NOT_APPLICABLE, log
    if verdict.outcome is Outcome.UNSCORED:
        return State.UNKNOWN, f"unscored: {verdict.reason}: {verdict.detail}"
    failed = [check.name for check in verdict.checks if check.state is not CheckState.HOLDS]
    return State.REJECTED, "; ".join(failed)


def _is_alike(reference: Evidence, evidence: Evidence) -> bool:
    """Whether an episode shows the same pages in the end and on the way, and stores the same."""
    return _shown(reference) == _shown(evidence)


def _shown(evidence: Evidence) -> object:
    route = list(dict.fromkeys((page.url, page.how) for page in evidence.pages_seen))
    return (
        route,
        evidence.answer,
        evidence.page and (evidence.page.url, evidence.page.title, evidence.page.visible_text),
        evidence.local_storage,
        evidence.reads,
    )


# -- answers: nothing has to be played for them --------------------------------------------------


def _answers(task: Task, reference: Evidence) -> Iterator[MutantResult]:
    seen: set[str | None] = {reference.answer}
    for family, title, answer in _other_answers(task, reference):
        if answer in seen:
            continue
        seen.add(answer)
        outcome = judge(task, reference.model_copy(update={"answer": answer})).outcome
        state = State.ACCEPTED if outcome is Outcome.PASSED else State.REJECTED
        label = f"{family}-{len(seen) - 1}"
        yield MutantResult(family=family, label=label, title=title, state=state)


def _other_answers(task: Task, reference: Evidence) -> Iterator[tuple[str, str, str | None]]:
    answer = reference.answer
    for check in task.checks:
        if answer and isinstance(check.getter, AgentAnswer):
            for kind, wrong in answer_mutants(task.goal, answer, check.expected):
                yield "wrong-answer", f"{kind}: {wrong!r}", wrong
    if answer and task.answer != "none":
        for form in _json_forms(answer) if task.answer == "json" else _forms(answer):
            yield "answer-form", repr(form), form


def _json_forms(answer: str) -> Iterator[str]:
    """A right JSON answer in other forms."""
    yield f"```json\n{answer}\n```"
    yield json.dumps(json.loads(unfenced(answer.strip())), indent=2)


def _forms(answer: str) -> Iterator[str]:
    """A right answer in other forms."""
    text = answer.rstrip(".")
    yield f"The answer is {text}."
    yield f"**{text}**"
    yield json.dumps({"answer": answer}, ensure_ascii=False)
    if text.isdecimal() and int(text) < len(_SMALL_NUMBERS):
        yield _SMALL_NUMBERS[int(text)]
