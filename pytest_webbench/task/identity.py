"""What makes a task this task and no other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from .._json import digest

_NOT_JUDGED_BY: Final = ("mutants", "remembered")
"""How a task is audited and validated."""
# What tasks could not say at first counts only where it is said, so older tasks stay the same.
_LATER_OF_TASK: Final[dict[str, Any]] = {"sites": [], "login": {}, "feasible": True, "params": {}}
_LATER_OF_CHECK: Final[dict[str, Any]] = {"skills": [], "operation": None}


def digest_of_task(data: dict[str, Any]) -> str:
    """The digest of a task from what its fields hold, as JSON has it; ``data`` is used up."""
    if data["source"] is not None:
        # Another look at the real site does not make it another task.
        data["source"].pop("confirmed", None)
    for name in _NOT_JUDGED_BY:
        data.pop(name, None)
    _leave_out(data, _LATER_OF_TASK)
    for check in data["checks"]:
        _leave_out(check, _LATER_OF_CHECK)
    return digest(data)


def _leave_out(data: dict[str, Any], defaults: Mapping[str, Any]) -> None:
    for name, default in defaults.items():
        if data[name] == default:
            del data[name]
