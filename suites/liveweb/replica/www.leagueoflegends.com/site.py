"""League of Legends: champions with their skins, in three languages."""

from typing import Any

from pytest_webbench.world.kit import (
    Catalogue,
    Edition,
    Handbook,
    RedirectResponse,
    Request,
    Response,
    Site,
    by_edition,
)

LANGUAGES = ("en-us", "en-gb", "de-de")
NUMBER_OF_SKINS = (9, 14)

site = Site(__file__)
DATA = site.data("champions")
CHAMPIONS = Catalogue(DATA["champions"])


def facts(edition: Edition) -> dict[str, Any]:
    draw = edition.draw("news")
    patch = f"{draw.randrange(25, 28)}.{draw.randrange(1, 25)}"
    return {"patch": patch, "who": draw.choice(CHAMPIONS.rows)["name"]}


@by_edition
def skins(edition: Edition) -> dict[str, list[str]]:
    """The skins of each champion in the order of the list, which ends with the newest."""
    found = {}
    for champion in CHAMPIONS:
        draw = edition.draw(f"skins {champion['slug']}")
        lines = draw.sample(DATA["lines"], draw.randrange(*NUMBER_OF_SKINS))
        found[champion["slug"]] = [champion["name"], *(f"{x} {champion['name']}" for x in lines)]
    return found


@site.get("/{language}/champions/")
def champions(request: Request) -> Response:
    page = book.pages.get(request.url.path)
    if page is None:
        return missing(request)
    return book.show(page, request, champions=CHAMPIONS, lang=request.path_params["language"])


@site.get("/{language}/champions/{slug}/")
def champion(request: Request) -> Response:
    language, slug = request.path_params["language"], request.path_params["slug"]
    row = CHAMPIONS.one(slug=slug)
    if row is None or language not in LANGUAGES:
        return missing(request)
    listed = skins(request)[slug]
    return book.render("champion.html", request, champion=row, skins=listed, lang=language)


@site.get("/{language}/champions/{slug}")
@site.get("/{language}/champions")
def with_slash(request: Request) -> Response:
    return RedirectResponse(f"{request.url.path}/", 301)


@site.get("/")
def start(_request: Request) -> Response:
    return RedirectResponse("/en-us/", 302)


@site.get("/art/{slug}/{number:int}.svg")
def art(request: Request) -> Response:
    """A picture of a skin: two colors that nobody else has."""
    number = request.path_params["number"]
    hue = (sum(map(ord, request.path_params["slug"])) * 7 + number * 47) % 360
    drawn = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 160 90"'
        ' preserveAspectRatio="xMidYMid slice">'
        f'<rect width="160" height="90" fill="hsl({hue} 45% 22%)"/>'
        f'<circle cx="{40 + number * 7}" cy="45" r="30" fill="hsl({hue + 60} 70% 60%)"/></svg>'
    )
    return Response(drawn, media_type="image/svg+xml")


book = Handbook(site, facts=facts)
book.sitemap_at("/sitemap", "sitemap.html")
book.missing("missing.html")


def missing(request: Request) -> Response:
    return book.render("missing.html", request, status=404)
