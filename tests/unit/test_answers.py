"""What an answer states: right ones pass; hedged, shotgun, contradicting and vague ones do not."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_webbench.checks import BUILT_IN, MISSING, answers


def score(answer: Any, expected: Any, **options: Any) -> float:
    metric = BUILT_IN.metrics["answer_match"](**options)
    assert metric.issues(expected) == []
    return metric.score(answer, expected)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("The version is 7.4.1, released in 2024", "7.4.1"),
        ("Python 3.10.", "3.10"),
        ("It is 3", 3),
        ("three", 3),
        ("1,234 items", 1234),
        ("The film came out on June 8, 1984.", 1984),
        ("not 4 but 5", 5),
        ("4 is not the number, 5 is", 5),
        ("5 is not only right but exact", 5),
        ("5 is not counting the 2 for tests", {"any": [5, 2]}),
        ("5, not 4", 5),
        ("4.5 out of 5", 4.5),
        ("It's [5].", 5),
        ("The population is 5000 [1].", 5000),
        ("one (1) of them", 1),
        ("200,000+ installations", 200000),
        ("Paris, France", "Paris"),
        ("Paris or London? Paris.", "Paris"),
        ("The answer is Paris", "paris"),
        ("北京是答案", "北京"),
        ("alpha, beta", ["alpha", "beta"]),
        ("3 and 5", [3, 5]),
        ("2.88% (about 3%)", {"any": [{"eq": 3}, {"eq": 2.88}]}),
        (
            "Redis Object Cache, version 2.5.4, 200,000+ active installations, updated 2 "
            "months ago",
            "Redis Object Cache",
        ),
        ("Redis Object Cache\n2.5.4\n200,000+\nTill", "Redis Object Cache"),
        ("visitors: 3, rooms: 5", {"visitors": 3, "rooms": 5}),
        ("3 rooms for $99", {"rooms": 3, "price": {"le": 100, "gt": 50}}),
        ("anything", {"re": "^any"}),
        ("Paris", {"not": "London"}),
        ("Paris", {"not_in": ["London", "Rome"]}),
        ("Paris", {"ne": "Rome"}),
        ("EMNLP 2020", {"contains": ["EMNLP", 2020]}),
        ("about 5.2 km", {"approx": 5, "tol": 0.5}),
        ("Oak, ash and a willow", {"at_least": {"count": 2, "of": ["oak", "elm", "ash"]}}),
        ('["Oak", "Ash"]', {"at_least": {"count": 2, "of": ["oak", "elm", "ash"]}}),
        ("3 and 5", {"at_least": {"count": 2, "of": [3, 5, 7]}}),
        ('{"name": "Sparta"}', {"name": "Sparta"}),
        ('```json\n{"a": {"b": [1, 2]}}\n```', {"a.b[-1]": 2}),
        ('{"founded": "in 1984"}', {"founded": 1984}),
        ('{"price": 99}, so the price is $99.', {"price": 99}),
        ('{"price": 99}. I compared 3 shops.', {"price": 99}),
        ('{"a": 1}', {"b": {"exists": False}}),
        ('{"a": null}', {"a": None}),
        ('[{"n": 1}, {"n": 2}]', {".": {"len": 2}}),
        ({"a": [1, 2]}, {"a[*]": 2}),
    ],
)
def test_answer_states_the_expected_value(answer: Any, expected: Any) -> None:
    assert score(answer, expected) == 1.0


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (MISSING, {"not_re": "x"}),
        ("", {"not_re": "x"}),
        (" \n", {"a": {"exists": False}}),
        ("Oak and willow", {"at_least": {"count": 2, "of": ["oak", "elm", "ash"]}}),
        ("Oak or ash?", {"at_least": {"count": 2, "of": ["oak", "elm", "ash"]}}),
        ("oak, elm, fir, yew, ivy, box", {"at_least": {"count": 2, "of": ["oak", "elm"]}}),
        ("3 and 6", {"at_least": {"count": 1, "of": [3, 5]}}),
        ("The version is 7.4.10", "7.4.1"),
        ("The version is 17.4.1", "7.4.1"),
        ("The version is 7.4.1.2", "7.4.1"),
        ("7.4.1-rc1", "7.4.1"),
        ("Python 3.1", "3.10"),
        ("Python 3.10", "3.1"),
        ("either 3 or 4", 3),
        ("either 3 or 4", 4),
        ("three or four", 3),
        ("between 3 and 5", 3),
        ("3-5", 3),
        ("not 5", 5),
        ("I found nothing; 241102 is not it", 241102),
        ("5 isn't the number", 5),
        ("0.135 was not the value", 0.135),
        ("13% is not it", 13),
        ("1,234 is not the total", 1234),
        ("12345", 123),
        ("COVID-19", 19),
        ("10 100 200", 100),
        ("€5", "$5"),
        ("Paris or London", "Paris"),
        ("either London or Paris", "Paris"),
        ("not Paris but London", "Paris"),
        ("it isn't Paris", "Paris"),
        ("Parisian", "Paris"),
        ("- Paris\n- London\n- Rome\n- Berlin", "Paris"),
        ("1. Paris\n2. London\n3. Rome\n4. Berlin", "Paris"),
        ("Paris; London; Rome; Berlin", "Paris"),
        ("Paris, London, Rome, Berlin, and Madrid", "Paris"),
        ('["Paris", "London"]', "Paris"),
        ("alpha", ["alpha", "beta"]),
        ("3, 4 and 5", [3, 5]),
        ("Paris or London", {"not": "Paris"}),
        ("Paris", {"not_contains": ["Rome", "Paris"]}),
        ("Foo", {"re": "foo", "case_sensitive": True}),
        ('{"name": "Sparta"} and {"name": "Tomah"}', {"name": "Sparta"}),
        ('{"name": "Tomah"} but Sparta is nice', {"name": "Sparta"}),
        ('name: Tomah\n{"name": "Sparta"}', {"name": "Sparta"}),
        ('{"price": 99} but the price is 98', {"price": 99}),
        ('{"items": ["a", "b", "c"]}', {"items": ["a", "b"]}),
        ('{"price": "n/a"}', {"price": {"le": 100}}),
        ("yes it is true", {"ok": True}),
        ("nothing", {"a": None}),
        ("nothing", {"a": {"exists": False}}),
    ],
)
def test_answer_does_not_state_the_expected_value(answer: Any, expected: Any) -> None:
    assert score(answer, expected) == 0.0


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ('The town is Sparta.\n{"answer": "Sparta"}', "Sparta"),
        ('{"answer": "Sparta"}\nThe town is Sparta.', "Sparta"),
        ('{"town": "Sparta", "state": "Tennessee"}', "Sparta"),
        ('The town is Sparta.\n{"town": "Sparta", "state": "Tennessee"}', "Sparta"),
        ('{"town": "Sparta", "state": "Tennessee"}\nThe state is Tennessee.', "Sparta"),
        ('{"town": "Sparta"}\nThe county is White County.', "Sparta"),
        ('{"answer": "Sparta"}\nI found it on Wikipedia.', "Sparta"),
        ('{"answer": "Sparta"}\nIt is a small town in Tennessee.', "Sparta"),
        ('{"answer": "Sparta"}\nThe town is Sparta. The state is Tennessee.', "Sparta"),
        ('{"answer": "Sparta"}\nThe runner-up is Springfield.', "Sparta"),
        ('{"answer": "Sparta"}\nSparta is the county seat of White County.', "Sparta"),
        ('{"answer": "Sparta"}\nSparta\'s neighbour is Springfield.', "Sparta"),
        ('{"answer": "Sparta"}\nThe population is 5,001.', "Sparta"),
        ('{"answer": "Sparta"}\nDone.', "Sparta"),
        ('Final Answer\n```json\n{"answer": "Sparta"}\n```', "Sparta"),
        ('Here is the result:\n```json\n{"answer": "Sparta"}\n```\nSearch complete.', "Sparta"),
        ('The town is Sparta. {"population": 5001}', "Sparta"),
        ('The town is Sparta. {"note": "Found on Wikipedia"}', "Sparta"),
        ('The town is Sparta. {"answer": "The town is Sparta."}', "Sparta"),
        ('{"answer": "Sparta, Tennessee"}', "Sparta"),
        ('Sparta, Tennessee\n{"town": "Sparta"}', "Sparta, Tennessee"),
        ('{"answer": "sparta"} The town is SPARTA.', "Sparta"),
        ('{"town": "Sparta"} {"state": "Tennessee"}', "Sparta"),
        ('{"answer": "7.4.1"} The rating is 4.5.', "7.4.1"),
        ('The version is 7.4.1. {"plugin": "Redis"}', "7.4.1"),
        ('{"answer": "red"} The lamp is small.', "red"),
        ('{"answer": "Sparta", "also": ["Springfield", "Riverdale"]}', "Sparta"),
        ('{"answer": "Sparta"} The town is not Springfield.', "Sparta"),
        ('{"answer": "Sparta"} I checked whether the town is Springfield.', "Sparta"),
        ('This is the answer:\n{"answer": "Sparta"}', "Sparta"),
    ],
)
def test_json_and_prose_that_agree_state_a_text(answer: str, expected: Any) -> None:
    assert score(answer, expected) == 1.0


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ('The town is Sparta.\n{"answer": "Springfield"}', "Sparta"),
        ('{"answer": "Sparta"}\nThe town is Springfield.', "Sparta"),
        ('Sparta\n{"town": "Springfield"}', "Sparta"),
        ('Sparta\n{"result": "Springfield"}', "Sparta"),
        ('Sparta {"final_answer": "Springfield", "note": "x"}', "Sparta"),
        ('Sparta {"value": {"town": "Springfield"}}', "Sparta"),
        ('Sparta ["Springfield"]', "Sparta"),
        ('{"answer": ["Sparta", "Springfield"]}', "Sparta"),
        ('{"answer": "Springfield", "note": "not far from Sparta"}', "Sparta"),
        ('{"answer": "Sparta"} {"answer": "Springfield"}', "Sparta"),
        ('{"town": "Sparta"} {"town": "Springfield"}', "Sparta"),
        ('{"answer": "Sparta"}\nAnswer: Springfield', "Sparta"),
        ('{"answer": "Sparta"}\n**Answer**: Springfield', "Sparta"),
        ('{"answer": "Sparta"}\nSpringfield', "Sparta"),
        ('{"answer": "Sparta"}\nSpringfield is the answer.', "Sparta"),
        ('{"answer": "Sparta"} but it\'s Springfield', "Sparta"),
        ('{"town": "Sparta"}\nThe town is Springfield, near Sparta.', "Sparta"),
        ('{"town": "Sparta", "state": "Tennessee"}\nThe town is Springfield.', "Sparta"),
        ('{"answer": "Sparta"}\nThe town is Sparta. The town is Springfield.', "Sparta"),
        ('{"answer": "7.4.1"} The version is 7.4.2.', "7.4.1"),
        ('7.4.1 {"answer": "7.4.2"}', "7.4.1"),
        ('{"answer": "red"} The answer is blue.', "red"),
        ('red {"answer": "blue"}', "red"),
        ('{"colour": "red"} the colour is blue', "red"),
        ('The town is Sparta.\n{"answer": "Springfield"}', {"eq": "Sparta"}),
        ('The town is Sparta.\n{"answer": "Springfield"}', {"in": ["Sparta", "Tomah"]}),
        ('The town is Sparta.\n```json\n{"answer": "Springfield"}\n```', {".": "Sparta"}),
    ],
)
def test_json_and_prose_that_differ_state_no_text(answer: str, expected: Any) -> None:
    assert score(answer, expected) == 0.0


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("The town is Sparta.\nI searched the site.\nI opened the page.\nI read it.", "Sparta"),
        ("The town is Sparta\nState: Tennessee\nCounty: White\nPopulation: 5001", "Sparta"),
        ("The town is Sparta.\nOthers I looked at:\nSpringfield\nRiverdale\nShelbyville", "Sparta"),
        ("The town is Sparta\nTennessee", "Sparta"),
        ("I looked at:\nSpringfield\nRiverdale\nShelbyville\nThe town is Sparta.", "Sparta"),
        ("The colour is red\nThe size is small\nIt is in stock\nIt ships today", "red"),
        (
            '{"towns": [\n"Springfield",\n"Riverdale",\n"Shelbyville"\n], "best": "Sparta"}',
            "Sparta",
        ),
    ],
)
def test_lines_after_a_sentence_are_not_candidates(answer: str, expected: Any) -> None:
    assert score(answer, expected) == 1.0


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("The town is Sparta\nSpringfield\nRiverdale\nShelbyville", "Sparta"),
        ("The town is Sparta.\n- Springfield\n- Riverdale\n- Shelbyville", "Sparta"),
        ("The town is Sparta\n\nSpringfield\n\nRiverdale\n\nShelbyville", "Sparta"),
        (
            "Sparta, Tennessee\nSpringfield, Illinois\nRiverdale, Georgia\nShelbyville, Kentucky",
            "Sparta",
        ),
        ("The colour is red\nblue\ngreen\nyellow", "red"),
        ("Springfield\nThe town is Sparta\nRiverdale\nShelbyville", "Sparta"),
        ("The town is Sparta; Springfield; Riverdale; Shelbyville", "Sparta"),
        ("The town is Sparta\nNew York\nSt. Louis\nFort Worth", "Sparta"),
    ],
)
def test_sentence_before_a_list_of_candidates_is_a_guess(answer: str, expected: Any) -> None:
    assert score(answer, expected) == 0.0


def test_question_in_the_json_is_no_contradiction() -> None:
    answer = 'Sparta\n{"town": "Tomah"}'
    assert score(answer, "Sparta") == 0.0
    assert score(answer, "Sparta", also=["Tomah"]) == 1.0


@pytest.mark.parametrize("filler", ["the a is ", "A ", "the town is A a ", "St. of the ", "it is "])
def test_long_prose_around_json_is_read_in_time(filler: str) -> None:
    assert (
        score('{"answer": "Sparta"} ' + filler * 2_000 + "\nThe answer is Springfield.", "Sparta")
        == 0.0
    )


def test_candidates_and_members_of_a_block() -> None:
    block = {"finalAnswer": {"townName": "Sparta", "note": "x"}, "state": "Tennessee"}
    assert list(answers.candidates(block)) == [("town name", "Sparta")]
    assert list(answers.members(block)) == [
        ("town name", "Sparta"),
        ("note", "x"),
        ("state", "Tennessee"),
    ]
    assert list(answers.candidates({"a": 1, "b": 2})) == []


def test_values_from_the_question_are_not_rival_answers() -> None:
    assert score("3 of the 10", 3) == 0.0
    assert score("3 of the 10", 3, also=[10]) == 1.0
    cities = "Paris\nLondon\nRome\nBerlin"
    assert score(cities, "Paris", also=["London"]) == 1.0


def test_locale_of_numbers() -> None:
    assert score("1.234 Artikel", 1234, locale="de") == 1.0
    assert score("1.234 Artikel", 1234) == 0.0


def test_partial_counts_paths() -> None:
    assert score('{"a": 1, "b": 3}', {"a": 1, "b": 2}, partial=True) == 0.5


@pytest.mark.parametrize(
    ("answer", "value", "states"),
    [
        ("U S A", "USA", True),
        ("It was the FireFly.", "Fire Fly", True),
        ("27°C", "7°C", False),
        ("1 12 km/h", "12km/h", True),
        ("112 km/h", "12km/h", False),
        ("Joanna", "Ann", False),
        ("Adam, Bert, Carl, Dora, E v e", "Eve", False),
    ],
)
def test_whitespace_can_be_ignored_within_a_whole_value(
    answer: str, value: str, *, states: bool
) -> None:
    assert score(answer, value, ignore_literal_whitespace=True) == states


@pytest.mark.parametrize(
    ("one", "other"),
    [("7 °C", "7°C"), ("5 GB", "5gb"), ("-3°", "-3 °"), ("12 km/h", "12km/h"), ("9 am", "9am")],
)
def test_space_before_a_unit_does_not_matter(one: str, other: str) -> None:
    for said, asked in ((one, other), (other, one)):
        assert score(f"It is {said} now.", asked) == 1.0
        assert score({"it": said}, {"it": asked}) == 1.0
        assert score(f"It is 1{said.lstrip('-')}.", asked) == 0.0


@pytest.mark.parametrize(
    "expected", [{}, [], None, " ", [{"re": "a"}], {"a": {"foo": 1}}, {"re": "a", "name": "b"}]
)
def test_impossible_expectation_is_refused(expected: Any) -> None:
    assert BUILT_IN.metrics["answer_match"]().issues(expected)


@pytest.mark.parametrize(
    ("text", "blocks"),
    [
        ('see {"a": 1} and [2, 3].', ({"a": 1}, [2, 3])),
        ("as shown [1]", ()),
        ('{"a": NaN, "b": {"c": 7}}', ({"c": 7},)),
        ('{"a": 1e999}', ()),
        ('{"a": 1, "a": 2}', ()),
        ("{not json} [1, ", ()),
        ("[" * 100 + "]" * 100, ()),
    ],
)
def test_json_blocks_of_an_answer(text: str, blocks: tuple[Any, ...]) -> None:
    answer = answers.parse_answer(text)
    assert answer is not None
    assert answer.blocks == blocks


@pytest.mark.parametrize("text", ["[" * 300_000, '{"a":' * 60_000, "{" * 100_000 + "}" * 100_000])
def test_deep_nesting_is_read_in_time(text: str) -> None:
    assert score(text, {"a": 1}) == 0.0
