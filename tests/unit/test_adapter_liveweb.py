"""Liveweb task files become tasks, or errors that name their own fields."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pytest_webbench._suite_files import Format
from pytest_webbench.evidence.models import Evidence, PageState
from pytest_webbench.judge import Outcome, judge
from pytest_webbench.task import Task
from pytest_webbench.task.adapters import Reading, read_partly

ID = "vts-001-lamp-page"


def check(**fields: Any) -> dict[str, Any]:
    return {
        "name": "on_page",
        "metric": "url_pattern_match",
        "result": {"type": "final_url"},
        "expected": {"type": "const", "value": "^https://shop\\.example/lamps"},
        **fields,
    }


def data(*checks: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {
        "task_id": ID,
        "task_name": "Open the page of the lamps.",
        "website": "https://shop.example/",
        "source": {"benchmark": "Online-Mind2Web", "task_id": "abc", "intent_modified": False},
        "evaluator": {"spec_version": "1", "conj": "and", "checks": list(checks) or [check()]},
        **fields,
    }


@pytest.fixture
def reading(tmp_path: Path) -> Any:
    def read(content: Any, name: str = ID) -> Reading:
        folder = tmp_path / "liveweb" / "tasks"
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{name}.json"
        path.write_text(
            content if isinstance(content, str) else json.dumps(content, indent=1), "utf-8"
        )
        return read_partly(path, Format.LIVEWEB)

    return read


@pytest.fixture
def task(reading: Any) -> Any:
    def read(*checks: dict[str, Any], **fields: Any) -> Task:
        found = reading(data(*checks, **fields))
        assert found.problems == ()
        one: Task = found.tasks[0]
        return one

    return read


@pytest.fixture
def problems(reading: Any) -> Any:
    def read(*checks: dict[str, Any], **fields: Any) -> list[str]:
        return [str(problem) for problem in reading(data(*checks, **fields)).problems]

    return read


def test_task_fields_are_mapped(task: Any, reading: Any) -> None:
    source = {
        "benchmark": "WebGym",
        "task_id": "300866",
        "original_task_name": "Find lamps.",
        "original_website": "https://old.example/",
        "source_row_zero_based": 0,
        "intent_modified": True,
        "intent_modified_reason": "named the site",
    }
    found = task(source=source)
    assert (found.id, found.goal, found.start_url) == (
        ID,
        "Open the page of the lamps.",
        "https://shop.example/",
    )
    assert found.source.model_dump() == {
        "benchmark": "WebGym",
        "id": "300866",
        "note": "original task: Find lamps.; original site: https://old.example/; row: 0; "
        "intent modified: named the site",
    }
    assert found.tags == ["webgym"]
    suite = reading(data()).suite
    assert (suite.name, suite.worlds) == ("liveweb", ["live"])


def test_check_fields_are_mapped(task: Any) -> None:
    second = check(
        name="text",
        metric="include_exclude",
        result={"type": "page_text"},
        expected={"must_include": ["Lamp"]},
        options={"case_sensitive": True, "partial": None},
        requires="on_page",
        weight=2,
    )
    found = task(check(), second).checks[1]
    assert found.model_dump(exclude_unset=True) == {
        "name": "text",
        "get": {"type": "page_text"},
        "metric": "include_exclude",
        "expected": {"must_include": ["Lamp"]},
        "options": {"case_sensitive": True},
        "requires": ["on_page"],
        "weight": 2,
    }


@pytest.mark.parametrize("conj", ["and", "or", "weighted"])
def test_conj_is_kept(task: Any, conj: str) -> None:
    assert task(evaluator={"conj": conj, "checks": [check()]}).conj == conj


def test_conj_and_names_default_as_in_liveweb(task: Any) -> None:
    nameless = check()
    del nameless["name"]
    found = task(evaluator={"checks": [nameless]})
    assert (found.conj, found.checks[0].name) == ("and", "url_pattern_match")


@pytest.mark.parametrize(
    ("result", "get"),
    [
        ({"type": "page_title"}, {"type": "page_title"}),
        ({"type": "const", "value": None}, {"type": "const", "value": None}),
        ("https://shop.example/lamps", {"type": "const", "value": "https://shop.example/lamps"}),
        (None, {"type": "const", "value": None}),
        ({"url": "x"}, {"type": "const", "value": {"url": "x"}}),
        ({"type": "url_parse", "parse_keys": [], "multi": None}, {"type": "url_parse"}),
        ({"type": "url_path_parse", "index": "-1"}, {"type": "url_path_parse", "index": -1}),
    ],
    ids=str,
)
def test_result_is_a_getter_or_a_literal(task: Any, result: Any, get: Any) -> None:
    assert task(check(result=result)).checks[0].get == get


def test_expectation_is_read_from_the_page_or_literal(task: Any) -> None:
    live = task(check(metric="literal_match", expected={"type": "page_title"})).checks[0]
    assert live.expected_getter is not None
    literal = task(check(expected={"type": "const", "value": "^x"})).checks[0]
    assert (literal.expected, literal.expected_getter) == ("^x", None)
    wrapped = task(
        check(metric="literal_match", expected={"type": "const", "value": {"type": "lamp"}})
    ).checks[0]
    assert wrapped.expected == {"type": "const", "value": {"type": "lamp"}}


def test_task_that_reads_the_answer_asks_for_one(task: Any) -> None:
    assert task().answer == "none"
    assert (
        task(check(metric="answer_match", result={"type": "agent_answer"}, expected=3)).answer
        == "text"
    )


def test_task_is_judged_by_its_checks(task: Any) -> None:
    def outcome(url: str) -> Outcome:
        return judge(task(), Evidence(page=PageState(url=url))).outcome

    assert outcome("https://shop.example/lamps?page=2") is Outcome.PASSED
    assert outcome("https://shop.example.evil.example/lamps") is Outcome.FAILED


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        (
            {"metric": "url_pattern_mach"},
            "line 16, evaluator.checks[0].metric: unknown metric 'url_pattern_mach'; did you",
        ),
        (
            {"result": {"type": "finalurl"}},
            "evaluator.checks[0].result.type: unknown getter 'finalurl'; did you mean",
        ),
        (
            {"result": {"type": "final_url", "raw": 1}},
            "evaluator.checks[0].result.raw: unknown option 'raw'",
        ),
        ({"result": {"type": 3}}, "evaluator.checks[0].result: type must be a getter's name"),
        (
            {"result": {"type": "agent_answer", "format": "json"}},
            "result.format: unknown option 'format'",
        ),
        ({"result": {"type": "const"}}, "evaluator.checks[0].result.value: is missing"),
        (
            {"result": {"type": "dom_extract", "selectors": {"a": "b"}}},
            "result: dom_extract needs must_exist",
        ),
        ({"expected": {"type": "const"}}, "evaluator.checks[0].expected.value: is missing"),
        (
            {"expected": {"type": "const", "value": "(a+)+$"}},
            "evaluator.checks[0].expected.value: pattern '(a+)+$'",
        ),
        ({"expected": "("}, "evaluator.checks[0].expected: bad pattern"),
        (
            {"options": {"flag": "i"}},
            "evaluator.checks[0].options.flag: unknown option 'flag'; did you mean 'flags'",
        ),
        ({"options": []}, "evaluator.checks[0].options: "),
        ({"requires": ["later"]}, "evaluator.checks[0].requires[0]: unknown check 'later'"),
        ({"weight": "1"}, "evaluator.checks[0].weight: "),
        ({"canary": True}, "evaluator.checks[0].canary: unknown key 'canary'"),
    ],
    ids=str,
)
def test_error_names_the_field_of_the_wrong_check(
    problems: Any, changed: dict[str, Any], problem: str
) -> None:
    found = problems(check(**changed))
    assert len(found) == 1, found
    assert problem in found[0]


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        (
            {"task_id": "vts-002"},
            "line 2, task_id: is not the file name; found 'vts-002'; allowed: vts-001-lamp-page",
        ),
        ({"task_name": 3}, "line 3, task_name: "),
        ({"website": "shop.example"}, "line 4, website: must be an http:// or https:// address"),
        ({"source": {"task_id": "1"}}, "source.benchmark: is missing"),
        ({"evaluator": None}, "evaluator: "),
        ({"evaluator": {"checks": []}}, "evaluator.checks: must hold at least one check"),
        (
            {"evaluator": {"conj": "xor", "checks": [check()]}},
            "evaluator.conj: unknown value 'xor'",
        ),
        (
            {"evaluator": {"spec_version": "2", "checks": [check()]}},
            "evaluator.spec_version: unknown value '2'",
        ),
        (
            {"evaluator": {"health_gate": {}, "checks": [check()]}},
            "evaluator.health_gate: unknown key 'health_gate'",
        ),
        ({"evaluator": {"checks": ["x"]}}, "evaluator.checks[0]: "),
        (
            {"evaluator": {"checks": [check(), check()]}},
            "evaluator.checks[1].name: check 'on_page' exists twice",
        ),
        ({"notes": ""}, "line 27, notes: unknown key 'notes'"),
    ],
    ids=str,
)
def test_error_names_the_wrong_field(problems: Any, changed: dict[str, Any], problem: str) -> None:
    found = problems(**changed)
    assert len(found) == 1, found
    assert problem in found[0]


def test_all_problems_are_reported_at_once_with_lines(reading: Any) -> None:
    text = """{
 "task_id": "vts-001-lamp-page",
 "task_name": "Open the page of the lamps.",
 "task_name": "again, to be sure",
 "website": "ftp://x",
 "evaluator": {
  "checks": [
   {"name": "a", "metric": "url_matchess", "result": {"type": "final_url"}, "expected": "x"},
   {"metric": "url_matches",
    "result": {"type": "no_such"}}
  ]
 }
}"""
    assert [
        (problem.line, problem.field)
        for problem in sorted(reading(text).problems, key=lambda one: one.line)
    ] == [
        (1, "source"),
        (4, "task_name"),
        (5, "website"),
        (8, "evaluator.checks[0].metric"),
        (9, "evaluator.checks[1].expected"),
        (10, "evaluator.checks[1].result.type"),
    ]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{\n "task_id": 1,,', "line 2: broken JSON at column 15"),
        ("[]", "line 1: must be one object"),
        ("null", "line 1: must be one object"),
        ('{"a": NaN}', "line 1: broken JSON: NaN is not a number in JSON"),
        ('{"a": 1e999}', "line 1: broken JSON: 1e999 is too large a number"),
        ('{"a": "\\ud800"}', "line 1: broken JSON: "),
        ("[" * 100_000, "line 1: broken JSON: nested too deeply"),
        ('{"a": ' * 500 + "1" + "}" * 500, "unknown key 'a'"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_file_without_an_object_is_refused(reading: Any, text: str, problem: str) -> None:
    found = reading(text)
    assert found.tasks == ()
    assert any(problem in str(one) for one in found.problems) or "nested too deeply" in str(
        found.problems
    )
