"""How large a comparison has to be, from assumptions or from runs; as data and as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from ..errors import SettingsError
from ..stats import Design, discordance, least_gap
from .compare import design_of
from .groups import spread as spread_of
from .results import repeats_by_edition
from .sides import Side

_REPEATS: Final = (1, 2, 3, 5, 10)
_DEFAULTS: Final = {"rate": 0.5, "correlation": 0.4, "flake": 0.2}


@dataclass(frozen=True, slots=True, kw_only=True)
class Assumed:
    """What a plan rests on; ``origin`` says of each number where it comes from.

    All numbers are shares, 0 to 1; ``correlation`` is of the two agents' outcomes, -1 to 1.
    """

    rate: float
    correlation: float
    discordance: float | None
    flake: float
    power: float
    alpha: float
    origin: Mapping[str, str]

    @classmethod
    def of(
        cls, given: Mapping[str, float | None], sides: Sequence[Side], *, power: float, alpha: float
    ) -> Assumed:
        """What the user gave; else what one or two agents' results say; else a default."""
        if len(sides) > 2:
            raise SettingsError(
                "a plan is made from one or two agents: say which with --from RUN:AGENT"
            )
        values: dict[str, float] = {}
        origin: dict[str, str] = {}
        sources: dict[str, Mapping[str, float | None]] = {
            "given": given,
            f"from {_labels(sides)}": _estimate(sides),
            "assumed": _DEFAULTS,
        }
        for source, numbers in sources.items():
            for name, value in numbers.items():
                if value is not None and name not in values:
                    values[name], origin[name] = value, source
        if "discordance" in values:
            origin.pop("correlation", None)
        return cls(
            rate=values["rate"],
            correlation=values["correlation"],
            discordance=values.get("discordance"),
            flake=values["flake"],
            power=power,
            alpha=alpha,
            origin=origin,
        )

    def design(self, gap: float, repeats: int) -> Design:
        """The comparison of two agents that differ so much."""
        discordant = self.discordance
        if discordant is None:
            discordant = discordance(self.rate, min(1.0, self.rate + gap), self.correlation)
        return Design(discordant=discordant, flake=self.flake, repeats=repeats, alpha=self.alpha)


def _labels(sides: Sequence[Side]) -> str:
    return " and ".join(side.label for side in sides)


def _estimate(sides: Sequence[Side]) -> dict[str, float]:
    if not sides:
        return {}
    tables = [repeats_by_edition(side.results) for side in sides]
    shared = sorted(set(tables[0]).intersection(*tables[1:]))
    if not shared:
        raise SettingsError(f"{_labels(sides)}: no task was graded, or none in both")
    rates = []
    disagreements = []
    for table in tables:
        repeats = [table[task] for task in shared]
        rates.append(sum(one.passed / one.graded for one in repeats) / len(repeats))
        spread = spread_of(repeats)
        if spread is not None:
            disagreements.append(spread.disagreement)
    found = {"rate": min(rates)}
    if disagreements:
        found["flake"] = sum(disagreements) / len(disagreements)
    if len(tables) == 2:
        pairs = [(tables[0][task], tables[1][task]) for task in shared]
        found["discordance"] = design_of(pairs).discordant
    return found


def plan_data(assumed: Assumed, gap: float, tasks: int | None) -> dict[str, Any]:
    """For several numbers of attempts per task: how many tasks show ``gap``, or with ``tasks``,
    which gap so many show. `SettingsError` if the rate leaves no room for the gap."""
    if tasks is None and assumed.rate + gap > 1:
        raise SettingsError(
            f"a rate of {assumed.rate:.3g} leaves no room for a gap of {gap:.3g}: "
            "give a lower --rate"
        )
    data: dict[str, Any] = {"version": 1, "origin": dict(assumed.origin)}
    if tasks:
        plans = list(map(partial(_for_tasks, assumed, tasks), _REPEATS))
        return {**data, "assumed": _numbers(assumed, 0.0), "tasks": tasks, "plans": plans}
    plans = list(map(partial(_for_gap, assumed, gap), _REPEATS))
    return {**data, "assumed": _numbers(assumed, gap), "gap": gap, "plans": plans}


def _numbers(assumed: Assumed, gap: float) -> dict[str, float]:
    numbers = {
        "rate": assumed.rate,
        "flake": assumed.flake,
        "power": assumed.power,
        "alpha": assumed.alpha,
    }
    if assumed.discordance is None:
        numbers["correlation"] = assumed.correlation
    return {**numbers, "discordance": assumed.design(gap, 1).discordant}


def _for_gap(assumed: Assumed, gap: float, repeats: int) -> dict[str, Any]:
    tasks = assumed.design(gap, repeats).tasks_needed(gap, assumed.power)
    if not tasks:
        return {"repeats": repeats, "tasks": tasks, "episodes": None}
    return {"repeats": repeats, "tasks": tasks, "episodes": tasks * repeats}


def _for_tasks(assumed: Assumed, tasks: int, repeats: int) -> dict[str, Any]:
    seen = least_gap(
        lambda gap: assumed.design(gap, repeats).power(gap, tasks),
        most=1 - assumed.rate,
        power=assumed.power,
    )
    return {"repeats": repeats, "gap": seen, "episodes": tasks * repeats}


def plan_lines(assumed: Assumed, data: Mapping[str, Any]) -> list[str]:
    """The plan as text: what is seen with what, then what that rests on."""
    odds = f"with a chance of {assumed.power:.0%}, p < {assumed.alpha:g}"
    if "tasks" in data:
        lines = [
            f"{data['tasks']} tasks show, {odds}:",
            "  attempts per task   episodes per agent   least gap",
            *map(_gap_line, data["plans"]),
        ]
    else:
        lines = [
            f"a gap of {100 * data['gap']:.1f} points shows, {odds}, with:",
            "  attempts per task       tasks   episodes per agent",
            *map(_tasks_line, data["plans"]),
        ]
    lines.append("resting on")
    for name, origin in sorted(data["origin"].items()):
        lines.append(f"  {name} {data['assumed'][name]:.3g} ({origin})")
    return lines


def _gap_line(plan: Mapping[str, Any]) -> str:
    gap = "none" if plan["gap"] is None else f"{100 * plan['gap']:.1f} points"
    return f"  {plan['repeats']:17}   {plan['episodes']:18,}   {gap:>11}"


def _tasks_line(plan: Mapping[str, Any]) -> str:
    tasks, episodes = _many(plan["tasks"]), _many(plan["episodes"])
    return f"  {plan['repeats']:17}   {tasks:>9}   {episodes:>18}"


def _many(number: int | None) -> str:
    return f"{number:,}" if number else "more than 1,000,000"
