"""Everything that the report shows of one episode; what is damaged is named, never hidden."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from operator import attrgetter
from typing import Any, Final, NamedTuple

from pydantic import BaseModel, ConfigDict, JsonValue

from ...evidence.models import Evidence, ObservedAction
from ...judge import CheckResult, CheckState, Verdict
from ...run import LedgerEntry, StoredEpisode
from ...task import Task
from ...task.stored import parse_stored_task
from .encode import clipped, shown
from .journal import note_data
from .reading import readings

_MOST_TEXT: Final = 4_000
_MOST_LINE: Final = 500
_MOST_LOG: Final = 30_000
_MOST_ROWS: Final = 300
_RECORDINGS: Final = (
    "trace.zip",
    "page.png",
    "final.mhtml",
    "evidence.json",
    "verdict.json",
    "task.json",
    "agent.log",
)


class _Loose(BaseModel):
    """What a report needs of a stored file; the rest is ignored, and never validated or run."""

    model_config = ConfigDict(extra="ignore")


class ShownCheck(_Loose):
    """A check as the task's file describes it."""

    name: str
    get: JsonValue = None
    metric: str = ""
    requires: list[str] = []


class ShownTask(_Loose):
    """A task as it was when the episode was run, also one that this version cannot judge."""

    goal: str = ""
    start_url: str = ""
    answer: str = "none"
    reference: str = ""
    conj: str = "and"
    checks: list[ShownCheck] = []


class StoredTask(NamedTuple):
    """A stored task as it is shown; and as it is judged by, if this version can still read it."""

    shown: ShownTask
    task: Task | None


def read_task(episode: StoredEpisode) -> StoredTask | None:
    """The task of an episode."""
    stored = episode.parse("task.json", ShownTask.model_validate_json)
    if stored is None:
        return None
    # Not `episode.task`: a task of another version is no damage to the report.
    try:
        return StoredTask(stored, parse_stored_task(episode.content("task.json") or b""))
    except ValueError:
        return StoredTask(stored, None)


def task_data(file: StoredTask | None) -> dict[str, Any] | None:
    """A task as the report shows it."""
    if file is None:
        return None
    task = file.shown
    return {
        "goal": task.goal,
        "url": task.start_url,
        "answer": task.answer,
        "conj": task.conj,
        "reference": clipped(task.reference, _MOST_TEXT),
        "checks": list(map(_task_check, task.checks)),
    }


def _task_check(check: ShownCheck) -> dict[str, Any]:
    getter: dict[str, Any] = {"get": shown(check.get), "options": []}
    if isinstance(check.get, dict):
        options = dict(check.get)
        getter = {
            "get": str(options.pop("type", "")),
            "options": [(name, shown(value)) for name, value in options.items()],
        }
    return {"name": check.name, **getter, "metric": check.metric, "requires": check.requires}


def episode_data(
    episode: StoredEpisode, file: StoredTask | None, attempts: Sequence[LedgerEntry]
) -> dict[str, Any]:
    """One item's episode that counts, and its other attempts as the ledger has them."""
    verdict, evidence = episode.verdict(), episode.evidence()
    data: dict[str, Any] = {
        "detail": clipped(attempts[-1].detail, _MOST_TEXT) if attempts else "",
        "verdict": None,
        "readings": [],
        "shots": list(map(attrgetter("number", "url", "width"), episode.shots())),
        "final": "final.jpg" in episode.names,
        "files": [name for name in _RECORDINGS if name in episode.names],
        "log": _log(episode),
        "journal": list(map(note_data, islice(episode.journal(), _MOST_ROWS))),
        "attempts": list(map(_attempt_data, attempts)),
        "problems": episode.problems,
    }
    if verdict is not None:
        data["verdict"] = _verdict_data(verdict)
    if evidence is None:
        return {**data, "steps": list(map(_step_data, episode.steps()))}
    if file is not None and file.task is not None:
        data["readings"] = list(readings(file.task, evidence))
    return {**data, **_evidence_data(evidence), "steps": list(map(_step_data, evidence.actions))}


def first_failing(verdict: dict[str, Any] | None) -> str:
    """Name of the check that a failure hangs on; empty if there is none."""
    if verdict is not None:
        for check in verdict["checks"]:
            if check["state"] == CheckState.FAILS:
                return str(check["name"])
    return ""


