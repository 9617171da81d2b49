"""Shards put together to one run.

Only if every planned item is there exactly once, and all were made under the same conditions.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from .._files import append_within, copy_within, names_within, read_within, remove, storing
from .._text import listed
from ..errors import SettingsError, StoreError
from . import conditions, ledger
from .annotations import FILE as NOTES
from .directory import RunDir
from .integrity import Integrity, inspect, once
from .ledger import ItemKey, LedgerEntry, PlannedItem
from .seal import Standing, changed_files
from .shards import MOST

_EPISODES: Final = "episodes"
_MOST_PROBLEMS: Final = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A shard on disk: ``whole`` is the plan of all shards, ``planned`` what this one has of it."""

    run: RunDir
    index: int
    count: int
    whole: frozenset[ItemKey]
    planned: Mapping[ItemKey, PlannedItem]
    results: Mapping[ItemKey, LedgerEntry]
    facts: Mapping[str, Any]

    @classmethod
    def read(cls, run: RunDir) -> Part:
        """`SettingsError` if it is no shard, `StoreError` if it is damaged."""
        run.must_exist()
        facts = run.facts()
        shard = facts.get("shard")
        if shard is None:
            raise SettingsError(f"{run.path} is not a shard: it was run without --webbench-shard")
        where = run.path / "run.json"
        try:
            index, count = int(shard["index"]), int(shard["count"])
            whole = frozenset(ItemKey(*key) for key in shard["plan"])
        except (KeyError, TypeError, ValueError) as error:
            raise StoreError(f"{where}: 'shard' cannot be read: {error!r}") from error
        if not 1 <= index <= count <= MOST:
            raise StoreError(f"{where}: there is no shard {index}/{count}")
        return cls(
            run=run,
            index=index,
            count=count,
            whole=whole,
            planned={item.key: item for item in run.planned()},
            results=run.results(),
            facts=facts,
        )

    def __str__(self) -> str:
        return f"shard {self.index}/{self.count} ({self.run.path})"


class Merged(NamedTuple):
    """What came out. ``notes``: differences that do not matter to the score, and what is not there.

    ``integrity`` is that of the shards.
    """

    items: int
    shards: int
    notes: tuple[str, ...]
    integrity: Integrity


def merge(out: RunDir, runs: Sequence[RunDir]) -> Merged:
    """Write the run ``out`` from shards.

    `SettingsError` with all that is missing, double or different; then nothing is written.
    """
    if out.path.exists():
        raise SettingsError(f"{out.path} exists: name another run to merge into, or delete it")
    parts = sorted(map(Part.read, runs), key=lambda part: (part.index, str(part.run.path)))
    problems = list(problems_of(parts))
    if problems:
        shown = "\n".join(f"  {problem}" for problem in listed(problems, _MOST_PROBLEMS))
        raise SettingsError(f"these shards are not a whole run:\n{shown}\nnothing was written")
    # Under another name until it is complete: a kill must not leave half a run that looks whole.
    partial = out.path.with_name(f"{out.path.name}.partial")
    items: list[PlannedItem] = []
    notes: list[str] = []
    remove(partial)
    with storing(out.path):
        partial.mkdir(parents=True)
    for part in parts:
        items += part.planned.values()
    target = RunDir(partial)
    target.plan(items, _facts(parts, out.path.name))
    for part in parts:
        notes += _copy(part, target)
    with storing(out.path):
        os.replace(partial, out.path)
    return Merged(len(items), len(parts), (*notes, *_environment_notes(parts)), _integrity(parts))


# -- what keeps shards from being a run --------------------------------------------------------


def problems_of(parts: Sequence[Part]) -> Iterator[str]:
    """All of them; nothing further is looked at if these are not shards of one plan."""
    basic = list(_wrong_shards(parts))
    yield from basic
    if basic:
        return
    yield from _wrong_items(parts)
    yield from _different(parts)


def _wrong_shards(parts: Sequence[Part]) -> Iterator[str]:
    first = parts[0]
    for part in parts:
        if part.count != first.count:
            yield f"{part} is of another division than {first}"
    given = Counter(part.index for part in parts)
    for index in range(1, first.count + 1):
        if given[index] > 1:
            where = ", ".join(str(part.run.path) for part in parts if part.index == index)
            yield f"shard {index}/{first.count} is there {given[index]} times: {where}"
        if not given[index]:
            yield f"shard {index}/{first.count} is missing"


