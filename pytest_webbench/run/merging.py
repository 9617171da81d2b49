"""Shards put together to one run: only if every planned item is there exactly once, made under the same conditions."""

from __future__ import annotations

import os
import shutil
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

from ..errors import SettingsError, StoreError
from . import conditions, ledger
from .directory import RunDir, storing
from .ledger import ItemKey, LedgerEntry, PlannedItem
from .shards import MOST

_EPISODES: Final = "episodes"
_NOTES: Final = "notes.jsonl"


@dataclass(frozen=True, slots=True)
class Part:
    """A shard as it lies on disk."""

    run: RunDir
    index: int
    count: int
    whole: frozenset[ItemKey]
    planned: Mapping[ItemKey, PlannedItem]
    results: Mapping[ItemKey, LedgerEntry]
    facts: Mapping[str, Any]

    @classmethod
    def read(cls, run: RunDir) -> Part:
        """`SettingsError` if it is no shard."""
        if not run.exists():
            raise SettingsError(f"{run.path} is no run directory: it holds no run.json")
        facts = run.facts()
        told = facts.get("shard")
        if told is None:
            raise SettingsError(f"{run.path} is no shard: it was run without --webbench-shard")
        try:
            index, count = int(told["index"]), int(told["count"])
            whole = frozenset(ItemKey(*key) for key in told["plan"])
        except (KeyError, TypeError, ValueError) as error:
            raise StoreError(f"{run.path / 'run.json'}: 'shard' cannot be read: {error!r}") from error
        if not 1 <= index <= count <= MOST:
            raise StoreError(f"{run.path / 'run.json'}: there is no shard {index}/{count}")
        planned = {item.key: item for item in run.planned()}
        return cls(run, index, count, whole, planned, run.results(), facts)

    def __str__(self) -> str:
        return f"shard {self.index}/{self.count} ({self.run.path})"


class Merged(NamedTuple):
    """What came out. ``notes``: differences that do not matter to the score."""

    items: int
    shards: int
    notes: tuple[str, ...]


def merge(out: RunDir, runs: Sequence[RunDir]) -> Merged:
    """Write the run ``out`` from shards; `SettingsError` that lists all that is missing, double or different."""
    if out.path.exists():
        raise SettingsError(f"{out.path} exists: name another run to merge into, or delete it")
    parts = sorted((Part.read(run) for run in runs), key=lambda part: (part.index, str(part.run.path)))
    problems = list(problems_of(parts))
    if problems:
        listed = "\n".join(f"  {problem}" for problem in conditions.shortened(problems))
        raise SettingsError(f"these shards are no whole run:\n{listed}\nnothing was written")
    partial = out.path.with_name(f"{out.path.name}.partial")
    with storing(out.path):
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir(parents=True)
        for part in parts:
            _copy(part, partial)
    written = RunDir(partial)
    items = [item for part in parts for _, item in sorted(part.planned.items())]
    written.plan(items, _facts(parts, out.path.name))
    with storing(out.path):
        os.replace(partial, out.path)
    return Merged(len(items), len(parts), tuple(_environment_notes(parts)))


# -- what keeps shards from being a run --------------------------------------------------------------------------------


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
            yield f"{_name(key)} was not in the plan that {part} was made from"
    found = Counter(key for part in parts for key in part.planned)
    for key in sorted(every | set(found)):
        where = ", ".join(str(part) for part in parts if key in part.planned)
        if not found[key]:
            yield f"{_name(key)} is missing: no shard has planned it"
        elif found[key] > 1:
            yield f"{_name(key)} is there {found[key]} times: {where}"
        elif key not in every:
            yield f"{_name(key)} is in no shard's plan, but in {where}"
        elif not any(key in part.results for part in parts):
            yield f"{_name(key)} was not run: go on with {where}"


def _different(parts: Sequence[Part]) -> Iterator[str]:
    first = parts[0]
    for part in parts[1:]:
        before, now = (each.facts.get(conditions.KEY, {}) for each in (first, part))
        for kind in ("agents", "suites"):
            for name in sorted({*before.get(kind, {})} & {*now.get(kind, {})}):
                for change in conditions.differences(before[kind][name], now[kind][name], f"{kind[:-1]} {name}"):
                    yield f"{part}, {change.replace(': was', f': {first} has').replace(', is', ', this one')}"
    yield from _mixed(parts, "judge version", lambda entry: ("all results", entry.judge_version))
    yield from _mixed(parts, "task file", lambda entry: (f"{entry.suite}/{entry.task}", entry.task_digest))
    yield from _mixed(parts, "world", lambda entry: (f"suite {entry.suite}", entry.world))


def _mixed(parts: Sequence[Part], what: str, look: Any) -> Iterator[str]:
    """Where scored results that belong together were not made or judged by the same."""
    seen: dict[str, dict[Any, Part]] = {}
    for part in parts:
        for entry in part.results.values():
            if conditions.counts(entry):
                name, value = look(entry)
                seen.setdefault(name, {}).setdefault(value, part)
    for name, values in sorted(seen.items()):
        if len(values) > 1:
            told = ", ".join(f"{value} in {part}" for value, part in values.items())
            yield f"{name}: not the same {what}: {told}"


def _name(key: ItemKey) -> str:
    return f"{key.suite}/{key.task} by {key.agent}" + (f", repeat {key.repeat}" if key.repeat > 1 else "")


def _environment_notes(parts: Sequence[Part]) -> Iterator[str]:
    for part in parts[1:]:
        before, now = (each.facts.get("environment", {}) for each in (parts[0], part))
        yield from conditions.differences(before, now, f"environment of {part}")


# -- what is written ---------------------------------------------------------------------------------------------------


def _facts(parts: Sequence[Part], tag: str) -> dict[str, Any]:
    first = dict(parts[0].facts)
    for name in ("version", "planned", "last_session", "shard"):
        first.pop(name, None)
    known: dict[str, Any] = {}
    for part in parts:
        known = conditions.merged(known, part.facts.get(conditions.KEY, {}))
    return {**first, "tag": tag, conditions.KEY: known, "merged": [part.run.path.name for part in parts]}


def _copy(part: Part, target: Path) -> None:
    """Ledger lines, with workers told apart by shard; episodes; notes. Locks and reports stay behind."""
    for file in sorted((part.run.path / "ledger").glob("*.jsonl")):
        (target / "ledger").mkdir(exist_ok=True)
        entries = [
            entry.model_copy(update={"worker": f"s{part.index}.{entry.worker}"}) if entry.worker else entry
            for entry in ledger.read(file)
        ]
        if entries:
            ledger.append(target / "ledger" / f"s{part.index}.{file.name}", *entries)
    if (part.run.path / _EPISODES).is_dir():
        ignore = shutil.ignore_patterns("*.partial")
        shutil.copytree(part.run.path / _EPISODES, target / _EPISODES, dirs_exist_ok=True, ignore=ignore)
    if (part.run.path / _NOTES).is_file():
        text = (part.run.path / _NOTES).read_text(encoding="utf-8", errors="replace")
        ledger.append_lines(target / _NOTES, text if text.endswith("\n") else f"{text}\n")
