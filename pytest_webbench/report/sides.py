"""What can be compared: an agent in a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations
from typing import Any

from ..errors import SettingsError
from .results import ItemResult, RunResults


@dataclass(frozen=True, slots=True)
class Side:
    """One agent in one run; ``facts`` is the run's ``run.json``."""

    label: str
    agent: str
    results: tuple[ItemResult, ...]
    facts: Mapping[str, Any]
    note: str = ""
    """What has to be known of it in a comparison."""


def sides_of(run: RunResults, label: str = "") -> list[Side]:
    """Every agent of a run as something to compare; the run is called ``label``, else its tag."""
    name = label or run.tag
    sides = []
    for agent in run.agents:
        sides.append(Side(f"{name}:{agent}", agent, run.of_agent(agent), run.facts))
    return sides


def to_compare(named: Sequence[Sequence[Side]]) -> list[tuple[Side, Side]]:
    """Which two sides are compared, given the agents of each run that was named.

    Of one run every two agents; of two runs each agent with its namesake; of runs with one agent
    each every two. `SettingsError` where it is not clear what is meant.
    """
    several = [sides for sides in named if len(sides) > 1]
    if len(named) == 2 and several:
        same = namesakes(*named)
        if same:
            return same
    if len(named) > 1 and several:
        label = several[0][0].label
        raise SettingsError(f"say which agent of a run is meant, such as {label}")
    pairs = list(combinations(chain(*named), 2))
    if not pairs:
        raise SettingsError(
            "there is nothing to compare with: name a second run, or a run with several agents"
        )
    return pairs


def by_source(side: Side) -> Side:
    """The side with its tasks called as in the benchmark that each was taken from.

    Two tasks of one origin become repeats. Tasks that name none are left out, and its note says how
    many. `SettingsError` if no task is left.
    """
    found = []
    unknown = set()
    for result in side.results:
        plan = result.plan
        if plan.source and plan.source_id:
            # Benchmarks are written in small letters or capitals, as one likes.
            origin = {"suite": plan.source.strip().casefold(), "task": plan.source_id.strip()}
            found.append(replace(result, plan=plan.model_copy(update=origin)))
        else:
            unknown.add(result.task)
    if not found:
        raise SettingsError(
            f"--match source: no task of {side.label} names a source with its id, at least not in "
            "the plan of this run; give the tasks a `source`, or run them again"
        )
    note = f"{len(unknown)} tasks of {side.label} name no source and are left out"
    return replace(side, results=tuple(found), note=note if unknown else "")


def namesakes(first: Sequence[Side], second: Sequence[Side]) -> list[tuple[Side, Side]]:
    """Each agent of one run with the agent of that name in another."""
    return [(a, b) for a in first for b in second if a.agent == b.agent]
