"""The run directory: all that a run leaves, written so that nothing is lost.

    runs/<tag>/run.json                 plan and environment
    runs/<tag>/ledger/<worker>.jsonl    one line per attempt
    runs/<tag>/episodes/<agent>/<task>/ the first attempt at an item
    runs/<tag>/episodes/<agent>/<task>.attempt<n>/

An attempt is written to ``<name>.partial`` and renamed when it is complete, then put in the ledger,
so a kill at any moment leaves the whole attempt or none: a folder that no ledger line names is not
counted, and the next attempt of that number replaces it. A folder that the ledger names is never
renamed.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any, Final, TypeAlias

from pydantic import BaseModel, ValidationError

from .._files import read_within, remove, within, write_atomically
from .._json import canonical_json, strict_json
from .._text import clip, sanitize_deep
from ..errors import SettingsError, StoreError
from ..evidence.models import Count, first_problem
from ..evidence.redact import Redactor
from . import conditions, ledger
from .episode import StoredEpisode
from .episode_folder import EpisodeFolder
from .ledger import ItemKey, LedgerEntry, PlannedItem
from .seal import Seals, Standing, new_run_id, user_secret
from .shards import Shard, shard_facts

FORMAT_VERSION: Final = 1
_ID: Final = "id"
_LARGEST_PLAN: Final = 64_000_000
"""Bytes of ``run.json``: the plan of 200,000 items."""
# No slash, and no dot in front: a tag must not lead out of the folder of runs.
_TAG: Final = re.compile(r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$")
_TEMPORARY: Final = re.compile(r"\.(run\.json|junit\.xml|ctrf\.json)\.[0-9]+")


_Key: TypeAlias = tuple[str, str, str, Count] | tuple[str, str, str, Count, Count]


class _Shard(BaseModel):
    index: Count
    count: Count
    plan: list[_Key] = []


class _Conditions(BaseModel):
    agents: dict[str, dict[str, Any]] = {}
    suites: dict[str, dict[str, Any]] = {}


class _RunFile(BaseModel):
    """What must hold of ``run.json`` for those who read it; it may hold more."""

    id: str = ""
    tag: str = ""
    planned: list[dict[str, Any]] = []
    last_session: list[_Key] = []
    shard: _Shard | None = None
    conditions: _Conditions = _Conditions()
    environment: dict[str, Any] = {}
    options: dict[str, Any] = {}
    merged: list[str] = []


class RunDir:
    """One run on disk. Cheap to make: nothing is read or written before it is needed.

    Reading raises `StoreError` for a damaged ``run.json`` or ledger. What it writes of attempts
    goes through ``redactor``.
    """

    def __init__(self, path: Path, redactor: Redactor | None = None) -> None:
        self.path = path
        self._redactor = redactor or Redactor()
        self._index: dict[ItemKey, list[LedgerEntry]] = {}
        self._read: dict[Path, ledger.Position] = {}
        self._problems: dict[str, None] = {}

    @classmethod
    def for_tag(cls, root: Path, tag: str, redactor: Redactor | None = None) -> RunDir:
        """The run ``tag`` below ``root``; `SettingsError` for a tag that could lead elsewhere."""
        if not _TAG.fullmatch(tag):
            raise SettingsError(
                f"run tag {tag!r}: use up to 100 letters, digits, dots, dashes and underscores, "
                "beginning with a letter or digit"
            )
        return cls(root / tag, redactor)

    def exists(self) -> bool:
        """Whether anything has been run under this tag."""
        return (self.path / "run.json").is_file()

    def must_exist(self) -> None:
        """`SettingsError` if nothing has been run under this tag."""
        if not self.exists():
            raise SettingsError(f"{self.path} is not a run directory: it has no run.json")

    # -- plan ----------------------------------------------------------------------------------

    def plan(
        self,
        items: Iterable[PlannedItem],
        facts: Mapping[str, Any],
        *,
        shard: Shard | None = None,
        whole: Iterable[ItemKey] = (),
        check_only: bool = False,
    ) -> None:
        """Write down what is going to be run, besides what earlier sessions planned under this tag.

        ``facts`` joins ``run.json``; ``whole`` is what all shards together run. `SettingsError` if
        the run was made under other conditions, or is another shard. With ``check_only`` nothing is
        written.
        """
        session, before = list(items), self.facts()
        facts = self._redactor.data(dict(facts))
        planned = {item.key: item for item in (*self.planned(), *session)}
        refuse_shared_folders(planned.values())
        was, now = before.get(conditions.KEY, {}), facts.get(conditions.KEY, {})
        if was and now:
            conditions.refuse_changes(self.path.name, was, now, self.results())
        shards = shard_facts(before, shard, list(whole))
        if check_only:
            return
        run_id = before.get(_ID) or new_run_id()
        record = {
            "version": FORMAT_VERSION,
            "tag": self.path.name,
            **facts,
            **shards,
            _ID: run_id,
        }
        if was or now:
            record[conditions.KEY] = conditions.merged(was, now)
        record["planned"] = [item.model_dump(mode="json") for _, item in sorted(planned.items())]
        record["last_session"] = [item.key.as_list() for item in session]
        self._make(self.path)
        self._clear_temporary()
        write_atomically(self.path / "run.json", canonical_json(record) + "\n")
        self.__dict__.pop("_kept_seals", None)  # they hang on the id, which may be new

    def discard(self) -> None:
        """Remove the run, which nothing has been recorded in."""
        shutil.rmtree(self.path, ignore_errors=True)

    def note_browsers(self) -> None:
        """Add to ``run.json`` which browsers the results that count were made with."""
        browsers = sorted({entry.browser for entry in self.results().values()} - {""})
        record = self.facts()
        if browsers and record:
            record["environment"] = {**record.get("environment", {}), "browsers": browsers}
            write_atomically(self.path / "run.json", canonical_json(record) + "\n")

    def _clear_temporary(self) -> None:
        # A process that is killed while it replaces a file leaves the new one under its own name.
        for path in self.path.glob(".*.[0-9]*"):
            if _TEMPORARY.fullmatch(path.name):
                path.unlink(missing_ok=True)

    def planned(self) -> list[PlannedItem]:
        """Every item that was ever planned under this tag."""
        try:
            return [PlannedItem.model_validate(item) for item in self.facts().get("planned", [])]
        except ValidationError as error:
            raise StoreError(
                f"{self.path / 'run.json'} holds a plan that cannot be read: {first_problem(error)}"
            ) from error

    def planned_last(self) -> list[PlannedItem]:
        """The items of the newest session under this tag, in its order."""
        planned = {item.key: item for item in self.planned()}
        last = [ItemKey(*key) for key in self.facts().get("last_session", [])]
        return [planned[key] for key in last if key in planned]

    def facts(self) -> dict[str, Any]:
        """``run.json``; empty if there is none yet."""
        path = self.path / "run.json"
        content = read_within(self.path, "run.json", largest=_LARGEST_PLAN)
        if content is None:
            return {}
        try:
            facts = sanitize_deep(strict_json(content.decode()))
        except ValueError as error:
            raise StoreError(f"{path} cannot be read: {error}") from error
        if not isinstance(facts, dict):
            raise StoreError(f"{path} holds a {type(facts).__name__}, not an object")
        if facts.get("version") != FORMAT_VERSION:
            raise StoreError(
                f"{path} has format version {clip(repr(facts.get('version')), 100)}; "
                f"this program reads {FORMAT_VERSION}"
            )
        try:
            _RunFile.model_validate(facts)
        except ValidationError as error:
            raise StoreError(f"{path} cannot be read: {first_problem(error)}") from error
        return facts

    # -- ledger --------------------------------------------------------------------------------

    def record(self, entry: LedgerEntry, worker: str) -> None:
        """Add one attempt, or a new judgement of one, to the worker's own ledger file."""
        self.record_all([entry], worker)

    def record_all(self, entries: Sequence[LedgerEntry], worker: str, *, seal: bool = True) -> None:
        """The same for many at once; without ``seal`` they keep the seals that they have."""
        folder = within(self.path, "ledger")
        self._make(folder)
        redacted = []
        for entry in entries:
            # It quotes pages and agents.
            detail = self._redactor.text(entry.detail)
            line = entry.model_copy(update={"detail": detail})
            redacted.append(self.seal(line) if seal else line)
        # A file per worker, so that no two processes write to one.
        ledger.append(folder / f"{worker}.jsonl", *redacted)

    def attempts_at(self, key: ItemKey) -> list[LedgerEntry]:
        """Attempts at one item, oldest first.

        The ledger is read on where it was left: another worker may have just made an attempt.
        """
        for file in self.ledger_files():
            position = self._read.get(file, ledger.Position())
            # Called for every item: to read the whole ledger each time would make long runs slow.
            if file.stat().st_size != position.offset:
                entries, self._read[file] = ledger.read_on(file, position, self._leave_out)
                for entry in entries:
                    self._add(entry)
        return self._index.get(key, [])

    def _add(self, entry: LedgerEntry) -> None:
        known = ledger.as_last_judged([*self._index.get(entry.key, []), entry])
        self._index[entry.key] = sorted(known, key=lambda one: (one.started, one.attempt))

    def attempts(self) -> list[LedgerEntry]:
        """Every attempt as it was last judged, oldest first."""
        lines: list[LedgerEntry] = []
        for file in self.ledger_files():
            lines += ledger.read(file, self._leave_out)
        return sorted(ledger.as_last_judged(lines), key=_by_age)

    def problems(self) -> list[str]:
        """The lines of the ledger that are left out since they are no entries, a sentence each."""
        self.attempts()
        return list(self._problems)

    def _leave_out(self, problem: StoreError) -> None:
        self._problems[str(problem)] = None

    def seal(self, entry: LedgerEntry) -> LedgerEntry:
        """A line about an episode that is in this run, with its seal."""
        return self._seals.sealed(entry, self.stored_episode(entry))

    def standing(self, entry: LedgerEntry) -> Standing:
        """What its seal says of a line on record."""
        if not entry.seal and self._has_seals:
            return Standing.BROKEN  # it was taken off, or the line was added by other means
        return self._seals.standing(entry)

    @cached_property
    def _has_seals(self) -> bool:
        entries = chain.from_iterable(ledger.read(file, _ignore) for file in self.ledger_files())
        return any(self._seals.standing(entry) is Standing.INTACT for entry in entries)

    @property
    def _seals(self) -> Seals:
        # A worker may ask before the plan, and with it the run's id, is written: then ask again.
        kept: Seals | None = self.__dict__.get("_kept_seals")
        if kept is None:
            run_id = str(self.facts().get(_ID, ""))
            kept = Seals(run_id, user_secret())
            if run_id:
                self.__dict__["_kept_seals"] = kept
        return kept

    def results(self) -> dict[ItemKey, LedgerEntry]:
        """The attempt that counts for each item."""
        return ledger.latest(self.attempts())

    def ledger_files(self) -> list[Path]:
        """One per worker, and one of later judgements."""
        return sorted(within(self.path, "ledger").glob("*.jsonl"))

    # -- episodes ------------------------------------------------------------------------------

    def folder(self, key: ItemKey, attempt: int = 1) -> Path:
        """Where a new attempt at an item is stored. For one on record ask `folder_of`."""
        return self.path / place_of(key, attempt)

    def folder_of(self, entry: LedgerEntry) -> Path:
        """Where an attempt on record left its files; the folder does not exist if it left none."""
        return self.stored_episode(entry).path

    def stored_episode(self, entry: LedgerEntry) -> StoredEpisode:
        """What an attempt on record left."""
        place = entry.folder or place_of(entry.key, max(entry.attempt, 1))
        return StoredEpisode(self.path, place)

    def counted_episode(self, key: ItemKey) -> StoredEpisode:
        """What the attempt that counts for an item left; of an item never run, a missing folder."""
        entry = ledger.latest(self.attempts_at(key)).get(key)
        return StoredEpisode(self.folder(key)) if entry is None else self.stored_episode(entry)

    def begin_episode(
        self,
        key: ItemKey,
        *,
        attempt: int = 1,
        on_unstoppable: Callable[[], None] = lambda: None,
    ) -> EpisodeFolder:
        """A fresh folder for an attempt that is not in the ledger yet.

        What a killed attempt of that number left is removed.
        """
        final = within(self.path, place_of(key, attempt))
        partial = final.with_name(f"{final.name}.partial")
        # `final` too: a kill between the renaming and the line leaves a folder that no line names.
        for left in (partial, final):
            remove(left)
        self._make(partial / "shots")
        # What this episode learns of passwords does not concern the next one.
        redactor = self._redactor.child()
        return EpisodeFolder(partial, final, redactor, on_unstoppable=on_unstoppable)

    def has_begun(self, key: ItemKey) -> bool:
        """Whether there is a folder of an episode at ``key``, even of a killed one."""
        final = within(self.path, place_of(key, 1))
        return final.exists() or final.with_name(f"{final.name}.partial").exists()

    def next_attempt(self, key: ItemKey) -> int:
        """Number of an item's next attempt."""
        return 1 + max((entry.attempt for entry in self.attempts_at(key)), default=0)

    def write_report(self, name: str, text: str) -> Path:
        """A file made from the ledger, such as ``junit.xml``."""
        self._make(self.path)
        path = within(self.path, name)
        write_atomically(path, text)
        return path

    def _make(self, folder: Path) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(
                f"the run directory {folder} cannot be created: {error}; "
                "choose another with --webbench-runs-dir"
            ) from error


def _ignore(_problem: StoreError) -> None:
    """Lines that are no entries are named elsewhere."""


def place_of(key: ItemKey, attempt: int) -> str:
    """Where in its run an attempt at an item is stored."""
    first = f"episodes/{key.folder()}"
    return first if attempt == 1 else f"{first}.attempt{attempt}"


def _by_age(entry: LedgerEntry) -> tuple[str, str, str, str, int]:
    return entry.started, entry.suite, entry.task, entry.agent, entry.attempt


def refuse_shared_folders(items: Iterable[PlannedItem]) -> None:
    """`SettingsError` if two suites have the same task id.

    Episodes are stored by agent and task: such suites do not fit into one run.
    """
    owners: dict[str, PlannedItem] = {}
    for item in items:
        other = owners.setdefault(item.key.folder(), item)
        if other.suite != item.suite:
            raise SettingsError(
                f"task id {item.task!r} exists in the suites {other.suite!r} and {item.suite!r}: "
                "run them one at a time, under different tags"
            )
