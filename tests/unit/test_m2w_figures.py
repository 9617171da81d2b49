"""Figures of many steps, against values worked out by hand, and how they are shown."""

from __future__ import annotations

import json
import random

import pytest

from pytest_webbench.mind2web.figures import (
    Group,
    by_group,
    cost,
    coverage,
    family_figures,
    macro,
    micro,
)
from pytest_webbench.mind2web.records import RecordedStep
from pytest_webbench.mind2web.scoring import (
    Coverage,
    ErrorKind,
    Page,
    Prediction,
    StepResult,
    glass_scores,
    official_scores,
)
from pytest_webbench.mind2web.tables import data, lines
from pytest_webbench.stats import wilson


def result(
    task: str,
    index: int,
    chosen: Prediction | None = None,
    *,
    covered: bool = True,
    targets: tuple[str, ...] = ("4",),
    **facts: object,
) -> StepResult:
    step = RecordedStep(
        task_id=task,
        step_index=index,
        cleaned_html="<p/>",
        gold_backend_node_ids=targets,
        op="TYPE",
        gold_backend_node_id=targets[0] if targets else "",
        value="new york city",
    )
    cover = (
        Coverage(kind="exact", accepted=("e1",), shared_by=2, in_prompt=True)
        if covered and targets
        else Coverage()
    )
    right = chosen is not None and chosen.ref == "e1"
    known: dict[str, object] = {
        "task_id": task,
        "step_index": index,
        "op": "TYPE",
        "role": "textbox",
        "website": f"site-{task}",
        "targets": targets,
        "page": Page(mode="dom", nodes=10, lost=1, misplaced=2, refs=4, characters=400),
        "cover": cover,
        "compat": cover.covered,
        "prediction": chosen,
        "glass": glass_scores(step, chosen, covered=cover.covered, right=right),
        "official": official_scores(step, chosen, covered=cover.covered),
    }
    return StepResult.model_validate({**known, **facts})


RIGHT = Prediction(ref="e1", op="TYPE", value="new york city", node="4")
NEARLY = Prediction(ref="e1", op="TYPE", value="new york", node="4", miss=ErrorKind.WRONG_VALUE)
BESIDE = Prediction(
    ref="e2", op="TYPE", value="new york city", node="9", miss=ErrorKind.WRONG_INSTANCE
)
NOTHING = Prediction(miss=ErrorKind.NO_JSON)

# task a: right, nearly right, no target; task b: beside the target; task c: no reply that could be
# used
RESULTS = [
    result("a", 0, RIGHT),
    result("a", 1, NEARLY),
    result("a", 2, RIGHT, targets=()),
    result("b", 0, BESIDE),
    result("c", 0, NOTHING, covered=False),
]


def test_figures_of_the_reference_family() -> None:
    """It leaves out the step without a target; 0.8 of a value is enough for it; a mean over steps
    is all it knows.
    """
    figures = family_figures(RESULTS, "glass")
    assert (figures.dropped, figures.lost_targets) == (1, 0)
    shown = {
        name: figure and (figure.value, figure.n, figure.tasks)
        for name, figure in figures.micro.items()
    }
    assert shown == {
        "covered": (3 / 4, 4, 3),
        "element": (2 / 4, 4, 3),
        "operation": (pytest.approx((1 + 0.8 + 1 + 0) / 4), 4, 3),
        "step": (2 / 4, 4, 3),
    }
    assert figures.task_success is not None
    assert (figures.task_success.value, figures.task_success.tasks) == (pytest.approx(1 / 3), 3)


def test_figures_of_the_official_family() -> None:
    """The step without a target is worth 0; the F1 of TYPE new york against TYPE new york city is
    6/7, and not 1.
    """
    figures = family_figures(RESULTS, "official")
    assert (figures.dropped, figures.lost_targets) == (0, 1)
    micros = {name: figure and figure.value for name, figure in figures.micro.items()}
    assert micros == {
        "covered": 3 / 5,
        "element": 2 / 5,
        "operation": pytest.approx((1 + 6 / 7 + 0 + 1 + 0) / 5),
        "step": 1 / 5,
    }
    macros = {name: figure and figure.value for name, figure in figures.macro.items()}
    assert macros == {
        "covered": pytest.approx((2 / 3 + 1 + 0) / 3),
        "element": pytest.approx((2 / 3 + 0 + 0) / 3),
        "operation": pytest.approx(((1 + 6 / 7) / 3 + 1 + 0) / 3),
        "step": pytest.approx((1 / 3 + 0 + 0) / 3),
    }
    assert figures.task_success is not None
    assert figures.task_success.value == 0


def test_figures_are_none_where_there_is_nothing_to_count() -> None:
    for results in ([], [result("a", 0, targets=())]):
        figures = family_figures(results, "glass")
        assert set(figures.micro.values()) == set(figures.macro.values()) == {None}
        assert figures.task_success is None
        assert coverage(results, lambda one: one.cover.covered) is None
    perception = family_figures([result("a", 0)], "official")
    assert [name for name, figure in perception.micro.items() if figure] == ["covered"]
    assert (micro([]), macro([])) == (None, None)
    paid = cost([])
    assert (paid.refs, paid.characters, paid.shared_by, paid.distance, paid.in_prompt) == (
        None,
    ) * 5


