"""What a run over recorded steps has measured: as lines for a terminal, and as data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from itertools import islice
from typing import Any, Final

from ..errors import StoreError
from ..run import PlannedItem, RunDir, StoredEpisode
from ..run.integrity import inspect
from ..run.ledger import RECORDED
from .figures import (
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
from .scoring import ErrorKind, StepResult

WORLD: Final = RECORDED
"""What the ledger calls the world of recorded steps, followed by the mode that loads pages."""
FAMILIES: Final[tuple[Family, ...]] = ("glass", "official")
_TITLES: Final = {
    "covered": "coverage",
    "element": "element accuracy",
    "operation": "operation F1",
    "step": "step success",
}
_MOST_ROWS: Final = 12


def results_of(run: RunDir, planned: Iterable[PlannedItem]) -> dict[str, list[StepResult]]:
    """By agent, the results of the planned steps; unscored steps have none.

    `StoreError` if a step's ``result.json`` is missing or damaged.
    """
    found: dict[str, list[StepResult]] = {}
    entries = run.results()
    for item in planned:
        entry = entries.get(item.key)
        if entry is None or not entry.world.startswith(WORLD):
            continue
        entry = inspect(run, entry).entry
        if entry.outcome == "unscored":
            continue
        found.setdefault(item.agent, []).append(_result(run.stored_episode(entry)))
    return found


def _result(episode: StoredEpisode) -> StepResult:
    result = episode.parse("result.json", StepResult.model_validate_json)
    episode.refuse_damage()
    if result is None:
        raise StoreError(f"{episode.path} has no result.json")
    return result


# -- For a terminal --------------------------------------------------------------------------------


def lines(results: Sequence[StepResult], groups: Iterable[Group] = (Group.ROLE,)) -> Iterator[str]:
    """All figures, split by ``groups`` at the end."""
    if not results:
        yield "no step was measured"
        return
    mode = "/".join(sorted({result.page.mode for result in results}))
    yield _head(results, mode)
    yield from _coverage_lines(results, mode)
    if any(result.prediction for result in results):
        for family in FAMILIES:
            yield from _family_lines(family, family_figures(results, family))
        yield from _miss_lines(results)
    yield from _cost_lines(cost(results))
    for group in groups:
        yield from _group_lines(results, group)


def _head(results: Sequence[StepResult], mode: str) -> str:
    steps = _many(len(results), "step")
    tasks = _many(len({result.task_id for result in results}), "task")
    sites = _many(len({result.website for result in results}), "site")
    return f"{steps} of {tasks} on {sites}, pages loaded as {mode}"


def _coverage_lines(results: Sequence[StepResult], mode: str) -> Iterator[str]:
    yield _row(f"coverage, {mode}", _covered(results))
    if mode != "compat":
        as_the_reference = coverage(results, lambda result: result.compat)
        yield _row("coverage, as the reference loads and sees pages", as_the_reference)
    lost = sum(not result.targets for result in results)
    if lost:
        yield (
            f"without a target: {_many(lost, 'step')}; "
            "glass.* leaves them out, official.* counts them as wrong"
        )


def _family_lines(family: Family, figures: FamilyFigures) -> Iterator[str]:
    for measure, title in _TITLES.items():
        yield _row(f"{family}.{title}", figures.micro[measure])
    if family == "official":
        for measure, title in _TITLES.items():
            yield _row(f"official.{title}, mean over tasks", figures.macro[measure])
    yield _row(f"{family}.task success", figures.task_success, unit="task")


def _miss_lines(results: Iterable[StepResult]) -> Iterator[str]:
    misses = Counter(result.prediction.miss for result in results if result.prediction)
    counts = [f"{miss.replace('_', ' ')} {misses[miss]}" for miss in ErrorKind if misses[miss]]
    if counts:
        yield f"wrong because: {', '.join(counts)}"


def _cost_lines(paid: Cost) -> Iterator[str]:
    kinds = [f"{kind} {count}" for kind, count in paid.kinds.items() if count]
    yield f"covered by: {', '.join(kinds)}"
    if paid.in_prompt is not None:
        yield _row("target can be chosen from the prompt", paid.in_prompt)
    if paid.refs is not None and paid.characters is not None:
        tokens = paid.characters / CHARACTERS_PER_TOKEN
        yield (
            f"a page costs {paid.refs:.0f} refs and {paid.characters:,.0f} characters "
            f"(about {tokens:,.0f} tokens)"
        )
    if paid.shared_by is not None:
        yield (
            f"the target's ref stands for {paid.shared_by:.1f} recorded nodes "
            "(1.0 is as selective as can be)"
        )
    yield from _clickable_lines(paid)
    if paid.nodes:
        yield (
            f"recorded nodes lost in loading: {paid.lost:,} of {paid.nodes:,}, "
            f"misplaced: {paid.misplaced:,}"
        )
    if paid.malformed:
        yield f"pages that are not well-formed XML: {paid.malformed}"


def _clickable_lines(paid: Cost) -> Iterator[str]:
    covered, clickable = paid.clickable
    if clickable:
        yield f"clickable nodes of the recordings, covered: {_part(covered, clickable)}"
    wrong, refs = paid.false_refs
    if refs:
        yield f"refs on nothing clickable: {_part(wrong, refs)}"


def _group_lines(results: Sequence[StepResult], group: Group) -> Iterator[str]:
    groups = by_group(results, group)
    yield f"by {group}:"
    asked = any(result.prediction for result in results)
    for name, members in islice(groups.items(), _MOST_ROWS):
        yield _row(f"  {name}", _covered(members))
        if asked:
            success = family_figures(members, "official").micro["step"]
            yield _row("    official.step success", success)
            accepted = family_figures(members, "glass").micro["element"]
            yield _row("    glass.element accuracy (accepted)", accepted)
    if len(groups) > _MOST_ROWS:
        yield f"  and {len(groups) - _MOST_ROWS} more"


def _row(title: str, figure: Figure | None, *, unit: str = "step") -> str:
    if figure is None:
        return f"{title:<52} nothing to count"
    low, high = figure.interval
    n = figure.tasks if unit == "task" else figure.n
    return f"{title:<52} {figure.value:>6.1%}  95 % {low:.1%} to {high:.1%}  of {_many(n, unit)}"


def _part(count: int, whole: int) -> str:
    return f"{count:,} of {whole:,} ({count / whole:.1%})"


def _many(count: int, what: str) -> str:
    return f"{count:,} {what}" if count == 1 else f"{count:,} {what}s"


def _covered(results: Sequence[StepResult]) -> Figure | None:
    return coverage(results, lambda result: result.cover.covered)


# -- As data ---------------------------------------------------------------------------------------


def data(results: Sequence[StepResult]) -> dict[str, Any]:
    """All figures for ``--json``; null where there is nothing to count."""
    return {
        "steps": len(results),
        "coverage": _figure_data(_covered(results)),
        "coverage_compat": _figure_data(coverage(results, lambda result: result.compat)),
        **_families_data(results),
        "cost": asdict(cost(results)),
        "by": {group.value: _group_data(results, group) for group in Group},
    }


def _group_data(results: Sequence[StepResult], group: Group) -> dict[str, Any]:
    return {
        name: {
            "steps": len(members),
            "coverage": _figure_data(_covered(members)),
            **_families_data(members),
        }
        for name, members in by_group(results, group).items()
    }


def _families_data(results: Sequence[StepResult]) -> dict[str, Any]:
    return {family: asdict(family_figures(results, family)) for family in FAMILIES}


def _figure_data(figure: Figure | None) -> dict[str, Any] | None:
    return asdict(figure) if figure else None
