"""The quarantine of a suite: its file, what it does to reports, and how it is written."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from pytest_webbench.errors import TaskFileError
from pytest_webbench.plugin.sampling import TaskOnSite, sample
from pytest_webbench.report import junit
from pytest_webbench.report.ctrf import document
from pytest_webbench.report.html import write_report
from pytest_webbench.report.listing import RunState, list_runs
from pytest_webbench.report.live_validation import live_validation_lines
from pytest_webbench.report.quarantine import update_quarantine
from pytest_webbench.report.results import ItemResult, RunResults, outcome_text, read_results
from pytest_webbench.report.summary import summarize
from pytest_webbench.report.threshold import exit_code, thresholds_of
from pytest_webbench.run import LedgerEntry, PlannedItem, RunDir
from pytest_webbench.run.quarantine import write_quarantine
from pytest_webbench.task.quarantine import FILE, Quarantined, read_quarantine

WHY = "quarantined on 2026-11-30: the price is gone"


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """A suite with three tasks; nobody reads what they say."""
    (tmp_path / "tasks").mkdir()
    (tmp_path / "suite.toml").touch()
    for name in ("lamp", "chair", "desk.v2"):
        (tmp_path / "tasks" / f"{name}.yaml").touch()
    return tmp_path


def planned(task: str, quarantined: str = "", agent: str = "a") -> PlannedItem:
    return PlannedItem(
        suite="s",
        task=task,
        agent=agent,
        repeat=1,
        nodeid=f"tasks/{task}.yaml::{task}",
        site=f"{task}.example",
        quarantined=quarantined,
    )


def result(task: str, outcome: str, reason: str = "", brief: str = "") -> ItemResult:
    plan = planned(task, agent="solution-1")
    entry = LedgerEntry.model_validate(
        {
            "suite": "s",
            "task": task,
            "agent": plan.agent,
            "world": "live",
            "outcome": outcome,
            "reason": reason,
            "brief": brief,
        }
    )
    return ItemResult("r", plan, entry, (entry,))


# -- the file ------------------------------------------------------------------------------------


def test_what_is_written_is_read_back(suite: Path) -> None:
    entries = {
        "lamp": Quarantined(on="2026-11-30", reason='"price" is gone \\ moved; é\n'),
        "desk.v2": Quarantined(on="2026-12-01", reason="x"),
    }
    write_quarantine(suite, entries)
    assert read_quarantine(suite) == entries
    write_quarantine(suite, {})
    assert not (suite / FILE).exists()
    assert read_quarantine(suite) == {}


def test_dates_may_be_tomls_own(suite: Path) -> None:
    (suite / FILE).write_text('[lamp]\non = 2026-11-30\nreason = "x"\n')
    assert read_quarantine(suite)["lamp"].on == "2026-11-30"


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        (
            '[lamps]\non = "2026-11-30"\nreason = "x"\n',
            ["line 1, lamps: unknown task 'lamps'; did you mean 'lamp'?"],
        ),
        (
            '\n[gone]\non = "2026-11-30"\nreason = "x"\n[old]\non = "2026-11-30"\nreason = "x"\n',
            ["line 2, gone: unknown task 'gone'", "line 5, old: unknown task 'old'"],
        ),
        ('[lamp]\non = "2026-11-30"\n', ["line 1, lamp.reason: is missing"]),
        (
            '[lamp]\non = "yesterday"\nreason = "x"\n',
            ["line 2, lamp.on: String should"],
        ),
        ('[lamp]\non = "2026-11-30"\nreason = ""\n', ["line 3, lamp.reason: "]),
        ('[lamp]\non = "2026-11-30"\nreson = "x"\n', ["line 3, lamp.reson: unknown key 'reson'"]),
        ('lamp = "x"\n', ["line 1"]),
        ("[lamp\n", ["line 1: broken TOML"]),
    ],
)
def test_file_that_cannot_be_used_is_refused(suite: Path, text: str, problems: list[str]) -> None:
    (suite / FILE).write_text(text)
    with pytest.raises(TaskFileError) as caught:
        read_quarantine(suite)
    assert FILE in str(caught.value)
    for problem in problems:
        assert problem in str(caught.value)


# -- what reports say ----------------------------------------------------------------------------


@pytest.fixture
def run(tmp_path: Path) -> RunDir:
    """A run with a pass, and with a task in quarantine that was graded before."""
    made = RunDir(tmp_path / "runs" / "r")
    made.plan([planned("lamp"), planned("chair", WHY)], {})
    for task in ("lamp", "chair"):
        entry = {"suite": "s", "task": task, "agent": "a", "world": "live", "outcome": "passed"}
        made.record(LedgerEntry.model_validate(entry), "main")
    return made


@pytest.fixture
def results(run: RunDir) -> RunResults:
    return read_results(run, check=False)


def test_summary_names_what_is_missing(results: RunResults) -> None:
    lines = summarize(results.results)
    assert lines[0].startswith("s (live world), agent a: 1 of 1 passed = 100.0%")
    assert lines[0].endswith("; 1 of 2 are missing, in quarantine")
    assert "  unscored: 1 quarantined; the rate lies between 50.0% and 100.0%" in lines[1]
    assert f"  chair: {WHY}" in lines


def test_junit_and_ctrf_call_it_skipped(results: RunResults) -> None:
    cases = {case.get("name"): case for case in junit.cases_of(results.results)}
    skipped = cases["chair"].find("skipped")
    assert skipped is not None
    assert skipped.get("message") == WHY
    assert isinstance(cases["lamp"], ET.Element)
    assert cases["lamp"].find("skipped") is None
    tests = {one["name"]: one for one in document(results, "1")["results"]["tests"]}
    assert tests["chair"]["status"] == "skipped"
    assert tests["chair"]["rawStatus"] == "quarantined"


def test_html_report_says_why(run: RunDir) -> None:
    data = write_report(run).parent / "data"
    assert WHY in (data / "items.js").read_text()


def test_quarantine_keeps_no_run_incomplete_and_no_session_from_success(
    run: RunDir, results: RunResults
) -> None:
    (listed,) = list_runs(run.path.parent)
    assert listed.state is RunState.COMPLETE
    assert exit_code(0, results.results, (), others_failed=False) == 0
    (threshold,) = thresholds_of(results.results, 0.1)
    assert threshold.unscored == 0
    assert [outcome_text(one.entry) for one in results.results] == ["quarantined", "passed"]


def test_summary_tells_how_long_episodes_have_waited() -> None:
    waiting = result("lamp", "passed")
    entries = []
    for seconds in (0.5, 2.0):
        entries.append(waiting.entry.model_copy(update={"waited": seconds}))
    told = "  waited for their turn: 2.5 s in all, 2.0 s at most; not counted"
    both = ItemResult("r", waiting.plan, entries[1], tuple(entries))
    assert told in summarize([both])
    short = ItemResult("r", waiting.plan, entries[0], tuple(entries[:1]))
    assert not any("waited" in line for line in summarize([short]))


# -- validation on live sites --------------------------------------------------------------------

FARED = [
    result("lamp", "passed"),
    result("chair", "unscored", "drifted", "the price is gone"),
    result("desk.v2", "unscored", "blocked", "a wall"),
    result("shelf", "failed", brief="the solution does not pass"),
    result("sofa", "unscored", "infra", "no answer"),
]


def test_validation_tells_how_each_solution_has_fared() -> None:
    assert live_validation_lines(FARED) == [
        "drifted chair    chair.example: the price is gone",
        "blocked desk.v2  desk.v2.example: a wall",
        "solved  lamp     lamp.example",
        "failed  shelf    shelf.example: the solution does not pass",
        "unknown sofa     sofa.example: no answer",
        "1 of 5 solved on the live sites, 1 drifted, 1 blocked, 1 failed, 1 unknown",
    ]


def test_drifted_tasks_go_into_quarantine_and_solved_ones_come_out(suite: Path) -> None:
    old = Quarantined(on="2026-01-01", reason="old")
    write_quarantine(suite, {"lamp": old, "desk.v2": old})
    (told,) = update_quarantine(FARED[:3], suite)
    found = read_quarantine(suite)
    assert sorted(found) == ["chair", "desk.v2"]
    assert found["desk.v2"] == old
    assert found["chair"].reason == "the price is gone"
    assert told == f"quarantine: 2 tasks in {suite / FILE}; new: chair; let out: lamp"


def test_quarantine_without_news_is_not_written(suite: Path) -> None:
    (told,) = update_quarantine(FARED[2:3], suite)
    assert told.endswith("; nothing has changed")
    assert not (suite / FILE).exists()


# -- samples -------------------------------------------------------------------------------------

TASKS: list[TaskOnSite] = [
    (f"site-{site}.example", "s", f"task-{site}-{number}")
    for site in range(6)
    for number in range(1 + site)
]


@pytest.mark.parametrize("count", [1, 3, 6])
def test_sample_is_spread_over_sites(count: int) -> None:
    drawn = sample(TASKS, count, 0)
    assert len(drawn) == len({site for site, _suite, _task in drawn}) == count


def test_second_turn_begins_when_every_site_had_one() -> None:
    drawn = sample(TASKS, 9, 0)
    sites = [site for site, _suite, _task in drawn]
    assert len(set(sites)) == 6
    assert max(map(sites.count, sites)) == 2


def test_sample_is_the_same_in_any_order_and_grows() -> None:
    assert sample(TASKS, 5, 7) == sample(TASKS[::-1] + TASKS, 5, 7)
    assert sample(TASKS, 5, 7) < sample(TASKS, 9, 7)
    assert len({frozenset(sample(TASKS, 5, seed)) for seed in range(10)}) > 5


def test_sample_of_more_than_there_are_is_all() -> None:
    assert sample(TASKS, 1000, 0) == set(TASKS)
