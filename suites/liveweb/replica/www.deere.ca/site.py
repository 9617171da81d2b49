"""Double of John Deere in Canada: lawn tractors, their data, and a comparison of models."""

from __future__ import annotations

from pytest_webbench.world.kit import (
    Edition,
    Handbook,
    RedirectResponse,
    Request,
    Response,
    Row,
    Site,
)

site = Site(__file__)
MODELS: list[Row] = site.data("models")
MOST = 4
"""Models that are compared at once."""


def facts(edition: Edition) -> Row:
    """The data of this year's models, and of those of years ago."""
    return {
        "models": [_data(edition, row) for row in MODELS],
        "cheapest": 2400 + 10 * edition.draw("price").randrange(90),
    }


def _data(edition: Edition, row: Row) -> Row:
    draw = edition.draw(row["slug"])
    horses = row["base"] + draw.randrange(0, 5) + draw.choice((0, 0.5))
    deck = draw.choice((38, 42, 44, 46, 48, 54))
    return {
        **row,
        "horses": f"{horses:g}",
        "kilowatts": f"{horses * 0.7457:.1f}",
        "deck": deck,
        "centimetres": round(deck * 2.54),
        "easy": draw.random() < 0.5,
        "speed": f"{draw.uniform(8.5, 9.9):.1f}",
        "tank": f"{draw.uniform(7, 13):.1f}",
        "price": 2500 + 50 * draw.randrange(60),
    }


book = Handbook(site, facts=facts)
book.search_at("/en/search/")
book.sitemap_at("/en/sitemap/")
book.missing()


@site.get("/")
def start(_request: Request) -> Response:
    return RedirectResponse("/en/")


@site.get("/en/lawn-tractors/{series}/{slug}/")
def model(request: Request) -> Response:
    for row in book.facts(request)["models"]:
        if row["slug"] == request.path_params["slug"]:
            page = book.pages[f"/en/lawn-tractors/{row['series']}/"]
            return book.render("model.html", request, model=row, series=page)
    return book.render("handbook-missing.html", request, status=404)


@site.get("/en/compare/")
def compare(request: Request) -> Response:
    wanted = request.query_params.get("models", "").split(",")
    rows = [row for row in book.facts(request)["models"] if row["slug"] in wanted]
    return book.render("compare.html", request, rows=rows[:MOST])
