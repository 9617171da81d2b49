"""espn.com: leagues with clubs, players, games of a day, standings and injuries; races."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from functools import cache
from typing import Any
from urllib.parse import quote

from pytest_webbench.world.kit import (
    Catalogue,
    Edition,
    RedirectResponse,
    Request,
    Response,
    Site,
    duration,
    edition_of,
    score,
    slugify,
    standings,
)

site = Site(__file__)
DATA = site.data("teams")
LEAGUES = {"nba": "NBA", "mlb": "MLB"}
PARTS = {"": "Home", "roster": "Roster", "injuries": "Injuries"}
RACES = {
    year: [dict(zip(("id", "name", "when"), row, strict=True)) for row in rows]
    for year, rows in DATA["races"].items()
}
SEASONS = {2: "Regular Season", 3: "Postseason"}
TIP_OFFS = ("7:00 PM", "7:30 PM", "8:00 PM", "9:30 PM", "10:00 PM")
HURT = ("knee", "ankle", "back", "hamstring", "wrist", "foot")
FIRST = (
    "Marcus",
    "Andre",
    "Tyler",
    "Jordan",
    "Caleb",
    "Isaac",
    "Miles",
    "Owen",
    "Reggie",
    "Terrell",
)
LAST = ("Bridgeman", "Colby", "Dunham", "Fairley", "Grantham", "Holloway", "Kessler", "Norwood")


def team_of(row: list[str]) -> dict[str, str]:
    """A club of the data file."""
    abbr, place, nickname, division = row
    name = f"{place} {nickname}".strip()
    short = nickname or place
    slug = slugify(name)
    return {"abbr": abbr, "name": name, "short": short, "division": division, "slug": slug}


@cache
def clubs(edition: Edition) -> dict[str, Catalogue]:
    """The clubs of each league: those that everybody knows, and those that joined."""
    made = {}
    for league in LEAGUES:
        draw = edition.draw(f"{league} clubs")
        rows = [*DATA[league]]
        rows += draw.sample(DATA[f"{league}_more"], draw.randrange(1, 4))
        rows += draw.sample(DATA[f"{league}_others"], draw.randrange(1, 3))
        made[league] = Catalogue([team_of(row) for row in rows]).sort("name")
    return made


@cache
def tables(edition: Edition) -> dict[str, Any]:
    """Standings by league and division."""
    found = {}
    for league, teams in clubs(edition).items():
        for division in sorted({row["division"] for row in teams}):
            names = [row["name"] for row in teams.where(division=division)]
            draw = edition.draw(f"{league} {division}")
            found[league, division] = standings(draw, names, played=48)
    return found


@cache
def careers(edition: Edition) -> dict[tuple[int, int], list[dict[str, Any]]]:
    """Seasons of each player, oldest first and the whole career last, by kind of season."""
    return {
        (number, kind): _career(edition, number, since, kind)
        for number, _, _, _, since in DATA["players"]
        for kind in SEASONS
    }


def _career(edition: Edition, number: int, since: int, kind: int) -> list[dict[str, Any]]:
    draw = edition.draw(f"career {number} {kind}")
    least, most = (49, 82) if kind == 2 else (4, 23)
    rows = []
    for year in range(since, edition.now.year + (kind == 2)):
        games = draw.randrange(9, 27) if year == edition.now.year else draw.randrange(least, most)
        points = round(draw.uniform(9, 31), 1)
        rows.append({"season": f"{year}-{(year + 1) % 100:02d}", "GP": games, "PTS": points})
    total = sum(row["GP"] for row in rows)
    mean = round(sum(row["GP"] * row["PTS"] for row in rows) / total, 1)
    return [*rows, {"season": "Career", "GP": total, "PTS": mean}]


def games_of(request: Request, league: str, day: date) -> list[dict[str, Any]]:
    """The games of a day, with scores if they are over."""
    edition = edition_of(request)
    teams = clubs(edition)[league]
    draw = edition.draw(f"{league} games {day}")
    if league == "nba" and day == date(2024, 12, 25):
        pairs = [[teams.one(abbr=abbr) for abbr in pair] for pair in DATA["christmas_2024"]]
    else:
        old = Catalogue(list(teams)).keep(lambda row: _joined(row, league) or day.year > 2025).rows
        mixed = draw.sample(old, 2 * draw.randrange(3, 7))
        pairs = [list(pair) for pair in zip(mixed[::2], mixed[1::2], strict=True)]
    over = datetime.combine(day, datetime.min.time(), UTC) + timedelta(days=1) < edition.now
    low, high = (88, 136) if league == "nba" else (0, 12)
    made = []
    for place, (away, home) in enumerate(pairs):
        points = score(edition.draw(f"{league} {day} {place}"), low=low, high=high)
        number = 401700000 + (day.toordinal() % 9000) * 10 + place
        made.append(
            {
                "id": number,
                "away": away,
                "home": home,
                "points": points if over else None,
                "time": TIP_OFFS[place % len(TIP_OFFS)],
                "day": day,
            }
        )
    return made


def _joined(row: Mapping[str, str], league: str) -> bool:
    return any(row["abbr"] == known[0] for known in DATA[league])


def injured(request: Request, abbr: str) -> list[dict[str, str]]:
    """Who of an NBA club is injured."""
    draw = edition_of(request).draw(f"injuries {abbr}")
    names = [row[1] for row in DATA["players"] if row[2] == abbr and draw.random() < 0.7]
    names += [f"{draw.choice(FIRST)} {draw.choice(LAST)}" for _ in range(2)]
    today = edition_of(request).now
    return [
        {
            "name": name,
            "status": draw.choice(("Out", "Day-To-Day")),
            "date": (today - timedelta(days=draw.randrange(1, 9))).strftime("%b %-d"),
            "note": f"{name.split()[-1]} ({draw.choice(HURT)}) did not practice with the team.",
        }
        for name in dict.fromkeys(names)
    ]


@cache
def results(edition: Edition) -> dict[int, list[dict[str, str]]]:
    """Finishers of each race."""
    return {race["id"]: _race(edition, race["id"]) for rows in RACES.values() for race in rows}


def _race(edition: Edition, number: int) -> list[dict[str, str]]:
    draw = edition.draw(f"race {number}")
    seconds, behind, rows = draw.uniform(4900, 6200), 0.0, []
    for driver, team in draw.sample(DATA["drivers"], len(DATA["drivers"])):
        time = f"+{behind:.3f}" if rows else duration(seconds)
        rows.append({"driver": driver, "team": team, "time": time})
        behind += draw.uniform(1.2, 9)
    return rows


def page(template: str, request: Request, **values: Any) -> Response:
    shared = {
        "now": edition_of(request).now,
        "leagues": LEAGUES,
        "stories": stories(edition_of(request)),
    }
    return site.render(template, request, **shared, **values)


@cache
def stories(edition: Edition) -> list[dict[str, Any]]:
    """Headlines of the day."""
    draw, made = edition.draw("stories"), []
    for place in range(8):
        league = ("nba", "mlb")[place % 2]
        first, second = draw.sample(clubs(edition)[league].rows, 2)
        title = draw.choice(
            (
                "{0} rally late to beat {1}",
                "{0} and {1} agree on a trade",
                "What the {0} need before they meet the {1}",
            )
        )
        made.append(
            {
                "id": 46000000 + draw.randrange(900000),
                "league": league,
                "teams": (first, second),
                "title": title.format(first["short"], second["short"]),
            }
        )
    return made


@site.get("/")
def home(request: Request) -> Response:
    today = edition_of(request).now.date()
    return page("home.html", request, games=games_of(request, "nba", today - timedelta(days=1)))


@site.get("/search")
def typed(request: Request) -> Response:
    query = request.query_params.get("q", "").strip()
    return RedirectResponse(f"/search/_/q/{quote(query)}" if query else "/", 302)


@site.get("/search/_/q/{query}")
def search(request: Request) -> Response:
    hits = [
        {
            "label": row[1],
            "kind": "NBA player",
            "href": f"/nba/player/_/id/{row[0]}/{slugify(row[1])}",
        }
        for row in DATA["players"]
    ]
    for league, teams in clubs(edition_of(request)).items():
        hits += [
            {
                "label": row["name"],
                "kind": f"{LEAGUES[league]} team",
                "href": f"/{league}/team/_/name/{row['abbr']}/{row['slug']}",
            }
            for row in teams
        ]
    for year, races in RACES.items():
        hits += [
            {
                "label": f"{year} {race['name']} Grand Prix",
                "kind": "F1 race",
                "href": f"/f1/race/_/id/{race['id']}",
            }
            for race in races
        ]
    query = request.path_params["query"]
    return page(
        "search.html", request, query=query, hits=Catalogue(hits).search(query, "label", "kind")
    )


@site.get("/{league}/story/_/id/{number:int}")
def story(request: Request) -> Response:
    found = Catalogue(stories(edition_of(request))).one(id=request.path_params["number"])
    return page("story.html", request, story=found) if found else missing(request)


@site.get("/{league}/teams")
def teams(request: Request) -> Response:
    league = request.path_params["league"]
    if league not in LEAGUES:
        return missing(request)
    return page("teams.html", request, league=league, teams=clubs(edition_of(request))[league])


@site.get("/{league}/standings")
def standing(request: Request) -> Response:
    league = request.path_params["league"]
    if league == "f1":
        return page(
            "f1.html",
            request,
            year=2023,
            years=sorted(RACES),
            races=None,
            drivers=drivers(edition_of(request)),
        )
    shown = {key[1]: rows for key, rows in tables(edition_of(request)).items() if key[0] == league}
    return (
        page("standings.html", request, league=league, tables=shown) if shown else missing(request)
    )


def drivers(edition: Edition) -> list[tuple[str, int]]:
    """Points of the season of 2023."""
    points = dict.fromkeys((driver for driver, _ in DATA["drivers"]), 0)
    for race in RACES[2023]:
        for row, worth in zip(
            results(edition)[race["id"]], (25, 18, 15, 12, 10, 8, 6, 4, 2, 1), strict=False
        ):
            points[row["driver"]] += worth
    return sorted(points.items(), key=lambda pair: -pair[1])


@site.get("/{league}/scoreboard")
@site.get("/{league}/scoreboard/_/date/{day}")
def scoreboard(request: Request) -> Response:
    league, given = request.path_params["league"], request.path_params.get("day")
    try:
        day = datetime.strptime(given, "%Y%m%d").date() if given else edition_of(request).now.date()
    except ValueError:
        return missing(request)
    if league not in LEAGUES or not 2002 < day.year < 2035:
        return missing(request)
    near = [day + timedelta(days=apart) for apart in range(-3, 4)]
    return page(
        "scoreboard.html",
        request,
        league=league,
        day=day,
        near=near,
        games=games_of(request, league, day),
    )


@site.get("/{league}/injuries")
@site.get("/{league}/team/{part}/_/name/{abbr}")
@site.get("/{league}/team/{part}/_/name/{abbr}/{slug}")
@site.get("/{league}/team/_/name/{abbr}")
@site.get("/{league}/team/_/name/{abbr}/{slug}")
def team(request: Request) -> Response:
    given = request.path_params
    league, part = given["league"], given.get("part", "")
    if league not in LEAGUES or part not in PARTS:
        return missing(request)
    if "abbr" not in given:
        listed = {
            row["name"]: injured(request, row["abbr"]) for row in clubs(edition_of(request))[league]
        }
        return page("injuries.html", request, league=league, listed=listed)
    found = clubs(edition_of(request))[league].one(abbr=given["abbr"])
    if found is None:
        return missing(request)
    roster = [row for row in DATA["players"] if row[2] == given["abbr"] and league == "nba"]
    table = tables(edition_of(request))[league, found["division"]]
    return page(
        "team.html",
        request,
        league=league,
        team=found,
        part=part,
        parts=PARTS,
        roster=roster,
        table=table,
        injured=injured(request, given["abbr"]),
    )


@site.get("/nba/players")
def players(request: Request) -> Response:
    return page("players.html", request, league="nba", players=DATA["players"])


@site.get("/nba/player/_/id/{number:int}")
@site.get("/nba/player/_/id/{number:int}/{slug}")
@site.get("/nba/player/stats/_/id/{number:int}")
@site.get("/nba/player/stats/_/id/{number:int}/{slug}")
@site.get("/nba/player/stats/_/id/{number:int}/type/nba/seasontype/{kind:int}")
def player(request: Request) -> Response:
    number, kind = request.path_params["number"], request.path_params.get("kind", 2)
    found = next((row for row in DATA["players"] if row[0] == number), None)
    if found is None or kind not in SEASONS:
        return missing(request)
    return page(
        "player.html",
        request,
        league="nba",
        player=found,
        slug=slugify(found[1]),
        kind=kind,
        stats="/stats/" in request.url.path,
        seasons=SEASONS,
        career=careers(edition_of(request))[number, kind],
        team=clubs(edition_of(request))["nba"].one(abbr=found[2]),
    )


@site.get("/f1/schedule")
@site.get("/f1/schedule/_/year/{year:int}")
def schedule(request: Request) -> Response:
    year = request.path_params.get("year", max(RACES))
    if year not in RACES:
        return missing(request)
    races = [
        {**race, "winner": results(edition_of(request))[race["id"]][0]["driver"]}
        for race in RACES[year]
    ]
    return page("f1.html", request, year=year, years=sorted(RACES), races=races, drivers=None)


@site.get("/f1/race/_/id/{number:int}")
@site.get("/f1/results/_/id/{number:int}")
def race(request: Request) -> Response:
    number = request.path_params["number"]
    found = next((one for rows in RACES.values() for one in rows if one["id"] == number), None)
    if found is None:
        return missing(request)
    rows = results(edition_of(request))[number]
    pole = edition_of(request).draw(f"pole {number}").choice(rows)
    return page(
        "race.html", request, race=found, rows=rows, pole=pole, full="/results/" in request.url.path
    )


@site.get("/{league}/")
def league(request: Request) -> Response:
    name = request.path_params["league"]
    if name == "f1":
        return RedirectResponse("/f1/schedule", 302)
    if name not in LEAGUES:
        return missing(request)
    day = edition_of(request).now.date() - timedelta(days=1)
    return page("league.html", request, league=name, games=games_of(request, name, day))


@site.not_found
def missing(request: Request) -> Response:
    return site.render("missing.html", request, status=404, leagues=LEAGUES)
