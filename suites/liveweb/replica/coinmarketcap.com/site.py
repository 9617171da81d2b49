"""Double of CoinMarketCap: a list of coins, and pages of coins with a chart of their price."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from pytest_webbench.world.kit import (
    Catalogue,
    Edition,
    JSONResponse,
    Request,
    Response,
    Row,
    Site,
    by_edition,
    edition_of,
    walk,
)

site = Site(__file__)
CONTENT: Row = site.data("content")
RANGES: dict[str, str] = CONTENT["ranges"]


@by_edition
def coins(edition: Edition) -> Catalogue:
    rows = []
    for slug, name, symbol, worth in CONTENT["coins"]:
        draw = edition.draw(slug)
        price = worth * draw.uniform(0.3, 1) if worth != 1 else draw.uniform(0.998, 1.002)
        rows.append(
            {
                "slug": slug,
                "name": name,
                "symbol": symbol,
                "price": price,
                "day": round(draw.uniform(-6, 6), 2),
                "volume": draw.randrange(2_000_000, 40_000_000_000),
                "cap": draw.randrange(5_000_000, 900_000_000_000),
                "href": f"/currencies/{slug}/",
            }
        )
    return Catalogue(rows).sort("cap", descending=True)


def page(template: str, request: Request, *, status: int = 200, **values: Any) -> Response:
    return site.render(template, request, status=status, money=money, **values)


def money(value: float) -> str:
    """A price with as many digits as it needs."""
    return f"${value:,.2f}" if value >= 1 else f"${value:.6f}"


@site.get("/")
def home(request: Request) -> Response:
    return page("home.html", request, title="All Coins", coins=coins(request).rows)


@site.get("/gainers-losers/")
def gainers(request: Request) -> Response:
    best = coins(request).sort("day", descending=True).rows
    return page("home.html", request, title="Top Crypto Gainers and Losers", coins=best)


@site.get("/trending-cryptocurrencies/")
def trending(request: Request) -> Response:
    most = coins(request).sort("volume", descending=True).rows[:10]
    return page("home.html", request, title="Trending Cryptocurrencies", coins=most)


@site.get("/data-api/search")
def search(request: Request) -> Response:
    hits = coins(request).search(request.query_params.get("q", ""), "symbol", "name")
    return JSONResponse(
        [{"label": f"{one['name']} {one['symbol']}", "href": one["href"]} for one in hits][:8]
    )


@site.get("/data-api/chart/{slug}")
def chart(request: Request) -> Response:
    coin = coins(request).one(slug=request.path_params["slug"])
    if coin is None:
        return missing(request)
    span = request.query_params.get("range", "24h")
    draw = edition_of(request).draw(f"{coin['slug']} {span}")
    return JSONResponse(walk(draw, last=coin["price"], steps=90, swing=0.03))


@site.get("/currencies/{slug}/")
@site.get("/currencies/{slug}/{part}/")
def coin(request: Request) -> Response:
    found = coins(request).one(slug=request.path_params["slug"])
    part = request.path_params.get("part", "")
    if found is None or part not in ("", "markets", "historical-data"):
        return missing(request)
    return page(
        "coin.html",
        request,
        coin=found,
        part=part,
        ranges=RANGES,
        markets=CONTENT["markets"],
        days=past(edition_of(request), found) if part == "historical-data" else [],
        others=[one for one in coins(request) if one is not found][:6],
    )


def past(edition: Edition, found: Row) -> list[tuple[str, float]]:
    """What the coin was worth on the days before."""
    prices = walk(edition.draw(f"{found['slug']} days"), last=found["price"], steps=29, swing=0.04)
    return [
        ((edition.now - timedelta(days=apart)).strftime("%b %d, %Y"), price)
        for apart, price in enumerate(reversed(prices))
    ]


@site.not_found
def missing(request: Request) -> Response:
    return page("missing.html", request, status=404)
