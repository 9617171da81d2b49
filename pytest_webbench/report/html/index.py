"""The list of all episodes, column by column: ten thousand of them are loaded at once."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from ..results import ItemResult, TaskKey

OUTCOMES: Final = ("passed", "failed", "unscored")
_MOST_BINS: Final = 25


class _Vocabulary:
    """Texts that occur again and again, each by its number."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def number(self, text: str) -> int:
        return self._numbers.setdefault(text, len(self._numbers))

    def all(self) -> list[str]:
        return list(self._numbers)


class Index:
    """Takes results in their order and gives the columns."""

    def __init__(self) -> None:
        self.tasks: list[dict[str, Any]] = []
        self._task_numbers: dict[TaskKey, int] = {}
        names = ("agent", "reason", "flags", "ending", "worker", "browser", "why")
        self._words = {name: _Vocabulary() for name in names}
        self._columns: dict[str, list[Any]] = {}

    def __len__(self) -> int:
        return len(self._columns.get("task", ()))

    def add(self, run: int, result: ItemResult, *, why: str, chunk: int, goal: str) -> None:
        """One result.

        ``why`` is the check that a failure hangs on, ``chunk`` the number of the file with its
        details, ``goal`` that of its task, if it is known.
        """
        entry = result.entry
        row = {
            "run": run,
            "task": self._task(result, goal),
            "repeat": result.plan.repeat,
            "seed": result.plan.seed,
            "outcome": OUTCOMES.index(entry.outcome),
            "agent": self._words["agent"].number(result.plan.agent),
            "reason": self._words["reason"].number(result.reason),
            "flags": self._words["flags"].number(", ".join(flag.kind for flag in entry.flags)),
            "ending": self._words["ending"].number(entry.ending),
            "worker": self._words["worker"].number(entry.worker),
            "browser": self._words["browser"].number(entry.browser),
            "why": self._words["why"].number(why),
            "steps": entry.steps,
            "seconds": round(entry.seconds, 2),
            "acting": round(entry.agent_seconds, 2),
            "started": _milliseconds(entry.started),
            "attempts": len(result.attempts),
            "calls": entry.model_calls,
            "tokens": entry.input_tokens + entry.output_tokens,
            "cost": entry.cost,
            "chunk": chunk,
        }
        for name, value in row.items():
            self._columns.setdefault(name, []).append(value)

    def _task(self, result: ItemResult, goal: str) -> int:
        number = self._task_numbers.setdefault(result.task, len(self.tasks))
        if number == len(self.tasks):
            suite, task = result.task
            plan = result.plan
            facts = {"suite": suite, "id": task, "site": plan.site, "tags": list(plan.tags)}
            facts["whole"] = plan.part_of
            self.tasks.append({**facts, "goal": ""})
        if not self.tasks[number]["goal"]:
            self.tasks[number]["goal"] = goal
        return number

    def data(self) -> dict[str, Any]:
        """Everything, with a column of equal values as that value alone."""
        columns: dict[str, Any] = {}
        for name, values in self._columns.items():
            # Most runs have one agent's worker, reason or cost for all: ten thousand equal values
            # would be most of the file.
            columns[name] = values
            if values.count(values[0]) == len(values):
                columns[name] = values[0]
        words = {name: vocabulary.all() for name, vocabulary in self._words.items()}
        return {"tasks": self.tasks, "words": words, "columns": columns, "count": len(self)}


def _milliseconds(started: str) -> int | None:
    """Since 1970; None if it is not known."""
    try:
        return int(datetime.fromisoformat(started).timestamp() * 1000)
    except ValueError:
        return None


def histogram(results: Sequence[ItemResult], amount: str) -> dict[str, Any]:
    """How often which ``amount`` (a field of the ledger) occurred.

    The width of a bin, and per bin a count for each of the `OUTCOMES`.
    """
    values = []
    for result in results:
        if result.attempts:
            outcome = OUTCOMES.index(result.entry.outcome)
            values.append((getattr(result.entry, amount), outcome))
    most = max((value for value, _ in values), default=0)
    width = _width(most, whole=amount == "steps")
    bins = [[0, 0, 0] for _ in range(int(most / width) + 1)]
    for value, outcome in values:
        bins[int(value / width)][outcome] += 1
    return {"width": width, "bins": bins}


def _width(most: float, *, whole: bool) -> float:
    """A round width: 1, 2, 5, 10 ... times the smallest, for up to about 25 bins."""
    width = 1.0 if whole else 0.1
    while most / width > _MOST_BINS:
        starts_with_2 = str(width).lstrip("0.").startswith("2")
        width *= 2.5 if starts_with_2 else 2
    return round(width, 6)
