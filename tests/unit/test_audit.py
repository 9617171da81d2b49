"""Mutants of passing evidence: which are made, which are rejected, how survivors show."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pytest_webbench.errors import SettingsError, TaskFileError
from pytest_webbench.evidence.models import (
    Evidence,
    HistoryEntry,
    HowOpened,
    ObservedAction,
    PageSeen,
    PageState,
    Read,
    Tab,
    TouchedElement,
)
from pytest_webbench.judge import Outcome, judge
from pytest_webbench.judge.audit import TaskAudit, audit, read_reasons
from pytest_webbench.judge.mutations import FAMILIES, mutants
from pytest_webbench.report.audit import audit_data, audit_lines
from pytest_webbench.task import Task
from pytest_webbench.task.folder import read_folder

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "tests" / "golden" / "counterexamples"
HOME = "https://shop.example/"
LIST = "https://shop.example/list?q=lamp&sort=price&page=2"
LAMP = "https://shop.example/lamps/lamp-42"
CONTROL = {"value": "a", "checked": True, "selected": ["A"], "disabled": False}
AT_LAMP = {"name": "lamp", "get": "final_url", "metric": "url_matches", "expected": LAMP}
SORTED = {
    "name": "sorted",
    "get": "nav_history",
    "metric": "any_item_matches",
    "expected": r"^https://shop\.example/list\?(.*&)?sort=price(&|$)",
}


def check(get: Any, metric: str, expected: Any, **more: Any) -> dict[str, Any]:
    return {"name": "c", "get": get, "metric": metric, "expected": expected, **more}


def task(*checks: dict[str, Any]) -> Task:
    return Task.model_validate(
        {
            "id": "t",
            "goal": "Find the lamp that was made last.",
            "start_url": HOME,
            "checks": list(checks),
        }
    )


def evidence(**changes: Any) -> Evidence:
    fields: dict[str, Any] = {
        "task": "t",
        "page": PageState(url=LAMP, title="Lamp 42", text="A lamp", visible_text="A lamp"),
        "tabs": (Tab(url=LAMP),),
        "history": tuple(HistoryEntry(url=url) for url in (HOME, LIST, LAMP)),
    }
    return Evidence(**{**fields, **changes})


START = Evidence(
    task="t", page=PageState(url=HOME, title="Shop", text="Welcome", visible_text="Welcome")
)


def families(one: Task, passing: Evidence, start: Evidence | None = None) -> set[str]:
    assert judge(one, passing).outcome is Outcome.PASSED
    return {mutant.family for mutant in mutants(one, passing, start)}


def survivors(
    one: Task, passing: Evidence, start: Evidence | None = None
) -> dict[str, tuple[str, ...]]:
    found = audit(one, passing, start, {})
    assert not found.problem
    return {family.family: family.survivors for family in found.families if family.survivors}


def read_of(one: Task, value: Any) -> dict[str, Read]:
    probe = one.checks[0].getter.probe()
    assert probe is not None
    return {probe.key(): Read(value=value)}


# -- what is changed ---------------------------------------------------------------------------


def test_only_families_that_a_check_reads_are_counted() -> None:
    assert families(task(check("page_title", "exact_match", "Lamp 42")), evidence(), START) == {
        "stale-page",
        "empty-page",
    }
    assert families(task(AT_LAMP), evidence()) == {"look-alike-host", "sibling-page", "letter-case"}


def test_history_is_mutated_only_where_it_satisfies_the_check() -> None:
    found = families(task(SORTED), evidence())
    assert found == {
        "dropped-parameter",
        "changed-parameter",
        "look-alike-host",
        "sibling-page",
        "history",
    }
    texts = [mutant.what for mutant in mutants(task(SORTED), evidence(), None)]
    assert not any("page=" in text or "q=" in text for text in texts)


OPENED_FROM_LIST = {
    "name": "opened from the list",
    "get": "pages_seen",
    "metric": "came_from",
    "expected": {
        "host": "shop.example",
        "path": "/list",
        "params": {"includes": {"sort": "price"}},
    },
}


def route() -> tuple[PageSeen, ...]:
    return (
        PageSeen(number=1, url=HOME),
        PageSeen(number=2, url=LIST, how=HowOpened.CLICK, opened_from=1),
        PageSeen(number=3, url=LAMP, how=HowOpened.CLICK, opened_from=2, final=True),
    )


def test_list_that_the_item_came_from_is_mutated() -> None:
    passing = evidence(pages_seen=route())
    assert families(task(OPENED_FROM_LIST), passing) == {
        "dropped-parameter",
        "changed-parameter",
        "look-alike-host",
        "sibling-page",
        "history",
    }
    assert survivors(task(OPENED_FROM_LIST), passing) == {}
    texts = [mutant.what for mutant in mutants(task(OPENED_FROM_LIST), passing, None)]
    assert not any("page=" in text or "q=" in text for text in texts)


def test_ignored_parameters_are_not_mutated() -> None:
    params = {"exactly": {"q": "lamp", "sort": "price"}, "ignoring": ["page"]}
    strict = {"host": "shop.example", "path": "/list", "params": params}
    one = task({**OPENED_FROM_LIST, "expected": [strict]})
    assert survivors(one, evidence(pages_seen=route())) == {}
    texts = [mutant.what for mutant in mutants(one, evidence(pages_seen=route()), None)]
    assert not any("page=" in text for text in texts)
    assert any("without q=lamp" in text for text in texts)


def test_unrestricted_list_is_a_hole() -> None:
    loose = {**OPENED_FROM_LIST, "expected": {"path": "/list"}}
    found = survivors(task(loose), evidence(pages_seen=route()))
    assert set(found) == {"look-alike-host"}
    anywhere = {**OPENED_FROM_LIST, "options": {"how": ["click", "typed"]}}
    found = survivors(task(anywhere), evidence(pages_seen=route()))
    assert found == {"history": ("every address typed: pages for 'opened from the list'",)}


@pytest.mark.parametrize(
    ("one", "changes", "family"),
    [
        (
            task(
                check(
                    {"type": "control_state", "selectors": {"box": "#b"}},
                    "json_object_match",
                    {"box.checked": True},
                )
            ),
            {"value": {"box": CONTROL}},
            "page-values",
        ),
        (
            task(check({"type": "dom_count", "selector": "li"}, "count_in_range", 2)),
            {"value": 2},
            "page-values",
        ),
        (
            task(
                check(
                    {"type": "dom_extract", "selectors": {"a": "a"}},
                    "json_object_match",
                    {"a": "x"},
                )
            ),
            {"value": {"a": "x"}},
            "page-values",
        ),
        (
            task(
                check(
                    {"type": "axtree_query", "role": "button", "name_pattern": "^Sort"},
                    "json_object_match",
                    {"[*].name": "Sort by price"},
                )
            ),
            {"value": [{"role": "button", "name": "Sort by price", "value": ""}]},
            "page-values",
        ),
    ],
    ids=["control", "count", "extract", "nodes"],
)
def test_element_values_are_mutated(one: Task, changes: dict[str, Any], family: str) -> None:
    passing = evidence(reads=read_of(one, changes["value"]))
    assert families(one, passing) == {family}
    assert survivors(one, passing) == {}


def test_storage_fragment_parameters_actions_and_tabs_are_mutated() -> None:
    kept = task(check({"type": "storage", "keys": ["view"]}, "json_object_match", {"view": "list"}))
    assert families(kept, evidence(local_storage={"view": "list"})) == {"storage"}
    mapped = task(
        check({"type": "url_parse", "part": "fragment"}, "json_object_match", {"layers": "T"})
    )
    at = PageState(url=f"{LAMP}#map=1/2&layers=T", text="x")
    assert {"fragment", "dropped-parameter"} <= families(mapped, evidence(page=at))
    bare = task(
        check({"type": "url_parse", "parse_keys": ["extra"]}, "json_object_match", {"extra": None})
    )
    assert families(bare, evidence()) == {"extra-parameter"}
    action = ObservedAction(
        number=1, kind="select", target=TouchedElement(role="combobox", name="Sort"), value="Price"
    )
    acted = task(check("actions", "any_item_matches", "^select .* = Price$"))
    assert families(acted, evidence(actions=(action,))) == {"actions"}
    tabs = task(check("open_tabs", "tabs_match", [HOME, LAMP]))
    assert "tabs" in families(tabs, evidence(tabs=(Tab(url=HOME), Tab(url=LAMP))))


@pytest.mark.parametrize(
    ("answer", "expected", "family"),
    [
        ("It costs 42 euros.", 42, "neighbour-number"),
        ("82.43", 82.43, "neighbour-number"),
        ("The town is Sparta.", "Sparta", "other-answer"),
        ('{"town": "Sparta"}', {"town": "Sparta"}, "other-answer"),
    ],
)
def test_answers_are_mutated_in_every_way(answer: str, expected: Any, family: str) -> None:
    one = task(check("agent_answer", "answer_match", expected))
    assert families(one, evidence(answer=answer)) == {
        family,
        "hedged-answer",
        "shotgun-answer",
        "negated-answer",
        "contradicting-json",
        "no-answer",
    }


@pytest.mark.parametrize(
    ("answer", "expected"), [("It costs 42 euros.", 42), ("82.43", 82.43), ('{"n": 7}', {"n": 7})]
)
def test_wrong_numbers_do_not_survive(answer: str, expected: Any) -> None:
    assert (
        survivors(task(check("agent_answer", "answer_match", expected)), evidence(answer=answer))
        == {}
    )


def test_neighbouring_numbers_keep_the_notation() -> None:
    one = task(check("agent_answer", "answer_match", 1099))
    found = [
        mutant.evidence.answer
        for mutant in mutants(one, evidence(answer="1,099"), None)
        if mutant.family == "neighbour-number"
    ]
    assert found == ["1,100", "1,098", "1,101"]


# -- what an audit finds -----------------------------------------------------------------------


def test_strict_checks_leave_no_survivor() -> None:
    assert survivors(task(AT_LAMP, SORTED), evidence(), START) == {}


@pytest.mark.parametrize(
    ("loose", "family", "part"),
    [
        (
            check("final_url", "url_pattern_match", r"shop\.example/lamps/lamp-42"),
            "look-alike-host",
            "address in its path",
        ),
        (
            check("final_url", "url_pattern_match", r"^https://shop\.example/lamps/lamp-42"),
            "sibling-page",
            "longer name",
        ),
        (
            check("final_url", "url_pattern_match", r"^https://shop\.example/lamps/lamp-\d+$"),
            "sibling-page",
            "next number",
        ),
        ({**SORTED, "expected": r"list\?.*sort=pric"}, "changed-parameter", "sort=pric for price"),
        (check("page_text", "include_exclude", ["e"]), "stale-page", "content of the start page"),
    ],
)
def test_planted_holes_are_found(loose: dict[str, Any], family: str, part: str) -> None:
    start = START if family == "stale-page" else None
    passing = evidence(page=evidence().page.model_copy(update={"text": "Welcome, lamp"}))  # type: ignore[union-attr]
    assert any(part in what for what in survivors(task(loose), passing, start)[family])


def test_reason_excuses_one_family_only() -> None:
    loose = task(check("final_url", "url_pattern_match", r"shop\.example/lamps/lamp-42"))
    found = audit(
        loose,
        evidence(),
        None,
        {"look-alike-host": "Only for this test.", "letter-case": "Not needed."},
    )
    assert [one.family for one in found.families if one.open] == ["sibling-page"]
    lines = audit_lines([found])
    assert lines[0] == "t: 6 of 11 mutants rejected"
    assert "        reason: Only for this test." in lines
    assert any(line.startswith("    sibling-page: SURVIVES: the final address") for line in lines)
    assert audit_data([found])["sound"] is False
    json.dumps(audit_data([found]))


def test_failing_evidence_cannot_be_audited() -> None:
    for passing in (None, START):
        found = audit(task(AT_LAMP), passing, None, {})
        assert (found.open, found.families) == (True, ())
        assert "NOT AUDITED" in audit_lines([found])[0]


# -- audit.toml --------------------------------------------------------------------------------


def test_reasons_are_read_by_task_and_family(tmp_path: Path) -> None:
    assert read_reasons(tmp_path, ["t"]) == {}
    (tmp_path / "audit.toml").write_text('[t]\nhistory = "Any way there is fine."\n')
    assert read_reasons(tmp_path, ["t"]) == {"t": {"history": "Any way there is fine."}}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[tt]\nhistory = 'Any way is fine.'", "unknown task 'tt'; did you mean 't'"),
        (
            "[t]\nhistry = 'Any way is fine.'",
            "unknown mutation family 'histry'; did you mean 'history'",
        ),
        ("[t]\nhistory = 'ok'", "must be a reason in words"),
        ("t = 'everything'", "must be a table"),
        ("[t", "broken TOML"),
    ],
)
def test_mistakes_in_audit_toml_are_reported(tmp_path: Path, text: str, problem: str) -> None:
    (tmp_path / "audit.toml").write_text(text)
    with pytest.raises(TaskFileError, match=problem):
        read_reasons(tmp_path, ["t"])


# -- Suite C -----------------------------------------------------------------------------------


def audited() -> list[TaskAudit]:
    folder = read_folder(ROOT / "suites" / "suite_c")
    reasons = read_reasons(folder.path, list(folder.tasks))
    return [
        audit(
            one,
            Evidence.model_validate(json.loads(path.read_bytes())["evidence"]),
            None,
            reasons.get(one.id, {}),
        )
        for one in folder.tasks.values()
        if (path := GOLDEN / f"{one.id}.json").is_file()
    ]


def test_no_mutant_of_suite_c_survives_without_a_written_reason() -> None:
    found = audited()
    assert [line for one in found if one.open for line in audit_lines([one])] == []
    assert sum(one.total for one in found) > 850
    assert {one.family for task in found for one in task.families} >= set(FAMILIES) - {
        "value-of-another-row",
        "fact-page-never-open",
        "actions",
        "extra-parameter",
        "stale-page",
        "tabs",
        "other-answer",
        "values-swapped",
    }


def test_every_written_reason_of_suite_c_is_needed() -> None:
    idle = [
        (one.task, one.family)
        for task in audited()
        for one in task.families
        if one.reason and not one.survivors
    ]
    assert idle == []


def test_answer_with_swapped_values_is_a_mutant() -> None:
    wanted = {"weight": 55, "height": 69}
    one = task(check("agent_answer", "answer_match", wanted))
    passing = evidence(answer="weight 55, height 69")
    swapped = [
        mutant for mutant in mutants(one, passing, None) if mutant.family == "values-swapped"
    ]
    assert [mutant.evidence.answer for mutant in swapped] == ["weight 69, height 55"]
    assert judge(one, swapped[0].evidence).outcome is Outcome.FAILED


def test_value_read_for_expected_is_mutated() -> None:
    one = task(check("agent_answer", "answer_match", {"type": "page_title"}))
    passing = evidence(answer="Lamp 42")
    answers = {mutant.evidence.answer for mutant in mutants(one, passing, None)}
    assert {"Lamp 43", "Springfield"} & answers


def test_unknown_task_is_an_error_that_lists_the_tasks() -> None:
    with pytest.raises(SettingsError, match="unknown task 'typo'.*wp-cache"):
        read_folder(ROOT / "suites" / "suite_c", ["typo"])
