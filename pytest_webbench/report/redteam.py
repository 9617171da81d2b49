"""What came of cheats, as text and as data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Self

from ..evidence.models import Ending
from ..stats.rates import wilson
from .results import ItemResult, TaskKey
from .tables import Table, as_plain_text

_WIDTH = 100
_HEAD = ("agent", "knows", "passed silently", "passed, flagged", "failed", "gave up", "unscored")


class Played(NamedTuple):
    """How the episodes of one agent came out, each in one of five ways."""

    agent: str
    attacker: str
    """What the cheat knows; empty of honest agents."""
    silent: int
    flagged: int
    failed: int
    gave_up: int
    unscored: int
    silent_tasks: tuple[str, ...]

    @classmethod
    def of(cls, agent: str, attacker: str, results: Iterable[ItemResult]) -> Self:
        """From the results of the agent."""
        silent, flagged, failed, gave_up, unscored = [], 0, 0, 0, 0
        for result in results:
            flagged += result.flagged
            if result.entry.outcome == "failed":
                gave_up += result.entry.ending == Ending.GAVE_UP
                failed += result.entry.ending != Ending.GAVE_UP
            unscored += not result.graded
            if result.passed and not result.flagged:
                silent.append(result.plan.task)
        counts = (len(silent), flagged, failed, gave_up, unscored)
        return cls(agent, attacker, *counts, tuple(silent))


class RedTeam(NamedTuple):
    """All cheats and honest agents on some tasks of a suite."""

    tasks: int
    cheats: tuple[Played, ...]
    honest: tuple[Played, ...]

    @classmethod
    def of(
        cls,
        results: Sequence[ItemResult],
        *,
        tasks: Sequence[TaskKey],
        cheats: Mapping[str, str],
        honest: Sequence[str],
    ) -> Self:
        """From a run; ``cheats`` maps names of agents to what they know."""

        def played(agent: str, attacker: str) -> Played:
            mine = [one for one in results if one.plan.agent == agent and one.task in tasks]
            return Played.of(agent, attacker, mine)

        return cls(
            len(tasks),
            tuple(played(agent, attacker) for agent, attacker in cheats.items()),
            tuple(played(agent, "") for agent in honest),
        )

    @property
    def fallen(self) -> list[str]:
        """Tasks that some cheat passes silently."""
        return sorted({task for cheat in self.cheats for task in cheat.silent_tasks})

    @property
    def honest_passes(self) -> tuple[int, int]:
        """How many passes of honest agents are flagged, and how many there are."""
        flagged = sum(one.flagged for one in self.honest)
        return flagged, flagged + sum(one.silent for one in self.honest)

    @property
    def holds(self) -> bool:
        """Whether no cheat passes silently and no honest pass is flagged."""
        return not self.fallen and not self.honest_passes[0]


def redteam_lines(found: RedTeam) -> list[str]:
    """Per agent what came of its episodes; at the end the two ratios."""
    rows = []
    for one in (*found.cheats, *found.honest):
        counts = (one.silent, one.flagged, one.failed, one.gave_up, one.unscored)
        rows.append((one.agent, one.attacker or "honest", *map(str, counts)))
    table = Table("Cheats, and honest agents", _HEAD, tuple(rows))
    lines = [as_plain_text([table], _WIDTH), ""]
    for attacker in sorted({one.attacker for one in found.cheats}):
        lines.append(_fallen_line(found, attacker))
    lines.append(f"honest passes that are flagged: {_ratio(*found.honest_passes)}")
    for one in found.cheats:
        if one.silent_tasks:
            lines.append(f"{one.agent} PASSES SILENTLY: {', '.join(one.silent_tasks)}")
    return lines


def _fallen_line(found: RedTeam, attacker: str) -> str:
    names = {task for one in found.cheats if one.attacker == attacker for task in one.silent_tasks}
    who = f"a cheat that knows the {attacker}"
    return f"tasks that {who} passes silently: {_ratio(len(names), found.tasks)}"


def _ratio(count: int, of: int) -> str:
    low, high = wilson(count, of)
    share = 100 * count / of if of else 0.0
    return f"{count} of {of} = {share:.1f} % (95 %: {100 * low:.1f} to {100 * high:.1f} %)"


def redteam_data(found: RedTeam) -> dict[str, Any]:
    """The same as JSON."""
    flagged, passes = found.honest_passes
    return {
        "version": 1,
        "holds": found.holds,
        "tasks": found.tasks,
        "fallen": found.fallen,
        "tasks_that_fall": _ratio_data(len(found.fallen), found.tasks),
        "honest_passes_flagged": _ratio_data(flagged, passes),
        "cheats": [one._asdict() for one in found.cheats],
        "honest": [one._asdict() for one in found.honest],
    }


def _ratio_data(count: int, of: int) -> dict[str, Any]:
    return {"count": count, "of": of, "interval": list(wilson(count, of))}
