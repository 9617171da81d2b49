"""The site kit: search, facets, order, pages, addresses and responses."""

from __future__ import annotations

import doctest
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from pytest_webbench.world.kit import (
    Catalogue,
    JSONResponse,
    PageOf,
    Request,
    Response,
    Site,
    addresses,
    catalogue,
    matches_words,
    slugify,
    with_params,
)
from tests.support.visitor import visitor

UNHURRIED = settings(deadline=None, max_examples=50)

LAMPS = Catalogue(
    [
        {
            "id": 1,
            "name": "Desk lamp",
            "text": "Red, made of steel",
            "tags": ["light", "office"],
            "price": 30,
        },
        {"id": 2, "name": "Steel lamp", "text": "For the desk", "tags": ["light"], "price": 20},
        {"id": 3, "name": "Lampshade", "text": "Fits every desk lamp", "tags": [], "price": 20},
        {
            "id": 4,
            "name": "Chair",
            "text": "Steel and wood",
            "tags": ["office"],
            "price": 90,
            "colour": "red",
        },
    ]
)


def ids(rows: Catalogue | list[dict[str, Any]]) -> list[int]:
    return [row["id"] for row in rows]


# -- search ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("lamp", [1, 2, 3]),
        ("LAMP", [1, 2, 3]),
        ("desk", [1, 2, 3]),
        ("desk lamp", [1, 2, 3]),
        ("lamp desk", [1, 2, 3]),
        ("steel", [2, 1, 4]),
        ("chair lamp", []),
        ("lampsh", [3]),
        ("sofa", []),
        (".*", []),
        ("", [1, 2, 3, 4]),
        ("  ", [1, 2, 3, 4]),
    ],
)
def test_search_finds_rows_with_every_word_best_first(query: str, found: list[int]) -> None:
    assert ids(LAMPS.search(query, "name", "text")) == found


def test_search_ignores_other_fields() -> None:
    assert ids(LAMPS.search("desk", "name")) == [1]


def test_search_looks_into_lists() -> None:
    assert ids(LAMPS.search("office", "tags")) == [1, 4]


def test_search_skips_fields_that_a_row_lacks() -> None:
    assert ids(LAMPS.search("red", "colour")) == [4]


def test_search_does_not_change_the_catalogue() -> None:
    LAMPS.search("steel", "name", "text")
    assert ids(LAMPS) == [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        (["lamp", ""], ["", "lamp"]),
        (["a lamp here", ""], ["a lampshade", ""]),
        (["lampshade", ""], ["", "lamp"]),
    ],
    ids=["earlier text", "whole word", "earlier part before later whole"],
)
def test_earlier_texts_and_whole_words_rank_higher(better: list[str], worse: list[str]) -> None:
    assert matches_words("lamp", better) > matches_words("lamp", worse) > 0


@pytest.mark.parametrize("texts", [[], [None], ["chair"], ["desk"], [["desk"], "chair"]])
def test_text_without_one_of_the_words_does_not_match(texts: list[Any]) -> None:
    assert matches_words("desk lamp", texts) == 0


# -- filters and counts ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ({"price": 20}, [2, 3]),
        ({"name": "Chair"}, [4]),
        ({"tags": "light"}, [1, 2]),
        ({"tags": ["light", "office"]}, [1, 2, 4]),
        ({"tags": "light", "price": 30}, [1]),
        ({"price": [30, 90]}, [1, 4]),
        ({"price": "20"}, []),
        ({"colour": "red"}, [4]),
        ({"unknown": 1}, []),
        ({"price": None}, [1, 2, 3, 4]),
        ({"price": ""}, [1, 2, 3, 4]),
        ({"price": []}, [1, 2, 3, 4]),
        ({}, [1, 2, 3, 4]),
    ],
)
def test_where_keeps_rows_that_have_the_values(wanted: dict[str, Any], found: list[int]) -> None:
    assert ids(LAMPS.where(**wanted)) == found


def test_where_distinguishes_zero_from_nothing() -> None:
    rows = Catalogue([{"id": 1, "price": 0}, {"id": 2, "price": 5}])
    assert ids(rows.where(price=0)) == [1]


def test_keep_takes_any_condition() -> None:
    assert ids(LAMPS.keep(lambda row: row["price"] > 25)) == [1, 4]


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("price", [(20, 2), (30, 1), (90, 1)]),
        ("tags", [("light", 2), ("office", 2)]),
        ("colour", [("red", 1)]),
        ("unknown", []),
    ],
)
def test_counts_are_most_frequent_first_then_by_name(
    name: str, counts: list[tuple[Any, int]]
) -> None:
    assert LAMPS.counts(name) == counts


def test_counts_skip_empty_values_but_not_zero() -> None:
    rows = Catalogue([{"n": 0}, {"n": ""}, {"n": None}, {}])
    assert rows.counts("n") == [(0, 1)]


