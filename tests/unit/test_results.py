"""Rows and pairs as data: counts, rates, amounts, repeats, and what makes a comparison unfair."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from pytest_webbench.errors import SettingsError
from pytest_webbench.report.compare import Pair, compare
from pytest_webbench.report.comparison import comparison_data, comparison_tables, sentence
from pytest_webbench.report.groups import By, GroupSummary, summarize_groups
from pytest_webbench.report.overview import overview_data, overview_lines, overview_tables
from pytest_webbench.report.plain import plain
from pytest_webbench.report.results import ItemResult, RunResults, read_results
from pytest_webbench.report.sides import sides_of, to_compare
from pytest_webbench.report.tables import Table, as_csv, as_markdown, as_plain_text
from pytest_webbench.report.threshold import thresholds_of
from pytest_webbench.run import LedgerEntry, PlannedItem, RunDir
from pytest_webbench.stats import Repeats, Share, wilson

MARKS = {
    "S": ("passed", ""),
    "F": ("failed", ""),
    "I": ("unscored", "infra"),
    "J": ("unscored", "verifier_error"),
}


def item(
    mark: str, task: str = "t", agent: str = "a", *, repeat: int = 1, run: str = "r", **values: Any
) -> ItemResult:
    """S, F, I, J, or U for an item without an attempt."""
    common = {"suite": values.pop("suite", "mini"), "task": task, "agent": agent, "repeat": repeat}
    about = {name: values.pop(name) for name in ("site", "source", "tags") if name in values}
    plan = PlannedItem.model_validate({**common, **about, "nodeid": task})
    outcome, reason = MARKS.get(mark, ("unscored", "not_run"))
    facts = {
        "world": "replica",
        "seconds": 1.0,
        "ending": "done",
        "task_digest": "d",
        "judge_version": 1,
        **values,
    }
    entry = LedgerEntry.model_validate(
        {
            **common,
            **facts,
            "outcome": outcome,
            "reason": reason,
            "attempt": 0 if mark == "U" else 1,
        }
    )
    return ItemResult(run, plan, entry, () if mark == "U" else (entry,))


def items(agent: str, marks: str, **values: Any) -> list[ItemResult]:
    """Tasks t000, t001 ... of one agent; several marks for one task stand together: ``SF,S,FF``."""
    parts = marks.split(",") if "," in marks else list(marks)
    return [
        item(mark, f"t{number:03}", agent, repeat=repeat, **values)
        for number, part in enumerate(parts)
        for repeat, mark in enumerate(part, start=1)
    ]


def only(rows: Sequence[GroupSummary]) -> GroupSummary:
    (row,) = rows
    return row


# -- rows --------------------------------------------------------------------------------------


def test_row_counts_every_planned_item_once() -> None:
    row = only(summarize_groups(items("a", "SSSFFIJU")))
    assert (row.n, row.tasks, row.passed, row.failed) == (8, 8, 3, 2)
    assert row.unscored == {"infra": 1, "not_run": 1, "verifier_error": 1}
    assert row.rate == 0.6
    assert row.interval == wilson(3, 5)
    assert row.bounds == (3 / 8, 6 / 8)
    assert (row.intention_to_treat.value, row.intention_to_treat.n) == (3 / 8, 8)
    assert row.intention_to_treat.interval == wilson(3, 8)
    assert (row.at_k, row.spread) == ((), None)


def test_nothing_graded_gives_no_rate() -> None:
    row = only(summarize_groups(items("a", "IIU")))
    assert (row.rate, row.interval) == (None, None)
    text = as_plain_text(overview_tables([row]), 80)
    assert "nothing graded" in text
    assert "nan" not in text.lower()


@pytest.mark.parametrize(
    ("by", "groups"),
    [
        (By.SUITE, {"mini": 3}),
        (By.SOURCE, {"": 1, "WebVoyager": 2}),
        (By.SITE, {"x.test": 2, "y.test": 1}),
        (By.TAG, {"form": 2, "search": 1}),
        (By.TASK, {"one": 1, "two": 1, "three": 1}),
    ],
)
def test_items_are_grouped_by(by: By, groups: dict[str, int]) -> None:
    found = summarize_groups(
        [
            item("S", "one", site="x.test", source="WebVoyager", tags=("form", "search")),
            item("F", "two", site="x.test", source="WebVoyager", tags=("form",)),
            item("S", "three", site="y.test"),
        ],
        by,
    )
    assert {row.group: row.n for row in found} == groups


def test_rows_are_split_by_suite_agent_and_run() -> None:
    found = summarize_groups(
        [item("S"), item("F", agent="b"), item("S", suite="other"), item("S", run="r2")]
    )
    assert [(row.suite, row.run, row.agent) for row in found] == [
        ("mini", "r", "a"),
        ("mini", "r", "b"),
        ("mini", "r2", "a"),
        ("other", "r", "a"),
    ]


def test_repeats_give_pass_at_k_all_k_and_flaky_tasks() -> None:
    row = only(summarize_groups(items("a", "SSS,SFF,FFF,SSI")))
    assert (row.tasks, row.n, row.passed, row.failed) == (4, 12, 6, 5)
    first, second, third = row.at_k
    assert (first.pass_at_k.n, first.pass_at_k.value) == (4, pytest.approx((1 + 1 / 3 + 0 + 1) / 4))
    assert (second.pass_at_k.n, second.pass_at_k.value) == (
        4,
        pytest.approx((1 + 2 / 3 + 0 + 1) / 4),
    )
    assert (third.all_k.n, third.all_k.value) == (3, pytest.approx(1 / 3))
    assert row.rate is not None
    assert row.interval is not None
    assert (first.pass_at_k, first.all_k) == (Share(row.rate, 4, row.interval),) * 2
    assert row.spread is not None
    assert (row.spread.always, row.spread.sometimes, row.spread.never) == (2, 1, 1)
    assert row.spread.flaky.interval == wilson(1, 4)
    assert row.spread.disagreement == pytest.approx(2 / 3 / 4)


def test_row_of_one_task_counts_that_task_only() -> None:
    first, second = summarize_groups(items("a", "SSFSS,FFFFF"), By.TASK)
    assert (first.interval, second.interval) == (wilson(4, 5), wilson(0, 5))
    assert (first.at_k, first.spread) == ((), None)


def test_k_with_too_few_tasks_is_left_out() -> None:
    row = only(summarize_groups(items("a", "SSS,S,F,F,S")))
    assert [at.k for at in row.at_k] == [1]


def test_medians_are_of_graded_items_and_totals_of_all_attempts() -> None:
    first = item("I", seconds=100.0, steps=50, cost=1.0)
    again = item("S", seconds=10.0, steps=4, cost=0.25)
    repeated = ItemResult("r", again.plan, again.entry, (first.entry, again.entry))
    row = only(summarize_groups([repeated, item("F", "u", seconds=20.0, steps=0, cost=None)]))
    assert row.steps is not None
    assert (row.steps.n, row.steps.total, row.steps.median) == (3, 54, 2.0)
    assert row.seconds is not None
    assert (row.seconds.total, row.seconds.median) == (130.0, 15.0)
    assert row.cost is not None
    assert (row.cost.n, row.cost.total, row.cost.median) == (2, 1.25, 0.25)
    assert row.input_tokens is None


def test_run_directory_gives_its_items_with_all_attempts(tmp_path: Path) -> None:
    run = RunDir(tmp_path / "demo")
    first, again = item("I", started="1"), item("S", started="2")
    missing = item("U", "unreached")
    run.plan([missing.plan, again.plan], {})
    run.record_all([first.entry, again.entry.model_copy(update={"attempt": 2})], "main")
    found = read_results(run)
    assert [(one.plan.task, one.outcome, len(one.attempts)) for one in found.results] == [
        ("t", ("passed", ""), 2),
        ("unreached", ("unscored", "not_run"), 0),
    ]
    assert (found.tag, found.agents) == ("demo", ["a"])


# -- what is printed ---------------------------------------------------------------------------


def test_tables_fit_into_80_columns() -> None:
    long = items(
        "an_agent_with_a_name",
        "SSS,SFF,FFF,SSI",
        source="Online-Mind2Web",
        steps=12,
        cost=0.2,
        model_calls=3,
    )
    found = summarize_groups([*long, *items("b", "SSI,FFF", source="WebGym")], By.SOURCE)
    text = as_plain_text(overview_tables(found), 80)
    assert max(map(len, text.splitlines())) <= 80
    assert "6 of 11," in text
    assert "58.33%" in text
    assert text.count("Online-Mind2Web") == 5  # once per table
    assert all(line == line.rstrip() for line in text.splitlines())


def test_cells_wrap_in_narrow_tables() -> None:
    text = as_plain_text(
        [Table("T", ("name", "value"), (("a name that is long", "some words that are long"),))], 24
    )
    title, head, *lines = text.splitlines()
    assert (title, head.split()) == ("T", ["name", "value"])
    assert max(map(len, lines)) == 24
    words = "a name that is long some words that are long"
    assert sorted(" ".join(lines).split()) == sorted(words.split())


def test_markup_in_names_stays_text() -> None:
    text = as_markdown([Table("a|b", ("*x*", "n"), (("<script>|[link](x)\n`", "1"),))])
    assert text.splitlines()[-1] == r"| &#60;script&#62;&#124;\[link\](x) \` | 1 |"


def test_csv_has_one_line_per_row_and_no_formulas() -> None:
    found = summarize_groups([*items("=cmd()", "SSI,FFF"), *items("b", "SI")])
    lines = list(csv.DictReader(io.StringIO(as_csv(overview_lines(found)))))
    assert [line["agent"] for line in lines] == ["'=cmd()", "b"]
    assert lines[0]["pass_at_2"] == "0.5"
    assert (lines[0]["unscored_infra"], lines[1]["pass_at_2"], lines[1]["rate"]) == ("1", "", "1.0")


def test_json_names_its_version_and_holds_plain_values() -> None:
    data = overview_data(summarize_groups(items("a", "SSS,SFF")))
    assert data["version"] == 1
    assert data["rows"][0]["interval"].keys() == {"low", "high"}
    assert plain({"x": (1, None)}) == {"x": [1, None]}


# -- pairs -------------------------------------------------------------------------------------


def pair_of(a: str, b: str, **values: Any) -> Pair:
    run = RunResults("r", tuple(items("a", a, **values) + items("b", b, **values)), {})
    (pair,) = compare(to_compare([sides_of(run)]))
    return pair


def test_pair_counts_only_tasks_graded_for_both() -> None:
    pair = pair_of("SSSFFFFIU", "SFFSFFIIU")
    assert (pair.shared, pair.both, pair.only_a, pair.only_b, pair.neither) == (6, 1, 2, 1, 2)
    assert (pair.left_out.graded_for_a, pair.left_out.graded_for_b, pair.left_out.for_neither) == (
        1,
        0,
        2,
    )
    assert (pair.rate_a, pair.rate_b, pair.difference) == (
        0.5,
        pytest.approx(1 / 3),
        pytest.approx(-1 / 6),
    )
    assert (pair.test, pair.p) == ("exact McNemar", 1.0)


def test_comparison_names_the_better_agent() -> None:
    assert sentence(pair_of("S" * 2 + "F" * 38, "F" * 2 + "S" * 20 + "F" * 18)) == (
        "r:b solves 18 more of 40 shared tasks than r:a: real (p < 0.001)"
    )
    assert sentence(pair_of("S" * 20, "F" * 20)).startswith(
        "r:a solves 20 more of 20 shared tasks than r:b: real"
    )


def test_comparison_states_the_detectable_gap() -> None:
    pair = pair_of("SSSSS" + "F" * 22, "FSSSS" + "S" + "F" * 21)
    assert pair.least_gap is not None
    assert sentence(pair) == (
        "no difference between r:a and r:b that 27 shared tasks can show "
        f"(p = 1.000; they show one of {100 * pair.least_gap:.0f} points in 80 % of cases)"
    )


def test_comparison_of_few_tasks_is_inconclusive() -> None:
    assert "(p = 1.000; they are too few to show any)" in sentence(pair_of("S", "F"))


def test_pair_without_shared_tasks_has_no_numbers() -> None:
    pair = pair_of("SI", "IS")
    assert (pair.shared, pair.difference, pair.interval, pair.least_gap) == (0, None, None, None)
    assert sentence(pair) == "r:a and r:b share no task that both were graded on"
    assert "%" not in as_plain_text(comparison_tables([pair]), 80)


def test_repeats_are_compared_by_task_means() -> None:
    pair = pair_of("SSS,SFF,FFF,FFI", "SSS,SSF,FFS,SSS")
    assert (pair.repeats, pair.test, pair.shared) == (True, "exact sign-flip", 4)
    assert (pair.both, pair.only_b, pair.mixed) == (1, 1, 2)
    assert pair.difference == pytest.approx((0 + 1 / 3 + 1 / 3 + 1) / 4)
    assert pair.tasks[3].a == Repeats(0, 2)
    assert "now and then" in as_plain_text(comparison_tables([pair]), 80)


def test_several_pairs_are_corrected_for_multiplicity() -> None:
    run = RunResults(
        "r", tuple(items("a", "F" * 30) + items("b", "S" * 6 + "F" * 24) + items("c", "F" * 30)), {}
    )
    pairs = compare(to_compare([sides_of(run)]))
    assert [(pair.a, pair.b) for pair in pairs] == [("r:a", "r:b"), ("r:a", "r:c"), ("r:b", "r:c")]
    assert [pair.p for pair in pairs] == [0.03125, 1.0, 0.03125]
    assert [pair.p_corrected for pair in pairs] == [0.09375, 1.0, 0.09375]
    assert not any(pair.real for pair in pairs)


def test_agents_of_two_runs_are_compared_with_their_namesakes() -> None:
    monday, friday = (
        sides_of(RunResults(tag, tuple(items("x", "S", run=tag) + items("y", "F", run=tag)), {}))
        for tag in ("mon", "fri")
    )
    assert [(a.label, b.label) for a, b in to_compare([monday, friday])] == [
        ("mon:x", "fri:x"),
        ("mon:y", "fri:y"),
    ]
    assert [(a.label, b.label) for a, b in to_compare([monday, friday[1:]])] == [("mon:y", "fri:y")]
    with pytest.raises(SettingsError, match="say which agent of a run is meant, such as mon:x"):
        to_compare([monday, friday, friday])


def test_interval_is_clustered_by_site_if_there_are_enough_sites() -> None:
    def drawn_by(sites: int) -> tuple[str, int]:
        found = [
            item("SF"[number % 2], f"t{number}", agent, site=f"{number % sites}.test")
            for agent in "ab"
            for number in range(40)
        ]
        (pair,) = compare(to_compare([sides_of(RunResults("r", tuple(found), {}))]))
        return pair.drawn_by, pair.groups

    assert drawn_by(20) == ("site", 20)
    assert drawn_by(4) == ("task", 40)


def notes(
    a: dict[str, Any], b: dict[str, Any], facts: Sequence[dict[str, Any]] = ({}, {})
) -> tuple[str, ...]:
    sides = [
        sides_of(
            RunResults(tag, tuple(items("x", "SFS", **values)), {"tag": tag, "options": options})
        )[0]
        for tag, values, options in (("old", a, facts[0]), ("new", b, facts[1]))
    ]
    (pair,) = compare([(sides[0], sides[1])])
    return pair.notes


def test_equal_conditions_give_no_note() -> None:
    assert notes({}, {}) == ()


@pytest.mark.parametrize(
    ("a", "b", "note"),
    [
        (
            {"task_digest": "1"},
            {"task_digest": "2"},
            "3 shared tasks are not the same in both: t000, t001, t002",
        ),
        (
            {"task_digest": ""},
            {},
            "3 shared tasks have no digest on one side or both, so they may differ",
        ),
        (
            {"judge_version": 3},
            {"judge_version": 4},
            "judge version differs: 3 in old:x, 4 in new:x",
        ),
        ({"world": "live"}, {}, "world differs: live in old:x, replica in new:x"),
        (
            {"browser": "chromium 1.2"},
            {"browser": "firefox 3"},
            "browser differs: chromium 1.2 in old:x, firefox 3 in new:x",
        ),
    ],
    ids=["digest", "no digest", "judge", "world", "browser"],
)
def test_differing_conditions_are_noted(a: dict[str, Any], b: dict[str, Any], note: str) -> None:
    assert notes(a, b) == (note,)


def test_browsers_that_nobody_knows_are_not_noted() -> None:
    assert notes({}, {"browser": "firefox 3"}) == ()


def test_differing_budgets_are_noted() -> None:
    assert notes({}, {}, ({"max_actions": 30}, {"max_actions": None})) == (
        "option max_actions differs: 30 in old:x, not set in new:x",
    )


def editions(agent: str, *marks: str) -> list[ItemResult]:
    """Tasks t000, t001 ... of one agent: the marks of edition 0, then of edition 1 ..."""
    found = []
    for seed, line in enumerate(marks):
        for one in items(agent, line):
            plan = one.plan.model_copy(update={"seed": seed})
            entry = one.entry.model_copy(update={"seed": seed})
            found.append(ItemResult("r", plan, entry, (entry,)))
    return found


def steps(agent: str, marks: str, *, per_task: int) -> list[ItemResult]:
    """Recorded steps, as many in a row of each task."""
    found = []
    for number, one in enumerate(items(agent, marks)):
        plan = one.plan.model_copy(update={"part_of": f"whole-{number // per_task}"})
        found.append(ItemResult("r", plan, one.entry, (one.entry,)))
    return found


@pytest.mark.parametrize(
    ("per_task", "p", "gap"), [(1, 2 / 2**40, 0.47), (4, 2 / 2**10, 0.81), (20, 2 / 2**2, None)]
)
def test_steps_of_one_task_are_no_independent_proof(
    per_task: int, p: float, gap: float | None
) -> None:
    results = [*steps("a", "F" * 40, per_task=per_task), *steps("b", "S" * 40, per_task=per_task)]
    (pair,) = compare(to_compare([sides_of(RunResults("r", tuple(results), {}))]))
    assert pair.p == pytest.approx(p)
    assert pair.test == ("exact McNemar" if per_task == 1 else "exact sign-flip by task")
    # As much as one step of each task says; with two tasks nothing shows.
    alone = pair_of("F" * (40 // per_task), "S" * (40 // per_task))
    assert alone.p == pytest.approx(p)
    assert pair.least_gap == (gap and pytest.approx(gap, abs=0.05))


def test_steps_of_a_task_that_differ_both_ways_prove_little() -> None:
    mixed = [*steps("a", "FS" * 20, per_task=4), *steps("b", "SF" * 20, per_task=4)]
    (pair,) = compare(to_compare([sides_of(RunResults("r", tuple(mixed), {}))]))
    assert (pair.p, pair.only_a, pair.only_b) == (1.0, 20, 20)


@pytest.mark.parametrize(("per_task", "least"), [(1, 0.91), (4, 0.72), (20, 0.34)])
def test_rate_of_steps_has_the_interval_of_their_tasks(per_task: int, least: float) -> None:
    (threshold,) = thresholds_of(steps("a", "S" * 40, per_task=per_task), 0.5)
    assert threshold.low == pytest.approx(least, abs=0.01)


def test_pair_is_of_the_same_task_in_the_same_edition() -> None:
    results = [*editions("a", "SSF", "SFF"), *editions("b", "SFF", "SS")]
    (pair,) = compare(to_compare([sides_of(RunResults("r", tuple(results), {}))]))
    assert (pair.shared, pair.both, pair.only_a, pair.only_b, pair.neither) == (5, 2, 1, 1, 1)
    assert (pair.left_out.graded_for_a, pair.repeats, pair.test) == (
        1,
        False,
        "exact sign-flip by task",
    )
    assert (pair.groups, pair.drawn_by) == (3, "task"), "editions of a task are alike"
    assert [task.seed for task in pair.tasks] == [0, 1, 0, 1, 0]
    assert "5 shared task editions" in sentence(pair)


def test_editions_are_no_repeats_but_as_alike_as_repeats() -> None:
    row = only(summarize_groups(editions("a", "SSFF" * 10, "SFSF" * 10)))
    assert (row.n, row.tasks, row.rate, row.at_k, row.spread) == (80, 40, 0.5, (), None)
    assert (
        row.interval
        == only(summarize_groups(items("a", "SS,SF,FS,FF," * 9 + "SS,SF,FS,FF"))).interval
    )


def test_pair_as_json_holds_its_sentence_and_tasks() -> None:
    (data,) = comparison_data([pair_of("SF", "FF")])["pairs"]
    assert data["sentence"].startswith("no difference")
    assert data["tasks"][0] == {
        "suite": "mini",
        "task": "t000",
        "site": "",
        "seed": 0,
        "part_of": "",
        "a": {"passed": 1, "graded": 1},
        "b": {"passed": 0, "graded": 1},
    }


@pytest.mark.parametrize(
    ("dollars", "shown"),
    [
        (12.345, "$12.35"),
        (0.5, "$0.500"),
        (0.0123, "$0.012"),
        (0.00123, "$0.0012"),
        (0.000045, "$0.000045"),
        (0.00000012, "$0.00000012"),
        (0.0, "$0.000"),
    ],
)
def test_costs_below_a_cent_are_shown(dollars: float, shown: str) -> None:
    found = summarize_groups(items("a", "S", cost=dollars, steps=1))
    assert f"{shown} / {shown}" in as_plain_text(overview_tables(found), 100)
