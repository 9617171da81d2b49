"""Figures of many steps: rates with intervals in both families, by group, and what coverage costs.

Steps of one task are alike, so every interval takes the task, not the step, as what was sampled.
Where there is nothing to count, a figure is None.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Literal, TypeAlias

from ..stats import Interval, Repeats, bootstrap_mean, clustered_interval, mean_share
from .scoring import Page, Scores, StepResult

Family: TypeAlias = Literal["glass", "official"]
"""Whose definitions scores follow: the reference's, or the dataset's own."""
MEASURES: Final = ("covered", "element", "operation", "step")
"""The fields of `Scores`."""
KINDS: Final = ("exact", "label", "ancestor", "descendant", "none")
"""How a target can be covered, best first."""
CHARACTERS_PER_TOKEN: Final = 4
"""A rule of thumb for English text and markup, so tokens are shown as "about"."""


class Group(StrEnum):
    """What steps can be split by; each is a field of their results."""

    ROLE = "role"
    OP = "op"
    WEBSITE = "website"
    DOMAIN = "domain"
    SPLIT = "split"


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A mean over ``n`` steps of ``tasks`` tasks, with its 95 % interval."""

    value: float
    n: int
    tasks: int
    interval: Interval


@dataclass(frozen=True, slots=True, kw_only=True)
class FamilyFigures:
    """One family's figures."""

    micro: dict[str, Figure | None]
    """Mean over steps, by measure."""
    macro: dict[str, Figure | None]
    """Mean over tasks of the mean within each, by measure."""
    task_success: Figure | None
    """Share of tasks whose every measured step succeeded."""
    dropped: int
    """Steps that this family does not count: they have no target or no page."""
    lost_targets: int
    """Steps without any target that this family counts as wrong."""


def family_figures(results: Sequence[StepResult], family: Family) -> FamilyFigures:
    """All figures of one family."""
    counted: list[tuple[StepResult, Scores]] = []
    for result in results:
        scores = scores_of(result, family)
        if scores.covered is not None:
            counted.append((result, scores))
    values = {measure: _values(counted, measure) for measure in MEASURES}
    return FamilyFigures(
        micro={measure: micro(values[measure]) for measure in MEASURES},
        macro={measure: macro(values[measure]) for measure in MEASURES},
        task_success=_task_success(values["step"]),
        dropped=len(results) - len(counted),
        lost_targets=sum(not result.targets for result, _ in counted),
    )


def scores_of(result: StepResult, family: Family) -> Scores:
    """One family's scores of a step."""
    return result.glass if family == "glass" else result.official


def _values(counted: Iterable[tuple[StepResult, Scores]], measure: str) -> list[tuple[str, float]]:
    """Each step's task with its score; without steps of which the score is not known."""
    values: list[tuple[str, float]] = []
    for result, scores in counted:
        score = getattr(scores, measure)
        if score is not None:
            values.append((result.task_id, float(score)))
    return values


def _task_success(steps: Sequence[tuple[str, float]]) -> Figure | None:
    successes = [float(all(scores)) for scores in _by_task(steps).values()]
    return _over_tasks(successes, steps=len(steps))


def micro(values: Sequence[tuple[str, float]]) -> Figure | None:
    """Mean over steps, each given as its task and a score from 0 to 1."""
    if not values:
        return None
    tasks = _by_task(values)
    mean = math.fsum(value for _, value in values) / len(values)
    return Figure(value=mean, n=len(values), tasks=len(tasks), interval=_interval(tasks))


def _interval(tasks: dict[str, list[float]]) -> Interval:
    """The interval of the mean of all values, where those of a task belong together."""
    if all(value in (0, 1) for values in tasks.values() for value in values):
        return clustered_interval(
            [Repeats(round(sum(values)), len(values)) for values in tasks.values()]
        )
    return bootstrap_mean([(math.fsum(values), len(values)) for _, values in sorted(tasks.items())])


def macro(values: Sequence[tuple[str, float]]) -> Figure | None:
    """Mean over tasks of each task's own mean; ``values`` as for `micro`."""
    means = [math.fsum(scores) / len(scores) for scores in _by_task(values).values()]
    return _over_tasks(means, steps=len(values))


