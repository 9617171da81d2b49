"""Both families of scores on hand-made cases, worked out on paper from their definitions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_webbench.mind2web.records import RecordedStep
from pytest_webbench.mind2web.scoring import (
    ErrorKind,
    Prediction,
    Scores,
    glass_scores,
    miss_of,
    official_scores,
)
from pytest_webbench.mind2web.values import Operation, glass_value_f1, official_f1, same_value

# predicted op and value, recorded op and value, F1 as the reference has it, F1 as the dataset has
# it
CASES = [
    ("CLICK", "", "CLICK", "", 1.0, 1.0),
    ("CLICK", "whatever", "CLICK", "", 1.0, 1.0),
    ("TYPE", "", "CLICK", "", 0.0, 0.0),
    ("CLICK", "", "TYPE", "boston", 0.0, 0.0),
    ("TYPE", "boston", "TYPE", "boston", 1.0, 1.0),
    (
        "TYPE",
        "Boston",
        "TYPE",
        "boston",
        1.0,
        0.5,
    ),  # the dataset minds the case; TYPE is one of two words
    ("TYPE", "new york", "TYPE", "new york city", 0.8, 6 / 7),
    ("TYPE", "a a b", "TYPE", "a b b", 2 / 3, 1.0),  # counted as often as it occurs, against sets
    ("TYPE", "5:00 PM", "TYPE", "5 00 PM", 0.4, 4 / 7),
    (
        "SELECT",
        "Pickup",
        "TYPE",
        "Pickup",
        0.0,
        0.5,
    ),  # the wrong operation is worth nothing, against one word of two
    ("TYPE", "", "TYPE", "", 1.0, 1.0),
    ("TYPE", "", "TYPE", "x", 0.0, 2 / 3),
    ("SELECT", "size : m", "SELECT", "size m", 0.8, 1.0),  # a colon on its own is no word
    ("", "", "CLICK", "", 0.0, 0.0),
]


@pytest.mark.parametrize(("ours", "value", "op", "wanted", "glass", "official"), CASES)
def test_both_f1_definitions_give_the_values_worked_out_by_hand(
    ours: str, value: str, op: str, wanted: str, glass: float, official: float
) -> None:
    predicted, recorded = Operation(ours, value), Operation(op, wanted)
    assert glass_value_f1(predicted, recorded) == pytest.approx(glass)
    assert official_f1(predicted, recorded) == pytest.approx(official)


OPS = st.sampled_from(["CLICK", "TYPE", "SELECT"])
WORDS = st.text(alphabet="abAB 5:.", max_size=12)


@given(OPS, WORDS, OPS, WORDS)
def test_f1_is_symmetric_and_between_0_and_1(op: str, value: str, other: str, wanted: str) -> None:
    predicted, recorded = Operation(op, value), Operation(other, wanted)
    for score in (glass_value_f1, official_f1):
        assert 0 <= score(predicted, recorded) <= 1
        assert score(predicted, recorded) == pytest.approx(score(recorded, predicted))
        assert score(predicted, predicted) == 1


@pytest.mark.parametrize(
    ("predicted", "value", "same"),
    [
        ("5 00 PM", "5:00 pm", True),
        ("Ｍedium", "medium", True),
        ("6:00 PM", "5:00 PM", False),
        ("", "", True),
    ],
)
def test_same_value_ignores_case_width_spaces_and_punctuation(
    predicted: str, value: str, same: bool
) -> None:
    assert same_value(predicted, value) is same


def step(**facts: object) -> RecordedStep:
    known = {
        "cleaned_html": "<p/>",
        "gold_backend_node_id": "4",
        "gold_backend_node_ids": ("4", "5"),
        "op": "CLICK",
    }
    return RecordedStep.model_validate({**known, **facts})


def test_reference_accepts_half_of_the_value_but_the_dataset_does_not() -> None:
    typed = step(op="TYPE", value="new york city")
    chosen = Prediction(op="TYPE", value="new york", node="4")
    glass = glass_scores(typed, chosen, covered=True, right=True)
    official = official_scores(typed, chosen, covered=True)
    assert (glass.element, glass.operation, glass.step) == (True, pytest.approx(0.8), True)
    assert (official.element, official.operation, official.step) == (
        True,
        pytest.approx(6 / 7),
        False,
    )


def test_dataset_accepts_every_target_and_nothing_around_it() -> None:
    assert official_scores(step(), Prediction(op="CLICK", node="5"), covered=True).element is True
    assert official_scores(step(), Prediction(op="CLICK", node="3"), covered=True).element is False
    assert official_scores(step(), Prediction(op="CLICK", node=None), covered=True).element is False


@pytest.mark.parametrize(
    "lost", [{"gold_backend_node_id": "", "gold_backend_node_ids": ()}, {"cleaned_html": ""}]
)
def test_reference_drops_steps_without_target_or_page(lost: dict[str, object]) -> None:
    assert (
        glass_scores(step(**lost), Prediction(op="CLICK"), covered=False, right=False) == Scores()
    )


def test_step_without_a_target_scores_zero_by_the_dataset() -> None:
    lost = step(gold_backend_node_id="", gold_backend_node_ids=())
    zero = Scores(covered=False, element=False, operation=0.0, step=False)
    assert official_scores(lost, Prediction(op="CLICK", node="4"), covered=False) == zero
    assert official_scores(lost, None, covered=False) == Scores(covered=False)


def test_only_coverage_is_scored_without_a_model() -> None:
    assert glass_scores(step(), None, covered=True, right=False) == Scores(covered=True)
    assert official_scores(step(), None, covered=True) == Scores(covered=True)


@pytest.mark.parametrize(
    ("chosen", "right", "tag", "miss"),
    [
        (Prediction(op="TYPE", value="a", node="4"), True, "input", None),
        (Prediction(op="TYPE", value="b", node="4"), True, "input", ErrorKind.WRONG_VALUE),
        (Prediction(op="CLICK", node="4"), True, "input", ErrorKind.WRONG_OP),
        (Prediction(op="TYPE", value="a", node="9"), False, "input", ErrorKind.WRONG_INSTANCE),
        (Prediction(op="TYPE", value="a", node="9"), False, "a", ErrorKind.WRONG_TAG),
    ],
)
def test_miss_names_the_first_mistake(
    chosen: Prediction, right: bool, tag: str, miss: ErrorKind | None
) -> None:
    typed = step(op="TYPE", value="a")
    assert miss_of(typed, chosen, right=right, tag="input", chosen_tag=tag) is miss
