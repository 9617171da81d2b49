"""Apple: the product pages, and the support site with its articles of technical specifications."""

from typing import Any

from pytest_webbench.world.kit import (
    Edition,
    Handbook,
    RedirectResponse,
    Request,
    Response,
    Site,
    page_of,
)

SUPPORT = "support.apple.com"
COLORS = ("Silver", "Starlight", "Midnight", "Sky Blue", "Sage", "Blush", "Indigo", "Citrus")

site = Site(__file__)


def facts(edition: Edition) -> dict[str, Any]:
    """What each Mac that is on sale is made of, and what it costs."""
    newest = edition.draw("generation").randrange(6, 10)
    chips = {
        "air": f"M{newest}",
        "pro": f"M{newest} Pro",
        "neo": f"A{newest + 14}",
        "imac": f"M{newest}",
        "mini": f"M{newest - 1}",
        "studio": f"M{newest - 1} Max",
    }
    return {key: _mac(edition, key=key, chip=chip) for key, chip in chips.items()}


def _mac(edition: Edition, *, key: str, chip: str) -> dict[str, Any]:
    draw = edition.draw(f"mac {key}")
    return {
        "chip": chip,
        "price": draw.randrange(6, 28) * 100 - 1,
        "hours": draw.randrange(15, 26),
        "cpu": draw.randrange(8, 17),
        "gpu": draw.randrange(8, 41),
        "memory": draw.choice((16, 24, 32)),
        "nits": draw.choice((500, 550, 600, 650)),
        "colors": ", ".join(draw.sample(COLORS, 4)),
    }


help_pages = Handbook(site, "support", host=SUPPORT)
help_pages.search_at("/kb/index", "s-search.html")
help_pages.sitemap_at("/sitemap", "s-sitemap.html")
shop = Handbook(site, facts=facts)
shop.sitemap_at("/sitemap/", "sitemap.html")
shop.missing("missing.html")


@site.get("/us/search")
@site.get("/us/search/")
def searched(request: Request) -> Response:
    """The words of a search stand in the path."""
    query = request.query_params.get("q", "").strip()
    return RedirectResponse(f"/us/search/{query.replace(' ', '-')}?src=globalnav", 302)


@site.get("/us/search/{words}")
def results(request: Request) -> Response:
    query = request.path_params["words"].replace("-", " ").strip()
    hits = page_of(shop.search(query, request), request.query_params.get("page"), 10)
    return shop.render("search.html", request, query=query, hits=hits)


@site.get("/{article:int}", host=SUPPORT)
@site.get("/en-us", host=SUPPORT)
@site.get("/en-us/", host=SUPPORT)
def localized(request: Request) -> Response:
    """An address without a language leads to the English page."""
    article = request.path_params.get("article")
    return RedirectResponse(f"/en-us/{article}" if article else "/", 301)
