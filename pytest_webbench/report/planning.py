"""How large a comparison has to be, from assumptions or from runs; as data and as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from ..errors import SettingsError
from ..stats import Design, Repeats, discordance, least_gap
from .compare import Side, design_of
from .rows import repeats_of
from .rows import spread as spread_of

_REPEATS: Final = (1, 2, 3, 5, 10)
_DEFAULTS: Final = {"rate": 0.5, "correlation": 0.4, "flake": 0.2}


@dataclass(frozen=True, slots=True, kw_only=True)
class Assumed:
    """What a plan rests on; ``origin`` says of each number where it is from."""

    rate: float
    correlation: float
    discordance: float | None
    flake: float
    power: float
    alpha: float
    origin: Mapping[str, str]

    @classmethod
    def of(cls, given: Mapping[str, float | None], sides: Sequence[Side], *, power: float, alpha: float) -> Assumed:
        """What the user gave; else what one or two agents' results tell; else a default."""
        if len(sides) > 2:
            raise SettingsError("a plan is made from one or two agents: say which with --from RUN:AGENT")
        values: dict[str, float] = {}
        origin: dict[str, str] = {}
        labels = " and ".join(side.label for side in sides)
        for source, numbers in (("given", given), (f"from {labels}", _estimate(sides)), ("assumed", _DEFAULTS)):
            for name, value in numbers.items():
                if value is not None and name not in values:
                    values[name], origin[name] = value, source
        if "discordance" in values:
            origin.pop("correlation", None)
        return cls(
            rate=values["rate"], correlation=values["correlation"], discordance=values.get("discordance"),
            flake=values["flake"], power=power, alpha=alpha, origin=origin,
        )  # fmt: skip

    def design(self, gap: float, repeats: int) -> Design:
        """The comparison of two agents that differ so much."""
        discordant = self.discordance
        if discordant is None:
            discordant = discordance(self.rate, min(1.0, self.rate + gap), self.correlation)
        return Design(discordant=discordant, flake=self.flake, repeats=repeats, alpha=self.alpha)


def _estimate(sides: Sequence[Side]) -> dict[str, float]:
    if not sides:
        return {}
    tables = [repeats_of(side.items) for side in sides]
    shared = sorted(set(tables[0]).intersection(*tables[1:]))
    if not shared:
        raise SettingsError(f"{' and '.join(side.label for side in sides)}: no task was graded, or none in both")
    rates = [sum(table[key].passed / table[key].graded for key in shared) / len(shared) for table in tables]
    found = {"rate": min(rates)}
    spreads = [spread for table in tables if (spread := spread_of(_chosen(table, shared)))]
    if spreads:
        found["flake"] = sum(spread.disagreement for spread in spreads) / len(spreads)
    if len(sides) == 2:
        found["discordance"] = design_of([(tables[0][key], tables[1][key]) for key in shared]).discordant
    return found


def _chosen(table: Mapping[tuple[str, str], Repeats], keys: Sequence[tuple[str, str]]) -> list[Repeats]:
    return [table[key] for key in keys]


def plan_data(assumed: Assumed, gap: float, tasks: int | None) -> dict[str, Any]:
    """Tasks needed for a gap, or the least gap for so many tasks, for several numbers of attempts per task."""
    if tasks is None and assumed.rate + gap > 1:
        raise SettingsError(f"a rate of {assumed.rate:.3g} leaves no room for a gap of {gap:.3g}: give a lower --rate")
    plans = [_for_tasks(assumed, tasks, repeats) if tasks else _for_gap(assumed, gap, repeats) for repeats in _REPEATS]
    return {
        "version": 1,
        "assumed": {name: getattr(assumed, name) for name in ("rate", "flake", "power", "alpha")}
        | ({"correlation": assumed.correlation} if assumed.discordance is None else {})
        | {"discordance": assumed.design(0.0 if tasks else gap, 1).discordant},
        "origin": dict(assumed.origin),
        **({"tasks": tasks} if tasks else {"gap": gap}),
        "plans": plans,
    }


def _for_gap(assumed: Assumed, gap: float, repeats: int) -> dict[str, Any]:
    tasks = assumed.design(gap, repeats).tasks_needed(gap, assumed.power)
    return {"repeats": repeats, "tasks": tasks, "episodes": tasks * repeats if tasks else None}


def _for_tasks(assumed: Assumed, tasks: int, repeats: int) -> dict[str, Any]:
    seen = least_gap(
        lambda gap: assumed.design(gap, repeats).power(gap, tasks), most=1 - assumed.rate, power=assumed.power
    )
    return {"repeats": repeats, "gap": seen, "episodes": tasks * repeats}


def plan_lines(assumed: Assumed, data: Mapping[str, Any]) -> list[str]:
    """The plan as text: what is seen with what, then what that rests on."""
    odds = f"with a chance of {assumed.power:.0%}, p < {assumed.alpha:g}"
    if "tasks" in data:
        lines = [f"{data['tasks']} tasks show, {odds}:", "  attempts per task   episodes per agent   least gap"]
        for one in data["plans"]:
            gap = "none" if one["gap"] is None else f"{100 * one['gap']:.1f} points"
            lines.append(f"  {one['repeats']:17}   {one['episodes']:18,}   {gap:>11}")
    else:
        lines = [f"a gap of {100 * data['gap']:.1f} points shows, {odds}, with:"]
        lines.append("  attempts per task       tasks   episodes per agent")
        for one in data["plans"]:
            tasks, episodes = (f"{n:,}" if n else "more than 1,000,000" for n in (one["tasks"], one["episodes"]))
            lines.append(f"  {one['repeats']:17}   {tasks:>9}   {episodes:>18}")
    numbers = data["assumed"]
    told = [f"  {name} {numbers[name]:.3g} ({origin})" for name, origin in sorted(data["origin"].items())]
    return [*lines, "resting on", *told]
