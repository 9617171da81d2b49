"""Replica of MusicBrainz.

Entity search, artist pages with tabs and a filter for release groups, tags.
"""

from __future__ import annotations

from typing import Any

from pytest_webbench.world.kit import Catalogue, RedirectResponse, Request, Response, Row, Site

site = Site(__file__)
artists = Catalogue(site.data("artists"))
names = {row["id"]: row["name"] for row in artists}
groups = Catalogue(
    [{**row, "artist_name": names[row["artist"]]} for row in site.data("release_groups")]
)
PER_PAGE = 20
LIMITS = (25, 50, 100)
ENTITIES = {
    "artist": "Artist",
    "release_group": "Release group",
    "release": "Release",
    "recording": "Recording",
    "work": "Work",
    "label": "Label",
    "area": "Area",
    "place": "Place",
    "annotation": "Annotation",
    "tag": "Tag",
    "instrument": "Instrument",
    "series": "Series",
    "event": "Event",
}
METHODS = {
    "indexed": "Indexed search",
    "advanced": "Indexed search with advanced query syntax",
    "direct": "Direct database search",
}
TYPES = {"1": "Album", "2": "Single", "3": "EP", "11": "Other"}
SECONDARY = {"1": "Compilation", "2": "Soundtrack", "6": "Live", "7": "Remix"}
SECTIONS = [(kind, "") for kind in TYPES.values()] + [
    ("Album", second) for second in SECONDARY.values()
]
TABS = {
    "": "Overview",
    **{key: key.title() for key in ("releases", "recordings", "works", "relationships")},
}


@site.get("/")
def home(request: Request) -> Response:
    latest = groups.where(official=True).sort("year", descending=True).rows[:8]
    return _page("home.html", request, latest=latest)


@site.get("/search")
def search(request: Request) -> Response:
    query = request.query_params.get("query", "").strip()
    if not query:
        return _page("search.html", request, page=None)
    limit = request.query_params.get("limit", "25")
    found = _hits(request.query_params.get("type", "artist"), query)
    page = found.page(
        request.query_params.get("page"), int(limit) if limit in map(str, LIMITS) else LIMITS[0]
    )
    return _page("search.html", request, page=page)


@site.get("/artist/{mbid}/tags")
def artist_tags(request: Request) -> Response:
    row = artists.one(id=request.path_params["mbid"])
    if row is None:
        return _missing(request)
    return _page("tags.html", request, title=f"{row['name']} - Tags", entity=row)


@site.get("/artist/{mbid}/{tab}")
@site.get("/artist/{mbid}")
def artist(request: Request) -> Response:
    row = artists.one(id=request.path_params["mbid"])
    tab = request.path_params.get("tab", "")
    if row is None or tab not in TABS:
        return _missing(request)
    if "filter.cancel" in request.query_params:
        return RedirectResponse(request.url.path, 302)
    theirs = groups.where(artist=row["id"])
    shown = theirs if request.query_params.get("all") == "1" else theirs.where(official=True)
    page = _by_section(_filtered(shown, request)).page(request.query_params.get("page"), PER_PAGE)
    return _page(
        "artist.html",
        request,
        artist=row,
        tab=tab,
        tabs=TABS,
        page=page,
        groups=theirs.sort("year").rows,
        sections=[(_section(row), row) for row in page.items],
        types=TYPES,
        secondary=SECONDARY,
        filtered=any(
            name.startswith("filter.") and value for name, value in request.query_params.items()
        ),
    )


@site.get("/release-group/{mbid}")
def release_group(request: Request) -> Response:
    row = groups.one(id=request.path_params["mbid"])
    if row is None:
        return _missing(request)
    return _page("group.html", request, group=row, kind=_section(row))


@site.get("/release-group/{mbid}/{part}")
def release_group_part(request: Request) -> Response:
    row = groups.one(id=request.path_params["mbid"])
    part = request.path_params["part"]
    if row is None or part not in ("tags", "details"):
        return _missing(request)
    title = f"Release group “{row['title']}” by {row['artist_name']} - {part.title()}"
    return _page(f"{part}.html", request, title=title, entity=row)


@site.get("/tag/{name}")
def tag(request: Request) -> Response:
    name = request.path_params["name"]
    tagged = groups.keep(lambda row: name in row["tags"]).sort("year")
    if tagged.rows:
        return _page("tag.html", request, name=name, groups=tagged.rows)
    return _missing(request)


@site.not_found
def missing(request: Request) -> Response:
    return _missing(request)


def _missing(request: Request) -> Response:
    return _page("missing.html", request, status=404)


def _page(template: str, request: Request, *, status: int = 200, **values: Any) -> Response:
    asked = {
        name: request.query_params.get(name, "") for name in ("query", "type", "limit", "method")
    }
    return site.render(
        template,
        request,
        status=status,
        entities=ENTITIES,
        methods=METHODS,
        limits=LIMITS,
        asked=asked,
        **values,
    )


def _hits(kind: str, query: str) -> Catalogue:
    """Artists or release groups, the best match first: a whole name before a part of one."""
    if kind not in ("artist", "release_group"):
        return Catalogue()
    name, rows = ("name", artists) if kind == "artist" else ("title", groups.where(official=True))
    found = (
        rows.search(query, name) if kind == "artist" else rows.search(query, "title", "artist_name")
    )
    return Catalogue(sorted(found.rows, key=lambda row: row[name].casefold() != query.casefold()))


def _filtered(rows: Catalogue, request: Request) -> Catalogue:
    asked = request.query_params
    name = asked.get("filter.name", "").casefold()
    kept = rows.where(type=TYPES.get(asked.get("filter.type_id", "")))
    kept = kept.where(secondary=SECONDARY.get(asked.get("filter.secondary_type_id", "")))
    return kept.keep(lambda row: name in row["title"].casefold())


def _by_section(rows: Catalogue) -> Catalogue:
    order = {section: place for place, section in enumerate(SECTIONS)}
    return Catalogue(
        sorted(
            rows.rows, key=lambda row: (order.get((row["type"], row["secondary"]), 99), row["year"])
        )
    )


def _section(row: Row) -> str:
    return " + ".join(part for part in (row["type"], row["secondary"]) if part)
