"""JUnit: one case per item, nothing of other tests lost, always well-formed."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree as ET

import junitparser
import pytest
from _pytest.junitxml import mangle_test_address
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from pytest_webbench.report.junit import address, cases_of, document, merge
from pytest_webbench.run import LedgerEntry, PlannedItem
from tests.support.results import results_from

UNHURRIED = settings(deadline=None, max_examples=50)


def item(task: str = "open-next", **values: Any) -> PlannedItem:
    given_values = {
        "suite": "mini",
        "task": task,
        "agent": "noop",
        "repeat": 1,
        "nodeid": f"tasks/{task}.yaml::{task}",
    }
    return PlannedItem.model_validate({**given_values, **values})


def entry(outcome: str = "passed", task: str = "open-next", **values: Any) -> LedgerEntry:
    given_values = {
        "suite": "mini",
        "task": task,
        "agent": "noop",
        "world": "replica",
        "outcome": outcome,
    }
    return LedgerEntry.model_validate({**given_values, **values})


def unscored(**values: Any) -> LedgerEntry:
    return entry("unscored", **{"reason": "infra", "detail": "the browser was lost", **values})


def xml(
    planned: list[PlannedItem], attempts: list[LedgerEntry], counts: LedgerEntry | None = None
) -> ET.Element:
    """The document for a run in which ``counts`` (else the last attempt at each item) is the
    result.
    """
    return strict(document(cases_of(results_from(planned, attempts, counts))))


def strict(text: str) -> ET.Element:
    """The root of a document that a strict parser accepts."""
    etree.fromstring(text.encode("utf-8"), etree.XMLParser(recover=False, resolve_entities=False))
    return ET.fromstring(text)


def one_case(*attempts: LedgerEntry, counts: LedgerEntry | None = None) -> ET.Element:
    (case,) = xml([item()], list(attempts), counts).iter("testcase")
    return case


def problems(case: ET.Element) -> list[tuple[str, str | None, str | None, str | None]]:
    """What is wrong with a case: tag, type, message, text."""
    return [
        (one.tag, one.get("type"), one.get("message"), one.text)
        for one in case
        if one.tag != "properties"
    ]


def properties(case: ET.Element) -> dict[str, str]:
    return {
        one.get("name", "").removeprefix("webbench."): one.get("value", "")
        for one in case.iter("property")
    }


def counts_of(suite: ET.Element) -> dict[str, int]:
    return {name: int(suite.get(name, "-1")) for name in ("tests", "failures", "errors", "skipped")}


# -- addresses ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "nodeid",
    [
        "tasks/open-next.yaml::open-next",
        "tests/mini/tasks/open-next.yaml::open-next[noop]",
        "tests/mini/tasks/open-next.yaml::open-next[counterexample-1]",
        "suites/suite_c/tasks/wp-cache.yaml::wp-cache[MyAgent-r2]",
        "open-next.yaml::open-next",
        "../elsewhere/tasks/a.b_c.yaml::a.b_c",
        "a folder/tasks/t.yaml::t[r10]",
        "süite/tasks/t.yaml::t",
        "old.py/tasks/t.yaml::t",
        "tests/unit/test_stats.py::test_it",
        "tests/unit/test_stats.py::TestRates::test_it[1.5-a/b]",
    ],
)
def test_junit_classname_is_that_of_pytest(nodeid: str) -> None:
    names = mangle_test_address(nodeid)
    assert address(nodeid) == (".".join(names[:-1]), names[-1])


# -- one case per planned item -----------------------------------------------------------------


def test_every_planned_item_has_one_case_in_planned_order() -> None:
    planned = [item("b"), item("a"), item("a", repeat=2, nodeid="tasks/a.yaml::a[r2]")]
    attempts = [unscored(task="a"), entry(task="a"), entry(task="b")]
    assert [case.get("name") for case in xml(planned, attempts).iter("testcase")] == [
        "b",
        "a",
        "a[r2]",
    ]


def test_attempt_at_an_unplanned_item_has_no_case() -> None:
    assert list(xml([], [entry()]).iter("testcase")) == []


def test_case_is_named_as_pytest_names_it() -> None:
    case = one_case(entry())
    assert (case.get("classname"), case.get("name")) == ("tasks.open-next.yaml", "open-next")


def test_case_takes_the_time_of_the_attempt_that_counts() -> None:
    assert one_case(unscored(seconds=9.0), entry(seconds=1.23456, attempt=2)).get("time") == "1.235"


def test_passed_item_is_a_plain_case() -> None:
    assert problems(one_case(entry())) == []


def test_failed_item_is_a_failure_with_its_explanation() -> None:
    case = one_case(entry("failed", detail="open-next failed\n  FAIL  <the page> & more"))
    assert problems(case) == [
        (
            "failure",
            "webbench.failed",
            "failed: open-next failed FAIL <the page> & more",
            "open-next failed\n  FAIL  <the page> & more",
        )
    ]


@pytest.mark.parametrize("reason", ["infra", "blocked", "drifted", "verifier_error"])
def test_unscored_item_is_an_error_with_its_reason(reason: str) -> None:
    case = one_case(unscored(reason=reason, detail="why"))
    assert problems(case) == [("error", f"webbench.{reason}", f"unscored: {reason}: why", "why")]


def test_planned_item_without_an_attempt_was_not_run_and_is_skipped() -> None:
    why = "not run: never reached"
    assert problems(one_case()) == [("skipped", "webbench.not_run", why, why)]


def test_message_is_never_the_outcome_alone() -> None:
    told = [
        entry("failed", brief="gave_up: no such page", detail="open-next failed\n  ..."),
        entry("failed", ending="step_budget"),
        unscored(detail="", brief=""),
    ]
    assert [problems(one_case(one))[0][2] for one in told] == [
        "failed: gave_up: no such page",
        "failed: step_budget",
        "unscored: infra: no reason is on record",
    ]


def test_properties_repeat_the_ledger() -> None:
    case = one_case(
        entry(
            "failed",
            repeat=1,
            ending="step_budget",
            steps=10,
            seconds=2.5,
            folder="episodes/noop/open-next",
        )
    )
    assert properties(case) == {
        "suite": "mini",
        "task": "open-next",
        "agent": "noop",
        "repeat": "1",
        "seed": "0",
        "world": "replica",
        "outcome": "failed",
        "reason": "",
        "flags": "",
        "ending": "step_budget",
        "steps": "10",
        "seconds": "2.500",
        "attempts": "1",
        "episode": "episodes/noop/open-next",
    }


@pytest.mark.parametrize(
    ("base", "folder", "episode"),
    [
        ("", "episodes/noop/t", "episodes/noop/t"),
        ("runs/t", "episodes/noop/t", "runs/t/episodes/noop/t"),
        ("../runs/t", "episodes/noop/t", "../runs/t/episodes/noop/t"),
        ("runs/t", "", ""),
    ],
)
def test_episode_path_is_relative_to_the_report(base: str, folder: str, episode: str) -> None:
    result = entry(folder=folder)
    (case,) = cases_of(results_from([item()], [result]), base)
    assert properties(case)["episode"] == episode


@pytest.mark.parametrize(
    ("attempts", "said"),
    [
        ([], "0"),
        ([entry()], "1"),
        ([unscored(), entry(attempt=2)], "2"),
        ([unscored(), unscored(attempt=2)], "2"),
    ],
)
def test_case_counts_its_attempts(attempts: list[LedgerEntry], said: str) -> None:
    assert properties(one_case(*attempts))["attempts"] == said


# -- earlier attempts, as Surefire writes them -------------------------------------------------


def test_unscored_attempts_before_a_pass_are_flaky_errors() -> None:
    case = one_case(
        unscored(attempt=1, detail="first"), unscored(attempt=2, detail="second"), entry(attempt=3)
    )
    assert problems(case) == [
        ("flakyError", "webbench.infra", "unscored: infra: first", "first"),
        ("flakyError", "webbench.infra", "unscored: infra: second", "second"),
    ]


def test_unscored_attempt_before_a_failure_is_listed_after_it() -> None:
    assert problems(one_case(unscored(), entry("failed", attempt=2)))[0][0] == "failure"


@pytest.mark.parametrize(
    "last", [entry("failed", attempt=2), unscored(attempt=2)], ids=["failed", "unscored"]
)
def test_unscored_attempt_before_an_error_is_a_rerun_error(last: LedgerEntry) -> None:
    assert [tag for tag, *_ in problems(one_case(unscored(), last))][1:] == ["rerunError"]


def test_failed_attempt_before_a_failure_is_a_rerun_failure() -> None:
    case = one_case(entry("failed", detail="first"), entry("failed", attempt=2))
    assert problems(case)[1:] == [("rerunFailure", "webbench.failed", "failed: first", "first")]


def test_failed_attempt_before_a_pass_is_a_flaky_failure() -> None:
    assert [tag for tag, *_ in problems(one_case(entry("failed"), entry(attempt=2)))] == [
        "flakyFailure"
    ]


def test_passed_attempt_before_a_failure_is_not_listed() -> None:
    assert [tag for tag, *_ in problems(one_case(entry(), entry("failed", attempt=2)))] == [
        "failure"
    ]


def test_later_attempt_that_does_not_count_is_shown_too() -> None:
    result, later = entry(attempt=1), unscored(attempt=2, detail="later")
    assert [text for *_, text in problems(one_case(result, later, counts=result))] == ["later"]


# -- the document ------------------------------------------------------------------------------


def test_document_counts_its_cases() -> None:
    planned = [item(name) for name in "abcde"]
    attempts = [
        entry(task="a"),
        unscored(task="b"),
        entry(task="b"),
        entry("failed", task="c"),
        unscored(task="d"),
    ]
    suite = xml(planned, attempts).find("testsuite")
    assert suite is not None
    assert counts_of(suite) == {"tests": 5, "failures": 1, "errors": 1, "skipped": 1}


def test_document_adds_up_the_time_of_its_cases() -> None:
    suite = xml(
        [item("a"), item("b")], [entry(task="a", seconds=1.5), entry(task="b", seconds=2.25)]
    ).find("testsuite")
    assert suite is not None
    assert suite.get("time") == "3.750"


def test_document_without_cases_is_valid() -> None:
    assert document([]) == (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        '<testsuites name="pytest-webbench"><testsuite name="pytest-webbench" failures="0" '
        'errors="0" skipped="0" '
        'tests="0" time="0.000" /></testsuites>\n'
    )


def test_same_ledger_gives_the_same_bytes() -> None:
    attempts = [unscored(), entry("failed", attempt=2)]
    texts = {document(cases_of(results_from([item()], attempts))) for _ in range(2)}
    assert len(texts) == 1


# -- merged into pytest's own file -------------------------------------------------------------

OTHERS = """\
<testcase classname="tests.test_other" name="test_ok" time="0.500" />\
<testcase classname="tests.test_other" name="test_bad" time="0.5">\
<failure message="no">foreign</failure></testcase>\
<testcase classname="tests.test_other" name="test_off" time="0">\
<skipped type="pytest.skip" message="off" /></testcase>\
"""
OURS = '<testcase classname="tasks.open-next.yaml" name="open-next" time="7.0">{}</testcase>'
# What is left in pytest's file of a test that was rerun after its worker crashed.
NAMELESS = '<testcase time="0.000" />'
# A file that could not be collected: pytest gives the case a name, and an empty class name.
NOT_COLLECTED = """\
<testcase classname="" name="mini.tasks.broken.yaml" time="0.000">\
<error message="collection failure">line 3, goal: is missing</error></testcase>\
"""


def pytests_file(*cases: str) -> str:
    return (
        '<?xml version="1.0" encoding="utf-8"?><testsuites name="pytest tests"><testsuite '
        'name="pytest" errors="9" '
        'failures="9" skipped="9" tests="99" time="12.345" '
        'timestamp="2026-01-01T00:00:00+00:00" hostname="ci">'
        f"{''.join(cases)}</testsuite></testsuites>"
    )


def merged(*cases: str, attempts: tuple[LedgerEntry, ...] = (entry(),)) -> ET.Element:
    """The test suite of pytest's file, after what is known of ``open-next`` was merged into it."""
    ours = results_from([item()], attempts)
    suite = strict(merge(pytests_file(*cases), ours, "")).find("testsuite")
    assert suite is not None
    return suite


