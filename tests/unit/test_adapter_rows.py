"""Suite C and WebVoyager: one task per line, errors by line and field."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pytest_webbench._suite_files import PEEKED, Format, format_of
from pytest_webbench.errors import TaskFileError
from pytest_webbench.evidence.models import (
    Ending,
    Evidence,
    ObservedAction,
    PageState,
    TouchedElement,
)
from pytest_webbench.judge import Outcome, judge
from pytest_webbench.task.adapters import Reading, read_foreign, read_partly


def suite_c_row(**fields: Any) -> dict[str, Any]:
    return {
        "name": "shop-lamps-sorted",
        "start_url": "https://shop.example/",
        "goal": "Show the lamps, cheapest first.",
        "scripted_steps": "2: link, select",
        "check_description": "URL sort=price, chosen in the list",
        "check_python": "lambda u, t, x, a: 'sort=price' in u and any('Sort by' in s for s in a)",
        "setup": "clear_storage",
        **fields,
    }


def webvoyager_row(**fields: Any) -> dict[str, Any]:
    row = {"web_name": "Shop News", "id": "Shop News--7", "ques": "Which lamp is the cheapest?"}
    return {**row, "web": "https://shop.example/", **fields}


def write(path: Path, *rows: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        "\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows) + "\n", "utf-8"
    )
    return path


def read(path: Path, *rows: Any) -> Reading:
    kind = Format.SUITE_C if "goal" in json.dumps(rows) else Format.WEBVOYAGER
    return read_partly(write(path, *rows), kind)


def shown(reading: Reading) -> list[str]:
    return [str(problem) for problem in reading.problems]


# -- Suite C -----------------------------------------------------------------------------------


def test_suite_c_fields_are_mapped(tmp_path: Path) -> None:
    reading = read(
        tmp_path / "suite_c" / "tasks.jsonl",
        suite_c_row(),
        "",
        suite_c_row(name="Other", setup=None),
    )
    assert reading.problems == ()
    first, second = reading.tasks
    assert (first.id, first.goal) == ("shop-lamps-sorted", "Show the lamps, cheapest first.")
    assert first.start_url == "https://shop.example/"
    assert first.source is not None
    assert first.source.note == "2: link, select"
    assert first.checks[0].name == "URL sort=price, chosen in the list"
    assert (first.setup.clear_storage, second.setup.clear_storage) == (True, False)
    assert (second.id, second.source and second.source.id) == ("other", "Other")
    assert (reading.suite.name, reading.suite.worlds) == ("suite_c", ["live"])


def test_optional_fields_may_be_left_out(tmp_path: Path) -> None:
    row = {key: suite_c_row()[key] for key in ("name", "start_url", "goal", "check_python")}
    assert len(read(tmp_path / "mine.jsonl", row).tasks) == 1


@pytest.mark.parametrize(
    ("url", "actions", "outcome"),
    [
        ("https://shop.example/lamps?sort=price", ["Sort by"], Outcome.PASSED),
        ("https://shop.example/lamps?sort=price", [], Outcome.FAILED),
        ("https://shop.example/lamps", ["Sort by"], Outcome.FAILED),
    ],
)
def test_row_is_judged_by_its_lambda(
    tmp_path: Path, url: str, actions: list[str], outcome: Outcome
) -> None:
    observed = [
        ObservedAction(
            number=number,
            kind="select",
            target=TouchedElement(role="combobox", name=name),
            value="Price",
        )
        for number, name in enumerate(actions, 1)
    ]
    evidence = Evidence(page=PageState(url=url), actions=tuple(observed))
    assert (
        judge(read(tmp_path / "tasks.jsonl", suite_c_row()).tasks[0], evidence).outcome is outcome
    )


def test_failing_lambda_leaves_the_episode_unscored(
    tmp_path: Path,
) -> None:
    task = read(
        tmp_path / "tasks.jsonl", suite_c_row(check_python="lambda u, t, x, a: u < 3")
    ).tasks[0]
    verdict = judge(task, Evidence(page=PageState(url="https://shop.example/")))
    assert (verdict.outcome, verdict.reason) == (Outcome.UNSCORED, "verifier_error")


def test_unsupported_syntax_is_an_error_with_line_and_column(
    tmp_path: Path,
) -> None:
    reading = read(
        tmp_path / "tasks.jsonl",
        suite_c_row(),
        suite_c_row(
            name="bad", check_python="lambda u, t, x, a: __import__('os').system('id') or u.title()"
        ),
    )
    assert [task.id for task in reading.tasks] == ["shop-lamps-sorted"]
    assert [line.partition(";")[0] for line in shown(reading)] == [
        "line 2, check_python: line 1 column 20: the method 'system' is not allowed",
        "line 2, check_python: line 1 column 53: the method 'title' is not allowed",
    ]


def test_all_problems_of_a_file_are_reported_at_once(tmp_path: Path) -> None:
    missing = suite_c_row(name="missing")
    del missing["goal"]
    reading = read(
        tmp_path / "tasks.jsonl",
        suite_c_row(),
        '{"name": "cut off", ',
        missing,
        suite_c_row(),
        suite_c_row(name="setup", setup="clear_cookies"),
        suite_c_row(name="extra", chek="x"),
        "[1]",
        suite_c_row(name="!!!"),
    )
    assert [(problem.line, problem.field) for problem in reading.problems] == [
        (2, ""),
        (3, "goal"),
        (4, "name"),
        (5, "setup"),
        (6, "chek"),
        (7, ""),
        (8, "name"),
    ]
    assert "appears twice, first on line 1" in str(reading.problems[2])
    assert "allowed: '' or 'clear_storage'" in str(reading.problems[3])


def test_names_that_differ_only_in_spelling_collide(tmp_path: Path) -> None:
    reading = read(tmp_path / "tasks.jsonl", suite_c_row(name="A b"), suite_c_row(name="a-b"))
    assert shown(reading) == ["line 2, name: 'a-b' appears twice, first on line 1"]


# -- WebVoyager --------------------------------------------------------------------------------


def test_webvoyager_fields_are_mapped(tmp_path: Path) -> None:
    reading = read(tmp_path / "WebVoyager_data.jsonl", webvoyager_row())
    task = reading.tasks[0]
    assert reading.problems == ()
    assert (task.id, task.goal, task.start_url) == (
        "shop-news--7",
        "Which lamp is the cheapest?",
        "https://shop.example/",
    )
    assert (task.tags, task.answer, task.checks, task.reference) == (["shop_news"], "text", [], "")
    assert task.source is not None
    assert task.source.id == "Shop News--7"
    assert reading.suite.name == "webvoyager_data"


@pytest.mark.parametrize("answer", [None, "", "The brass lamp."])
def test_webvoyager_episodes_are_left_to_a_judge(tmp_path: Path, answer: str | None) -> None:
    task = read(tmp_path / "w.jsonl", webvoyager_row()).tasks[0]
    ending = Ending.DONE if answer else Ending.NO_ANSWER
    verdict = judge(
        task, Evidence(answer=answer, ending=ending, page=PageState(url="https://shop.example/"))
    )
    assert (verdict.outcome, verdict.reason, verdict.score) == (
        Outcome.UNSCORED,
        "needs_judge",
        None,
    )


def test_crashed_agent_fails_a_task_that_needs_a_judge(tmp_path: Path) -> None:
    task = read(tmp_path / "w.jsonl", webvoyager_row()).tasks[0]
    assert judge(task, Evidence(ending=Ending.AGENT_CRASHED)).outcome is Outcome.FAILED


def test_reference_answers_beside_the_file_are_kept(tmp_path: Path) -> None:
    answers = {
        "Shop News": {
            "notice": "",
            "answers": [{"id": 7, "type": "golden", "ans": "the brass lamp"}],
        }
    }
    (tmp_path / "reference_answer.json").write_text(json.dumps(answers))
    tasks = read(tmp_path / "w.jsonl", webvoyager_row(), webvoyager_row(id="Shop News--8")).tasks
    assert [task.reference for task in tasks] == ["the brass lamp (golden)", ""]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{\n"Shop": {"answers": [{"id": 7}]}}', "line 2, answers[0].ans: is missing"),
        ("{", "line 1: broken JSON"),
        ("[]", "line 1: must be one object"),
    ],
)
def test_broken_reference_answers_are_reported_for_their_file(
    tmp_path: Path, text: str, problem: str
) -> None:
    (tmp_path / "reference_answer.json").write_text(text)
    with pytest.raises(TaskFileError, match="reference_answer.json") as caught:
        read(tmp_path / "w.jsonl", webvoyager_row())
    assert problem in str(caught.value)


def test_error_names_the_field_of_a_wrong_webvoyager_row(tmp_path: Path) -> None:
    reading = read(
        tmp_path / "w.jsonl",
        webvoyager_row(web="nowhere"),
        webvoyager_row(ques=3),
        webvoyager_row(web=None),
    )
    assert [(problem.line, problem.field) for problem in reading.problems] == [
        (1, "web"),
        (2, "ques"),
        (2, "id"),
        (3, "web"),
        (3, "id"),
    ]


# -- telling formats apart ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [
        ("a.json", {"task_id": "a", "task_name": "b", "evaluator": {}}, Format.LIVEWEB),
        ("a.json", {"task_id": "a", "evaluator": {}}, None),
        ("a.jsonl", {"task_id": "a", "task_name": "b", "evaluator": {}}, None),
        ("tasks.jsonl", suite_c_row(), Format.SUITE_C),
        ("tasks.json", suite_c_row(), None),
        ("x.jsonl", webvoyager_row(), Format.WEBVOYAGER),
        ("x.jsonl", {"id": 1, "text": "web_name ques web"}, None),
        ("package.json", {"name": "web", "version": "1"}, None),
        ("x.yaml", webvoyager_row(), None),
        ("broken.jsonl", '{"web_name": "A", "ques": ', Format.WEBVOYAGER),
        ("late.jsonl", json.dumps({"note": "x" * PEEKED}) + json.dumps(webvoyager_row()), None),
        ("empty.json", "", None),
    ],
    ids=lambda value: value if isinstance(value, str) and len(value) < 20 else "",
)
def test_format_is_recognised_by_keys_near_the_beginning(
    tmp_path: Path, name: str, content: Any, kind: Format | None
) -> None:
    assert format_of(write(tmp_path / name, content)) is kind


def test_unreadable_file_has_no_format(tmp_path: Path) -> None:
    (tmp_path / "folder.json").mkdir()
    assert format_of(tmp_path / "folder.json") is None
    assert format_of(tmp_path / "gone.json") is None


def test_file_with_one_bad_row_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "tasks.jsonl", suite_c_row(), suite_c_row())
    with pytest.raises(TaskFileError, match="1 problem"):
        read_foreign(path, Format.SUITE_C)
