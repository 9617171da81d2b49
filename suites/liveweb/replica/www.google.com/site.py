"""Double of Google Finance: quotes with charts, lists of markets, and a search."""

from __future__ import annotations

from pytest_webbench.world.kit import (
    Catalogue,
    Edition,
    JSONResponse,
    RedirectResponse,
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
QUOTES = Catalogue(
    [
        {"symbol": symbol, "name": name, "market": market, "usual": usual}
        for market, listed in CONTENT["quotes"].items()
        for symbol, (name, usual) in listed.items()
    ]
)
RANGES = {"1D": 78, "5D": 130, "1M": 22, "6M": 126, "YTD": 200, "1Y": 252, "5Y": 260, "MAX": 400}
"""Points of a chart, by its range."""


@by_edition
def prices(edition: Edition) -> dict[str, Row]:
    found = {}
    for row in QUOTES:
        draw = edition.draw(row["symbol"])
        price = row["usual"] * draw.uniform(0.8, 1.25)
        change = draw.uniform(-4, 4)
        found[row["symbol"]] = {**row, "price": price, "change": change}
    return found


def _page(template: str, request: Request, *, status: int = 200, **values: object) -> Response:
    return site.render(
        template, request, status=status, markets=CONTENT["markets"], ranges=list(RANGES), **values
    )


@site.get("/")
def google(_request: Request) -> Response:
    return RedirectResponse("/finance/")


@site.get("/finance")
@site.get("/finance/")
@site.get("/finance/beta")
def home(request: Request) -> Response:
    rows = list(prices(request).values())
    lists = {key: [row for row in rows if row["market"] == key][:4] for key in CONTENT["quotes"]}
    return _page("home.html", request, lists=lists, news=CONTENT["news"])


@site.get("/finance/quote/{symbol}")
@site.get("/finance/beta/quote/{symbol}")
def quote(request: Request) -> Response:
    row = prices(request).get(request.path_params["symbol"])
    if row is None:
        return missing(request)
    alike = [one for one in prices(request).values() if one["market"] == row["market"]]
    return _page("quote.html", request, row=row, alike=[one for one in alike if one != row][:6])


@site.get("/finance/chart/{symbol}", delay=0.2)
def chart(request: Request) -> Response:
    symbol, span = request.path_params["symbol"], request.query_params.get("range", "1D")
    row = prices(request).get(symbol)
    if row is None or span not in RANGES:
        return JSONResponse([], status_code=404)
    draw = edition_of(request).draw(f"{symbol} {span}")
    return JSONResponse(walk(draw, last=row["price"], steps=RANGES[span], swing=0.02))


@site.get("/finance/markets/{market}")
def market(request: Request) -> Response:
    key = request.path_params["market"]
    rows = list(prices(request).values())
    if key == "gainers":
        shown = sorted(rows, key=lambda row: -float(row["change"]))[:12]
    elif key == "losers":
        shown = sorted(rows, key=lambda row: float(row["change"]))[:12]
    else:
        shown = [row for row in rows if row["market"] == key]
    if key not in CONTENT["markets"]:
        return missing(request)
    return _page("market.html", request, rows=shown, label=CONTENT["markets"][key])


@site.get("/finance/suggest")
def suggest(request: Request) -> Response:
    found = [
        {"label": f"{row['name']} ({row['symbol']})", "href": f"/finance/quote/{row['symbol']}"}
        for row in QUOTES.search(request.query_params.get("q", ""), "symbol", "name")
    ]
    return JSONResponse(found[:7])


@site.get("/finance/search")
def search(request: Request) -> Response:
    words = request.query_params.get("q", "")
    rows = [prices(request)[row["symbol"]] for row in QUOTES.search(words, "symbol", "name")]
    return _page("market.html", request, rows=rows, label=f"Results for {words}")


def missing(request: Request) -> Response:
    return _page("missing.html", request, status=404)


site.not_found(missing)
