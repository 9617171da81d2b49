"""What proves that a task is sound: its solution passes every time, and nothing less does.

Each proof is one episode whose verdict is known beforehand.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from ..errors import VerifierError
from ..evidence.models import Ending, Evidence
from ..task import Task
from ..task.script import Done, Refuse
from .episode_mutants import EpisodeMutant, MutantStep, derive
from .judge import judge
from .verdict import Outcome, Verdict

_NUMBER: Final = re.compile(r"[1-9]\d*")
Kind = Literal["solution", "start-page", "counterexample", "mutant"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """One episode of a validation; ``label`` names it in item names and folders."""

    kind: Kind
    label: str
    title: str
    steps: tuple[MutantStep, ...] = ()
    seed: int = 0
    """The edition of the world that it is played in."""
    must_pass: bool = False
    """Whether a mutant is a right episode."""

    def problem(self, task: Task, evidence: Evidence, verdict: Verdict) -> str | None:
        """Why this episode speaks against the task, or None."""
        if verdict.reason == VerifierError.reason:
            return f"a check is broken: {verdict.detail}"
        if verdict.outcome is Outcome.UNSCORED:
            return None  # says nothing about the task; shown as what it is
        if self.kind == "start-page":
            return _passes_for_free(task, evidence)
        if self.kind == "mutant":
            return self._problem_of_mutant(evidence, passed=verdict.outcome is Outcome.PASSED)
        problem = self._problem_of_script(evidence, passed=verdict.outcome is Outcome.PASSED)
        if problem is None and self.kind == "solution":
            return _passes_from_memory(task, evidence)
        return problem

    def _problem_of_script(self, evidence: Evidence, *, passed: bool) -> str | None:
        if evidence.ending not in (Ending.DONE, Ending.NO_ANSWER) and not self._refused(evidence):
            return f"the script of the {self.kind} could not be played to its end (see agent.log)"
        if self.kind == "solution" and not passed:
            return "the reference solution does not pass"
        if self.kind == "counterexample" and passed:
            return "this counterexample passes"
        return None

    def _refused(self, evidence: Evidence) -> bool:
        """Whether the script gave up because its last step says so, and not for another reason."""
        last = self.steps[-1] if self.steps else None
        words = last.reason.split() if isinstance(last, Refuse) else None
        return evidence.ending is Ending.GAVE_UP and evidence.ending_detail.split() == words

    def _problem_of_mutant(self, evidence: Evidence, *, passed: bool) -> str | None:
        if passed and not self.must_pass:
            return "this wrong episode passes"
        if self.must_pass and not passed and evidence.ending is not Ending.GAVE_UP:
            return "this right episode does not pass"
        return None


def _passes_for_free(task: Task, evidence: Evidence) -> str | None:
    """With which answer, if any, the start page passes: none, an empty one, a guess, the goal."""
    answers = {
        "without an answer": None,
        "with an empty answer": "",
        "with the goal as answer": task.goal,
        **{f"with the answer {word!r}": word for word in ("yes", "no", "0", "1", "none", "done")},
    }
    for step in task.solution:
        if isinstance(step, Done) and step.answer:
            answers["with the solution's own answer, from memory"] = step.answer
    for answer in task.remembered:
        answers[f"with the remembered answer {answer!r}"] = answer
    for what, given in answers.items():
        if _passes_with(task, evidence, given):
            return f"the start page passes {what}"
    for step in task.solution:
        if isinstance(step, Refuse) and _passes_by_refusing(task, evidence, step.reason):
            return "the start page passes with the solution's own reason to refuse"
    return None


def _passes_by_refusing(task: Task, evidence: Evidence, reason: str) -> bool:
    attempt = {"answer": None, "ending": Ending.GAVE_UP, "ending_detail": reason}
    return judge(task, evidence.model_copy(update=attempt)).outcome is Outcome.PASSED


def _passes_from_memory(task: Task, evidence: Evidence) -> str | None:
    """Which remembered answer, if any, passes where the solution has ended."""
    for answer in task.remembered:
        if _passes_with(task, evidence, answer):
            return f"the remembered answer {answer!r} passes on the page that the solution ends on"
    return None


def _passes_with(task: Task, evidence: Evidence, answer: str | None) -> bool:
    attempt = evidence.model_copy(update={"answer": answer, "ending": Ending.DONE})
    return judge(task, attempt).outcome is Outcome.PASSED


def proofs_of(task: Task, *, seeds: Sequence[int]) -> list[Proof]:
    """All proofs of a task: its solution in each edition, its start page, its counterexamples.

    ``seeds`` names the editions. A world that has only one is named several times.
    """
    proofs = []
    for number, seed in enumerate(seeds, start=1):
        proofs.append(_solution(task, f"solution-{number}", seed))
    proofs.append(Proof(kind="start-page", label="start-page", title="start page"))
    for number, example in enumerate(task.counterexamples, start=1):
        label, steps = f"counterexample-{number}", tuple(example.steps)
        proofs.append(Proof(kind="counterexample", label=label, title=example.name, steps=steps))
    return proofs


def solutions_of(task: Task, *, times: int) -> list[Proof]:
    """The solution alone: all that is played on live sites."""
    return [_solution(task, f"solution-{number}") for number in range(1, times + 1)]


def _solution(task: Task, label: str, seed: int = 0) -> Proof:
    title = f"reference solution in edition {seed}" if seed else "reference solution"
    steps = tuple(task.solution)
    return Proof(kind="solution", label=label, title=title, steps=steps, seed=seed)


def reference_of(task: Task) -> Proof:
    """The one proof that mutants are made from: the solution."""
    return _solution(task, "reference")


def mutants_of(task: Task, reference: Evidence | None) -> list[Proof]:
    """One proof per mutant of the solution; none unless ``reference`` passes."""
    if reference is None or judge(task, reference).outcome is not Outcome.PASSED:
        return []
    return [_proof_of(mutant) for mutant in derive(task, reference)]


def _proof_of(mutant: EpisodeMutant) -> Proof:
    return Proof(
        kind="mutant",
        label=mutant.label,
        title=mutant.title,
        steps=mutant.steps,
        must_pass=mutant.must_pass,
    )


def proof_called(task: Task, label: str, seed: int = 0) -> Proof | None:
    """The proof of a task that has this label; None if it has none.

    ``seed`` is the edition that it was played in.
    """
    number = label.removeprefix("solution-")
    if number != label:
        return _solution(task, label, seed) if _NUMBER.fullmatch(number) else None
    for proof in proofs_of(task, seeds=()):
        if proof.label == label:
            return proof
    return None
