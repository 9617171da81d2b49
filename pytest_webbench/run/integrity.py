"""Whether stored results agree with what they rest on.

A result is believed if its line's seal is intact and its files are as the line says. Else it is
judged again by its evidence, and the line's word does not count. What was changed after it was
sealed can lose a pass that way, and never win one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Final, NamedTuple

from .._text import listed, sanitize
from ..errors import InfraError
from ..judge.verdict import JUDGE_VERSION
from .directory import RunDir, place_of
from .ledger import ItemKey, LedgerEntry
from .rejudge import StoredAttempt, rejudge
from .seal import Standing, changed_files

_MOST_PROBLEMS: Final = 10
_EVIDENCE: Final = {"evidence.json", "result.json"}
"""Of tasks, and of recorded steps."""


def once(run: RunDir, attempts: Sequence[LedgerEntry]) -> tuple[list[LedgerEntry], list[str]]:
    """One line per attempt, and which attempts have several: the first that is intact counts."""
    found: dict[tuple[ItemKey, int], LedgerEntry] = {}
    problems: dict[str, None] = {}
    for entry in attempts:
        attempt = entry.key, entry.attempt
        first = found.setdefault(attempt, entry)
        if first is not entry:
            text = f"{entry.key}: attempt {entry.attempt} is on record more than once"
            problems[text] = None
            if run.standing(first) is not Standing.INTACT:
                found[attempt] = entry
    return list(found.values()), list(problems)


class Agreement(StrEnum):
    """How a stored result stands to its evidence; the words follow a number of episodes."""

    AGREES = "agree with their evidence"
    DIFFERS = "do not"
    NO_EVIDENCE = "have none here"
    OTHER_JUDGE = "were judged by another version"


class Inspected(NamedTuple):
    """A stored result: its line, as far as it can be believed, and what was found."""

    entry: LedgerEntry
    agreement: Agreement
    problem: str = ""
    standing: Standing = Standing.UNKNOWN


def inspect(run: RunDir, entry: LedgerEntry) -> Inspected:
    """A result on record, checked against its evidence."""
    standing = run.standing(entry)
    problem = _problem(run, entry, standing)
    if standing is Standing.INTACT and not problem:
        is_there = not _EVIDENCE.isdisjoint(run.stored_episode(entry).names)
        agreement = Agreement.AGREES if is_there else Agreement.NO_EVIDENCE
        return Inspected(entry, agreement, standing=standing)
    if not problem and entry.judge_version != JUDGE_VERSION:
        missing = entry.judge_version == 0
        return Inspected(entry, Agreement.NO_EVIDENCE if missing else Agreement.OTHER_JUDGE)
    own = entry.model_copy(update={"folder": place_of(entry.key, max(entry.attempt, 1))})
    again = rejudge(StoredAttempt(own, run.path), run.path.name)
    if again.problem and not problem:
        return Inspected(entry, Agreement.NO_EVIDENCE, standing=standing)
    now = again.entry
    if not again.problem and (again.flipped or now.flags != entry.flags):
        before, after = _with_flags(again.before, entry), _with_flags(again.after, now)
        problem = problem or f"recorded as {before}, its evidence says {after}"
    if not problem:
        return Inspected(entry, Agreement.AGREES, standing=standing)
    changed = standing is not Standing.UNKNOWN
    if again.problem or (changed and now.outcome == "passed"):
        now = _disbelieved(entry, problem)
    return Inspected(now, Agreement.DIFFERS, problem, standing)


def _problem(run: RunDir, entry: LedgerEntry, standing: Standing) -> str:
    """What speaks against a line before anything is judged; empty if nothing does."""
    own = place_of(entry.key, max(entry.attempt, 1))
    if entry.folder not in ("", own):
        return f"its folder is {entry.folder!r}, and should be {own!r}"
    if standing is Standing.BROKEN:
        return "its line in the ledger was changed, or is from another run"
    changed = changed_files(entry, run.stored_episode(entry)) if entry.files else []
    return f"changed after the episode: {', '.join(changed)}" if changed else ""


def _disbelieved(entry: LedgerEntry, problem: str) -> LedgerEntry:
    detail = f"the stored result cannot be believed: {problem}; run it again"
    return entry.model_copy(
        update={
            "outcome": "unscored",
            "reason": InfraError.reason,
            "detail": detail,
            "flags": (),
        }
    )


def _with_flags(outcome: str, entry: LedgerEntry) -> str:
    kinds = sorted({flag.kind.value for flag in entry.flags})
    return f"{outcome}, flagged ({', '.join(kinds)})" if kinds else outcome


class Integrity(NamedTuple):
    """What was found of all graded results of a run."""

    counts: dict[Agreement, int]
    unchecked: int
    """Episodes that no seal can be checked of here."""
    problems: tuple[str, ...]

    @classmethod
    def of(cls, inspected: Iterable[Inspected], problems: Iterable[str] = ()) -> Integrity:
        """From the results that count, and what else is wrong with the ledger."""
        counts: Counter[Agreement] = Counter()
        unchecked = 0
        found = list(problems)
        for one in inspected:
            counts[one.agreement] += 1
            unchecked += one.standing is Standing.UNKNOWN
            if one.problem:
                found.append(f"{one.entry.key}: {one.problem}")
        return cls(dict(counts), unchecked, tuple(found))

    @property
    def episodes(self) -> int:
        """How many results were checked."""
        return sum(self.counts.values())

    @property
    def agreeing(self) -> int:
        """How many of them agree with their evidence."""
        return self.counts.get(Agreement.AGREES, 0)

    def lines(self) -> list[str]:
        """What was found, and what does not agree; nothing if there was nothing to check."""
        if not self.episodes and not self.problems:
            return []
        problems = listed(self.problems, _MOST_PROBLEMS)
        return [str(self), *(f"  {sanitize(problem)}" for problem in problems)]

    def __str__(self) -> str:
        parts = [f"{self.agreeing} of {self.episodes} episodes {Agreement.AGREES}"]
        for kind in (Agreement.DIFFERS, Agreement.NO_EVIDENCE, Agreement.OTHER_JUDGE):
            if self.counts.get(kind):
                parts.append(f"{self.counts[kind]} {kind}")
        if self.unchecked:
            parts.append(f"the seals of {self.unchecked} cannot be checked here")
        return f"integrity: {'; '.join(parts)}"
