"""Every example in ``docs/checks.md`` runs, and every getter and metric has one."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from pytest_webbench.checks import BUILT_IN, MISSING
from pytest_webbench.checks.rules import OPERATORS, issues
from pytest_webbench.evidence.models import Evidence, Read
from pytest_webbench.task.native import _Loader
from pytest_webbench.task.parts import make_getter

DOCUMENT = (Path(__file__).parents[2] / "docs/checks.md").read_text("utf-8")
CELL = re.compile(r"`((?:[^`])*)`")
PROBED = ("dom_extract", "dom_count", "control_state")


class Example(NamedTuple):
    """One table line: the heading it stands under and its cells."""

    heading: str
    cells: list[str]


def examples() -> Iterator[Example]:
    heading = ""
    for line in DOCUMENT.splitlines():
        if found := re.match(r"#+ `?(\w+)", line):
            heading = found[1]
        elif line.startswith("| ") and not line.startswith(("| get ", "| found ", "| operator ")):
            yield Example(heading, CELL.findall(line) + re.findall(r"\| (\d(?:\.\d+)?) \|$", line))


def plain(cell: str) -> Any:
    """What a cell says, read as task files are."""
    return yaml.load(cell, Loader=_Loader)


def evidence() -> Evidence:
    block = re.search(r"```json evidence\n(.*?)```", DOCUMENT, re.DOTALL)
    assert block is not None
    return Evidence.model_validate_json(block[1])


def rows() -> Any:
    block = re.search(r"```json rows\n(.*?)```", DOCUMENT, re.DOTALL)
    assert block is not None
    return json.loads(block[1])


def without_missing(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: without_missing(one) for key, one in value.items()}
    if isinstance(value, list):
        return [without_missing(one) for one in value]
    return None if value is MISSING else value


@pytest.mark.parametrize(
    "example", [one for one in examples() if one.heading in BUILT_IN.getters], ids=str
)
def test_getter_reads_what_the_page_says(example: Example) -> None:
    problems: list[Any] = []
    getter = make_getter(plain(example.cells[0]), (), problems)
    assert getter is not None, problems
    expected = plain(example.cells[1])
    given = evidence()
    if probe := getter.probe():
        answer = rows() if example.heading == "dom_rows" else expected
        given = given.model_copy(update={"reads": {probe.key(): Read(value=answer)}})
    assert without_missing(getter.read(given)) == expected


@pytest.mark.parametrize(
    "example", [one for one in examples() if one.heading in BUILT_IN.metrics], ids=str
)
def test_metric_scores_what_the_page_says(example: Example) -> None:
    found, expected, options = map(plain, example.cells[:3])
    metric = BUILT_IN.metrics[example.heading].model_validate(options)
    assert metric.issues(expected) == []
    assert metric.score(found, expected) == float(example.cells[3])


def test_every_getter_and_metric_has_an_example() -> None:
    assert {one.heading for one in examples()} >= {*BUILT_IN.getters, *BUILT_IN.metrics}


def test_every_option_is_named() -> None:
    for name, model in {**BUILT_IN.getters, **BUILT_IN.metrics}.items():
        section = DOCUMENT.partition(f"### `{name}`\n")[2].partition("\n### ")[0]
        common = {"type", "locale", "or_seen", *(["must_exist"] if name in PROBED else [])}
        if name in ("dom_rows", "dom_count"):
            common.add("at")
        if name == "tabs_match":
            # Its options are those of `url_matches`.
            common |= {*BUILT_IN.metrics["url_matches"].model_fields}
        missing = {
            option
            for option, field in model.model_fields.items()
            if option not in common and (field.alias or option) not in section
        }
        assert not missing, f"{name}: {missing}"


def test_every_operator_has_a_documented_rule() -> None:
    rows = [one.cells for one in examples() if one.heading == "Rules"]
    assert {name for row in rows for name in row if name in OPERATORS} == set(OPERATORS)
    assert [problem for row in rows for problem in issues(plain(row[-1]))] == []


def test_example_evidence_is_complete() -> None:
    assert json.loads(evidence().to_json())["page"]["title"] == "Brass lamp"
