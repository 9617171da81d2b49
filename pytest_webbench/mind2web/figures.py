"""What many steps say together: rates with intervals in both families, by group, and what coverage has cost.

Steps of one task are alike, so every interval takes the task as what was drawn. Nothing is a number where n is 0.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from ..stats import Interval, Repeats, bootstrap_mean, clustered_interval, mean_share
from .scoring import Scores, StepResult

Family = Literal["glass", "official"]
Group = Literal["website", "domain", "op", "role", "split"]
MEASURES: Final = ("covered", "element", "operation", "step")
CHARACTERS_PER_TOKEN: Final = 4
"""A rule of thumb for English text and markup; tokens are told as "about"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A mean over ``n`` steps of ``tasks`` tasks, with its 95 % interval."""

    value: float
    n: int
    tasks: int
    interval: Interval


@dataclass(frozen=True, slots=True, kw_only=True)
class FamilyFigures:
    """One family's figures; None where there is nothing to count."""

    micro: dict[str, Figure | None]
    """Mean over steps, by measure."""
    macro: dict[str, Figure | None]
    """Mean over tasks of the mean within each."""
    task_success: Figure | None
    """Share of tasks whose every measured step succeeded."""
    dropped: int
    """Steps that this family does not count: no target or no page."""
    lost_targets: int
    """Steps without any target, which this family counts as wrong."""


def family_figures(results: Sequence[StepResult], family: Family) -> FamilyFigures:
    """All figures of one family."""
    scored = [(result, scores_of(result, family)) for result in results]
    counted = [(result, scores) for result, scores in scored if scores.covered is not None]
    measures = {
        name: [(r.task_id, value) for r, s in counted if (value := getattr(s, name)) is not None] for name in MEASURES
    }
    whole: dict[str, list[bool]] = defaultdict(list)
    for result, scores in counted:
        if scores.step is not None:
            whole[result.task_id].append(scores.step)
    return FamilyFigures(
        micro={name: micro(values) for name, values in measures.items()},
        macro={name: macro(values) for name, values in measures.items()},
        task_success=_of_tasks([float(all(steps)) for steps in whole.values()], sum(map(len, whole.values()))),
        dropped=len(scored) - len(counted),
        lost_targets=sum(not result.targets for result, _ in counted),
    )


def scores_of(result: StepResult, family: Family) -> Scores:
    """One family's scores of a step."""
    return result.glass if family == "glass" else result.official


def micro(values: Sequence[tuple[str, float]]) -> Figure | None:
    """Mean over steps, each with the task it belongs to; its interval draws whole tasks."""
    if not values:
        return None
    tasks = _by_task(values)
    mean = math.fsum(value for _, value in values) / len(values)
    if all(value in (0, 1) for _, value in values):
        interval = clustered_interval([Repeats(round(sum(ones)), len(ones)) for ones in tasks.values()])
    else:
        interval = bootstrap_mean([(math.fsum(ones), len(ones)) for _, ones in sorted(tasks.items())])
    return Figure(value=mean, n=len(values), tasks=len(tasks), interval=interval)


def macro(values: Sequence[tuple[str, float]]) -> Figure | None:
    """Mean over tasks of each task's own mean."""
    return _of_tasks([math.fsum(ones) / len(ones) for ones in _by_task(values).values()], len(values))


def _of_tasks(means: list[float], steps: int) -> Figure | None:
    share = mean_share(means)
    return Figure(value=share.value, n=steps, tasks=share.n, interval=share.interval) if share else None


def _by_task(values: Iterable[tuple[str, float]]) -> dict[str, list[float]]:
    tasks: dict[str, list[float]] = defaultdict(list)
    for task, value in values:
        tasks[task].append(float(value))
    return tasks


def coverage(results: Iterable[StepResult], covered: Callable[[StepResult], bool | None]) -> Figure | None:
    """Share of steps with a target that are covered, as ``covered`` sees it; None leaves a step out."""
    told = ((result.task_id, covered(result)) for result in results if result.targets)
    return micro([(task, float(value)) for task, value in told if value is not None])


def by_group(results: Iterable[StepResult], group: Group) -> dict[str, list[StepResult]]:
    """The steps by website, domain, operation, role or split; in order of their number."""
    groups: dict[str, list[StepResult]] = defaultdict(list)
    for result in results:
        groups[str(getattr(result, group)) or "(unknown)"].append(result)
    return dict(sorted(groups.items(), key=lambda pair: (-len(pair[1]), pair[0])))


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What a coverage was bought with; None where nothing is known."""

    steps: int
    kinds: dict[str, int]
    """Steps by how the target is covered: exact, label, ancestor, descendant, none."""
    in_prompt: Figure | None
    """Share of steps whose target can be chosen from the text that a model is sent."""
    refs: float | None
    """Mean elements to choose from per page."""
    characters: float | None
    """Mean length of the text that a model is sent."""
    shared_by: float | None
    """Mean recorded nodes that the target's ref stands for; 1 is as selective as can be."""
    distance: float | None
    """Mean generations between target and ref, where an ancestor stands for it."""
    clickable: tuple[int, int]
    """Of the candidates that the dataset calls clickable: covered, all."""
    false_refs: tuple[int, int]
    """Of the refs on pages whose clickable nodes are known: on none of these, all."""
    nodes: int
    lost: int
    misplaced: int
    malformed: int
    """Recorded nodes; of these not in the page, under another parent; pages that are no well-formed XML."""


def cost(results: Sequence[StepResult]) -> Cost:
    """What the observation costs and loses over these steps."""
    pages = [result.page for result in results]
    covers = [result.cover for result in results if result.targets]
    known = [page for page in pages if page.false_refs is not None]
    kinds = ("exact", "label", "ancestor", "descendant", "none")
    return Cost(
        steps=len(results),
        kinds={kind: sum(cover.kind == kind for cover in covers) for kind in kinds},
        in_prompt=coverage(results, lambda result: result.cover.in_prompt),
        refs=_mean([page.refs for page in pages]),
        characters=_mean([page.characters for page in pages]),
        shared_by=_mean([cover.shared_by for cover in covers if cover.shared_by]),
        distance=_mean([cover.distance for cover in covers if cover.kind == "ancestor"]),
        clickable=(sum(page.clickable_covered for page in pages), sum(page.clickable for page in pages)),
        false_refs=(sum(page.false_refs or 0 for page in known), sum(page.refs for page in known)),
        nodes=sum(page.nodes or 0 for page in pages),
        lost=sum(page.lost or 0 for page in pages),
        misplaced=sum(page.misplaced or 0 for page in pages),
        malformed=sum(page.nodes is None for page in pages),
    )


def _mean(values: Sequence[float]) -> float | None:
    return math.fsum(values) / len(values) if values else None