def names(suite: ET.Element) -> list[str | None]:
    return [case.get("name") for case in suite.iter("testcase")]


def test_case_written_by_pytest_is_replaced() -> None:
    suite = merged(
        OURS.format("<error message='rerun'>of pytest</error>"),
        attempts=(entry("failed", detail="ours"),),
    )
    (case,) = suite.iter("testcase")
    assert problems(case) == [("failure", "webbench.failed", "failed: ours", "ours")]


def test_all_cases_pytest_wrote_for_an_item_are_replaced() -> None:
    assert names(merged(OURS.format(""), OURS.format("<error />"), OURS.format("<failure />"))) == [
        "open-next"
    ]


def test_cases_of_other_tests_stay_as_they_are() -> None:
    suite = merged(OTHERS, OURS.format(""))
    kept = "".join(ET.tostring(case, encoding="unicode") for case in list(suite)[:3])
    assert ET.canonicalize(f"<a>{kept}</a>") == ET.canonicalize(f"<a>{OTHERS}</a>")


def test_case_of_the_same_name_in_another_file_stays() -> None:
    assert (
        names(merged('<testcase classname="other.open-next.yaml" name="open-next" />'))
        == ["open-next"] * 2
    )


def test_nameless_case_is_removed() -> None:
    assert names(merged(NAMELESS, OTHERS)) == ["test_ok", "test_bad", "test_off", "open-next"]


