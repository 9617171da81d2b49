"""What checks read, in full: a verdict keeps only the first few hundred characters of it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any, Final

from ...checks import MISSING
from ...checks.metrics.objects import JsonObjectMatch
from ...errors import GetterError, RuleError
from ...evidence.models import Evidence
from ...task import Task
from ...task.models import Check
from .encode import shown

_MOST_TEXT: Final = 4_000
_MOST_MEMBERS: Final = 100
_NOTHING: Final = "(nothing)"
"""JSON has no word for what is missing."""


def readings(task: Task, evidence: Evidence) -> Iterator[tuple[str, dict[str, Any]]]:
    """By check: the value that it read (``found``), and what was expected of an object's members.

    Checks that cannot read anything are left out.
    """
    for check in task.checks:
        try:
            value = check.getter.read(evidence)
            members = _members(check, value)
        except (GetterError, RuleError):
            continue  # the verdict says why
        yield check.name, {"found": _shown(value), "members": members}


def _members(check: Check, value: Any) -> list[tuple[str, str, str, bool]]:
    rule, expected = check.rule, check.expected
    if not isinstance(rule, JsonObjectMatch) or not rule.expect_in_result:
        return []
    if not isinstance(expected, dict) or check.expected_getter is not None:
        return []
    found = []
    for path, values, holds in islice(rule.members(value, expected), _MOST_MEMBERS):
        found.append((path, _shown(expected[path]), " or ".join(map(_shown, values)), holds))
    return found


def _shown(value: Any) -> str:
    return shown(_without_missing(value), _MOST_TEXT)


def _without_missing(value: Any) -> Any:
    if value is MISSING:
        return _NOTHING
    if isinstance(value, dict):
        return {key: _without_missing(one) for key, one in value.items()}
    if isinstance(value, list):
        return list(map(_without_missing, value))
    return value
