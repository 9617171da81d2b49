"""Judging a stored episode again: what may have changed since, what that changes, and why. Pure."""

from __future__ import annotations

import re
from typing import Final

from ..checks import Probe
from ..evidence.models import Evidence
from ..task import Task
from ..task.probes import probes_of
from .verdict import Outcome, Verdict

_TOLD: Final = ("goal", "start_url", "setup", "answer")
_QUOTED: Final = re.compile(r"""("|')(?:\\.|(?!\1).)*\1|\\.""", re.DOTALL)
_LIVE_STATE: Final = re.compile(
    r":(?!:|(?:not|is|where|has|nth-[a-z-]+|first-[a-z-]+|last-[a-z-]+|only-[a-z-]+|root|empty|scope|lang|dir)\b)[a-z]"
)


def told_otherwise(stored: Task, current: Task) -> list[str]:
    """Fields that an agent was told or met, and that are others now: a stored episode is no attempt at this task."""
    return [name for name in _TOLD if getattr(stored, name) != getattr(current, name)]


def unasked(task: Task, evidence: Evidence) -> list[Probe]:
    """Questions of the task's checks that were not asked of the final page."""
    if evidence.page is None or not evidence.page.responsive:
        return []
    return [probe for probe in probes_of(task) if probe.key() not in evidence.reads]


def is_archived(probe: Probe) -> bool:
    """Whether an archive holds what this probe asks for: it loses the state of controls, and its frames are closed."""
    if probe.arguments.get("attr") == "value" or probe.arguments.get("frame") is not None:
        return False
    selectors = [probe.arguments.get("selector") or "", *probe.arguments.get("selectors", {}).values()]
    return probe.name in ("domExtract", "domCount", "visibleText") and not any(
        _LIVE_STATE.search(_QUOTED.sub("", selector)) for selector in selectors
    )


def reasons(stored: Task, current: Task, before: Verdict, after: Verdict) -> tuple[str, ...]:
    """Why the same episode is judged otherwise than before."""
    then, now = ({check.name: check for check in task.checks} for task in (stored, current))
    found = [
        f"check {name!r} " + ("is new" if name not in then else "was removed" if name not in now else "was changed")
        for name in (*now, *(name for name in then if name not in now))
        if then.get(name) != now.get(name)
    ]
    if stored.conj != current.conj:
        found.append(f"conj: {stored.conj} -> {current.conj}")
    if before.judge_version != after.judge_version:
        found.append(f"judge version {before.judge_version} -> {after.judge_version}")
    if before.evidence_digest != after.evidence_digest:
        found.append("the evidence is not the same")
    if before == after:
        found.append("the ledger had another outcome than verdict.json")
    return tuple(found) or ("verdict.json was not what this judge writes",)


def outcome_text(outcome: Outcome, reason: str) -> str:
    """``passed``, ``failed`` or ``unscored (reason)``."""
    return f"{outcome.value} ({reason})" if reason else outcome.value
