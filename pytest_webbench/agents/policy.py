"""Policies: which action comes next, given what was seen and done.

All agents with a model are one of these. A policy holds no page, so the same one serves live
episodes (`agents.loop`) and single recorded steps.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from pydantic import JsonValue

from .._usage import Usage
from ..browser.actions import Action
from ..browser.observation import Mode, Observation
from ..task.models import TaskBrief


@dataclass(frozen=True, slots=True, kw_only=True)
class PastAction:
    """One action that was taken, and its effect."""

    action: Action
    label: str
    """The action in words, with the element's name: ``click link "Next"``."""
    changed: bool
    """Whether the page looked different afterwards."""
    error: str = ""
    """Why the action failed, if it did."""
    url: str = ""
    """Address of the page on which it was decided."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """Everything that a policy decides on."""

    brief: TaskBrief
    observation: Observation
    history: tuple[PastAction, ...] = ()
    """Oldest first."""
    actions_left: int = 0
    seconds_left: float = 0.0
    notes: tuple[str, ...] = ()
    """Remarks of the loop for this turn only, such as that the last reply could not be used."""
    last: bool = False
    """No further action is possible: only `Done`, with the answer, counts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One option that was open, and the policy's probability for it (from 0 to 1)."""

    label: str
    probability: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """The action chosen, and how the choice came about."""

    action: Action
    thought: str = ""
    probability: float | None = None
    """The policy's own, from 0 to 1, that this action is right."""
    candidates: tuple[Candidate, ...] = ()
    usage: Usage = field(default_factory=Usage)
    facts: dict[str, JsonValue] = field(default_factory=dict)
    """Further facts for the journal."""


class Policy(Protocol):
    """Chooses actions. A new object is made for every episode."""

    @property
    def mode(self) -> Mode:
        """How it wants to see pages."""

    def choose(self, turn: Turn) -> Decision:
        """The next action.

        `EndpointError` if the model cannot be reached, `BadReply` if its reply cannot be used.
        """
