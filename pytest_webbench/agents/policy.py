"""Policies: given what has been seen and done, which action comes next. All agents with a model are one of these.

A policy holds no page, so the same one serves live episodes (`agents/loop.py`) and single recorded steps.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from pydantic import JsonValue

from ..browser.actions import Action
from ..browser.observation import Mode, Observation
from ..task.models import TaskBrief
from .base import Usage


@dataclass(frozen=True, slots=True, kw_only=True)
class Past:
    """One action that was taken, and what came of it."""

    action: Action
    label: str
    """The action in words, with the element's name: ``click link "Next"``."""
    changed: bool
    """Whether the page looked any different afterwards."""
    error: str = ""
    """Why it could not be done, if so."""
    url: str = ""
    """Address of the page on which it was decided."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """All that a policy may decide on."""

    brief: TaskBrief
    observation: Observation
    history: tuple[Past, ...] = ()
    """Oldest first."""
    actions_left: int = 0
    seconds_left: float = 0.0
    notes: tuple[str, ...] = ()
    """Remarks of the loop for this turn only, such as that the last reply could not be read."""
    last: bool = False
    """Nothing more can be done: only `Done`, with the answer that is asked for, counts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One choice that was open, and how probable the policy held it to be."""

    label: str
    probability: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """The action chosen, and how it came about."""

    action: Action
    thought: str = ""
    probability: float | None = None
    """The policy's own, of the action chosen."""
    candidates: tuple[Candidate, ...] = ()
    usage: Usage = field(default_factory=Usage)
    facts: dict[str, JsonValue] = field(default_factory=dict)
    """Further facts for the journal."""


class Policy(Protocol):
    """Chooses actions. One object serves one episode."""

    @property
    def mode(self) -> Mode:
        """What it wants to see of a page."""

    def choose(self, turn: Turn) -> Decision:
        """The next action. `EndpointError` if the model cannot be reached, `BadReply` if it gives nothing usable."""
