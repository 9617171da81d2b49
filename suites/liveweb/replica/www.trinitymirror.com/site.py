"""Trinity Mirror, which leads to Reach plc: brands, and reports for investors."""

from datetime import date, timedelta
from typing import Any

from pytest_webbench.world.kit import (
    Edition,
    Handbook,
    RedirectResponse,
    Request,
    Response,
    Row,
    Site,
    by_edition,
    pdf,
    slugify,
)

REACH = "www.reachplc.com"
YEARS = (2025, 2024, 2023, 2022)

site = Site(__file__)


def day(moment: date) -> str:
    return f"{moment.day} {moment:%B %Y}"


def documents_of(edition: Edition, *, year: int) -> list[Row]:
    """What was published about one year; the report follows the results by some weeks."""
    draw = edition.draw(f"documents {year}")
    results = date(year + 1, 2, 20) + timedelta(days=draw.randrange(0, 9))
    report = date(year + 1, 4, 1) + timedelta(days=draw.randrange(0, 27))
    listed = [
        (f"Annual Report & Accounts {year}", report),
        (f"Notice of Annual General Meeting {year + 1}", report + timedelta(days=2)),
        (f"Full Year Results {year}", results),
        (f"Full Year Results {year}: presentation", results),
        (f"Half Year Results {year}", date(year, 7, 22) + timedelta(days=draw.randrange(0, 8))),
    ]
    return [{"title": title, "slug": slugify(title), "date": day(when)} for title, when in listed]


def facts(edition: Edition) -> dict[str, Any]:
    draw = edition.draw("shares")
    return {
        "documents": [(year, documents_of(edition, year=year)) for year in YEARS],
        "notices": [
            {"title": title, "date": day(date(2026, 11, 20) - timedelta(days=9 * place))}
            for place, title in enumerate(("Holding in company", "Director dealing", "Update"))
        ],
        "meeting": day(date(2025, 5, 1) + timedelta(days=draw.randrange(0, 20))),
        "pence": draw.randrange(50, 140),
    }


book = Handbook(site, facts=facts, host=REACH)
book.search_at("/search", "search.html")
book.sitemap_at("/sitemap", "sitemap.html")
book.missing("missing.html")


@by_edition
def files(edition: Edition) -> dict[str, Row]:
    return {row["slug"]: row for year in YEARS for row in documents_of(edition, year=year)}


@site.get("/files/{name}.pdf", host=REACH)
def file(request: Request) -> Response:
    row = files(request).get(request.path_params["name"])
    if row is None:
        return book.render("missing.html", request, status=404)
    return pdf([row["title"], "Reach plc", row["date"]], name=f"{row['slug']}.pdf")


@site.get("/{path:path}")
def old_site(_request: Request) -> Response:
    return RedirectResponse(f"https://{REACH}/", 301)


@site.get("/{path:path}", host="reachplc.com")
def without_www(request: Request) -> Response:
    return RedirectResponse(f"https://{REACH}/{request.path_params['path']}", 301)
