"""The blog of the LLVM project: posts by date, by tag, and one by one."""

from datetime import datetime, timedelta
from typing import Any

from pytest_webbench.world.kit import (
    Catalogue,
    Edition,
    RedirectResponse,
    Request,
    Response,
    Row,
    Site,
    by_edition,
    edition_of,
    slugify,
)

PER_PAGE = 10

site = Site(__file__)


@by_edition
def posts(edition: Edition) -> Catalogue:
    """All posts, the newest first. When each came out, and so their order, is the edition's own."""
    draw = edition.draw("posts")
    rows = [_post(*pair, edition) for pair in site.data("posts").items()]
    day = edition.now
    for row in draw.sample(rows, len(rows)):
        day -= timedelta(days=draw.randrange(6, 75))
        _date(row, day, day - timedelta(days=draw.randrange(9, 40)))
    return Catalogue(rows).sort("day", descending=True)


def _post(title: str, given: dict[str, Any], edition: Edition) -> Row:
    return {**given, "title": title, "minutes": edition.draw(title).randrange(3, 21)}


def _date(row: Row, day: datetime, written: datetime) -> None:
    """A post tells of the last summer; its address has the day on which it was written."""
    summer = day.year if day.month > 7 else day.year - 1
    row["title"] = row["title"].format(year=summer)
    row["day"] = day
    row["path"] = f"/posts/{written:%Y-%m-%d}-{slugify(row['title'])}/"


def tags(request: Request) -> list[tuple[str, int]]:
    return sorted(posts(request).counts("tags"))


def show(request: Request, template: str, **values: Any) -> Response:
    return site.render(template, request, now=edition_of(request).now, **values)


def listed(request: Request, rows: Catalogue, base: str, heading: str) -> Response:
    """One page of a list, by years; its first page has no number."""
    page = rows.page(request.path_params.get("number"), PER_PAGE)
    years: dict[int, list[Row]] = {}
    for row in page.items:
        years.setdefault(row["day"].year, []).append(row)
    return show(request, "list.html", page=page, years=years, base=base, heading=heading)


@site.get("/")
@site.get("/page/{number}/")
def home(request: Request) -> Response:
    page = posts(request).page(request.path_params.get("number"), PER_PAGE)
    return show(request, "home.html", page=page, base="/")


@site.get("/posts/")
@site.get("/posts/page/{number}/")
def all_posts(request: Request) -> Response:
    return listed(request, posts(request), "/posts/", "Posts")


@site.get("/posts/{name}/")
def post(request: Request) -> Response:
    row = posts(request).one(path=f"/posts/{request.path_params['name']}/")
    return show(request, "post.html", post=row) if row else missing(request)


@site.get("/tags/")
def all_tags(request: Request) -> Response:
    return show(request, "tags.html", tags=tags(request))


@site.get("/tags/{tag}/")
@site.get("/tags/{tag}/page/{number}/")
def tag(request: Request) -> Response:
    name = request.path_params["tag"]
    rows = posts(request).where(tags=name)
    if not len(rows):
        return missing(request)
    return listed(request, rows, f"/tags/{name}/", f"#{name}")


@site.get("/about/")
def about(request: Request) -> Response:
    return show(request, "about.html")


@site.get("/about")
@site.get("/posts")
@site.get("/tags")
@site.get("/posts/{name}")
@site.get("/tags/{tag}")
def with_slash(request: Request) -> Response:
    return RedirectResponse(f"{request.url.path}/", status_code=301)


@site.not_found
def missing(request: Request) -> Response:
    return site.render("missing.html", request, status=404)
