"""Writes the pages that solutions of Suite C led to into the recorded episodes of these tasks.

webbench audit suites/suite_c --episodes --task ID
python -m tests.support.golden_routes runs/episodes-DIGEST/episodes/reference ID...
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, Final

from pytest_webbench.evidence.models import Evidence

GOLDEN: Final = Path(__file__).parents[1] / "golden" / "counterexamples"
_KEPT: Final = ("number", "tab", "url", "title", "how", "opened_from", "final")


def route(evidence: Evidence) -> list[dict[str, Any]]:
    """The pages seen, without what they showed."""
    return [
        {name: page.model_dump(mode="json")[name] for name in _KEPT} for page in evidence.pages_seen
    ]


def main(episodes: str, *tasks: str) -> None:
    """Take the routes of ``tasks`` from ``episodes``, a folder of solutions that were played."""
    for task in tasks:
        stored = Path(episodes) / task / "evidence.json"
        file = GOLDEN / f"{task}.json"
        golden = json.loads(file.read_bytes())
        golden["evidence"]["pages_seen"] = route(Evidence.model_validate_json(stored.read_bytes()))
        text = json.dumps(golden, indent=1, ensure_ascii=False)
        file.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
