"""Paths into JSON-like values."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_webbench.checks import paths
from pytest_webbench.errors import RuleError

VALUE = {
    "a": {"b": [1, {"c": 2}, [3, 4]]},
    "x.y": 5,
    "filter[color]": "red",
    "list": [{"n": 1}, {"n": 2}],
}


@pytest.mark.parametrize(
    ("path", "found"),
    [
        (".", [VALUE]),
        ("", [VALUE]),
        ("a.b[0]", [1]),
        ("a.b[-1][0]", [3]),
        ("a.b[1].c", [2]),
        ("a.b[9]", []),
        ("a.b.0", []),
        ("a.b[*].c", [2]),
        ("list[*].n", [1, 2]),
        ("list.*.n", [1, 2]),
        ("a[*][0]", [1]),
        ("..a...b[0].", [1]),
        ("x.y", [5]),
        ("filter[color]", ["red"]),
        ("nothing", []),
        ("a[0]", []),
    ],
)
def test_path_selects_values(path: str, found: list[Any]) -> None:
    assert paths.select(VALUE, path) == found


@pytest.mark.parametrize("path", ["a]", "a[", "a[0", "]["])
def test_malformed_brackets_are_an_error(path: str) -> None:
    with pytest.raises(RuleError, match="bad path"):
        paths.parse(path)
