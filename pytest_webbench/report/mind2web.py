"""What a run over recorded steps has measured, in words and tables, and as data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from ..errors import StoreError
from ..mind2web.figures import (
    CHARACTERS_PER_TOKEN,
    Cost,
    Family,
    FamilyFigures,
    Figure,
    Group,
    by_group,
    cost,
    coverage,
    family_figures,
)
from ..mind2web.scoring import Miss, StepResult
from ..run import PlannedItem, RunDir

WORLD: Final = "recorded-"
"""What the ledger calls the world of recorded steps, with the way that pages are loaded behind it."""
FAMILIES: Final[tuple[Family, ...]] = ("glass", "official")
GROUPS: Final[tuple[Group, ...]] = ("role", "op", "website", "domain", "split")
_NAMES: Final = {
    "covered": "coverage",
    "element": "element accuracy",
    "operation": "operation F1",
    "step": "step success",
}
_MOST_ROWS: Final = 12


def results_of(run: RunDir, planned: Iterable[PlannedItem]) -> dict[str, list[StepResult]]:
    """By agent, what is on record of the planned steps; steps that are unscored have no result."""
    found: dict[str, list[StepResult]] = {}
    results = run.results()
    for item in planned:
        entry = results.get(item.key)
        if entry is not None and entry.world.startswith(WORLD) and entry.outcome != "unscored":
            found.setdefault(item.agent, []).append(_read_result(run.path / entry.folder / "result.json"))
    return found


def _read_result(path: Path) -> StepResult:
    try:
        return StepResult.model_validate_json(path.read_bytes())
    except (OSError, ValueError) as error:
        raise StoreError(f"{path} cannot be read: {error}") from error


def lines(results: Sequence[StepResult], groups: Iterable[Group] = ("role",)) -> Iterator[str]:
    """The whole account, for a terminal."""
    if not results:
        yield "no step was measured"
        return
    tasks, sites = {one.task_id for one in results}, {one.website for one in results}
    mode = "/".join(sorted({one.page.mode for one in results}))
    counts = f"{_many(len(results), 'step')} of {_many(len(tasks), 'task')} on {_many(len(sites), 'site')}"
    yield f"{counts}, pages loaded as {mode}"
    yield from _coverage_lines(results, mode)
    if any(one.prediction for one in results):
        for family in FAMILIES:
            yield from _family_lines(family, family_figures(results, family))
        yield from _miss_lines(results)
    yield from _cost_lines(cost(results))
    for group in groups:
        yield from _group_lines(results, group)


def _coverage_lines(results: Sequence[StepResult], mode: str) -> Iterator[str]:
    yield _row(f"coverage, {mode}", coverage(results, lambda one: one.cover.covered))
    if mode != "compat":
        yield _row("coverage, as the reference loads and sees pages", coverage(results, lambda one: one.compat))
    lost = sum(not one.targets for one in results)
    if lost:
        yield f"without a target: {_many(lost, 'step')}; glass.* leaves them out, official.* counts them as wrong"


def _family_lines(family: Family, figures: FamilyFigures) -> Iterator[str]:
    for name, title in _NAMES.items():
        yield _row(f"{family}.{title}", figures.micro[name])
    for name, title in _NAMES.items() if family == "official" else ():
        yield _row(f"official.{title}, mean over tasks", figures.macro[name])
    yield _row(f"{family}.task success", figures.task_success, unit="task")


def _miss_lines(results: Iterable[StepResult]) -> Iterator[str]:
    misses = [one.prediction.miss for one in results if one.prediction]
    counts = {miss: misses.count(miss) for miss in Miss if miss in misses}
    if counts:
        yield "wrong because: " + ", ".join(f"{miss.value.replace('_', ' ')} {count}" for miss, count in counts.items())


def _cost_lines(told: Cost) -> Iterator[str]:
    yield "covered by: " + ", ".join(f"{kind} {count}" for kind, count in told.kinds.items() if count)
    if told.in_prompt is not None:
        yield _row("target can be chosen from the prompt", told.in_prompt)
    if told.refs is not None and told.characters is not None:
        tokens = told.characters / CHARACTERS_PER_TOKEN
        yield f"a page costs {told.refs:.0f} refs and {told.characters:,.0f} characters (about {tokens:,.0f} tokens)"
    if told.shared_by is not None:
        yield f"the target's ref stands for {told.shared_by:.1f} recorded nodes (1.0 is as selective as can be)"
    covered, clickable = told.clickable
    if clickable:
        yield f"clickable nodes of the recordings, covered: {covered:,} of {clickable:,} ({covered / clickable:.1%})"
    wrong, refs = told.false_refs
    if refs:
        yield f"refs on nothing clickable: {wrong:,} of {refs:,} ({wrong / refs:.1%})"
    if told.nodes:
        yield f"recorded nodes lost in loading: {told.lost:,} of {told.nodes:,}, misplaced: {told.misplaced:,}"
    if told.malformed:
        yield f"pages that are no well-formed XML: {told.malformed}"


def _group_lines(results: Sequence[StepResult], group: Group) -> Iterator[str]:
    groups = by_group(results, group)
    yield f"by {group}:"
    asked = any(one.prediction for one in results)
    for name, members in list(groups.items())[:_MOST_ROWS]:
        yield _row(f"  {name}", coverage(members, lambda one: one.cover.covered))
        if asked:
            yield _row("    official.step success", family_figures(members, "official").micro["step"])
    if len(groups) > _MOST_ROWS:
        yield f"  and {len(groups) - _MOST_ROWS} more"


def _row(name: str, figure: Figure | None, *, unit: str = "step") -> str:
    if figure is None:
        return f"{name:<52} nothing to count"
    low, high = figure.interval
    n = figure.tasks if unit == "task" else figure.n
    return f"{name:<52} {figure.value:>6.1%}  95 % {low:.1%} to {high:.1%}  of {_many(n, unit)}"


def _many(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def data(results: Sequence[StepResult]) -> dict[str, Any]:
    """The same as data, for ``--json``; null where there is nothing to count."""
    return {
        "steps": len(results),
        "coverage": _told(coverage(results, lambda one: one.cover.covered)),
        "coverage_compat": _told(coverage(results, lambda one: one.compat)),
        **{family: asdict(family_figures(results, family)) for family in FAMILIES},
        "cost": asdict(cost(results)),
        "by": {
            group: {
                name: {
                    "steps": len(members),
                    "coverage": _told(coverage(members, lambda one: one.cover.covered)),
                    **{family: asdict(family_figures(members, family)) for family in FAMILIES},
                }
                for name, members in by_group(results, group).items()
            }
            for group in GROUPS
        },
    }


def _told(figure: Figure | None) -> dict[str, Any] | None:
    return asdict(figure) if figure else None
