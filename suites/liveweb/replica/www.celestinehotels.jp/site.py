"""The Celestine Hotels: three hotels in Tokyo and Kyoto, in Japanese and in English."""

from itertools import product

from pytest_webbench.world.kit import (
    Catalogue,
    Edition,
    Request,
    Response,
    Row,
    Site,
    by_edition,
)

WIDTHS = (140, 150, 160, 180, 200)
TEXTS = ("access", "dining")

site = Site(__file__)
DATA = site.data("hotels")


@by_edition
def rooms(edition: Edition) -> Catalogue:
    """All rooms; sizes and beds are the edition's own, and no two rooms have the same size."""
    draw = edition.draw("rooms")
    pairs = list(product(enumerate(DATA["hotels"]), enumerate(DATA["rooms"].items())))
    sizes = draw.sample(range(195, 460), len(pairs))
    first = draw.randrange(len(WIDTHS))
    rows: list[Row] = []
    for ((at, hotel), (place, (slug, names))), size in zip(pairs, sizes, strict=True):
        twin = "twin" in slug
        rows.append(
            {
                "hotel": hotel,
                "slug": slug,
                "name": names,
                "size": size / 10,
                "beds": 2 if twin else 1,
                "width": 110 if twin else WIDTHS[(first + 2 * at + place) % len(WIDTHS)],
                "length": draw.choice((195, 203)),
                "guests": 2 + place % 2,
            }
        )
    return Catalogue(rows)


def language_of(request: Request) -> str:
    return "en" if "/en/" in request.url.path else "ja"


def show(request: Request, template: str, *, status: int = 200, **more: object) -> Response:
    """A page in the language of its address; the same page in the other one is a link away."""
    language = language_of(request)
    path = request.url.path
    hotel = more.get("hotel")
    base = f"/{hotel}" if hotel else ""
    rest = path.removeprefix(base).removeprefix("/en/" if language == "en" else "/")
    other = f"{base}/{rest}" if language == "en" else f"{base}/en/{rest}"
    own = {"lang": language, "w": DATA["words"][language], "hotels": DATA["hotels"]}
    in_language = "/en/" if language == "en" else "/"
    values = {"other": other, "to": in_language, "hotel": None, "texts": TEXTS, **own, **more}
    return site.render(template, request, status=status, **values)


@site.get("/")
@site.get("/en/")
def brand(request: Request) -> Response:
    return show(request, "brand.html")


@site.get("/clause/")
@site.get("/en/clause/")
def clause(request: Request) -> Response:
    return show(request, "clause.html")


@site.get("/{hotel}/")
@site.get("/{hotel}/en/")
def home(request: Request) -> Response:
    hotel = request.path_params["hotel"]
    return show(request, "home.html", hotel=hotel) if hotel in DATA["hotels"] else gone(request)


@site.get("/{hotel}/{text}/")
@site.get("/{hotel}/en/{text}/")
def section(request: Request) -> Response:
    """The list of rooms, or one of the texts."""
    hotel, text = request.path_params["hotel"], request.path_params["text"]
    if hotel in DATA["hotels"] and text == "rooms":
        return show(request, "rooms.html", hotel=hotel, rooms=rooms(request).where(hotel=hotel))
    if hotel in DATA["hotels"] and text in TEXTS:
        return show(request, "text.html", hotel=hotel, text=text)
    return gone(request)


@site.get("/{hotel}/rooms/{slug}/")
@site.get("/{hotel}/en/rooms/{slug}/")
def room(request: Request) -> Response:
    row = rooms(request).one(**request.path_params)
    return show(request, "room.html", hotel=row["hotel"], room=row) if row else gone(request)


@site.not_found
def gone(request: Request) -> Response:
    return show(request, "missing.html", status=404)
