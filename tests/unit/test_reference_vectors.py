"""Metrics agree with the reference except as ``docs/differences.md`` lists."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from pydantic import ValidationError

from pytest_webbench.checks import BUILT_IN, MISSING
from pytest_webbench.errors import RuleError

ROOT = Path(__file__).parents[2]
VECTORS: list[dict[str, Any]] = json.loads(
    (ROOT / "tests/golden/liveweb_vectors.json").read_text("utf-8")
)
ROW = re.compile(r"^\| (\w+) \| `(.*)` \| `(.*)` \| `(.*)` \| ([\w.]+) \| ([\w.]+) \|$")


class Difference(NamedTuple):
    """One line of the tables in ``docs/differences.md``."""

    metric: str
    result: Any
    expected: Any
    options: Any
    before: str
    after: str


def differences() -> list[Difference]:
    text = (ROOT / "docs/differences.md").read_text("utf-8")
    rows = [match.groups() for line in text.splitlines() if (match := ROW.match(line))]
    return [Difference(row[0], *map(json.loads, row[1:4]), *row[4:]) for row in rows]


def thaw(value: Any) -> Any:
    if isinstance(value, dict):
        return (
            MISSING
            if value == {"__missing__": True}
            else {key: thaw(one) for key, one in value.items()}
        )
    return [thaw(one) for one in value] if isinstance(value, list) else value


def score(metric: str, result: Any, expected: Any, options: Any) -> str:
    """A check's score as text; ``error`` if the check is refused."""
    try:
        rule = BUILT_IN.metrics[metric](**options)
        return "error" if rule.issues(expected) else str(float(rule.score(thaw(result), expected)))
    except (ValidationError, RuleError):
        return "error"


def key(metric: str, result: Any, expected: Any, options: Any) -> str:
    return json.dumps([metric, result, expected, options])


LISTED = {key(*row[:4]) for row in differences()}


@pytest.mark.parametrize("vector", VECTORS)
def test_vector_agrees_unless_a_difference_is_listed(vector: dict[str, Any]) -> None:
    check = (vector["metric"], vector["result"], vector["expected"], vector["options"])
    before = vector["score"] if vector["score"] == "error" else str(float(vector["score"]))
    assert (score(*check) == before) is (key(*check) not in LISTED)


@pytest.mark.parametrize("row", differences(), ids=str)
def test_listed_difference_is_as_documented(row: Difference) -> None:
    assert row.before != row.after
    assert score(*row[:4]) == row.after
