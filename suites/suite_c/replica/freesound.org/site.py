"""Replica of Freesound.

Search with facets, duration range, grouping by pack and sorting; sound, user and tag pages.
"""

from __future__ import annotations

import re
from typing import Any

from pytest_webbench.world.kit import (
    Catalogue,
    RedirectResponse,
    Request,
    Response,
    Row,
    Site,
    with_params,
)

site = Site(__file__)
sounds = Catalogue(site.data("sounds"))
PER_PAGE = 10
RELEVANCE = "Automatic by relevance"
SORTS: dict[str, tuple[str, bool] | None] = {
    RELEVANCE: None,
    "Duration (longest first)": ("duration", True),
    "Duration (shortest first)": ("duration", False),
    "Date added (newest first)": ("date", True),
    "Date added (oldest first)": ("date", False),
    "Downloads (most first)": ("downloads", True),
    "Downloads (least first)": ("downloads", False),
    "Rating (highest first)": ("rating", True),
    "Rating (lowest first)": ("rating", False),
}
FACETS = {
    "license": "Licenses",
    "type": "Type",
    "samplerate": "Samplerate",
    "tag": "Tags",
    "username": "Users",
}
FIELDS = {"tag": "tags", "username": "user"}


@site.get("/")
def front(request: Request) -> Response:
    newest = sounds.sort("date", descending=True).rows[:6]
    return site.render("home.html", request, sounds=newest, **_frame(request))


@site.get("/search/")
def search(request: Request) -> Response:
    filters = _filters(request.query_params.get("f", ""))
    found = _in_duration(_filtered(_matching(request.query_params.get("q", "")), filters), request)
    ordered = _sorted(found, request)
    grouped = request.query_params.get("g", "1") != "0" and not any(
        name == "grouping_pack" for name, _ in filters
    )
    shown, more = _grouped(ordered) if grouped else (ordered, {})
    page = shown.page(request.query_params.get("page"), PER_PAGE)
    chips = [
        (f"{name}:{value}", _with_filters(request, filters, without=(name, value)))
        for name, value in filters
    ]
    return site.render(
        "search.html",
        request,
        page=page,
        more=more,
        grouped=grouped,
        total=len(found),
        chips=chips,
        facets=_facets(request, found, filters),
        **_frame(request),
    )


@site.get("/people/{user}/sounds/{number}/")
def sound(request: Request) -> Response:
    number = request.path_params["number"]
    row = sounds.one(id=int(number) if number.isdigit() else -1)
    if row is None or row["user"] != request.path_params["user"]:
        return _missing(request)
    return site.render("sound.html", request, sound=row, similar=_similar(row), **_frame(request))


@site.get("/people/{user}/")
def person(request: Request) -> Response:
    name = request.path_params["user"]
    theirs = sounds.where(user=name).sort("date", descending=True)
    if not theirs.rows:
        return _missing(request)
    return site.render("list.html", request, title=name, sounds=theirs.rows, **_frame(request))


@site.get("/people/{user}/packs/{number}/")
def pack(request: Request) -> Response:
    number = request.path_params["number"]
    inside = sounds.where(pack_id=int(number) if number.isdigit() else -1)
    if not inside.rows:
        return _missing(request)
    title = f"Pack: {inside.rows[0]['pack']}"
    return site.render("list.html", request, title=title, sounds=inside.rows, **_frame(request))


@site.get("/browse/tags/{tag}/")
def tag(request: Request) -> Response:
    return RedirectResponse(
        f'/search/?f=tag:"{request.path_params["tag"]}"&s=Date+added+(newest+first)&g=1', 302
    )


@site.not_found
def missing(request: Request) -> Response:
    return _missing(request)


def _missing(request: Request) -> Response:
    return site.render("missing.html", request, status=404, **_frame(request))


def _frame(request: Request) -> dict[str, Any]:
    return {
        "q": request.query_params.get("q", ""),
        "sorts": list(SORTS),
        "sort": _sort_name(request),
        "bars": _bars,
    }


def _sort_name(request: Request) -> str:
    name = request.query_params.get("s", RELEVANCE)
    return name if name in SORTS else RELEVANCE


