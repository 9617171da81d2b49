"""Double of NFL.com: standings of seasons by division, conference and league; pages of clubs."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

from pytest_webbench.world.kit import (
    Catalogue,
    Edition,
    RedirectResponse,
    Request,
    Response,
    Row,
    Site,
    Standing,
    edition_of,
    score,
    standings,
)

site = Site(__file__)
CONTENT: Row = site.data("content")
DIVISIONS: dict[str, dict[str, str]] = CONTENT["divisions"]
GROUPS: dict[str, str] = CONTENT["groups"]
KINDS: dict[str, str] = CONTENT["kinds"]
PARTS: dict[str, str] = CONTENT["parts"]
PLAYED = {"REG": 12, "PRE": 5}
RANKS = ("1st", "2nd", "3rd", "4th")
CLUBS = Catalogue(
    [
        {"name": name, "slug": slug, "division": division, "href": f"/teams/{slug}/"}
        for division, clubs in DIVISIONS.items()
        for name, slug in clubs.items()
    ]
)
SLUGS = {club["name"]: club["slug"] for club in CLUBS}


@cache
def tables(edition: Edition, year: int, kind: str) -> dict[str, list[Standing]]:
    """Standings of a season, by division. Seasons of the past are over."""
    played = PLAYED[kind] if kind == "PRE" or year == edition.now.year else 17
    return {
        division: standings(edition.draw(f"{division} {year} {kind}"), clubs, played=played)
        for division, clubs in DIVISIONS.items()
    }


def grouped(divisions: dict[str, list[Standing]], group: str) -> dict[str, list[Standing]]:
    """The same teams by conference or all in one."""
    if group == "division":
        return divisions
    names = ("AFC", "NFC") if group == "conference" else ("League",)
    return {
        name: best(
            team
            for division, rows in divisions.items()
            if group == "league" or division.startswith(name)
            for team in rows
        )
        for name in names
    }


def best(teams: Iterable[Standing]) -> list[Standing]:
    return sorted(teams, key=lambda team: (-team.won, team.name))


def page(template: str, request: Request, *, status: int = 200, **values: Any) -> Response:
    now = edition_of(request).now
    return site.render(template, request, status=status, now=now, slugs=SLUGS, **values)


@site.get("/")
def home(request: Request) -> Response:
    draw = edition_of(request).draw("games")
    mixed = draw.sample(CLUBS.rows, 12)
    games = [
        (away, home, *score(draw, low=3, high=41))
        for away, home in zip(mixed[::2], mixed[1::2], strict=True)
    ]
    return page("home.html", request, games=games)


@site.get("/standings")
@site.get("/standings/")
def standing(request: Request) -> Response:
    return RedirectResponse(f"/standings/division/{edition_of(request).now.year}/REG", 302)


@site.get("/standings/{group}/{year:int}/{kind}")
def season(request: Request) -> Response:
    given = request.path_params
    group, year, kind = given["group"], given["year"], given["kind"].upper()
    now = edition_of(request).now.year
    if group not in GROUPS or kind not in KINDS or not now - 6 < year <= now:
        return missing(request)
    shown = grouped(tables(edition_of(request), year, kind), group)
    return page(
        "standings.html",
        request,
        group=group,
        groups=GROUPS,
        year=year,
        years=range(now, now - 6, -1),
        kind=kind,
        kinds=KINDS,
        tables=shown,
    )


@site.get("/teams")
@site.get("/teams/")
def teams(request: Request) -> Response:
    return page("teams.html", request, divisions=DIVISIONS)


@site.get("/teams/{slug}")
@site.get("/teams/{slug}/")
@site.get("/teams/{slug}/{part}")
@site.get("/teams/{slug}/{part}/")
def team(request: Request) -> Response:
    club = CLUBS.one(slug=request.path_params["slug"])
    part = request.path_params.get("part", "")
    if club is None or part not in PARTS:
        return missing(request)
    edition = edition_of(request)
    table = tables(edition, edition.now.year, "REG")[club["division"]]
    place = next(at for at, row in enumerate(table) if row.name == club["name"])
    draw = edition.draw(f"club {club['slug']}")
    names = [f"{one} {two}" for one in CONTENT["first"] for two in CONTENT["last"]]
    return page(
        "team.html",
        request,
        club=club,
        part=part,
        parts=PARTS,
        rank=f"{RANKS[place]} {club['division']}",
        record=table[place],
        coach=draw.choice(names),
        roster=list(zip(draw.sample(names, 14), CONTENT["positions"], strict=True)),
        yards=draw.randrange(2900, 5200),
    )


@site.get("/search")
def search(request: Request) -> Response:
    query = request.query_params.get("query", "")
    hits = CLUBS.search(query, "name", "division").rows if query.strip() else []
    return page("search.html", request, query=query, hits=hits)


@site.not_found
def missing(request: Request) -> Response:
    return page("missing.html", request, status=404)