def test_file_that_could_not_be_collected_stays_an_error() -> None:
    assert names(merged(NOT_COLLECTED)) == ["mini.tasks.broken.yaml", "open-next"]


def test_item_unknown_to_pytest_is_added() -> None:
    assert names(merged(OTHERS)) == ["test_ok", "test_bad", "test_off", "open-next"]


@pytest.mark.parametrize(
    ("attempts", "counts"),
    [
        ((entry(),), {"tests": 4, "failures": 1, "errors": 0, "skipped": 1}),
        ((entry("failed"),), {"tests": 4, "failures": 2, "errors": 0, "skipped": 1}),
        ((unscored(),), {"tests": 4, "failures": 1, "errors": 1, "skipped": 1}),
        ((unscored(), entry(attempt=2)), {"tests": 4, "failures": 1, "errors": 0, "skipped": 1}),
        ((), {"tests": 4, "failures": 1, "errors": 0, "skipped": 2}),
    ],
)
def test_merged_file_counts_what_it_holds(
    attempts: tuple[LedgerEntry, ...], counts: dict[str, int]
) -> None:
    assert (
        counts_of(merged(NAMELESS, OTHERS, OURS.format("<failure />"), attempts=attempts)) == counts
    )


MARKED = (
    '<testcase classname="ci.tasks.open-next.yaml" name="open-next" time="1" file="tasks/o.yaml" '
    'line="0"><properties><property name="webbench_item" value="tasks/open-next.yaml::open-next"/>'
    '<property name="ticket" value="7"/></properties><system-out>said</system-out>{}</testcase>'
)


