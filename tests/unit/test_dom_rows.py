"""`dom_rows`: which rows are kept, which is picked, and when the page does not say."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_webbench.checks import MISSING, Getter
from pytest_webbench.checks.base import Issue
from pytest_webbench.errors import CanaryError, GetterError
from pytest_webbench.evidence.models import Evidence, PageState, Read
from pytest_webbench.task.parts import make_getter

LAMPS: list[dict[str, Any]] = [
    {"name": "Brass", "price": "$1,049.90", "stars": "4.5 out of 5"},
    {"name": "Oak", "price": "Now $900", "stars": "3 stars"},
    {"name": "Steel", "price": None, "stars": "5 stars"},
    {"name": "Glass", "price": "$99.00", "stars": ""},
]
FIELDS = {"name": "h2", "price": ".price", "stars": {"selector": ".s", "attr": "aria-label"}}


def made(**options: Any) -> tuple[Getter | None, list[Issue]]:
    issues: list[Issue] = []
    spec = {"type": "dom_rows", "row": "li", "fields": FIELDS, **options}
    return make_getter(spec, ("get",), issues), issues


PRICED = {"price": {"exists": True}}


def read(rows: list[dict[str, Any]], **options: Any) -> Any:
    getter, issues = made(**options)
    assert getter is not None
    assert issues == []
    probe = getter.probe()
    assert probe is not None
    reads = {probe.key(): Read(value=rows)}
    return getter.read(Evidence(page=PageState(url="https://a.example/"), reads=reads))


def names(rows: list[dict[str, Any]]) -> list[str]:
    return [row["name"] for row in rows]


@pytest.mark.parametrize(
    ("where", "kept"),
    [
        ({}, ["Brass", "Oak", "Steel", "Glass"]),
        ({"price": {"lt": 100}}, ["Glass"]),
        ({"price": {"exists": False}}, ["Steel"]),
        ({"price": {"exists": True}, "name": {"ne": "Oak"}}, ["Brass", "Glass"]),
        ({"name": {"in": ["oak", "steel"]}}, ["Oak", "Steel"]),
    ],
)
def test_rows_that_meet_all_rules_are_kept(where: dict[str, Any], kept: list[str]) -> None:
    assert names(read(LAMPS, where=where)) == kept


@pytest.mark.parametrize(
    ("pick", "name"),
    [
        ("first", "Brass"),
        ("last", "Glass"),
        ({"least": "price"}, "Glass"),
        ({"greatest": "price"}, "Brass"),
        ({"least": "stars"}, "Oak"),
        ({"greatest": "stars"}, "Steel"),
    ],
)
def test_one_row_is_picked(pick: Any, name: str) -> None:
    assert read(LAMPS, pick=pick)["name"] == name


STARS = {"selector": ".s", "attr": "aria-label", "part": r"^([\d.]+) "}


def test_field_can_be_a_part_of_what_the_page_says() -> None:
    rows = read(LAMPS, fields={"name": "h2", "stars": STARS})
    assert [row["stars"] for row in rows] == ["4.5", "3", "5", MISSING]
    picked = read(LAMPS, fields={"name": "h2", "stars": STARS}, pick={"greatest": "stars"})
    assert picked == {"name": "Steel", "stars": "5"}


def test_part_does_not_change_what_is_asked_of_the_page() -> None:
    whole = {name: value for name, value in STARS.items() if name != "part"}
    probes = [made(fields={"stars": field})[0].probe() for field in (STARS, whole)]  # type: ignore[union-attr]
    assert probes[0] == probes[1]


@pytest.mark.parametrize("part", ["[0-9]+", "(a)(b)", "(", "(a+)+$"])
def test_part_needs_one_group_and_a_safe_pattern(part: str) -> None:
    _, issues = made(fields={"stars": {"selector": ".s", "part": part}})
    assert len(issues) == 1


def test_one_field_of_all_rows_is_a_list_without_those_that_lack_it() -> None:
    assert read(LAMPS, pick={"each": "price"}) == read(LAMPS, where=PRICED, pick={"each": "price"})
    assert read(LAMPS, where={"price": {"exists": False}}, pick={"each": "name"}) == ["Steel"]
    assert read(LAMPS, where={"name": "Gold"}, pick={"each": "name"}) == []


def test_field_that_has_to_be_missing_is_left_out() -> None:
    row = read(LAMPS, where={"price": {"exists": False}}, pick="first")
    assert row == {"name": "Steel", "stars": "5 stars"}
    assert read(LAMPS, pick={"greatest": "stars"})["price"] is MISSING


def test_numbers_are_read_as_they_are_written_there() -> None:
    rows = [{"name": "a", "price": "1.234,50 €"}, {"name": "b", "price": "999 €"}]
    assert read(rows, pick={"greatest": "price"}, locale="de")["name"] == "a"


def test_rows_are_counted_and_no_row_is_missing() -> None:
    assert read(LAMPS, where={"price": {"exists": True}}, pick="count") == 3
    assert read([], pick="count") == 0
    for pick in ("first", "last", {"least": "price"}, {"greatest": "price"}):
        assert read(LAMPS, where={"name": "Gold"}, pick=pick) is MISSING
    assert read(LAMPS, where={"name": "Steel"}, pick={"least": "price"}) is MISSING


@pytest.mark.parametrize(
    ("rows", "pick", "what"),
    [
        (["$5", "$5.00", "$6"], {"least": "price"}, r"two rows tie for the least 'price': '\$5'"),
        (["7", "7 left", "7", "1"], {"greatest": "price"}, "3 rows tie for the greatest 'price'"),
        (["$5", "call us"], {"least": "price"}, "holds no number: 'call us'"),
        (["$5", "$6 $4"], {"least": "price"}, "holds 2 numbers"),
        (["$5", "€4"], {"least": "price"}, r"different units: \$, €"),
    ],
)
def test_a_page_that_does_not_say_which_row_is_meant(
    rows: list[str], pick: dict[str, str], what: str
) -> None:
    with pytest.raises(GetterError, match=what):
        read([{"price": price} for price in rows], pick=pick)


@pytest.mark.parametrize(
    ("rows", "must_exist", "what"),
    [
        ([], True, "a row 'li' is not on the page"),
        ([], ["price"], "a row 'li' is not on the page"),
        (
            [{"name": "a"}, {"name": "b", "price": ""}],
            ["name", "price"],
            "'price' .in any of",
        ),
    ],
)
def test_missing_canary(rows: list[dict[str, Any]], must_exist: Any, what: str) -> None:
    with pytest.raises(CanaryError, match=what):
        read(rows, must_exist=must_exist, where={"name": "none of them"}, pick="count")


def test_canary_in_some_rows_is_there() -> None:
    assert read(LAMPS, must_exist=["price"], pick="count") == 4


@pytest.mark.parametrize(
    ("options", "at", "what"),
    [
        ({"pick": {"least": "prise"}}, ("get", "pick", "least"), "did you mean 'price'?"),
        ({"where": {"nme": "x"}}, ("get", "where", "nme"), "did you mean 'name'?"),
        ({"where": {"name": {"lke": "x"}}}, ("get", "where", "name", "lke"), "unknown operator"),
        ({"where": {"name": {"re": "(a+)+$"}}}, ("get", "where", "name", "re"), "for ever"),
        ({"must_exist": 5}, ("get", "must_exist"), "true, false or a list of fields"),
        ({"must_exist": ["nam"]}, ("get", "must_exist"), "did you mean 'name'?"),
        ({"pick": "cheapest"}, ("get", "pick"), "must be first, last, count"),
        ({"pick": {"smallest": "price"}}, ("get", "pick"), "{least: field}"),
        ({"pick": {}}, ("get", "pick"), "one of least, greatest and each"),
        ({"pick": {"least": "price", "greatest": "price"}}, ("get", "pick"), "one of least"),
        ({"fields": {"name": 5}}, ("get", "fields", "name"), "a CSS selector or an object"),
        ({"fields": {"name": {"css": "a"}}}, ("get", "fields", "name"), "{selector: css"),
        ({"fields": {}}, ("get", "fields"), "at least 1 item"),
        ({"row": ""}, ("get", "row"), "at least 1 character"),
    ],
)
def test_bad_options_are_found_when_the_file_is_read(
    options: dict[str, Any], at: tuple[str, ...], what: str
) -> None:
    _, issues = made(**options)
    assert [issue.at for issue in issues] == [at]
    assert what in issues[0].what
