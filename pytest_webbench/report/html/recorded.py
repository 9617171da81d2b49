"""Recorded steps: what the report shows of one, and how many are covered, by role."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict

from ...run import StoredEpisode
from ...stats import Repeats, clustered_interval
from ..results import ItemResult
from .encode import clipped

_MOST_ROLES: Final = 60
_MOST_ELEMENTS: Final = 40
_MOST_TEXT: Final = 500
ALL_ROLES: Final = ""


class _Loose(BaseModel):
    """What a report needs of a ``result.json``; the rest is ignored."""

    model_config = ConfigDict(extra="ignore")


class _Cover(_Loose):
    kind: str = "none"
    accepted: list[str] = []


class _Prediction(_Loose):
    ref: str = ""
    op: str = ""
    value: str = ""


class _Page(_Loose):
    mode: str = ""
    refs: int = 0


class ShownElement(_Loose):
    """An element that is marked on the page."""

    kind: Literal["target", "accepted", "chosen"]
    node: str = ""
    ref: str = ""
    role: str = ""
    name: str = ""
    tag: str = ""
    attributes: list[tuple[str, str]] = []


class ShownStep(_Loose):
    """A recorded step as it was measured."""

    task_id: str
    step_index: int
    num_steps: int = 0
    op: str = ""
    value: str = ""
    role: str = ""
    targets: list[str] = []
    page: _Page = _Page()
    cover: _Cover = _Cover()
    prediction: _Prediction | None = None
    elements: list[ShownElement] = []
    why: str = ""

    @property
    def covered(self) -> bool:
        """Whether an element that could be chosen stands for the target."""
        return bool(self.targets) and self.cover.kind != "none"

    @property
    def accepted(self) -> bool | None:
        """Whether such an element was chosen; None if nobody was asked."""
        if self.prediction is None:
            return None
        return self.covered and self.prediction.ref in self.cover.accepted

    def marks(self) -> Iterator[tuple[str, str]]:
        """Kinds of marks, each with the id of its node."""
        for element in self.elements[:_MOST_ELEMENTS]:
            if element.node:
                yield element.kind, element.node


def read_step(episode: StoredEpisode) -> ShownStep | None:
    """The recorded step of an episode; None if it is an episode of a task."""
    return episode.parse("result.json", ShownStep.model_validate_json)


def step_data(step: ShownStep) -> dict[str, Any]:
    """A recorded step as the report shows it."""
    chosen = step.prediction
    return {
        "task": step.task_id,
        "number": step.step_index + 1,
        "of": step.num_steps,
        "mode": step.page.mode,
        "refs": step.page.refs,
        "wanted": _action(step.op, step.value),
        "chosen": None if chosen is None else _action(chosen.op, chosen.value),
        "covered": step.covered,
        "cover": step.cover.kind,
        "accepted": step.accepted,
        "why": clipped(step.why, _MOST_TEXT),
        "elements": list(map(_element_data, step.elements[:_MOST_ELEMENTS])),
    }


def _action(op: str, value: str) -> str:
    return clipped(f"{op} {value!r}" if value else op, _MOST_TEXT)


def _element_data(element: ShownElement) -> dict[str, Any]:
    data = element.model_dump(mode="json")
    data["name"] = clipped(element.name, _MOST_TEXT)
    return data


class RoleCounts:
    """Counts recorded steps by run, suite, agent and role of the target.

    Steps of a task are alike, so intervals take the task as what was sampled.
    """

    def __init__(self) -> None:
        self._steps: dict[tuple[str, str, str], dict[str, list[ShownStep]]] = {}

    def add(self, result: ItemResult, step: ShownStep) -> None:
        """One measured step."""
        by_role = self._steps.setdefault(
            (result.run, result.plan.suite, result.plan.agent), {ALL_ROLES: []}
        )
        by_role[ALL_ROLES].append(step)
        by_role.setdefault(step.role or "(unknown)", []).append(step)

    def data(self) -> list[dict[str, Any]]:
        """One group per run, suite and agent, each with all steps first and then its roles."""
        groups = []
        for (run, suite, agent), by_role in sorted(self._steps.items()):
            rows = [_row(role, steps) for role, steps in _largest_first(by_role)]
            groups.append({"run": run, "suite": suite, "agent": agent, "rows": rows})
        return groups


def _largest_first(by_role: Mapping[str, list[ShownStep]]) -> list[tuple[str, list[ShownStep]]]:
    ordered = sorted(by_role.items(), key=lambda one: (bool(one[0]), -len(one[1]), one[0]))
    return ordered[: _MOST_ROLES + 1]


def _row(role: str, steps: list[ShownStep]) -> dict[str, Any]:
    # A step without a target can be neither covered nor right, whatever is seen of its page.
    aimed = [step for step in steps if step.targets]
    covered = _share((step.task_id, step.covered) for step in aimed)
    asked = ((step.task_id, step.accepted) for step in aimed)
    return {
        "role": role,
        "steps": len(steps),
        "tasks": len({step.task_id for step in steps}),
        "without_target": sum(not step.targets for step in steps),
        "covered": covered,
        "accepted": _share((task, holds) for task, holds in asked if holds is not None),
    }


def _share(values: Iterator[tuple[str, bool]]) -> dict[str, Any] | None:
    """How many hold, of how many, with the 95 % interval of the share; None without any."""
    tasks: dict[str, list[bool]] = {}
    for task, holds in values:
        tasks.setdefault(task, []).append(holds)
    repeats = [Repeats(sum(holds), len(holds)) for holds in tasks.values()]
    n = sum(one.graded for one in repeats)
    if not n:
        return None
    count = sum(one.passed for one in repeats)
    low, high = clustered_interval(repeats)
    return {"count": count, "n": n, "rate": count / n, "low": low, "high": high}
