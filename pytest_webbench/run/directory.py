"""The run directory: where everything that a run leaves behind lies, and how it gets there without being lost.

    runs/<tag>/run.json                 plan and environment
    runs/<tag>/ledger/<worker>.jsonl    one line per attempt
    runs/<tag>/episodes/<agent>/<task>/ the first attempt at an item; later ones beside it as <task>.attempt<n>

An attempt is written to ``<name>.partial`` and renamed when it is complete, then put in the ledger, so a kill at any
moment leaves either the whole attempt or none: a folder that no ledger line names is not counted, and makes way for
the next attempt of that number. No folder that the ledger names is ever renamed.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError

from ..errors import SettingsError, StoreError
from ..evidence.models import Evidence, ObservedAction, canonical_json
from ..evidence.redact import Redactor
from ..evidence.scrub import scrub
from ..judge import Verdict
from . import conditions, ledger
from .ledger import ItemKey, LedgerEntry, PlannedItem
from .shards import Shard, shard_facts

FORMAT_VERSION: Final = 1
_TAG: Final = re.compile(r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$")
_TEMPORARY: Final = re.compile(r"\.(run\.json|junit\.xml|ctrf\.json)\.[0-9]+")


class RunDir:
    """One run on disk. Cheap to construct; nothing is read or written before it is needed."""

    def __init__(self, path: Path, redactor: Redactor | None = None) -> None:
        self.path = path
        self._redactor = redactor or Redactor()
        self._index: dict[ItemKey, list[LedgerEntry]] = {}
        self._read: dict[Path, ledger.Place] = {}

    @classmethod
    def for_tag(cls, root: Path, tag: str, redactor: Redactor | None = None) -> RunDir:
        """The run ``tag`` below ``root``; the tag may not lead anywhere else."""
        if not _TAG.fullmatch(tag):
            raise SettingsError(
                f"run tag {tag!r}: use up to 100 letters, digits, dots, dashes and underscores, "
                "beginning with a letter or digit"
            )
        return cls(root / tag, redactor)

    def exists(self) -> bool:
        """Whether anything has been run under this tag."""
        return (self.path / "run.json").is_file()

    # -- plan ----------------------------------------------------------------------------------------------------

    def plan(
        self,
        items: Iterable[PlannedItem],
        facts: Mapping[str, Any],
        *,
        shard: Shard | None = None,
        whole: Iterable[ItemKey] = (),
        check_only: bool = False,
    ) -> None:
        """Note what is going to be run; what an earlier session planned under this tag stays planned.

        ``whole`` is what all shards together run. `SettingsError` if the run was made under other conditions, or is
        another shard; with ``check_only`` nothing else happens.
        """
        session, before = list(items), self.facts()
        planned = {item.key: item for item in (*self.planned(), *session)}
        refuse_shared_folders(planned.values())
        was, now = before.get(conditions.KEY, {}), facts.get(conditions.KEY, {})
        if was and now:
            conditions.refuse_changes(self.path.name, was, now, self.results())
        shards = shard_facts(before, shard, list(whole))
        if check_only:
            return
        record = {
            "version": FORMAT_VERSION,
            "tag": self.path.name,
            **facts,
            **({conditions.KEY: conditions.merged(was, now)} if was or now else {}),
            **shards,
            "planned": [item.model_dump(mode="json") for _, item in sorted(planned.items())],
            "last_session": [list(item.key) for item in session],
        }
        self._make(self.path)
        self._clear_temporary()
        write_atomically(self.path / "run.json", canonical_json(record) + "\n")

    def _clear_temporary(self) -> None:
        """What a process that was killed while it replaced a file has left behind."""
        for path in self.path.glob(".*.[0-9]*"):
            if _TEMPORARY.fullmatch(path.name):
                path.unlink(missing_ok=True)

    def planned(self) -> list[PlannedItem]:
        """Every item that was ever planned under this tag."""
        try:
            return [PlannedItem.model_validate(item) for item in self.facts().get("planned", [])]
        except (ValidationError, TypeError) as error:
            raise StoreError(f"{self.path / 'run.json'} holds a plan that cannot be read: {error}") from error

    def planned_last(self) -> list[PlannedItem]:
        """The items of the newest session under this tag, in its order."""
        planned = {item.key: item for item in self.planned()}
        return [planned[ItemKey(*key)] for key in self.facts().get("last_session", [])]

    def facts(self) -> dict[str, Any]:
        """``run.json``; empty if there is none yet."""
        path = self.path / "run.json"
        if not path.is_file():
            return {}
        try:
            facts: Any = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise StoreError(f"{path} cannot be read: {error}") from error
        if not isinstance(facts, dict):
            raise StoreError(f"{path} holds a {type(facts).__name__}, not an object")
        if facts.get("version") != FORMAT_VERSION:
            raise StoreError(f"{path} has format version {facts.get('version')!r}; this program reads {FORMAT_VERSION}")
        return facts

    # -- ledger --------------------------------------------------------------------------------------------------

    def record(self, entry: LedgerEntry, worker: str) -> None:
        """Add one attempt, or a new judgement of one, to the worker's own ledger file."""
        self.record_all([entry], worker)

    def record_all(self, entries: Sequence[LedgerEntry], worker: str) -> None:
        """The same for many at once."""
        folder = self.path / "ledger"
        self._make(folder)
        entries = [one.model_copy(update={"detail": self._redactor.text(one.detail)}) for one in entries]
        ledger.append(folder / f"{worker}.jsonl", *entries)

    def attempts_at(self, key: ItemKey) -> list[LedgerEntry]:
        """Attempts at one item, oldest first, as the ledger tells now: another worker may have just made one."""
        for file in sorted((self.path / "ledger").glob("*.jsonl")):
            place = self._read.get(file, ledger.Place())
            if file.stat().st_size != place.offset:
                entries, self._read[file] = ledger.read_on(file, place)
                for entry in entries:
                    known = ledger.as_last_judged([*self._index.get(entry.key, []), entry])
                    self._index[entry.key] = sorted(known, key=lambda one: (one.started, one.attempt))
        return self._index.get(key, [])

    def attempts(self) -> list[LedgerEntry]:
        """Every attempt as it was last judged, oldest first."""
        files = sorted((self.path / "ledger").glob("*.jsonl"))
        found = ledger.as_last_judged(entry for file in files for entry in ledger.read(file))
        return sorted(found, key=lambda entry: (entry.started, entry.suite, entry.task, entry.agent, entry.attempt))

    def results(self) -> dict[ItemKey, LedgerEntry]:
        """The attempt that counts for each item."""
        return ledger.latest(self.attempts())

    # -- episodes ------------------------------------------------------------------------------------------------

    def episode(self, key: ItemKey, attempt: int = 1) -> Path:
        """Folder of an attempt at an item. Of an attempt on record, the ledger line tells the folder as well."""
        final = self.path / "episodes" / key.folder()
        return final if attempt == 1 else final.with_name(f"{final.name}.attempt{attempt}")

    def folder_of(self, entry: LedgerEntry) -> Path:
        """Where an attempt on record left its files; a folder that does not exist if it left none."""
        return self.path / entry.folder if entry.folder else self.episode(entry.key, max(entry.attempt, 1))

    def begin_episode(
        self, key: ItemKey, on_unstoppable: Callable[[], None] = lambda: None, *, attempt: int = 1
    ) -> EpisodeFolder:
        """A fresh folder for an attempt that is not in the ledger yet; what a killed one left there is cleared away."""
        final = self.episode(key, attempt)
        partial = final.with_name(f"{final.name}.partial")
        with storing(partial):
            for left in (partial, final):
                if left.exists():
                    shutil.rmtree(left)
        self._make(partial / "shots")
        return EpisodeFolder(partial, final, on_unstoppable, self._redactor.child())

    def next_attempt(self, key: ItemKey) -> int:
        """Number of an item's next attempt."""
        return 1 + max((entry.attempt for entry in self.attempts_at(key)), default=0)

    def _counting(self, key: ItemKey) -> Path:
        entry = ledger.latest(self.attempts_at(key)).get(key)
        return self.folder_of(entry) if entry is not None else self.episode(key)

    def read_verdict(self, key: ItemKey) -> Verdict | None:
        """The stored verdict of the attempt that counts for an item, if there is one."""
        path = self._counting(key) / "verdict.json"
        if not path.is_file():
            return None
        try:
            return Verdict.model_validate_json(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise StoreError(f"{path} cannot be read: {error}") from error

    def read_evidence(self, key: ItemKey) -> Evidence | None:
        """The stored evidence of the attempt that counts for an item, if there is any."""
        path = self._counting(key) / "evidence.json"
        if not path.is_file():
            return None
        try:
            return Evidence.model_validate_json(path.read_bytes())
        except (OSError, ValueError) as error:
            raise StoreError(f"{path} cannot be read: {error}") from error

    def write_report(self, name: str, text: str) -> Path:
        """A file made from the ledger, such as ``junit.xml``."""
        self._make(self.path)
        write_atomically(self.path / name, text)
        return self.path / name

    def _make(self, folder: Path) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(
                f"the run directory {folder} cannot be created: {error}; choose another with --webbench-runs-dir"
            ) from error


class EpisodeFolder:
    """Takes what one attempt leaves behind, as it happens; everything written goes through its redactor."""

    def __init__(self, partial: Path, final: Path, on_unstoppable: Callable[[], None], redactor: Redactor) -> None:
        self.path, self.final, self._on_unstoppable = partial, final, on_unstoppable
        self._redactor = redactor
        self._trouble: StoreError | None = None

    def step(self, action: ObservedAction) -> None:
        """A new action; or, with a number that exists, all that is known of it now."""
        line = json.dumps(self._redactor.record(action).model_dump(mode="json"), sort_keys=True, ensure_ascii=False)
        self._append("steps.jsonl", line)

    step_changed = step

    def shot(self, number: int, jpeg: bytes, url: str = "", width: int = 0) -> None:
        """What the page showed when an action took effect, and of which page at which width that is a picture."""
        self._store(f"shots/{number:03d}.jpg", jpeg)
        facts = {"number": number, "url": self._redactor.text(url), "width": width}
        self._append("shots.jsonl", json.dumps(facts, sort_keys=True, ensure_ascii=False))

    def secret(self, value: str, field: str) -> None:
        """The content of a password field: from now on it is taken out of all that is written."""
        self._redactor.learn(value, field)

    def shown(self, value: str) -> None:
        """The content of another field."""
        self._redactor.seen_in_the_open(value)

    def log(self, text: str) -> None:
        """A line for ``agent.log``."""
        self._append("agent.log", self._redactor.text(scrub(text)).rstrip())

    def redacted(self, text: str) -> str:
        """``text`` without what is known to be secret by now."""
        return self._redactor.text(text)

    def note(self, line: str) -> None:
        """A line for ``agent.jsonl``, without secrets already."""
        self._append("agent.jsonl", line)

    def unstoppable(self) -> None:
        """The agent's code cannot be interrupted: whoever began this episode decides what to do."""
        self.log("the agent's code went on after its time and could not be interrupted")
        self._on_unstoppable()

    def write(self, name: str, content: str | bytes) -> None:
        """A whole file of this attempt."""
        redact = self._redactor.mhtml if name.endswith(".mhtml") else self._redactor.text
        data = content if isinstance(content, bytes) else redact(content).encode("utf-8", "replace")
        self._store(name, data)

    def _append(self, name: str, line: str) -> None:
        with self._writing(name) as path, path.open("a", encoding="utf-8", errors="replace") as file:
            file.write(line + "\n")

    def _store(self, name: str, data: bytes) -> None:
        with self._writing(name) as path:
            path.write_bytes(data)

    @contextmanager
    def _writing(self, name: str) -> Iterator[Path]:
        """Whoever is told that a file cannot be written may make light of it, as an agent does; `commit` does not."""
        try:
            with storing(self.path / name):
                yield self.path / name
        except StoreError as error:
            self._trouble = error
            raise

    def write_evidence(self, evidence: Evidence) -> Evidence:
        """Write the evidence and give back what was read back: that, and nothing else, is judged."""
        self._store("evidence.json", self._redactor.record(evidence).to_json().encode("utf-8", "replace"))
        return Evidence.model_validate_json((self.path / "evidence.json").read_bytes())

    def commit(self) -> Path:
        """The attempt is complete: give it its final name; `StoreError` if any of its files could not be written."""
        if self._trouble is not None:
            raise self._trouble
        with storing(self.final):
            os.replace(self.path, self.final)
        return self.final


def refuse_shared_folders(items: Iterable[PlannedItem]) -> None:
    """Episodes are stored by agent and task: two suites with the same task id do not fit into one run."""
    owners: dict[str, PlannedItem] = {}
    for item in items:
        other = owners.setdefault(item.key.folder(), item)
        if other.suite != item.suite:
            raise SettingsError(
                f"task id {item.task!r} exists in the suites {other.suite!r} and {item.suite!r}: run them one at a "
                "time, under different tags"
            )


@contextmanager
def storing(path: Path) -> Iterator[None]:
    """What goes wrong in here is told as a `StoreError` about ``path``."""
    try:
        yield
    except OSError as error:
        raise StoreError(f"{path} cannot be written: {error}") from error


def write_atomically(path: Path, text: str, *, flush: bool = True) -> None:
    """Write a file so that a reader sees either the old or the new content; `StoreError` if that is impossible.

    ``flush`` waits until it is on disk; files that can be made again do not need that.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with temporary.open("w", encoding="utf-8", errors="replace") as file:
            file.write(text)
            if flush:
                file.flush()
                os.fsync(file.fileno())
        os.replace(temporary, path)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise StoreError(f"{path} cannot be written: {error}") from error
