"""Double of American Express: personal cards by category, and a comparison of cards."""

from __future__ import annotations

from random import Random

from pytest_webbench.world.kit import (
    Edition,
    Handbook,
    RedirectResponse,
    Request,
    Response,
    Row,
    Site,
    by_edition,
)

site = Site(__file__)
DATA = site.data("cards")
CATEGORIES: dict[str, str] = DATA["categories"]
WITHOUT_FEE = "no-foreign-transaction-fee"
KNOWN = {"platinum", "gold-card"}
"""The two that come first in everybody's memory."""
CARDS = "/us/credit-cards"
MOST = 3

book = Handbook(site)
book.search_at("/us/search")
book.sitemap_at("/us/sitemap")
book.missing()


@by_edition
def cards(edition: Edition) -> list[Row]:
    """All personal cards in the order of the list, with what they cost and where they belong."""
    draw = edition.draw("cards")
    rows = [_drawn(draw, row) for row in DATA["cards"]]
    draw.shuffle(rows)
    first = [row["slug"] for row in rows if WITHOUT_FEE in row["categories"]][:2]
    if set(first) == KNOWN:
        rows.reverse()
    return rows


def _drawn(draw: Random, row: Row) -> Row:
    categories = [*row["categories"]]
    if row["slug"] in KNOWN or draw.random() < 0.45:
        categories.append(WITHOUT_FEE)
    fee = 0 if "no-annual-fee" in categories else 95 + 5 * draw.randrange(120)
    return {**row, "categories": categories, "fee": fee, "points": draw.randrange(20, 125) * 1000}


@site.get("/")
def start(_request: Request) -> Response:
    return RedirectResponse("/us/")


@site.get(f"{CARDS}/")
def all_cards(request: Request) -> Response:
    # What is featured comes first here, so the order is not that of the categories.
    rows = sorted(cards(request), key=lambda row: (-row["points"], row["slug"]))
    return _list(request, rows, "")


@site.get(CARDS + "/category/{category}/")
def category(request: Request) -> Response:
    wanted = request.path_params["category"]
    if wanted not in CATEGORIES:
        return book.render("handbook-missing.html", request, status=404)
    rows = [row for row in cards(request) if wanted in row["categories"]]
    return _list(request, rows, wanted)


def _list(request: Request, rows: list[Row], chosen: str) -> Response:
    title = f"{CATEGORIES[chosen]} Credit Cards" if chosen else "View All Credit Cards"
    return book.render(
        "cards.html",
        request,
        cards=rows,
        categories=CATEGORIES,
        chosen=chosen,
        title=title,
        most=MOST,
    )


@site.get(CARDS + "/card/{slug}/")
def card(request: Request) -> Response:
    for row in cards(request):
        if row["slug"] == request.path_params["slug"]:
            return book.render("card.html", request, card=row, most=MOST, categories=CATEGORIES)
    return book.render("handbook-missing.html", request, status=404)


@site.get(f"{CARDS}/compare/")
def compare(request: Request) -> Response:
    rows = {row["slug"]: row for row in cards(request)}
    wanted = dict.fromkeys(request.query_params.get("cards", "").split(","))
    chosen = [rows[slug] for slug in wanted if slug in rows][:MOST]
    return book.render(
        "compare.html",
        request,
        chosen=chosen,
        empty=range(1, MOST - len(chosen) + 1),
        without=WITHOUT_FEE,
    )
