"""Everything that the report shows of one episode, read from its folder. What cannot be read is said, never hidden."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

from pydantic import BaseModel, ConfigDict, JsonValue

from ...evidence.models import Evidence
from ...evidence.steps import read_steps
from ...judge import CheckState, Verdict
from ...run import LedgerEntry
from ...task import Task
from .encode import clipped, compact
from .reading import readings

_MOST_TEXT: Final = 4_000
_MOST_LOG: Final = 30_000
_MOST_ROWS: Final = 300
_RECORDINGS: Final = ("trace.zip", "page.png", "final.mhtml", "evidence.json", "verdict.json", "task.json", "agent.log")

T = TypeVar("T")


class _Loose(BaseModel):
    """What a report needs of a stored file; the rest is of no interest, and never executed or validated."""

    model_config = ConfigDict(extra="ignore")


class StoredCheck(_Loose):
    """A check as the task's file describes it."""

    name: str
    get: JsonValue = None
    metric: str = ""
    requires: list[str] = []


class StoredTask(_Loose):
    """A task as it was when the episode was run."""

    goal: str = ""
    start_url: str = ""
    answer: str = "none"
    reference: str = ""
    conj: str = "and"
    checks: list[StoredCheck] = []


class Asked(NamedTuple):
    """A task as it is shown; and as it is judged by, if this program can still read it."""

    stored: StoredTask
    task: Task | None


class _Shot(_Loose):
    number: int
    url: str = ""
    width: int = 0


class Folder:
    """An episode's files; ``problems`` fills up with what could not be read."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.problems: list[str] = []
        self.names = _names(path)

    def read(self, name: str, parse: Callable[[bytes], T]) -> T | None:
        """A parsed file; None if it is not there or cannot be read."""
        if name not in self.names:
            return None
        try:
            return parse((self.path / name).read_bytes())
        except (OSError, ValueError) as error:
            self.problems.append(f"{name} cannot be read: {clipped(str(error), 300)}")
            return None

    def text(self, name: str) -> str:
        """The end of a text file, for that is where trouble is told."""
        text = self.read(name, lambda data: data[-4 * _MOST_LOG :].decode("utf-8", "replace")) or ""
        return text if len(text) <= _MOST_LOG else f"(beginning left out) … {text[-_MOST_LOG:]}"

    def shots(self) -> list[tuple[int, str, int]]:
        """Numbers of the pictures taken, with the page's address and the viewport's width, so far as known."""
        found = _names(self.path / "shots") if "shots" in self.names else set()
        facts = self.read("shots.jsonl", _shot_facts) or {}
        numbers = sorted(int(name[:-4]) for name in found if name.endswith(".jpg") and name[:-4].isdecimal())
        return [(number, *facts.get(number, ("", 0))) for number in numbers]


def _shot_facts(data: bytes) -> dict[int, tuple[str, int]]:
    """By number; a line that a kill has cut off is left out."""
    found = {}
    for line in data.decode("utf-8", "replace").split("\n"):
        try:
            shot = _Shot.model_validate_json(line)
        except ValueError:
            continue
        found[shot.number] = (shot.url, shot.width)
    return found


def _names(path: Path) -> set[str]:
    try:
        return {entry.name for entry in path.iterdir()}
    except OSError:
        return set()


def read_task(folder: Folder) -> Asked | None:
    """The task of an episode."""
    stored = folder.read("task.json", StoredTask.model_validate_json)
    if stored is None:
        return None
    try:
        return Asked(stored, Task.model_validate_json((folder.path / "task.json").read_bytes()))
    except (OSError, ValueError):
        return Asked(stored, None)


def task_data(asked: Asked | None) -> dict[str, Any] | None:
    """A task as the report shows it."""
    if asked is None:
        return None
    task = asked.stored
    checks = [
        {"name": check.name, **_getter(check.get), "metric": check.metric, "requires": check.requires}
        for check in task.checks
    ]
    return {
        "goal": task.goal, "url": task.start_url, "answer": task.answer, "conj": task.conj,
        "reference": clipped(task.reference, _MOST_TEXT), "checks": checks,
    }  # fmt: skip


def _getter(get: JsonValue) -> dict[str, Any]:
    """A getter's name and its options."""
    if not isinstance(get, dict):
        return {"get": _shown(get), "options": []}
    options = [(name, _shown(value)) for name, value in get.items() if name != "type"]
    return {"get": str(get.get("type", "")), "options": options}


