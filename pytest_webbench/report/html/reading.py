"""What checks found, in full: a verdict keeps the first some hundred characters of it only."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from ...checks import MISSING
from ...checks.metrics.objects import JsonObjectMatch
from ...errors import GetterError, RuleError
from ...evidence.models import Evidence
from ...task import Task
from ...task.models import Check
from .encode import clipped, compact

_MOST_TEXT: Final = 4_000
_MOST_MEMBERS: Final = 100


def readings(task: Task, evidence: Evidence) -> Iterator[tuple[str, dict[str, Any]]]:
    """By check: the value that it read (``found``), and member by member what was expected of an object."""
    for check in task.checks:
        if reading := _reading(check, evidence):
            yield check.name, reading


def _reading(check: Check, evidence: Evidence) -> dict[str, Any] | None:
    try:
        value = check.getter.read(evidence)
        members = _members(check, value)
    except (GetterError, RuleError):
        return None  # the verdict says why
    return {"found": _shown(value), "members": members}


def _members(check: Check, value: Any) -> list[tuple[str, str, str, bool]]:
    rule, expected = check.rule, check.expected
    if not isinstance(rule, JsonObjectMatch) or not rule.expect_in_result or not isinstance(expected, dict):
        return []
    if check.expected_getter is not None:
        return []
    found = list(rule.members(value, expected))[:_MOST_MEMBERS]
    return [(path, _shown(expected[path]), " or ".join(map(_shown, values)), holds) for path, values, holds in found]


def _shown(value: Any) -> str:
    if value is MISSING:
        return "(nothing)"
    return clipped(value if isinstance(value, str) else compact(_plain(value)), _MOST_TEXT)


def _plain(value: Any) -> Any:
    """JSON has no word for what is missing."""
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_plain(one) for one in value]
    return "(nothing)" if value is MISSING else value