def _log(episode: StoredEpisode) -> str:
    """The end of the agent's log, for that is where trouble shows."""
    # A character has up to four bytes.
    content = (episode.content("agent.log") or b"")[-4 * _MOST_LOG :]
    text = content.decode("utf-8", "replace")
    if len(text) <= _MOST_LOG:
        return text
    return f"(beginning left out) … {text[-_MOST_LOG:]}"


def _step_data(step: ObservedAction) -> dict[str, Any]:
    return {
        "kind": step.kind,
        "role": step.target.role,
        "name": clipped(step.target.name, 200),
        "box": step.target.box,
        "corner": step.target.corner,
        "scrolled": step.scrolled,
        "value": _clipped_or_none(step.value, _MOST_LINE),
        "url": step.url,
        "after": step.url_after,
        "tab": step.tab,
        "seconds": step.seconds,
    }


def _verdict_data(verdict: Verdict) -> dict[str, Any]:
    fields = {"outcome", "reason", "detail", "score", "judge_version"}
    data = verdict.model_dump(mode="json", include=fields)
    return {
        **data,
        "flags": _clipped_lines(map(str, verdict.flags)),
        "checks": list(map(_check_data, verdict.checks)),
    }


def _check_data(check: CheckResult) -> dict[str, Any]:
    return {
        "name": check.name,
        "metric": check.metric,
        "state": check.state.value,
        "score": check.score,
        "expected": clipped(check.expected, _MOST_TEXT),
        "found": clipped(check.found, _MOST_TEXT),
        "why": clipped(check.why, _MOST_TEXT),
    }


def _evidence_data(evidence: Evidence) -> dict[str, Any]:
    history = evidence.history[:_MOST_ROWS]
    return {
        "ended": clipped(evidence.ending_detail, _MOST_LINE),
        "answer": _clipped_or_none(evidence.answer, _MOST_TEXT),
        "page": _page_data(evidence),
        "health": evidence.health.model_dump(mode="json"),
        "tabs": list(map(attrgetter("title", "url"), evidence.tabs[:_MOST_ROWS])),
        "history": list(map(attrgetter("url", "typed", "ahead"), history)),
        "dialogs": _clipped_lines(evidence.dialogs),
        "console": _clipped_lines(evidence.console_errors),
        "downloads": list(map(attrgetter("name", "url", "size"), evidence.downloads)),
        "requests": list(_requests(evidence)),
        "requested": len(evidence.requests),
        "outside": _clipped_lines(evidence.outside, 1_000),
        "reads": list(_reads(evidence)),
        "gaps": list(evidence.gaps),
    }


def _page_data(evidence: Evidence) -> dict[str, Any] | None:
    page = evidence.page
    if page is None:
        return None
    return {
        "url": page.url,
        "title": page.title,
        "status": page.status,
        "text": clipped(page.visible_text or page.text, _MOST_TEXT),
    }


def _requests(evidence: Evidence) -> Iterator[tuple[str, str, int | None, str]]:
    for one in evidence.requests[:_MOST_ROWS]:
        yield one.method, one.kind, one.status, clipped(one.url, 1_000)


def _reads(evidence: Evidence) -> Iterator[tuple[str, str, bool]]:
    for key, read in islice(evidence.reads.items(), _MOST_ROWS):
        if read.missing:
            text = "nothing there"
        else:
            text = read.error or shown(read.value)
        yield key, text, read.archived


def _attempt_data(entry: LedgerEntry) -> dict[str, Any]:
    return {
        "attempt": entry.attempt,
        "outcome": entry.outcome,
        "reason": entry.reason,
        "ending": entry.ending,
        "detail": clipped(entry.detail, 2_000),
        "started": entry.started,
        "seconds": entry.seconds,
        "worker": entry.worker,
        "rejudged": entry.rejudged,
    }


def _clipped_lines(texts: Iterable[str], most: int = _MOST_LINE) -> list[str]:
    return [clipped(text, most) for text in texts]


def _clipped_or_none(text: str | None, most: int) -> str | None:
    return None if text is None else clipped(text, most)
