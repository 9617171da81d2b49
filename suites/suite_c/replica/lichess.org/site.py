"""Replica of Lichess's game search: a long form of native controls, results that load on scrolling, game pages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import TypeAlias

from pytest_webbench.world.kit import Catalogue, Request, Response, Row, Site

Choices: TypeAlias = dict[str, str]

site = Site(__file__)
TOTAL = "7,412,306,118"
PER_PAGE = 12
PERFS = {
    0: "UltraBullet", 1: "Bullet", 2: "Blitz", 6: "Rapid", 3: "Classical", 4: "Correspondence", 18: "Crazyhouse",
    11: "Chess960", 12: "King of the Hill", 15: "Three-check", 13: "Antichess", 14: "Atomic", 16: "Horde",
    17: "Racing Kings",
}  # fmt: skip
STATUSES = {30: "Mate", 31: "Resign", 32: "Stalemate", 34: "Draw", 35: "Clock Flag", 60: "Variant End"}
SOURCES = {
    1: "Lobby", 2: "Friend", 3: "Ai", 6: "Position", 7: "Import", 5: "Tournament", 10: "Simul", 12: "Pool", 13: "Swiss",
}  # fmt: skip
TURNS = [*range(1, 6), *range(10, 46, 5), *range(50, 91, 10), *range(100, 301, 25)]
MINUTES = [1, 2, 3, 5, 10, 15, 20, 30]


def _text(choices: Mapping[int, str]) -> Choices:
    return {str(value): label for value, label in choices.items()}


def _minutes(several: list[int]) -> dict[int, str]:
    return {minutes * 60: f"{minutes} minute{'s' if minutes > 1 else ''}" for minutes in several}


CHOICES: dict[str, Choices] = {
    "rating": _text({rating: str(rating) for rating in range(600, 2901, 100)}),
    "hasAi": {"0": "Human", "1": "Computer"},
    "aiLevel": _text({level: f"level {level}" for level in range(1, 9)}),
    "source": _text(SOURCES),
    "perf": _text(PERFS),
    "mode": {"0": "Casual", "1": "Rated"},
    "turns": _text({number: str(number) for number in TURNS}),
    "duration": _text({30: "30 seconds", **_minutes(MINUTES), 3600: "1 hour", 7200: "2 hours", 10800: "3 hours"}),
    "clockInit": _text({30: "30 seconds", 45: "45 seconds", **_minutes([*MINUTES, 45, 60, 90, 120, 150, 180])}),
    "clockInc": _text({seconds: f"{seconds} seconds" for seconds in (0, 1, 2, 3, 5, 10, 15, 20, 30, 45, 60, 90, 120)}),
    "status": _text(STATUSES),
    "winnerColor": {"1": "White", "2": "Black"},
    "sort.field": {"d": "Date", "t": "Moves", "a": "Average Rating"},
    "sort.order": {"desc": "Descending", "asc": "Ascending"},
}


def _complete(row: Row) -> None:
    """Adds texts and numbers made from other fields."""
    row["variant"], row["ending"] = PERFS[row["perf"]], STATUSES[row["status"]]
    row["from"] = SOURCES[row["source"]]
    row["average"] = (row["white_rating"] + row["black_rating"]) // 2
    row["won_by"] = row[row["winner"]] if row["winner"] else ""
    row["lost_by"] = row[{"white": "black", "black": "white"}[row["winner"]]] if row["winner"] else ""
    minutes, seconds = divmod(row["init"], 60)
    row["clock"] = f"{minutes if minutes else f'{seconds}s'}+{row['inc']}"


games = Catalogue(site.data("games"))
for game in games:
    _complete(game)


@site.get("/")
def home(request: Request) -> Response:
    return site.render("home.html", request, games=games.sort("date", descending=True).rows[:6])


@site.get("/games/search")
def search(request: Request) -> Response:
    wanted = defaultdict(str, request.query_params)
    asked = any(value for name, value in wanted.items() if not name.startswith("sort") and name != "page")
    page = _sorted(_matching(wanted), wanted).page(wanted["page"], PER_PAGE) if asked else None
    return site.render("search.html", request, wanted=wanted, choices=CHOICES, total=TOTAL, page=page)


def _matching(wanted: Mapping[str, str]) -> Catalogue:
    def number(name: str) -> int | None:
        return int(wanted[name]) if wanted[name].isdigit() else None

    def meets(row: Row) -> bool:
        return _fits_players(row, wanted) and _fits_ranges(row, wanted)

    found = games.where(perf=number("perf"), status=number("status"), source=number("source"), mode=number("mode"))
    found = found.where(init=number("clockInit"), inc=number("clockInc"), analysed=number("analysed"))
    return found.keep(meets)


def _fits_players(row: Row, wanted: Mapping[str, str]) -> bool:
    both = (row["white"].lower(), row["black"].lower())
    exact = {"players.winner": row["won_by"], "players.loser": row["lost_by"], "players.white": row["white"],
             "players.black": row["black"]}  # fmt: skip
    colour = {"white": "1", "black": "2"}.get(row["winner"], "")
    opponent = "1" if row["ai"] else "0"
    return (
        all(wanted[name].strip().lower() in ("", *both) for name in ("players.a", "players.b"))
        and all(wanted[name].lower() in ("", value.lower()) for name, value in exact.items())
        and wanted["winnerColor"] in ("", colour)
        and wanted["hasAi"] in ("", opponent)
    )


def _fits_ranges(row: Row, wanted: Mapping[str, str]) -> bool:
    ranges = {"rating": "average", "turns": "turns", "duration": "duration", "aiLevel": "ai"}
    for name, field in ranges.items():
        low, high = wanted[f"{name}Min"], wanted[f"{name}Max"]
        if (low.isdigit() and row[field] < int(low)) or (high.isdigit() and row[field] > int(high)):
            return False
    return bool(wanted["dateMin"] <= row["date"] and row["date"] <= (wanted["dateMax"] or "9999"))


def _sorted(found: Catalogue, wanted: Mapping[str, str]) -> Catalogue:
    field = {"t": "turns", "a": "average"}.get(wanted["sort.field"], "date")
    return found.sort(field, descending=wanted["sort.order"] != "asc")


@site.get("/@/{name}")
def player(request: Request) -> Response:
    name = request.path_params["name"].lower()
    played = games.keep(lambda row: name in (row["white"].lower(), row["black"].lower()))
    if not played.rows:
        return _missing(request)
    newest = played.sort("date", descending=True).rows
    shown = next(row[side] for row in newest for side in ("white", "black") if row[side].lower() == name)
    return site.render("player.html", request, name=shown, games=newest[:10], count=len(newest))


@site.get("/{game_id}")
def one_game(request: Request) -> Response:
    row = games.one(id=request.path_params["game_id"][:8])
    return site.render("game.html", request, game=row) if row else _missing(request)


@site.not_found
def missing(request: Request) -> Response:
    return _missing(request)


def _missing(request: Request) -> Response:
    return site.render("missing.html", request, status=404)
