"""Site kit: what replica sites are built from.

A site is a folder ``replica/<host>/`` with a file ``site.py``, which defines
``site = Site(__file__)``, Jinja templates in ``templates/`` and files in ``static/``. A whole site:

    from pytest_webbench.world.kit import Catalogue, Request, Response, Site

    site = Site(__file__)
    BOOKS = Catalogue(site.data("books"))

    @site.get("/")
    def results(request: Request) -> Response:
        found = BOOKS.search(request.query_params.get("q", ""), "title", "author")
        page = found.page(request.query_params.get("page"), 10)
        return site.render("list.html", request, page=page)

Sites keep no state on the server: what a visitor does belongs into the URL, cookies or storage, so
that episodes cannot see each other.
"""

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from .addresses import slugify, with_params
from .catalogue import Catalogue, PageOf, Row, matches_words, page_of
from .editions import Edition, by_edition, edition_of
from .figures import (
    Standing,
    Weather,
    duration,
    fahrenheit,
    line,
    month_of,
    score,
    standings,
    walk,
    weather,
)
from .forms import Calculator, Formula, miles_between, nearest, number_in, round_half_up
from .handbook import Handbook, HandbookPage
from .listing import FacetValue, Listing, Order, Shown, Wanted
from .pdf import pdf
from .pictures import curve_picture
from .site import Site

__all__ = [
    "Calculator",
    "Catalogue",
    "Edition",
    "FacetValue",
    "Formula",
    "Handbook",
    "HandbookPage",
    "JSONResponse",
    "Listing",
    "Order",
    "PageOf",
    "RedirectResponse",
    "Request",
    "Response",
    "Row",
    "Shown",
    "Site",
    "Standing",
    "Wanted",
    "Weather",
    "by_edition",
    "curve_picture",
    "duration",
    "edition_of",
    "fahrenheit",
    "line",
    "matches_words",
    "miles_between",
    "month_of",
    "nearest",
    "number_in",
    "page_of",
    "pdf",
    "round_half_up",
    "score",
    "slugify",
    "standings",
    "walk",
    "weather",
    "with_params",
]