def episode_data(folder: Folder, asked: Asked | None, attempts: Sequence[LedgerEntry]) -> dict[str, Any]:
    """One item's episode that counts, and its other attempts as the ledger tells of them."""
    verdict = folder.read("verdict.json", Verdict.model_validate_json)
    evidence = folder.read("evidence.json", Evidence.model_validate_json)
    steps = evidence.actions if evidence else read_steps(folder.path)
    return {
        "detail": clipped(attempts[-1].detail, _MOST_TEXT) if attempts else "",
        "verdict": _verdict_data(verdict) if verdict else None,
        "readings": list(readings(asked.task, evidence)) if asked and asked.task and evidence else [],
        **(_evidence_data(evidence) if evidence else {}),
        "steps": [
            {
                "kind": step.kind, "role": step.target.role, "name": clipped(step.target.name, 200),
                "box": step.target.box, "value": None if step.value is None else clipped(step.value, 500),
                "url": step.url, "after": step.url_after, "tab": step.tab, "seconds": step.seconds,
            }
            for step in steps
        ],
        "shots": folder.shots(),
        "final": "final.jpg" in folder.names,
        "files": [name for name in _RECORDINGS if name in folder.names],
        "log": folder.text("agent.log"),
        "journal": list(_journal(folder)),
        "attempts": [_attempt_data(entry) for entry in attempts],
        "problems": folder.problems,
    }  # fmt: skip


def first_failing(verdict: dict[str, Any] | None) -> str:
    """Name of the check that a failure hangs on."""
    checks = verdict["checks"] if verdict else ()
    return next((check["name"] for check in checks if check["state"] == CheckState.FAILS), "")


def _verdict_data(verdict: Verdict) -> dict[str, Any]:
    data = verdict.model_dump(mode="json", include={"outcome", "reason", "detail", "score", "judge_version"})
    checks = [
        {
            "name": check.name, "metric": check.metric, "state": check.state.value, "score": check.score,
            "expected": clipped(check.expected, _MOST_TEXT), "found": clipped(check.found, _MOST_TEXT),
            "why": clipped(check.why, _MOST_TEXT),
        }
        for check in verdict.checks
    ]  # fmt: skip
    return {**data, "checks": checks}


def _evidence_data(evidence: Evidence) -> dict[str, Any]:
    page = evidence.page
    reads = [
        (key, "nothing there" if read.missing else read.error or _shown(read.value), read.archived)
        for key, read in list(evidence.reads.items())[:_MOST_ROWS]
    ]
    return {
        "answer": None if evidence.answer is None else clipped(evidence.answer, _MOST_TEXT),
        "page": page and {
            "url": page.url, "title": page.title, "status": page.status,
            "text": clipped(page.visible_text or page.text, _MOST_TEXT),
        },
        "health": evidence.health.model_dump(mode="json"),
        "tabs": [(tab.title, tab.url) for tab in evidence.tabs[:_MOST_ROWS]],
        "history": [(entry.url, entry.typed, entry.ahead) for entry in evidence.history[:_MOST_ROWS]],
        "dialogs": [clipped(text, 500) for text in evidence.dialogs],
        "console": [clipped(text, 500) for text in evidence.console_errors],
        "downloads": [(one.name, one.url, one.size) for one in evidence.downloads],
        "requests": [
            (one.method, one.kind, one.status, clipped(one.url, 1_000)) for one in evidence.requests[:_MOST_ROWS]
        ],
        "requested": len(evidence.requests),
        "outside": [clipped(url, 1_000) for url in evidence.outside],
        "reads": reads,
        "gaps": list(evidence.gaps),
    }  # fmt: skip


def _attempt_data(entry: LedgerEntry) -> dict[str, Any]:
    return {
        "attempt": entry.attempt, "outcome": entry.outcome, "reason": entry.reason, "ending": entry.ending,
        "detail": clipped(entry.detail, 2_000), "started": entry.started, "seconds": entry.seconds,
        "worker": entry.worker, "rejudged": entry.rejudged,
    }  # fmt: skip


def _journal(folder: Folder) -> Iterator[dict[str, Any]]:
    """The agent's own account; a line that is cut off, or no object, is left out."""
    text = folder.read("agent.jsonl", lambda data: data.decode("utf-8", "replace")) or ""
    for line in text.split("\n")[:_MOST_ROWS]:
        try:
            note = json.loads(line)
        except ValueError:
            continue
        if isinstance(note, dict):
            yield _note_data(note)


def _note_data(note: dict[str, Any]) -> dict[str, Any]:
    """A line of the journal in the one shape that the report reads, whatever the agent wrote."""
    known = {"kind", "number", "label", "thought", "probability", "candidates", "error", "fingerprint"}
    number, candidates, action = note.get("number"), note.get("candidates"), note.get("action")
    return {
        "kind": str(note.get("kind", "")),
        "number": number if isinstance(number, int) else None,
        "does": _word(action) if isinstance(action, dict) else "",
        "probability": _share(note.get("probability")),
        "candidates": [
            (clipped(str(one.get("label", "")), 200), _share(one.get("probability")))
            for one in (candidates if isinstance(candidates, list) else [])[:20]
            if isinstance(one, dict)
        ],
        **{name: clipped(str(note.get(name) or ""), _MOST_TEXT) for name in ("label", "thought", "error")},
        "facts": [(str(name), _shown(value)) for name, value in note.items() if name not in known][:30],
    }


def _word(action: dict[str, Any]) -> str:
    """What a decision does, with a plus if Enter is pressed after it."""
    return clipped(str(action.get("do", "")), 40) + ("+" if action.get("submit") is True else "")


def _share(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and 0 <= value <= 1 else None


def _shown(value: JsonValue) -> str:
    return clipped(value if isinstance(value, str) else compact(value), 2_000)