def test_one_returns_the_first_match() -> None:
    row = LAMPS.one(price=20)
    assert row is not None
    assert row["id"] == 2


def test_one_is_none_if_no_row_fits() -> None:
    assert LAMPS.one(price=1) is None


# -- order -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "descending", "found"),
    [("price", False, [2, 3, 1, 4]), ("price", True, [4, 1, 2, 3]), ("name", False, [4, 1, 3, 2])],
)
def test_sort_keeps_the_order_of_equal_rows(name: str, descending: bool, found: list[int]) -> None:
    assert ids(LAMPS.sort(name, descending=descending)) == found


def test_catalogue_knows_its_length() -> None:
    assert (len(LAMPS), len(Catalogue())) == (4, 0)


# -- pages -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("number", "shown", "found"),
    [
        (1, 1, [1, 2, 3]),
        (2, 2, [4]),
        ("2", 2, [4]),
        (None, 1, [1, 2, 3]),
        ("", 1, [1, 2, 3]),
        (0, 1, [1, 2, 3]),
        (-1, 1, [1, 2, 3]),
        (3, 2, [4]),
        ("999999999", 2, [4]),
        ("99999999999999999999", 1, [1, 2, 3]),
        ("two", 1, [1, 2, 3]),
        ("1.5", 1, [1, 2, 3]),
        ("²", 1, [1, 2, 3]),
    ],
)
def test_bad_page_number_gives_the_nearest_or_the_first_page(
    number: int | str | None, shown: int, found: list[int]
) -> None:
    page = LAMPS.page(number, 3)
    assert (page.number, ids(page.items)) == (shown, found)


@pytest.mark.parametrize(
    ("number", "total", "told"),
    [
        (1, 25, (3, 1, 10)),
        (2, 25, (3, 11, 20)),
        (3, 25, (3, 21, 25)),
        (1, 10, (1, 1, 10)),
        (1, 0, (1, 0, 0)),
    ],
)
def test_page_knows_the_number_of_pages_and_its_positions(
    number: int, total: int, told: tuple[int, int, int]
) -> None:
    page: PageOf[int] = PageOf([], number, 10, total)
    assert (page.pages, page.first, page.last) == told


@pytest.mark.parametrize(
    ("number", "near"),
    [(1, [1, 2, 3]), (2, [1, 2, 3, 4]), (5, [3, 4, 5, 6, 7]), (9, [7, 8, 9]), (8, [6, 7, 8, 9])],
)
def test_numbers_around_a_page_stay_within_range(number: int, near: list[int]) -> None:
    page: PageOf[int] = PageOf([], number, 10, 90)
    assert page.around() == near


@UNHURRIED
@given(st.integers(0, 60), st.integers(1, 20))
def test_pages_together_show_every_row_once(total: int, size: int) -> None:
    rows = Catalogue([{"id": number} for number in range(total)])
    shown = [
        row
        for number in range(1, rows.page(1, size).pages + 1)
        for row in rows.page(number, size).items
    ]
    assert ids(shown) == list(range(total))


@UNHURRIED
@given(st.text(max_size=12) | st.integers() | st.none())
def test_any_page_number_is_valid(number: str | int | None) -> None:
    assert 1 <= LAMPS.page(number, 3).number <= 2


# -- addresses and words -----------------------------------------------------------------------


def request(address: str) -> Request:
    path, _, query = address.partition("?")
    return Request(
        {
            "type": "http",
            "method": "GET",
            "scheme": "https",
            "path": path,
            "raw_path": path.encode(),
            "root_path": "",
            "query_string": query.encode(),
            "headers": [(b"host", b"shop.example")],
            "server": ("shop.example", 443),
        }
    )


@pytest.mark.parametrize(
    ("address", "changes", "changed"),
    [
        ("/list", {}, "/list"),
        ("/list?a=1", {}, "/list?a=1"),
        ("/list?a=1&b=2", {"a": 3}, "/list?b=2&a=3"),
        ("/list?a=1", {"a": None}, "/list"),
        ("/list?a=1&b=2", {"a": None}, "/list?b=2"),
        ("/list?tag=x&tag=y", {"page": 2}, "/list?tag=x&tag=y&page=2"),
        ("/list?tag=x&tag=y", {"tag": ["y", "z"]}, "/list?tag=y&tag=z"),
        ("/list?tag=x", {"tag": []}, "/list"),
        ("/list", {"q": "a b&c=ü"}, "/list?q=a+b%26c%3D%C3%BC"),
        ("/list?q=a%20b", {"page": 0}, "/list?q=a+b&page=0"),
    ],
)
def test_address_keeps_all_parameters_but_those_changed(
    address: str, changes: dict[str, Any], changed: str
) -> None:
    assert with_params(request(address), **changes) == changed


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ("Redis Object Cache", "redis-object-cache"),
        ("  C++ & C#!  ", "c-c"),
        ("already-a-slug", "already-a-slug"),
        ("Version 2.0", "version-2-0"),
        ("___", ""),
        ("", ""),
    ],
)
def test_slug_holds_letters_digits_and_single_dashes(text: str, slug: str) -> None:
    assert slugify(text) == slug


