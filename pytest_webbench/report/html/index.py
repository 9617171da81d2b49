"""The list of all episodes, column by column: small enough to load ten thousand of them at once."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from ..items import Item
from .episode import StoredTask

OUTCOMES = ("passed", "failed", "unscored")


class Words:
    """Texts that occur again and again, each by its number."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def number(self, text: str) -> int:
        return self._numbers.setdefault(text, len(self._numbers))

    def all(self) -> list[str]:
        return list(self._numbers)


class Index:
    """Takes items in their order and gives the columns."""

    def __init__(self) -> None:
        self.tasks: list[dict[str, Any]] = []
        self._task_keys: dict[tuple[str, str], int] = {}
        self._words = {name: Words() for name in ("agent", "reason", "ending", "worker", "why")}
        self._columns: dict[str, list[Any]] = {}

    def __len__(self) -> int:
        return len(self._columns.get("task", ()))

    def add(self, run: int, item: Item, why: str, chunk: int, task: StoredTask | None) -> None:
        """One item. ``why``: the check that a failure hangs on; ``chunk``: number of the file with its details."""
        result, outcome = item.result, item.outcome
        words = {"agent": item.plan.agent, "reason": outcome[1], "ending": result.ending, "worker": result.worker}
        row: dict[str, Any] = {
            "run": run,
            "task": self._task(item, task),
            "repeat": item.plan.repeat,
            "outcome": OUTCOMES.index(outcome[0]),
            **{name: self._words[name].number(text) for name, text in {**words, "why": why}.items()},
            "steps": result.steps,
            "seconds": round(result.seconds, 2),
            "acting": round(result.agent_seconds, 2),
            "started": _milliseconds(result.started),
            "attempts": len(item.attempts),
            "calls": result.model_calls,
            "tokens": result.input_tokens + result.output_tokens,
            "cost": result.cost,
            "chunk": chunk,
        }
        for name, value in row.items():
            self._columns.setdefault(name, []).append(value)

    def _task(self, item: Item, task: StoredTask | None) -> int:
        key = item.plan.suite, item.plan.task
        if key not in self._task_keys:
            self._task_keys[key] = len(self.tasks)
            self.tasks.append(
                {"suite": key[0], "id": key[1], "site": item.plan.site, "tags": list(item.plan.tags), "goal": ""}
            )
        number = self._task_keys[key]
        if task is not None and not self.tasks[number]["goal"]:
            self.tasks[number]["goal"] = task.goal
        return number

    def data(self) -> dict[str, Any]:
        """Everything, with columns of equal values as that value alone."""
        columns = {
            name: values[0] if values and all(value == values[0] for value in values) else values
            for name, values in self._columns.items()
        }
        words = {name: words.all() for name, words in self._words.items()}
        return {"tasks": self.tasks, "words": words, "columns": columns, "count": len(self)}


def _milliseconds(started: str) -> int | None:
    """Since 1970; None if it is not known."""
    try:
        return int(datetime.fromisoformat(started).timestamp() * 1000)
    except ValueError:
        return None


def histogram(items: Sequence[Item], what: str) -> dict[str, Any]:
    """How often which amount occurred, by outcome: counts per bin, and the width of a bin."""
    values = [(getattr(item.result, what), OUTCOMES.index(item.outcome[0])) for item in items if item.attempts]
    most = max((value for value, _ in values), default=0)
    width = _width(most, whole=what == "steps")
    bins = [[0, 0, 0] for _ in range(int(most / width) + 1)]
    for value, outcome in values:
        bins[int(value / width)][outcome] += 1
    return {"width": width, "bins": bins}


def _width(most: float, *, whole: bool) -> float:
    """A round width that gives up to about 25 bins."""
    width = 1.0 if whole else 0.1
    while most / width > 25:
        width *= 2.5 if str(width).lstrip("0.").startswith("2") else 2
    return round(width, 6)
