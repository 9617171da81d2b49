"""What proves that a task is sound: its solution passes every time, and nothing that falls short of it passes.

Each proof is one episode whose verdict has to come out as foretold.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ..errors import VerifierError
from ..evidence.models import Ending, Evidence
from ..task import Step, Task
from .judge import judge
from .verdict import Outcome, Verdict

Kind = Literal["solution", "start-page", "counterexample"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """One episode of a validation; ``label`` names it in item names and folders."""

    kind: Kind
    label: str
    title: str
    steps: tuple[Step, ...] = ()

    def problem(self, task: Task, evidence: Evidence, verdict: Verdict) -> str | None:
        """Why this episode speaks against the task, or None."""
        if verdict.reason == VerifierError.reason:
            return f"a check is broken: {verdict.detail}"
        if verdict.outcome is Outcome.UNSCORED:
            return None  # says nothing about the task; shown as what it is
        if self.kind != "start-page" and evidence.ending not in (Ending.DONE, Ending.NO_ANSWER):
            return f"the script of the {self.kind} could not be played to its end (see agent.log)"
        if self.kind == "solution":
            return None if verdict.outcome is Outcome.PASSED else "the reference solution does not pass"
        if self.kind == "counterexample":
            return "this counterexample passes" if verdict.outcome is Outcome.PASSED else None
        return _passes_for_free(task, evidence)


def _passes_for_free(task: Task, evidence: Evidence) -> str | None:
    """Whether the start page passes with no answer, an empty one, or the goal parroted."""
    for what, answer in (
        ("without an answer", None),
        ("with an empty answer", ""),
        ("with the goal as answer", task.goal),
    ):
        attempt = evidence.model_copy(update={"answer": answer, "ending": Ending.DONE})
        if judge(task, attempt).outcome is Outcome.PASSED:
            return f"the start page passes {what}"
    return None


def proofs_of(task: Task, *, repeats: int) -> list[Proof]:
    """All proofs of a task: its solution ``repeats`` times, its start page, its counterexamples."""
    solution = [
        Proof(kind="solution", label=f"solution-{number}", title="reference solution", steps=tuple(task.solution))
        for number in range(1, repeats + 1)
    ]
    counterexamples = [
        Proof(kind="counterexample", label=f"counterexample-{number}", title=example.name, steps=tuple(example.steps))
        for number, example in enumerate(task.counterexamples, start=1)
    ]
    return [*solution, Proof(kind="start-page", label="start-page", title="start page"), *counterexamples]


def proof_called(task: Task, label: str) -> Proof | None:
    """The proof of a task that has this label; None if it has none of that name."""
    number = label.removeprefix("solution-")
    repeats = int(number) if number.isdecimal() else 1
    return next((proof for proof in proofs_of(task, repeats=repeats) if proof.label == label), None)
