"""Numbers and names that an answer bounds, guesses or denies are not stated by it."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_webbench.checks import BUILT_IN


def score(answer: str, expected: Any) -> float:
    metric = BUILT_IN.metrics["answer_match"]()
    assert metric.issues(expected) == []
    return metric.score(answer, expected)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("not quite 13", 13),
        ("I'm not certain, but 13", 13),
        ("13, which is wrong", 13),
        ("13: wrong", 13),
        ("13 is definitely not the answer", 13),
        ("It is not true that there are 13", 13),
        ("13 and counting", 13),
        ("more than 13", 13),
        ("5, I guess", 5),
        ("241102 is wrong", 241102),
        ("about 13", 13),
        ("13+", 13),
        ("not more than 13", 13),
        ("probably 13", 13),
        ("13?", 13),
        ("Paris, I guess", "Paris"),
        ("Paris is wrong", "Paris"),
        ("241102 is wrong", "241102"),
        ("more than 3.5 km", "3.5 km"),
        ("more than 3.5 km", 3.5),
        ("I don't think it is 13", 13),
        ("over 13", 13),
        ("It has over 13 rooms", 13),
        ("at least 13", 13),
        ("less than 13", 13),
        ("fewer than 13 rooms", 13),
        ("up to 13", 13),
        ("13 or more", 13),
        ("13 or so", 13),
        ("around 13", 13),
        ("13-ish", 13),
        ("~13", 13),
        (">13", 13),
        ("≥ 13", 13),
        ("roughly thirteen", 13),
        ("13 rooms, I guess", 13),
        ("My guess is 13", 13),
        ("best guess: 13", 13),
        ("13, but I'm not sure", 13),
        ("13 (just a guess)", 13),
        ("13 is incorrect", 13),
        ("It can't be 13", 13),
        ("The wrong answer is 13", 13),
        ("anything but 13", 13),
        ("13 at least", 13),
        ("more than $13", 13),
        ("Perhaps Paris", "Paris"),
        ("Paris, probably.", "Paris"),
        ("Paris, but I am not certain", "Paris"),
        ("The answer 13 is clearly wrong", 13),
        ("nearly 13", 13),
        ("13, maybe", 13),
        ("thirteen, perhaps", 13),
        ("13 rooms or fewer", 13),
        ("It is just under 13", 13),
        ("a guess would be 13", 13),
        ('{"rooms": "more than 13"}', {"rooms": 13}),
    ],
)
def test_bound_guess_or_denial_is_no_statement(answer: str, expected: Any) -> None:
    assert score(answer, expected) == 0.0


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("13 in total", 13),
        ("13; 12 would be wrong", 13),
        ("The answer is not 12 but 13", 13),
        ("I found 13, fewer than expected", 13),
        ("In 13, wrong ones were left out", 13),
        ("It's 13, more than last year's", 13),
        ("13, which is more than expected", 13),
        ("exactly 13", 13),
        ("There are 13 of them, at least one of which is red", 13),
        ("13 rooms and more than enough chairs", 13),
        ("200,000+ installations", 200000),
        ("about 200 people", 200),
        ("about 13 km", 13),
        ("Over there I found 13", 13),
        ("only 13", 13),
        ("no less and no more: 13", 13),
        ("All in all 13; I checked twice", 13),
        ("13 – not sure why so few", 13),
        ("The answer is 13. I am sure.", 13),
        ("Not 12. It's 13.", 13),
        ("12 is wrong, 13 is right", 13),
        ("How many? 13", 13),
        ("Is it Paris? Yes: Paris", "Paris"),
        ("Paris, possibly the most visited city", "Paris"),
        ("Paris is not only right but obvious", "Paris"),
        ("13 are wrong", 13),
        ("13 of the rooms, maybe all with a view", 13),
        ("The page is about lamps; there are 13", 13),
        ("It moved over to 13", 13),
        ("filed under 2920", 2920),
        ("more than 13", {"ge": 13}),
        ("over 13", {"gt": 12}),
        ("200+", "200+"),
        ("RFC 2920, under Draft Standards", "RFC 2920"),
        ("$13 or 13 dollars", "$13"),
        ("a total of 13", 13),
        ("13 (thirteen)", 13),
        ("The count is thirteen, up from last year", 13),
        ("The 13 shown is the right number", 13),
        ("I guess you wanted the total. It is 13.", 13),
    ],
)
def test_right_answer_in_unusual_words_is_accepted(answer: str, expected: Any) -> None:
    assert score(answer, expected) == 1.0


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        (
            "| name | Adam |\n| town | Rome |\n| age | 13 |",
            {"name": "Adam", "town": "Rome", "age": 13},
        ),
        ("| name | Adam |\n| town | Rome |\n| mayor | Bob |", {"name": "Adam", "town": "Rome"}),
        (
            "| field | value |\n|---|---|\n| name | Adam |\n| city | Rome |",
            {"name": "Adam", "city": "Rome"},
        ),
        ("name | Adam", {"name": "Adam"}),
        ("name | Adam", "Adam"),
    ],
)
def test_table_of_keys_and_values_needs_no_heading(table: str, expected: Any) -> None:
    assert score(table, expected) == 1.0
    assert score(table.replace("Adam", "Bert"), expected) == 0.0


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        ("| 1 | Adam |\n| 2 | Bob |\n| 3 | Carl |\n| 4 | Dave |", "Adam"),
        (
            "| name | Rome |\n| town | Adam |\n| age | 13 |",
            {"name": "Adam", "town": "Rome", "age": 13},
        ),
    ],
)
def test_table_of_candidates_or_with_swapped_values_is_no_answer(table: str, expected: Any) -> None:
    assert score(table, expected) == 0.0
