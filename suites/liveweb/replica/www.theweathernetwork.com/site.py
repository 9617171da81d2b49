"""Double of The Weather Network: forecasts of places in five views, and news by section."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from pytest_webbench.world.kit import (
    Catalogue,
    Edition,
    JSONResponse,
    RedirectResponse,
    Request,
    Response,
    Row,
    Site,
    by_edition,
    edition_of,
    slugify,
    weather,
)

site = Site(__file__)
CONTENT: Row = site.data("content")
VIEWS: dict[str, list[str]] = CONTENT["views"]
NEWS: dict[str, Row] = CONTENT["news"]
PARTS_OF_DAY = ("Morning", "Afternoon", "Evening", "Overnight")


def _place(row: list[Any]) -> Row:
    kind, address, name, region, short, codes, mean = row
    return {
        "name": name,
        "label": f"{name}, {region}",
        "short": f"{name}, {short}",
        "codes": codes,
        "mean": mean,
        "href": f"/en/{kind}/{address}",
    }


PLACES = Catalogue([_place(row) for row in CONTENT["places"]])


@by_edition
def observed(edition: Edition) -> dict[str, Row]:
    """The weather of this moment in each place, by its address."""
    return {place["href"]: _observed(edition, place) for place in PLACES}


def _observed(edition: Edition, place: Row) -> Row:
    draw = edition.draw(f"now {place['href']}")
    now = weather(draw, edition.now, count=1, step=timedelta(days=1), mean=place["mean"])[0]
    # Not that of the next hour, so that whoever reads the wrong view is told apart.
    soon = ahead(edition, place, "hourly")[0].high
    temperature = draw.choice([value for value in range(now.low + 1, now.high) if value != soon])
    return {
        "sky": now.sky,
        "temperature": temperature,
        "feels": temperature - draw.randrange(1, 5),
        "high": now.high,
        "low": now.low,
        "rain": now.rain,
        "wind": now.wind,
        "wind_from": now.wind_from,
        "gust": now.wind + draw.randrange(6, 22),
        "humidity": draw.randrange(40, 98),
        "minutes": draw.randrange(2, 15),
    }


@by_edition
def articles(edition: Edition) -> Catalogue:
    """What has been written lately, the newest first."""
    rows = []
    for section, news in NEWS.items():
        draw = edition.draw(f"news {section}")
        for place, about in enumerate(news["about"]):
            where = draw.choice(PLACES.rows)["name"]
            words = {"about": about, "About": about.capitalize(), "place": where, "Place": where}
            title = draw.choice(CONTENT["titles"]).format(**words)
            part = draw.choice(list(news["parts"]))
            rows.append(
                {
                    "title": title,
                    "section": section,
                    "part": part,
                    "when": edition.now - timedelta(hours=5 + 17 * place + draw.randrange(9)),
                    "about": about,
                    "where": where,
                    "href": f"/en/news/{section}/{part}/{slugify(title)}",
                }
            )
    return Catalogue(rows).sort("when", descending=True)


def page(template: str, request: Request, *, status: int = 200, **values: Any) -> Response:
    return site.render(template, request, status=status, news=NEWS, **values)


@site.get("/")
def root(_request: Request) -> Response:
    return RedirectResponse("/en", 302)


@site.get("/en")
def home(request: Request) -> Response:
    return page(
        "home.html",
        request,
        places=[place for place in PLACES if place["href"].startswith("/en/city/ca/")],
        observed=observed(request),
        articles=articles(request).rows[:6],
    )


@site.get("/en/search/suggest")
def suggest(request: Request) -> Response:
    query = request.query_params.get("q", "").strip()
    code = query.replace(" ", "").upper()
    found = [row for row in PLACES if any(code.startswith(one) for one in row["codes"])]
    found += PLACES.search(query, "label", "short").rows if query else []
    return JSONResponse([{"label": row["label"], "href": row["href"]} for row in found[:8]])


@site.get("/en/news/{section}/{part}/{slug}")
def article(request: Request) -> Response:
    found = articles(request).one(href=request.url.path)
    if found is None:
        return missing(request)
    more = articles(request).where(section=found["section"]).rows[:4]
    return page("article.html", request, article=found, articles=more)


@site.get("/en/{kind}/{country}/{region}/{slug}")
@site.get("/en/{kind}/{country}/{region}/{slug}/{view}")
def place(request: Request) -> Response:
    given = request.path_params
    href = "/en/{kind}/{country}/{region}/{slug}".format(**given)
    view = given.get("view", "current")
    found = PLACES.one(href=href)
    if found is None or view not in VIEWS:
        return missing(request)
    if "view" not in given:
        return RedirectResponse(f"{href}/current", 302)
    now = observed(request)[href]
    return page(
        "place.html",
        request,
        place=found,
        view=view,
        views=VIEWS,
        now=now,
        questions=questions(found["name"], now),
        ahead=ahead(edition_of(request), found, view),
        parts_of_day=PARTS_OF_DAY,
        articles=articles(request).rows[:4],
    )


def ahead(edition: Edition, place: Row, view: str) -> list[Any]:
    """The hours or days that a view shows."""
    draw = edition.draw(f"{view} {place['href']}")
    if view == "hourly":
        step, count, start = timedelta(hours=1), 24, edition.now + timedelta(hours=1)
    else:
        step, count, start = timedelta(days=1), 14 if view == "14-days" else 7, edition.now
    listed = weather(draw, start, count=count, step=step, mean=place["mean"])
    if view == "weekend":
        return [day for day in listed if day.when.weekday() > 4]
    return listed


def questions(name: str, now: Row) -> list[tuple[str, str]]:
    """What people ask about the weather of a place, with answers."""
    return [
        (f"What is the current temperature in {name}?", f"{now['temperature']}°C"),
        (f"What is the “feels like” temperature in {name}?", f"{now['feels']}°C"),
        (
            f"What is the high and low temperature today in {name}?",
            f"{now['high']}°C / {now['low']}°C",
        ),
        (f"What is the probability of rain or snow today in {name}?", f"{now['rain']}%"),
        (f"How strong are wind gusts today in {name}?", f"{now['gust']} km/h {now['wind_from']}"),
        (
            f"What is the current wind speed and direction in {name}?",
            f"{now['wind']} km/h {now['wind_from']}",
        ),
        (f"What is the current humidity level in {name}?", f"{now['humidity']}%"),
    ]


@site.get("/en/news")
@site.get("/en/news/{section}")
@site.get("/en/news/{section}/{part}")
def news(request: Request) -> Response:
    section, part = (request.path_params.get(key, "") for key in ("section", "part"))
    if (section and section not in NEWS) or (part and part not in NEWS[section]["parts"]):
        return missing(request)
    found = articles(request).where(section=section, part=part)
    heading = NEWS[section]["name"] if section else "News"
    if part:
        heading = f"{heading}: {NEWS[section]['parts'][part]}"
    return page(
        "news.html", request, section=section, part=part, heading=heading, articles=found.rows
    )


@site.not_found
def missing(request: Request) -> Response:
    return page("missing.html", request, status=404)
