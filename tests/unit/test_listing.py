"""Lists of the site kit that a visitor narrows down."""

from __future__ import annotations

import pytest

from pytest_webbench.world.kit import Catalogue, Listing, Order, Shown, Wanted

LAMPS = Catalogue(
    [
        {"id": 1, "name": "Desk lamp", "brand": "Lux", "tags": ["light", "steel"], "price": 30},
        {"id": 2, "name": "Desk light", "brand": "Lux", "tags": ["light"], "price": 20.5},
        {"id": 3, "name": "Desk", "brand": "Oak", "tags": [], "price": 200},
        {"id": 4, "name": "Lamp", "brand": "Ray", "tags": ["steel"], "price": None},
    ]
)
LISTING = Listing(
    search=("name", "brand"),
    facets=("brand", "tags"),
    ranges=("price",),
    orders={"name": Order("name"), "late": Order("id", descending=True)},
    size=2,
)


def ids(shown: Shown) -> list[int]:
    return [row["id"] for row in shown.rows]


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        (Wanted(), [1, 2, 3, 4]),
        (Wanted("desk"), [1, 2, 3]),
        (Wanted(chosen={"brand": ["Lux", "Ray"]}), [1, 2, 4]),
        (Wanted(chosen={"brand": ["Lux"], "tags": ["steel"]}), [1]),
        (Wanted(chosen={"colour": ["red"]}), [1, 2, 3, 4]),
        (Wanted(chosen={"brand": []}), [1, 2, 3, 4]),
        (Wanted(bounds={"price": (20.5, 30)}), [1, 2]),
        (Wanted(bounds={"price": (None, 25)}), [2]),
        (Wanted(bounds={"weight": (1, 2)}), [1, 2, 3, 4]),
        (Wanted(order="late"), [4, 3, 2, 1]),
        (Wanted(order="nonsense"), [1, 2, 3, 4]),
    ],
)
def test_a_list_shows_what_is_wanted(wanted: Wanted, found: list[int]) -> None:
    assert ids(LISTING.show(LAMPS, wanted)) == found


def test_counts_ignore_what_is_chosen_of_the_same_facet_and_heed_all_else() -> None:
    shown = LISTING.show(LAMPS, Wanted("desk", chosen={"brand": ["Lux"], "tags": ["light"]}))
    brands = {one.value: (one.count, one.chosen) for one in shown.facets["brand"]}
    assert brands == {"Lux": (2, True), "Oak": (0, False)}


def test_a_chosen_value_that_no_row_has_stays_among_the_facets() -> None:
    shown = LISTING.show(LAMPS, Wanted(chosen={"brand": ["Gone"]}))
    assert ids(shown) == []
    assert [one.value for one in shown.facets["brand"] if one.chosen] == ["Gone"]


def test_pages_have_the_size_of_the_list() -> None:
    page = LISTING.show(LAMPS, Wanted(page="2")).page
    assert ([row["id"] for row in page.items], page.pages) == ([3, 4], 2)
