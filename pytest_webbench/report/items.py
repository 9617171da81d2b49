"""The items of a run with everything that reports group them by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

from ..run import ItemKey, LedgerEntry, PlannedItem, RunDir
from ..run.ledger import latest
from .summary import missing_entry

NOT_RUN = "not_run"
"""Stands for the reason of a planned item without any attempt on record."""


@dataclass(frozen=True, slots=True)
class Item:
    """One planned item: the attempt that counts, and all attempts, oldest first."""

    run: str
    plan: PlannedItem
    result: LedgerEntry
    attempts: tuple[LedgerEntry, ...] = ()

    @property
    def outcome(self) -> tuple[str, str]:
        """Outcome and reason; an item that was never reached is unscored, `NOT_RUN`."""
        return self.result.outcome, self.result.reason if self.result.attempt else NOT_RUN

    @property
    def graded(self) -> bool:
        """Whether there is a verdict."""
        return self.result.outcome != "unscored"

    @property
    def passed(self) -> bool:
        """Whether the agent did the task."""
        return self.result.outcome == "passed"


@dataclass(frozen=True, slots=True)
class RunItems:
    """A run as reports see it. ``facts`` is its run.json."""

    tag: str
    items: tuple[Item, ...]
    facts: Mapping[str, Any]

    @property
    def agents(self) -> list[str]:
        """Labels of the agents planned."""
        return sorted({item.plan.agent for item in self.items})


def items_of(run: RunDir) -> RunItems:
    """Every planned item of a run, in order of its key: nothing that was planned can drop out."""
    attempts: dict[ItemKey, list[LedgerEntry]] = {}
    for entry in run.attempts():
        attempts.setdefault(entry.key, []).append(entry)
    counted = latest(entry for entries in attempts.values() for entry in entries)
    items = tuple(
        Item(run.path.name, plan, counted.get(plan.key) or missing_entry(plan), tuple(attempts.get(plan.key, ())))
        for plan in sorted(run.planned(), key=lambda plan: plan.key)
    )
    return RunItems(run.path.name, items, run.facts())


def plain(value: Any) -> Any:
    """Records of reports as JSON: dataclasses and named tuples as objects."""
    if is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return plain(value._asdict())
    if isinstance(value, Mapping):
        return {str(name): plain(inner) for name, inner in value.items()}
    return [plain(inner) for inner in value] if isinstance(value, list | tuple) else value
