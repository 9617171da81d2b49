"""Rows and pairs as data: counts, rates, amounts, repeats, and what makes a comparison unfair."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from pytest_webbench.errors import SettingsError
from pytest_webbench.report.compare import Pair, compare, sides_of, to_compare
from pytest_webbench.report.comparison import comparison_data, comparison_tables, sentence
from pytest_webbench.report.items import Item, RunItems, items_of, plain
from pytest_webbench.report.overview import overview_data, overview_lines, overview_tables
from pytest_webbench.report.rows import By, Row, rows_of
from pytest_webbench.report.tables import Table, as_csv, as_markdown, as_plain_text
from pytest_webbench.run import LedgerEntry, PlannedItem, RunDir
from pytest_webbench.stats import Repeats, wilson

MARKS = {"S": ("passed", ""), "F": ("failed", ""), "I": ("unscored", "infra"), "J": ("unscored", "verifier_error")}


def item(mark: str, task: str = "t", agent: str = "a", *, repeat: int = 1, run: str = "r", **values: Any) -> Item:
    """S, F, I, J, or U for an item without an attempt."""
    common = {"suite": values.pop("suite", "mini"), "task": task, "agent": agent, "repeat": repeat}
    about = {name: values.pop(name) for name in ("site", "source", "tags") if name in values}
    plan = PlannedItem.model_validate({**common, **about, "nodeid": task})
    outcome, reason = MARKS.get(mark, ("unscored", "infra"))
    facts = {"world": "replica", "seconds": 1.0, "ending": "done", "task_digest": "d", "judge_version": 1, **values}
    entry = LedgerEntry.model_validate(
        {**common, **facts, "outcome": outcome, "reason": reason, "attempt": 0 if mark == "U" else 1}
    )
    return Item(run, plan, entry, () if mark == "U" else (entry,))


def items(agent: str, marks: str, **values: Any) -> list[Item]:
    """Tasks t000, t001 ... of one agent; several marks for one task stand together: ``SF,S,FF``."""
    parts = marks.split(",") if "," in marks else list(marks)
    return [
        item(mark, f"t{number:03}", agent, repeat=repeat, **values)
        for number, part in enumerate(parts)
        for repeat, mark in enumerate(part, start=1)
    ]


def only(rows: Sequence[Row]) -> Row:
    (row,) = rows
    return row


# -- rows --------------------------------------------------------------------------------------------------------------


def test_row_counts_every_planned_item_once() -> None:
    row = only(rows_of(items("a", "SSSFFIJU")))
    assert (row.n, row.tasks, row.passed, row.failed) == (8, 8, 3, 2)
    assert row.unscored == {"infra": 1, "not_run": 1, "verifier_error": 1}
    assert row.rate == 0.6
    assert row.interval == wilson(3, 5)
    assert row.bounds == (3 / 8, 6 / 8)
    assert (row.intention_to_treat.value, row.intention_to_treat.n) == (3 / 8, 8)
    assert row.intention_to_treat.interval == wilson(3, 8)
    assert (row.at_k, row.spread) == ((), None)


def test_nothing_graded_gives_no_rate() -> None:
    row = only(rows_of(items("a", "IIU")))
    assert (row.rate, row.interval) == (None, None)
    text = as_plain_text(overview_tables([row]), 80)
    assert "nothing graded" in text
    assert "nan" not in text.lower()


@pytest.mark.parametrize(
    ("by", "groups"),
    [
        (By.SUITE, {"mini": 3}), (By.SOURCE, {"": 1, "WebVoyager": 2}), (By.SITE, {"x.test": 2, "y.test": 1}),
        (By.TAG, {"form": 2, "search": 1}), (By.TASK, {"one": 1, "two": 1, "three": 1}),
    ],
)  # fmt: skip
def test_items_are_grouped_by(by: By, groups: dict[str, int]) -> None:
    found = rows_of(
        [
            item("S", "one", site="x.test", source="WebVoyager", tags=("form", "search")),
            item("F", "two", site="x.test", source="WebVoyager", tags=("form",)),
            item("S", "three", site="y.test"),
        ],
        by,
    )
    assert {row.group: row.n for row in found} == groups


def test_suites_agents_and_runs_are_kept_apart() -> None:
    found = rows_of([item("S"), item("F", agent="b"), item("S", suite="other"), item("S", run="r2")])
    assert [(row.suite, row.run, row.agent) for row in found] == [
        ("mini", "r", "a"), ("mini", "r", "b"), ("mini", "r2", "a"), ("other", "r", "a"),
    ]  # fmt: skip


def test_repeats_give_pass_at_k_all_k_and_flaky_tasks() -> None:
    row = only(rows_of(items("a", "SSS,SFF,FFF,SSI")))
    assert (row.tasks, row.n, row.passed, row.failed) == (4, 12, 6, 5)
    first, second, third = row.at_k
    assert (first.pass_at_k.n, first.pass_at_k.value) == (4, pytest.approx((1 + 1 / 3 + 0 + 1) / 4))
    assert (second.pass_at_k.n, second.pass_at_k.value) == (4, pytest.approx((1 + 2 / 3 + 0 + 1) / 4))
    assert (third.all_k.n, third.all_k.value) == (3, pytest.approx(1 / 3))
    assert row.spread is not None
    assert (row.spread.always, row.spread.sometimes, row.spread.never) == (2, 1, 1)
    assert row.spread.flaky.interval == wilson(1, 4)
    assert row.spread.disagreement == pytest.approx(2 / 3 / 4)


def test_row_of_one_task_is_about_that_task_alone() -> None:
    first, second = rows_of(items("a", "SSFSS,FFFFF"), By.TASK)
    assert (first.interval, second.interval) == (wilson(4, 5), wilson(0, 5))
    assert (first.at_k, first.spread) == ((), None)


def test_k_that_few_tasks_can_tell_about_is_left_out() -> None:
    row = only(rows_of(items("a", "SSS,S,F,F,S")))
    assert [at.k for at in row.at_k] == [1]


def test_medians_are_of_graded_items_and_totals_of_all_attempts() -> None:
    first = item("I", seconds=100.0, steps=50, cost=1.0)
    again = item("S", seconds=10.0, steps=4, cost=0.25)
    repeated = Item("r", again.plan, again.result, (first.result, again.result))
    row = only(rows_of([repeated, item("F", "u", seconds=20.0, steps=0, cost=None)]))
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
    run.record_all([first.result, again.result.model_copy(update={"attempt": 2})], "main")
    found = items_of(run)
    assert [(one.plan.task, one.outcome, len(one.attempts)) for one in found.items] == [
        ("t", ("passed", ""), 2), ("unreached", ("unscored", "not_run"), 0),
    ]  # fmt: skip
    assert (found.tag, found.agents) == ("demo", ["a"])


# -- what is printed ---------------------------------------------------------------------------------------------------


def test_tables_fit_into_80_columns() -> None:
    long = items("an_agent_with_a_name", "SSS,SFF,FFF,SSI", source="Online-Mind2Web", steps=12, cost=0.2, model_calls=3)
    found = rows_of([*long, *items("b", "SSI,FFF", source="WebGym")], By.SOURCE)
    text = as_plain_text(overview_tables(found), 80)
    assert max(map(len, text.splitlines())) <= 80
    assert "6 of 11 = 54.55%" in text
    assert text.count("Online-Mind2Web") == 5  # once per table
    assert all(line == line.rstrip() for line in text.splitlines())


def test_cells_are_folded_where_there_is_no_room() -> None:
    text = as_plain_text([Table("T", ("name", "value"), (("a name that is long", "some words that are long"),))], 24)
    assert text.splitlines() == [
        "T",
        "name               value",
        "a name that   some words",
        "is long         that are",
        "                    long",
    ]


def test_markup_in_names_stays_text() -> None:
    text = as_markdown([Table("a|b", ("*x*", "n"), (("<script>|[link](x)\n`", "1"),))])
    assert text.splitlines()[-1] == r"| &#60;script&#62;&#124;\[link\](x) \` | 1 |"


def test_csv_has_one_line_per_row_and_no_formulas() -> None:
    found = rows_of([*items("=cmd()", "SSI,FFF"), *items("b", "SI")])
    lines = list(csv.DictReader(io.StringIO(as_csv(overview_lines(found)))))
    assert [line["agent"] for line in lines] == ["'=cmd()", "b"]
    assert lines[0]["pass_at_2"] == "0.5"
    assert (lines[0]["unscored_infra"], lines[1]["pass_at_2"], lines[1]["rate"]) == ("1", "", "1.0")


def test_json_names_its_version_and_holds_plain_values() -> None:
    data = overview_data(rows_of(items("a", "SSS,SFF")))
    assert data["version"] == 1
    assert data["rows"][0]["interval"].keys() == {"low", "high"}
    assert plain({"x": (1, None)}) == {"x": [1, None]}


# -- pairs -------------------------------------------------------------------------------------------------------------


def pair_of(a: str, b: str, **values: Any) -> Pair:
    run = RunItems("r", tuple(items("a", a, **values) + items("b", b, **values)), {})
    (pair,) = compare(to_compare([sides_of(run)]))
    return pair


def test_pair_counts_only_tasks_that_both_were_graded_on() -> None:
    pair = pair_of("SSSFFFFIU", "SFFSFFIIU")
    assert (pair.shared, pair.both, pair.only_a, pair.only_b, pair.neither) == (6, 1, 2, 1, 2)
    assert (pair.left_out.graded_for_a, pair.left_out.graded_for_b, pair.left_out.for_neither) == (1, 0, 2)
    assert (pair.rate_a, pair.rate_b, pair.difference) == (0.5, pytest.approx(1 / 3), pytest.approx(-1 / 6))
    assert (pair.test, pair.p) == ("exact McNemar", 1.0)


def test_sentence_names_the_better_one() -> None:
    assert sentence(pair_of("S" * 2 + "F" * 38, "F" * 2 + "S" * 20 + "F" * 18)) == (
        "r:b solves 18 more of 40 shared tasks than r:a: real (p < 0.001)"
    )
    assert sentence(pair_of("S" * 20, "F" * 20)).startswith("r:a solves 20 more of 20 shared tasks than r:b: real")


def test_sentence_says_what_so_many_tasks_could_have_shown() -> None:
    pair = pair_of("SSSSS" + "F" * 22, "FSSSS" + "S" + "F" * 21)
    assert pair.least_gap is not None
    assert sentence(pair) == (
        "no difference between r:a and r:b that 27 shared tasks can show "
        f"(p = 1.000; they show one of {100 * pair.least_gap:.0f} points in 80 % of cases)"
    )


def test_too_few_tasks_show_nothing() -> None:
    assert "(p = 1.000; they are too few to show any)" in sentence(pair_of("S", "F"))


def test_no_shared_task_gives_no_numbers() -> None:
    pair = pair_of("SI", "IS")
    assert (pair.shared, pair.difference, pair.interval, pair.least_gap) == (0, None, None, None)
    assert sentence(pair) == "r:a and r:b share no task that both were graded on"
    assert "%" not in as_plain_text(comparison_tables([pair]), 80)


def test_repeats_are_compared_by_their_means() -> None:
    pair = pair_of("SSS,SFF,FFF,FFI", "SSS,SSF,FFS,SSS")
    assert (pair.repeats, pair.test, pair.shared) == (True, "exact sign-flip", 4)
    assert (pair.both, pair.only_b, pair.mixed) == (1, 1, 2)
    assert pair.difference == pytest.approx((0 + 1 / 3 + 1 / 3 + 1) / 4)
    assert pair.tasks[3].a == Repeats(0, 2)
    assert "now and then" in as_plain_text(comparison_tables([pair]), 80)


def test_several_pairs_are_corrected_for() -> None:
    run = RunItems("r", tuple(items("a", "F" * 30) + items("b", "S" * 6 + "F" * 24) + items("c", "F" * 30)), {})
    pairs = compare(to_compare([sides_of(run)]))
    assert [(pair.a, pair.b) for pair in pairs] == [("r:a", "r:b"), ("r:a", "r:c"), ("r:b", "r:c")]
    assert [pair.p for pair in pairs] == [0.03125, 1.0, 0.03125]
    assert [pair.p_corrected for pair in pairs] == [0.09375, 1.0, 0.09375]
    assert not any(pair.real for pair in pairs)


def test_agents_of_two_runs_are_compared_with_their_namesakes() -> None:
    monday, friday = (
        sides_of(RunItems(tag, tuple(items("x", "S", run=tag) + items("y", "F", run=tag)), {}))
        for tag in ("mon", "fri")
    )
    assert [(a.label, b.label) for a, b in to_compare([monday, friday])] == [("mon:x", "fri:x"), ("mon:y", "fri:y")]
    assert [(a.label, b.label) for a, b in to_compare([monday, friday[1:]])] == [("mon:y", "fri:y")]
    with pytest.raises(SettingsError, match="say which agent of a run is meant, such as mon:x"):
        to_compare([monday, friday, friday])


def test_interval_is_drawn_by_site_where_there_are_enough_sites() -> None:
    def drawn_by(sites: int) -> tuple[str, int]:
        found = [
            item("SF"[number % 2], f"t{number}", agent, site=f"{number % sites}.test")
            for agent in "ab"
            for number in range(40)
        ]
        (pair,) = compare(to_compare([sides_of(RunItems("r", tuple(found), {}))]))
        return pair.drawn_by, pair.groups

    assert drawn_by(20) == ("site", 20)
    assert drawn_by(4) == ("task", 40)


def notes(a: dict[str, Any], b: dict[str, Any], facts: Sequence[dict[str, Any]] = ({}, {})) -> tuple[str, ...]:
    sides = [
        sides_of(RunItems(tag, tuple(items("x", "SFS", **values)), {"tag": tag, "options": options}))[0]
        for tag, values, options in (("old", a, facts[0]), ("new", b, facts[1]))
    ]
    (pair,) = compare([(sides[0], sides[1])])
    return pair.notes


def test_like_is_compared_with_like_without_a_note() -> None:
    assert notes({}, {}) == ()


@pytest.mark.parametrize(
    ("a", "b", "note"),
    [
        ({"task_digest": "1"}, {"task_digest": "2"}, "3 shared tasks are not the same in both: t000, t001, t002"),
        (
            {"task_digest": ""},
            {},
            "3 shared tasks carry no digest on one side or both: nobody knows whether they are the same",
        ),
        ({"judge_version": 3}, {"judge_version": 4}, "judge version differs: 3 in old:x, 4 in new:x"),
        ({"world": "live"}, {}, "world differs: live in old:x, replica in new:x"),
    ],
    ids=["digest", "no digest", "judge", "world"],
)  # fmt: skip
def test_what_differs_between_the_runs_is_pointed_out(a: dict[str, Any], b: dict[str, Any], note: str) -> None:
    assert notes(a, b) == (note,)


def test_other_budgets_are_pointed_out() -> None:
    assert notes({}, {}, ({"max_actions": 30}, {"max_actions": None})) == (
        "option max_actions differs: 30 in old:x, not set in new:x",
    )


def test_pair_as_json_holds_its_sentence_and_tasks() -> None:
    (data,) = comparison_data([pair_of("SF", "FF")])["pairs"]
    assert data["sentence"].startswith("no difference")
    assert data["tasks"][0] == {
        "suite": "mini", "task": "t000", "site": "", "a": {"passed": 1, "graded": 1}, "b": {"passed": 0, "graded": 1},
    }  # fmt: skip
