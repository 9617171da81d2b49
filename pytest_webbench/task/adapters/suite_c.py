"""Suite C: one JSON object per line; its ``check_python`` is interpreted and never executed."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from ..fields import Model
from .convert import Draft, Reading, convert_rows, slug, suite_of
from .text import parse_rows

_CLEAR = "clear_storage"


class SuiteCRow(Model):
    """One line of a ``tasks.jsonl``."""

    name: str
    start_url: str
    goal: str
    check_python: str
    scripted_steps: str = ""
    check_description: str = ""
    setup: Literal["", "clear_storage"] | None = None


def read(path: Path, text: str) -> Reading:
    """All tasks of a Suite C file."""
    tasks, problems = convert_rows(list(parse_rows(text)), SuiteCRow, _draft, "name")
    return Reading(suite_of(path, "Suite C"), tuple(tasks), tuple(problems))


def _draft(row: dict[str, Any]) -> Draft:
    check = {
        "name": str(row.get("check_description") or "the check of this row")[:200],
        "get": "suite_c_view",
        "metric": "expression",
        "expected": row.get("check_python"),
    }
    data = {
        "id": slug(row.get("name")),
        "goal": row.get("goal"),
        "start_url": row.get("start_url"),
        "source": {
            "benchmark": "Suite C",
            "id": str(row.get("name")),
            "note": str(row.get("scripted_steps") or ""),
        },
        "setup": {"clear_storage": row.get("setup") == _CLEAR},
        "checks": [check],
    }
    return Draft(data, {("id",): ("name",), ("checks", 0, "expected"): ("check_python",)})