def _wrong_items(parts: Sequence[Part]) -> Iterator[str]:
    every = frozenset().union(*(part.whole for part in parts))
    for part in parts:
        for key in sorted(every - part.whole):
            yield f"{key} was not in the plan that {part} was made from"
    found = Counter(key for part in parts for key in part.planned)
    for key in sorted(every | set(found)):
        where = ", ".join(str(part) for part in parts if key in part.planned)
        if not found[key]:
            yield f"{key} is missing: no shard has planned it"
        elif found[key] > 1:
            yield f"{key} is there {found[key]} times: {where}"
        elif key not in every:
            yield f"{key} is in no shard's plan, but in {where}"
        elif not any(key in part.results for part in parts):
            yield f"{key} was not run: continue {where}"


def _different(parts: Sequence[Part]) -> Iterator[str]:
    for part in parts[1:]:
        yield from _other_conditions(parts[0], part)
    yield from _mixed(parts, "judge version", lambda entry: ("all results", entry.judge_version))
    yield from _mixed(
        parts, "task file", lambda entry: (f"{entry.suite}/{entry.task}", entry.task_digest)
    )
    yield from _mixed(parts, "world", lambda entry: (f"suite {entry.suite}", entry.world))


def _other_conditions(first: Part, part: Part) -> Iterator[str]:
    before, now = first.facts.get(conditions.KEY, {}), part.facts.get(conditions.KEY, {})
    for kind, name in conditions.common_names(before, now):
        where = f"{kind.removesuffix('s')} {name}"
        for change in conditions.differences(before[kind][name], now[kind][name], where):
            shown = change.replace(": was", f": {first} has").replace(", is", ", this one")
            yield f"{part}, {shown}"


def _mixed(
    parts: Sequence[Part], what: str, look: Callable[[LedgerEntry], tuple[str, str | int]]
) -> Iterator[str]:
    """Where results that belong together were not made or judged by the same.

    ``look`` gives what a result belongs to, and what has to be the same there.
    """
    seen: dict[str, dict[str | int, Part]] = {}
    for part in parts:
        for entry in part.results.values():
            if ledger.counts(entry):
                name, value = look(entry)
                seen.setdefault(name, {}).setdefault(value, part)
    for name, values in sorted(seen.items()):
        if len(values) > 1:
            where = ", ".join(f"{value} in {part}" for value, part in values.items())
            yield f"{name}: not the same {what}: {where}"


def _environment_notes(parts: Sequence[Part]) -> Iterator[str]:
    before = parts[0].facts.get("environment", {})
    for part in parts[1:]:
        now = part.facts.get("environment", {})
        yield from conditions.differences(before, now, f"environment of {part}")


# -- what is written ---------------------------------------------------------------------------


def _facts(parts: Sequence[Part], tag: str) -> dict[str, Any]:
    facts = dict(parts[0].facts)
    for name in ("version", "planned", "last_session", "shard"):
        facts.pop(name, None)
    known: dict[str, Any] = {}
    for part in parts:
        known = conditions.merged(known, part.facts.get(conditions.KEY, {}))
    names = [part.run.path.name for part in parts]
    return {**facts, "tag": tag, conditions.KEY: known, "merged": names}


def _copy(part: Part, target: RunDir) -> list[str]:
    """Copies ledger lines, episodes and notes, and says what is not copied.

    Locks and reports stay behind.
    """
    source = part.run.path
    notes = read_within(source, NOTES)
    if notes:
        # A kill may have cut off the last line.
        append_within(target.path, NOTES, notes.decode("utf-8", "replace").rstrip("\n") + "\n")
    left_out = []
    for name in names_within(source, _EPISODES):
        # Killed attempts: no line of the ledger names them.
        if ".partial/" in name:
            continue
        try:
            copy_within(source, target.path, name)
        except StoreError as error:
            left_out.append(f"not copied: {error}")
    _copy_ledger(part, target)
    return left_out


def _copy_ledger(part: Part, target: RunDir) -> None:
    """Lines that are intact get the seals of their new run; others stay as they are."""
    for file in part.run.ledger_files():
        entries = []
        for entry in ledger.read(file, lambda _: None):
            # Every shard has a worker gw0: they are told apart by the shard.
            worker = f"s{part.index}.{entry.worker}" if entry.worker else ""
            line = entry.model_copy(update={"worker": worker})
            episode = part.run.stored_episode(entry)
            intact = part.run.standing(entry) is Standing.INTACT
            if intact and not changed_files(entry, episode):
                line = target.seal(line)
            entries.append(line)
        if entries:
            target.record_all(entries, f"s{part.index}.{file.stem}", seal=False)


def _integrity(parts: Sequence[Part]) -> Integrity:
    inspected = []
    problems: list[str] = []
    for part in parts:
        attempts, doubled = once(part.run, part.run.attempts())
        problems += (*part.run.problems(), *doubled)
        for entry in ledger.latest(attempts).values():
            if entry.outcome != "unscored":
                inspected.append(inspect(part.run, entry))
    return Integrity.of(inspected, problems)