def _over_tasks(means: list[float], *, steps: int) -> Figure | None:
    share = mean_share(means)
    if share is None:
        return None
    return Figure(value=share.value, n=steps, tasks=share.n, interval=share.interval)


def _by_task(values: Iterable[tuple[str, float]]) -> dict[str, list[float]]:
    tasks: dict[str, list[float]] = defaultdict(list)
    for task, value in values:
        tasks[task].append(value)
    return tasks


def coverage(
    results: Iterable[StepResult], covered: Callable[[StepResult], bool | None]
) -> Figure | None:
    """Share of the steps with a target for which ``covered`` is true; None leaves a step out."""
    values: list[tuple[str, float]] = []
    for result in results:
        value = covered(result) if result.targets else None
        if value is not None:
            values.append((result.task_id, float(value)))
    return micro(values)


def by_group(results: Iterable[StepResult], group: Group) -> dict[str, list[StepResult]]:
    """The steps split by a group, the largest part first."""
    groups: dict[str, list[StepResult]] = defaultdict(list)
    for result in results:
        groups[str(getattr(result, group)) or "(unknown)"].append(result)
    return dict(sorted(groups.items(), key=lambda pair: (-len(pair[1]), pair[0])))


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What coverage was bought with, and what loading lost."""

    steps: int
    kinds: dict[str, int]
    """Steps with a target, by how it is covered."""
    in_prompt: Figure | None
    """Share of steps whose target can be chosen from the text that a model is sent."""
    refs: float | None
    """Mean number of elements to choose from, per page."""
    characters: float | None
    """Mean length of the text that a model is sent."""
    shared_by: float | None
    """Mean number of recorded nodes that the target's ref stands for; 1 is most selective."""
    distance: float | None
    """Mean generations between target and ref, where an ancestor covers it."""
    clickable: tuple[int, int]
    """Candidates that the dataset calls clickable: covered, all."""
    false_refs: tuple[int, int]
    """Refs on pages whose clickable nodes are known: on none of these, all."""
    nodes: int
    """Recorded nodes of all pages."""
    lost: int
    """Recorded nodes that are not in the page."""
    misplaced: int
    """Recorded nodes under another parent than recorded."""
    malformed: int
    """Pages that are not well-formed XML."""


def cost(results: Sequence[StepResult]) -> Cost:
    """What observing these steps costs and loses."""
    covers = [result.cover for result in results if result.targets]
    kinds = Counter(cover.kind for cover in covers)
    total = _total([result.page for result in results])
    return Cost(
        steps=len(results),
        kinds={kind: kinds[kind] for kind in KINDS},
        in_prompt=coverage(results, lambda result: result.cover.in_prompt),
        refs=_ratio(total["refs"], len(results)),
        characters=_ratio(total["characters"], len(results)),
        shared_by=_mean([cover.shared_by for cover in covers if cover.shared_by]),
        distance=_mean([cover.distance for cover in covers if cover.kind == "ancestor"]),
        clickable=(total["clickable_covered"], total["clickable"]),
        false_refs=(total["false_refs"], total["judged_refs"]),
        nodes=total["nodes"],
        lost=total["lost"],
        misplaced=total["misplaced"],
        malformed=total["malformed"],
    )


def _total(pages: Iterable[Page]) -> Counter[str]:
    """Sums over pages, by the field's name; ``judged_refs`` are those that could be false."""
    total: Counter[str] = Counter()
    for page in pages:
        total.update(
            refs=page.refs,
            characters=page.characters,
            clickable=page.clickable,
            clickable_covered=page.clickable_covered,
            false_refs=page.false_refs or 0,
            judged_refs=0 if page.false_refs is None else page.refs,
            nodes=page.nodes or 0,
            lost=page.lost or 0,
            misplaced=page.misplaced or 0,
            malformed=int(page.nodes is None),
        )
    return total


def _mean(values: Sequence[float]) -> float | None:
    return _ratio(math.fsum(values), len(values))


def _ratio(total: float, n: int) -> float | None:
    return total / n if n else None