@UNHURRIED
@given(st.text())
def test_slug_of_a_slug_is_itself(text: str) -> None:
    assert slugify(slugify(text)) == slugify(text)


# -- sites -------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "shop.example"
    (folder / "templates").mkdir(parents=True)
    (folder / "static").mkdir()
    (folder / "static" / "site.css").write_text("p {}", "utf-8")
    (folder / "templates" / "page.html").write_text(
        "{% for row in rows %}\n<p>{{ row.name }} {{ row.price|thousands }}</p>\n{% endfor %}\n"
        "<a href='{{ with_params(request, page=2) }}'>next</a>",
        "utf-8",
    )
    (folder / "templates" / "typo.html").write_text("{{ nothing_of_the_kind }}", "utf-8")
    (folder / "rows.yaml").write_text("- {name: A <b>, price: 1234}\n", "utf-8")
    (folder / "more.json").write_text('{"from": "json"}', "utf-8")
    return folder


@pytest.fixture
def site(folder: Path) -> Site:
    site = Site(str(folder / "site.py"))

    @site.get("/")
    def home(request: Request) -> Response:
        return site.render("page.html", request, rows=site.data("rows"))

    @site.get("/typo")
    def typo(request: Request) -> Response:
        return site.render("typo.html", request)

    @site.get("/wait")
    async def wait(request: Request) -> Response:
        return JSONResponse({"path": request.url.path})

    @site.get("/save", methods=["POST"])
    def save(_request: Request) -> Response:
        return Response("saved")

    @site.get("/item/{name}")
    def item(request: Request) -> Response:
        return Response(request.path_params["name"])

    return site


@pytest.fixture
def client(site: Site) -> TestClient:
    return visitor(site, "shop.example")


def test_page_is_made_from_template_and_data(client: TestClient) -> None:
    assert (
        client.get("/?q=x").text == "<p>A &lt;b&gt; 1,234</p>\n<a href='/?q=x&amp;page=2'>next</a>"
    )


def test_unknown_template_variable_is_an_error(client: TestClient) -> None:
    with pytest.raises(Exception, match="nothing_of_the_kind"):
        client.get("/typo")


@pytest.mark.parametrize(
    ("method", "path", "status", "text"),
    [
        ("GET", "/wait", 200, '{"path":"/wait"}'),
        ("GET", "/item/a%20b", 200, "a b"),
        ("POST", "/save", 200, "saved"),
        ("GET", "/save", 405, "Method Not Allowed"),
        ("GET", "/static/site.css", 200, "p {}"),
        ("GET", "/favicon.ico", 204, ""),
        ("GET", "/nowhere", 404, "Not Found"),
    ],
)
def test_site_answers_what_is_registered(
    client: TestClient, method: str, path: str, status: int, text: str
) -> None:
    answer = client.request(method, path)
    assert (answer.status_code, answer.text) == (status, text)


def test_site_may_have_its_own_page_for_unknown_addresses(site: Site) -> None:
    @site.not_found
    def missing(_request: Request) -> Response:
        return Response("Nothing here", status_code=404)

    answer = visitor(site, "shop.example").get("/nowhere")
    assert (answer.status_code, answer.text) == (404, "Nothing here")


@pytest.mark.parametrize(
    ("name", "content"), [("rows", [{"name": "A <b>", "price": 1234}]), ("more", {"from": "json"})]
)
def test_data_is_read_from_yaml_or_json(site: Site, name: str, content: Any) -> None:
    assert site.data(name) == content


def test_missing_data_is_an_error_that_names_the_file(site: Site) -> None:
    with pytest.raises(FileNotFoundError, match="prices"):
        site.data("prices")


@pytest.mark.parametrize(
    ("name", "more", "hosts"),
    [
        ("shop.example", (), ("shop.example", "www.shop.example")),
        ("www.shop.example", (), ("www.shop.example", "shop.example")),
        ("shop.example", ("cdn.example",), ("shop.example", "www.shop.example", "cdn.example")),
    ],
)
def test_site_serves_its_folders_name_with_and_without_www(
    tmp_path: Path, name: str, more: tuple[str, ...], hosts: tuple[str, ...]
) -> None:
    (tmp_path / name).mkdir()
    (tmp_path / name / "hosts.txt").write_text("\n".join(more))
    assert Site(str(tmp_path / name / "site.py")).hosts == hosts


@pytest.mark.parametrize("module", [addresses, catalogue], ids=lambda module: module.__name__)
def test_docstring_examples_are_right(module: ModuleType) -> None:
    found = doctest.testmod(module)
    assert found.attempted > 0
    assert found.failed == 0
