"""Families of episodes made from a reference solution, and what a task file says about them."""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypeAlias, get_args

from pydantic import Field

from .fields import Model

WrongFamily: TypeAlias = Literal[
    "left-out",
    "filter-undone",
    "other-filter",
    "second-value",
    "neighbour",
    "item-first",
    "item-typed",
    "route-typed",
    "answer-only",
    "wrong-answer",
]
RightFamily: TypeAlias = Literal[
    "new-tab",
    "filters-swapped",
    "looked-around",
    "opened-twice",
    "enter-or-button",
    "scrolled",
    "tab-closed",
    "answer-form",
]
Family: TypeAlias = Literal[WrongFamily, RightFamily]
WRONG: Final[tuple[str, ...]] = get_args(WrongFamily)
"""Episodes that must fail."""
RIGHT: Final[tuple[str, ...]] = get_args(RightFamily)
"""Episodes that must pass."""


class Mutants(Model):
    """What a rule cannot decide about the episodes that are made from the solution."""

    allowed: Annotated[list[Family], Field(min_length=1)] = Field(
        description="families of which some pass although they should fail, or the reverse"
    )
    because: Annotated[str, Field(min_length=10)] = Field(
        description="why that is right; the report shows it"
    )