def _matching(query: str) -> Catalogue:
    """Sounds in which each word begins a word: ``rain`` finds rainforest, but not drainpipe."""
    words = query.replace('"', " ").split()
    patterns = [re.compile(rf"\b{re.escape(word)}", re.IGNORECASE) for word in words]
    texts = {row["id"]: " ".join([row["name"], row["description"], *row["tags"]]) for row in sounds}
    hits = sounds.keep(lambda row: all(pattern.search(texts[row["id"]]) for pattern in patterns))
    return Catalogue(
        sorted(
            hits.rows,
            key=lambda row: -sum(bool(pattern.search(row["name"])) for pattern in patterns),
        )
    )


def _filters(text: str) -> list[tuple[str, str]]:
    """``license:"Creative Commons 0" type:wav`` as pairs."""
    found = re.findall(r'(\w+):(?:"([^"]*)"|(\S+))', text)
    return list(dict.fromkeys((name, quoted or plain) for name, quoted, plain in found))


def _filtered(rows: Catalogue, filters: list[tuple[str, str]]) -> Catalogue:
    for name, value in filters:
        if name == "grouping_pack":
            rows = Catalogue([row for row in rows if _pack_key(row) == value])
        elif name in FACETS:
            field = FIELDS.get(name, name)
            rows = Catalogue([row for row in rows if value in _values(row, field)])
    return rows


def _values(row: Row, field: str) -> list[str]:
    value = row[field]
    return value if isinstance(value, list) else [str(value)]


def _in_duration(rows: Catalogue, request: Request) -> Catalogue:
    low, high = (_seconds(request.query_params.get(name, "")) for name in ("d0", "d1"))
    return rows.keep(
        lambda row: (
            (low is None or row["duration"] >= low) and (high is None or row["duration"] <= high)
        )
    )


def _seconds(text: str) -> float | None:
    return float(text) if re.fullmatch(r"\d+(\.\d+)?", text.strip()) else None


def _sorted(rows: Catalogue, request: Request) -> Catalogue:
    order = SORTS[_sort_name(request)]
    return rows if order is None else rows.sort(order[0], descending=order[1])


def _pack_key(row: Row) -> str:
    return f"{row['pack_id']}_{row['pack']}" if row["pack"] else ""


def _grouped(rows: Catalogue) -> tuple[Catalogue, dict[int, int]]:
    """The first sound of each pack, and how many more of its pack each of them stands for."""
    first: dict[str, int] = {}
    more: dict[int, int] = {}
    kept = []
    for row in rows:
        key = _pack_key(row)
        if key in first:
            more[first[key]] = more.get(first[key], 0) + 1
            continue
        if key:
            first[key] = row["id"]
        kept.append(row)
    return Catalogue(kept), more


def _facets(
    request: Request, found: Catalogue, filters: list[tuple[str, str]]
) -> list[dict[str, Any]]:
    facets = []
    for name, title in FACETS.items():
        counts = [(str(value), count) for value, count in found.counts(FIELDS.get(name, name))]
        free = [(value, count) for value, count in counts if (name, value) not in filters][:12]
        values = [
            (value, count, _with_filters(request, [*filters, (name, value)]))
            for value, count in free
        ]
        if values:
            facets.append({"title": title, "values": values})
    return facets


def _with_filters(
    request: Request, filters: list[tuple[str, str]], *, without: tuple[str, str] | None = None
) -> str:
    kept = [
        (name, f'"{value}"' if " " in value else value)
        for name, value in filters
        if (name, value) != without
    ]
    text = " ".join(f"{name}:{value}" for name, value in kept)
    return with_params(request, f=text or None, page=None)


def _similar(row: Row) -> list[Row]:
    others = [other for other in sounds if other is not row]
    return sorted(others, key=lambda other: -len(set(other["tags"]) & set(row["tags"])))[:4]


def _bars(row: Row) -> list[int]:
    """Heights of a waveform, from 4 to 40, the same for the same sound."""
    seed, heights = row["id"], []
    for _ in range(60):
        seed = (seed * 1103515245 + 12345) % 2**31
        heights.append(4 + (seed >> 16) % 37)
    return heights
