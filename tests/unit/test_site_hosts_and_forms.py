"""Sites with several hosts, forms, visitors they remember, editions and PDF files."""

from __future__ import annotations

import time
from pathlib import Path

import httpx2
import pytest

from pytest_webbench.world.kit import Edition, Request, Response, Site, by_edition, pdf
from tests.support.visitor import visitor


@pytest.fixture
def site(tmp_path: Path) -> Site:
    folder = tmp_path / "shop.test"
    (folder / "templates").mkdir(parents=True)
    (folder / "hosts.txt").write_text("docs.shop.test\nold.shop.test\n")
    return Site(str(folder / "site.py"))


def visit(site: Site, *requests: tuple[str, str], edition: int = 0) -> list[httpx2.Response]:
    """The answers to requests of one visitor, who keeps cookies: method and address each."""

    client = visitor(site, "shop.test", edition=edition)
    return [
        client.request(method, url, data={"lamp": "red"} if method == "POST" else None)
        for method, url in requests
    ]


def texts(answers: list[httpx2.Response]) -> list[tuple[int, str]]:
    return [(answer.status_code, answer.text) for answer in answers]


def test_host_with_pages_of_its_own_answers_nothing_else(site: Site) -> None:
    site.get("/")(lambda _request: Response("shop"))
    site.get("/", host="docs.shop.test")(lambda _request: Response("docs"))
    answers = visit(
        site,
        ("GET", "https://shop.test/"),
        ("GET", "https://www.shop.test/"),
        ("GET", "https://old.shop.test/"),
        ("GET", "https://docs.shop.test/"),
        ("GET", "https://docs.shop.test:443/"),
    )
    assert [text for _, text in texts(answers)] == ["shop", "shop", "shop", "docs", "docs"]


def test_host_that_is_not_the_sites_is_an_error_that_lists_its_hosts(site: Site) -> None:
    with pytest.raises(ValueError, match=r"'new.test' is no host of this site.*docs\.shop\.test"):
        site.get("/", host="new.test")


def test_form_is_read_and_its_visitor_remembered(site: Site) -> None:
    @site.post("/cart")
    async def add(request: Request) -> Response:
        form = await request.form()
        request.session["cart"] = [*request.session.get("cart", []), form["lamp"]]
        return Response("added")

    @site.get("/cart")
    def cart(request: Request) -> Response:
        return Response(",".join(request.session.get("cart", [])))

    posted, posted_again, shown = visit(
        site,
        ("POST", "https://shop.test/cart"),
        ("POST", "https://shop.test/cart"),
        ("GET", "https://shop.test/cart"),
    )
    assert (posted.text, posted_again.text, shown.text) == ("added", "added", "red,red")
    assert visit(site, ("GET", "https://shop.test/cart"))[0].text == "", "another visitor"


def test_forged_cookie_is_no_memory(site: Site) -> None:
    site.get("/")(lambda request: Response(str(dict(request.session))))
    client = visitor(site, "shop.test")
    client.cookies.set("session", "eyJjYXJ0IjogWyJyZWQiXX0=.x.y", domain="shop.test")
    assert client.get("/").text == "{}"


def test_slow_page_takes_its_time(site: Site) -> None:
    site.get("/slow", delay=0.05)(lambda _request: Response("late"))
    start = time.monotonic()
    assert visit(site, ("GET", "https://shop.test/slow"))[0].text == "late"
    assert time.monotonic() - start >= 0.05


def test_edition_draws_the_same_values_each_time_and_others_than_the_next(site: Site) -> None:
    made: list[int] = []

    @by_edition
    def price(edition: Edition) -> int:
        made.append(edition.number)
        return edition.draw("price").randrange(1_000_000)

    site.get("/")(lambda request: Response(str(price(request))))
    twice = [("GET", "https://shop.test/")] * 2
    seen = [visit(site, *twice, edition=number) for number in (0, 1, 2)]
    assert all(first.text == second.text for first, second in seen)
    assert len({first.text for first, _ in seen}) == 3
    assert made == [0, 1, 2]
    assert len({Edition(number).now for number in range(3)}) == 3


def test_pdf_is_a_document_with_its_lines_on_as_many_pages_as_they_need() -> None:
    answer = pdf([f"line {number} (\\)" for number in range(90)] + ["Grün ☃"], name="fees.pdf")
    written = bytes(answer.body)
    assert answer.media_type == "application/pdf"
    assert answer.headers["content-disposition"] == 'inline; filename="fees.pdf"'
    assert written.startswith(b"%PDF-")
    assert written.rstrip().endswith(b"%%EOF")
    assert b"/Count 3" in written
    assert b"(line 89 \\(\\\\\\)) Tj" in written
    assert "Grün ?".encode("cp1252") in written
