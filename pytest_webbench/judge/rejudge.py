"""Judging a stored episode again: what may have changed since then, and what that changes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ..checks import Probe
from ..evidence.models import Evidence
from ..task import Check, Task
from ..task.probes import probes_of
from .verdict import Outcome, Verdict

_MET_BY_AGENT: Final = ("goal", "start_url", "setup", "answer", "answer_schema")
_QUOTED: Final = re.compile(r"""("|')(?:\\.|(?!\1).)*\1|\\.""", re.DOTALL)
_LIVE_STATE: Final = re.compile(
    r":(?!:|(?:not|is|where|has|nth-[a-z-]+|first-[a-z-]+|last-[a-z-]+|only-[a-z-]+"
    r"|root|empty|scope|lang|dir)\b)[a-z]"
)
"""A pseudo-class that an archive cannot tell: ``:checked``, ``:hover`` and the like."""


def changed_for_agent(stored: Task, current: Task) -> list[str]:
    """Fields that the agent got to know or met, and that have changed since.

    If there are any, the stored episode is not an attempt at the current task.
    """
    return [name for name in _MET_BY_AGENT if getattr(stored, name) != getattr(current, name)]


def unasked(task: Task, evidence: Evidence) -> list[Probe]:
    """Probes of the task's checks that were not asked of the final page."""
    if evidence.page is None or not evidence.page.responsive:
        return []
    return [probe for probe in probes_of(task) if probe.key() not in evidence.reads]


def is_archived(probe: Probe) -> bool:
    """Whether an archive holds what this probe asks for.

    It loses the state of controls, its frames are closed, and nothing is known of what a script of
    another distribution looks at.
    """
    if probe.script is not None or probe.at is not None or probe.of_world:
        return False
    arguments = probe.arguments
    fields = list(arguments.get("fields", {}).values())
    attributes = [arguments.get("attr"), *(field["attr"] for field in fields)]
    if "value" in attributes or arguments.get("frame") is not None:
        return False
    if probe.name not in ("domExtract", "domRows", "domCount", "visibleText"):
        return False
    selectors = list(arguments.get("selectors", {}).values())
    selectors += [arguments.get("selector") or "", arguments.get("row", "")]
    selectors += [field["selector"] or "" for field in fields]
    return not any(_LIVE_STATE.search(_QUOTED.sub("", selector)) for selector in selectors)


def reasons(stored: Task, current: Task, before: Verdict, after: Verdict) -> tuple[str, ...]:
    """Why the same episode now has another verdict."""
    found = list(_changed_checks(stored, current))
    if stored.conj != current.conj:
        found.append(f"conj: {stored.conj} -> {current.conj}")
    if before.judge_version != after.judge_version:
        found.append(f"judge version {before.judge_version} -> {after.judge_version}")
    if before.evidence_digest != after.evidence_digest:
        found.append("the evidence is not the same")
    if before == after:
        found.append("the ledger had another outcome than verdict.json")
    return tuple(found) or ("verdict.json was not what this judge writes",)


def _changed_checks(stored: Task, current: Task) -> Iterator[str]:
    then, now = _by_name(stored), _by_name(current)
    for name, check in now.items():
        if name not in then:
            yield f"check {name!r} is new"
        elif check != then[name]:
            yield f"check {name!r} was changed"
    for name in then:
        if name not in now:
            yield f"check {name!r} was removed"


def _by_name(task: Task) -> dict[str, Check]:
    return {check.name: check for check in task.checks}


def outcome_text(outcome: Outcome, reason: str) -> str:
    """``passed``, ``failed`` or ``unscored (reason)``."""
    return f"{outcome.value} ({reason})" if reason else outcome.value
