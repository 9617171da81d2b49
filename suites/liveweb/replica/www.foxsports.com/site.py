"""Double of FOX Sports: leagues with scores, schedules, standings by season, statistics, teams."""

from __future__ import annotations

from datetime import timedelta
from functools import cache
from typing import Any

from pytest_webbench.world.kit import (
    Edition,
    JSONResponse,
    Request,
    Response,
    Row,
    Site,
    Standing,
    edition_of,
    score,
    slugify,
    standings,
)

site = Site(__file__)
CONTENT: Row = site.data("content")
LEAGUES: dict[str, Row] = CONTENT["leagues"]
PARTS: dict[str, str] = CONTENT["parts"]
OVERALL = "Overall"
"""The one table of all teams, which a league of several tables has as well."""


@cache
def tables(edition: Edition, league: str, year: int) -> dict[str, list[Standing]]:
    """The tables of a season."""
    shown = LEAGUES[league]
    return {
        name: standings(
            edition.draw(f"{league} {name} {year}"),
            teams,
            played=shown["played"],
            draws=shown["draws"],
        )
        for name, teams in shown["tables"].items()
    }


def overall(made: dict[str, list[Standing]]) -> dict[str, list[Standing]]:
    """All teams in one table."""
    teams = [team for rows in made.values() for team in rows]
    return {OVERALL: sorted(teams, key=lambda team: (-team.points, team.name))}


def page(template: str, request: Request, *, status: int = 200, **values: Any) -> Response:
    now = edition_of(request).now
    return site.render(template, request, status=status, now=now, leagues=LEAGUES, **values)


def games(edition: Edition, league: str, apart: int) -> list[Row]:
    """Games of a day, so many days from now: with scores if it is past."""
    draw = edition.draw(f"{league} games {apart}")
    teams = [team for names in LEAGUES[league]["tables"].values() for team in names]
    mixed = draw.sample(teams, 4)
    return [
        {
            "day": edition.now + timedelta(days=apart),
            "away": away,
            "home": home,
            "points": score(draw, low=0, high=5) if apart < 0 else None,
        }
        for away, home in zip(mixed[::2], mixed[1::2], strict=True)
    ]


@site.get("/")
def home(request: Request) -> Response:
    shown = {league: games(edition_of(request), league, -1) for league in LEAGUES}
    return page("home.html", request, games=shown)


@site.get("/search/suggest")
def suggest(request: Request) -> Response:
    query = request.query_params.get("q", "").lower()
    hits = [
        {"label": one["name"], "href": f"/{league}"}
        for league, one in LEAGUES.items()
        if query in f"{one['name']} {one['sport']}".lower()
    ]
    return JSONResponse(hits)


@site.get("/soccer/{league}")
@site.get("/soccer/{league}/{part}")
def soccer(request: Request) -> Response:
    return shown(request, f"soccer/{request.path_params['league']}")


@site.get("/{league}")
@site.get("/{league}/{part}")
def american(request: Request) -> Response:
    return shown(request, request.path_params["league"])


def shown(request: Request, league: str) -> Response:
    part = request.path_params.get("part", "")
    if league not in LEAGUES or part not in PARTS:
        return missing(request)
    edition = edition_of(request)
    values: Row = {"league": league, "one": LEAGUES[league], "part": part, "parts": PARTS}
    if part == "standings":
        return standing(request, values)
    days = range(1, 6) if part == "schedule" else range(-4, 0)
    listed = [game for apart in days for game in games(edition, league, apart)]
    draw = edition.draw(f"{league} stats")
    names = draw.sample([f"{a} {b}" for a in CONTENT["first"] for b in CONTENT["last"]], 12)
    players = sorted(((draw.randrange(2, 26), name) for name in names), reverse=True)
    return page("league.html", request, games=listed, players=players, slugify=slugify, **values)


def standing(request: Request, values: Row) -> Response:
    """The tables of a league: of this season, unless another is chosen."""
    now = edition_of(request).now.year
    given = request.query_params.get("season", "")
    year = int(given) if given.isdecimal() and now - 6 < int(given) <= now else now
    made = tables(edition_of(request), values["league"], year)
    group = request.query_params.get("groupId", "")
    return page(
        "standings.html",
        request,
        year=year,
        years=range(now, now - 6, -1),
        group=group,
        tables=overall(made) if group == "all" else made,
        **values,
    )


@site.not_found
def missing(request: Request) -> Response:
    return page("missing.html", request, status=404)