def test_case_is_known_by_its_item_whatever_it_is_called() -> None:
    ours = results_from([item()], (entry("failed", detail="ours"),))
    same_name = '<testcase classname="ci.tasks.open-next.yaml" name="open-next" time="2" />'
    text = pytests_file(MARKED.format(""), MARKED.format("<error />"), same_name)
    first, second = strict(merge(text, ours, "", prefix="ci")).iter("testcase")
    assert first.get("time") == "2", "another test that happens to be called the same stays"
    assert second.get("classname") == "ci.tasks.open-next.yaml"
    assert (second.get("file"), second.get("line")) == ("tasks/o.yaml", "0")
    assert properties(second)["ticket"] == "7"
    assert "webbench_item" not in properties(second)
    assert [one.text for one in second.iter("system-out")] == ["said"]


def test_case_of_a_crashed_worker_is_known_by_its_prefixed_name() -> None:
    ours = results_from([item()], (entry(),))
    crashed = '<testcase classname="ci.tasks.open-next.yaml" name="open-next" time="2" />'
    suite = strict(merge(pytests_file(crashed), ours, "", prefix="ci"))
    assert [case.get("time") for case in suite.iter("testcase")] == ["0.000"]


def test_merged_file_keeps_the_session_attributes() -> None:
    suite = merged(OURS.format(""))
    told = {name: suite.get(name) for name in ("name", "time", "timestamp", "hostname")}
    assert told == {
        "name": "pytest",
        "time": "12.345",
        "timestamp": "2026-01-01T00:00:00+00:00",
        "hostname": "ci",
    }