def clustered(source: random.Random, tasks: int) -> list[tuple[str, float]]:
    """Steps of a task come out alike: all well in half of the tasks, all badly in the others."""
    return [
        (f"t{n}", float(good))
        for n in range(tasks)
        for good in [source.random() < 0.5]
        for _ in range(8)
    ]


@pytest.mark.parametrize("fractions", [False, True])
def test_correlated_steps_widen_the_interval(fractions: bool) -> None:
    values = [
        (task, value * 0.9 if fractions else value)
        for task, value in clustered(random.Random(3), 30)
    ]
    alike = micro(values)
    apart = micro([(f"s{n}", value) for n, (_, value) in enumerate(values)])
    assert alike is not None
    assert apart is not None
    assert (alike.n, alike.tasks, apart.tasks) == (240, 30, 240)
    width = [figure.interval.high - figure.interval.low for figure in (alike, apart)]
    assert width[0] > 2 * width[1]  # sqrt(8) = 2.8 times, had the tasks but one value each
    if not fractions:
        assert apart.interval == wilson(round(sum(value for _, value in values)), 240)


def test_intervals_contain_the_true_rate_as_often_as_they_claim() -> None:
    source, held = random.Random(11), 0
    for _ in range(300):
        figure = micro(clustered(source, 25))
        assert figure is not None
        held += figure.interval.low <= 0.5 <= figure.interval.high
    assert 0.90 <= held / 300 <= 1


def test_cost_counts_all_pages_and_coverage_only_targets() -> None:
    known = Page(mode="dom", refs=6, characters=800, clickable=5, clickable_covered=4, false_refs=2)
    far = Coverage(kind="ancestor", accepted=("e3",), distance=3, shared_by=10)
    paid = cost([*RESULTS, result("d", 0, page=known, cover=far)])
    assert paid.kinds == {"exact": 3, "label": 0, "ancestor": 1, "descendant": 0, "none": 1}
    assert paid.in_prompt is not None
    assert (paid.in_prompt.value, paid.in_prompt.n) == (3 / 5, 5)
    assert (paid.refs, paid.characters) == (pytest.approx(26 / 6), pytest.approx(2800 / 6))
    assert (paid.shared_by, paid.distance) == ((2 + 2 + 2 + 10) / 4, 3)
    assert (paid.clickable, paid.false_refs) == ((4, 5), (2, 6))
    assert (paid.nodes, paid.lost, paid.misplaced, paid.malformed) == (50, 5, 10, 1)


def test_groups_are_sorted_by_size() -> None:
    groups = by_group([*RESULTS, result("x", 0, website="")], Group.WEBSITE)
    assert [(name, len(members)) for name, members in groups.items()] == [
        ("site-a", 3),
        ("(unknown)", 1),
        ("site-b", 1),
        ("site-c", 1),
    ]


def test_terminal_lines_show_all_figures() -> None:
    text = "\n".join(lines(RESULTS))
    for part in (
        "5 steps of 3 tasks on 3 sites, pages loaded as dom",
        "without a target: 1 step; glass.* leaves them out, official.* counts them as wrong",
        "wrong because: no json 1, wrong instance 1, wrong value 1",
        "covered by: exact 3, none 1",
        "recorded nodes lost in loading: 5 of 50, misplaced: 10",
        "by role:",
    ):
        assert part in text
    rows = {line[:52].strip(): line[52:].split() for line in text.splitlines() if " 95 % " in line}
    assert rows["coverage, dom"][0] == "75.0%"
    assert rows["glass.step success"][0] == "50.0%"
    assert rows["official.step success"][0] == "20.0%"
    assert rows["official.step success, mean over tasks"][0] == "11.1%"
    assert rows["official.task success"][-1] == "tasks"


def test_terminal_lines_say_where_there_is_nothing_to_count() -> None:
    assert list(lines([])) == ["no step was measured"]
    text = "\n".join(lines([result("a", 0, RIGHT, targets=())]))
    assert "glass.step success" in text
    assert [line.split()[-3:] for line in text.splitlines() if line.startswith("glass.")] == [
        ["nothing", "to", "count"]
    ] * 5
    assert "%" not in text.split("official.")[0]


def test_data_for_json_holds_all_figures() -> None:
    shown = json.loads(json.dumps(data(RESULTS)))
    assert (shown["steps"], shown["coverage"]["n"], shown["coverage_compat"]["value"]) == (
        5,
        4,
        0.75,
    )
    assert shown["official"]["macro"]["step"]["tasks"] == 3
    assert shown["by"]["website"]["site-a"]["steps"] == 3
    assert shown["by"]["website"]["site-a"]["glass"]["micro"]["step"]["value"] == 1
    assert json.loads(json.dumps(data([])))["coverage"] is None