def test_merged_file_keeps_properties_of_the_session() -> None:
    suite = merged('<properties><property name="build" value="7" /></properties>', OTHERS)
    assert [
        (one.get("name"), one.get("value")) for one in suite.findall("properties/property")
    ] == [("build", "7")]


def test_file_whose_root_is_a_testsuite_is_merged_too() -> None:
    existing = f'<testsuite name="pytest">{NAMELESS}</testsuite>'
    text = merge(existing, results_from([item()], []), "")
    assert names(strict(text)) == ["open-next"]


def test_merging_twice_changes_nothing() -> None:
    results = results_from([item()], [entry("failed", detail="why")])
    first = merge(pytests_file(OTHERS, NAMELESS), results, "")
    assert merge(first, results, "") == first


# -- whatever text there is --------------------------------------------------------------------

anything = st.text(
    st.characters()
    | st.sampled_from("\x00\x07\x0b\x1b\x7f\x85\ud83d\udfff\ufffe\uffff<>&\"']\r\n\t")
)
outcomes = st.sampled_from(["passed", "failed", "unscored"])
attempts_anyhow = st.lists(
    st.builds(
        LedgerEntry,
        suite=st.just("mini"),
        task=st.just("open-next"),
        agent=st.just("noop"),
        world=anything,
        outcome=outcomes,
        reason=st.sampled_from(["", "infra", "blocked"]),
        detail=anything,
        ending=anything,
        folder=anything,
        seconds=st.floats(0, 1e5),
        attempt=st.integers(0, 5),
    ),
    max_size=3,
)


def documents(nodeid: str, attempts: list[LedgerEntry], base: str) -> list[str]:
    """Our own document and the merged one."""
    results = results_from([item(nodeid=nodeid)], attempts)
    own = document(cases_of(results, base))
    return [own, merge(pytests_file(OTHERS, NAMELESS), results, base)]


@UNHURRIED
@given(anything, attempts_anyhow, anything)
def test_every_document_is_strict_xml(nodeid: str, attempts: list[LedgerEntry], base: str) -> None:
    for text in documents(nodeid, attempts, base):
        assert len(list(strict(text).iter("testcase"))) in (1, 4)


@UNHURRIED
@given(anything, attempts_anyhow, anything)
def test_every_document_is_read_by_junitparser(
    nodeid: str, attempts: list[LedgerEntry], base: str
) -> None:
    for text in documents(nodeid, attempts, base):
        parsed = junitparser.JUnitXml.fromstring(text.encode("utf-8"))
        assert sum(1 for suite in parsed for _ in suite) in (1, 4)


@UNHURRIED
@given(attempts_anyhow)
def test_counts_agree_with_junitparser(attempts: list[LedgerEntry]) -> None:
    parsed = junitparser.JUnitXml.fromstring(
        documents("a.yaml::a", attempts, "")[1].encode("utf-8")
    )
    (suite,) = parsed
    told = (suite.tests, suite.failures, suite.errors, suite.skipped)
    suite.update_statistics()  # type: ignore[no-untyped-call]
    assert told == (suite.tests, suite.failures, suite.errors, suite.skipped)


@pytest.mark.parametrize("reason", ["bell \x07", "half \ud83d"])
def test_any_reason_gives_strict_xml(reason: str) -> None:
    one_case(unscored(reason=reason))
