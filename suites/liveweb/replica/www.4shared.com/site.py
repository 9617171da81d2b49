"""4shared: files that people share, found by words, category, type, size, length and age."""

from datetime import timedelta

from pytest_webbench.world.kit import (
    Catalogue,
    Edition,
    Listing,
    Order,
    Request,
    Response,
    Row,
    Site,
    Wanted,
    by_edition,
    edition_of,
    slugify,
)

PER_PAGE = 12
CATEGORIES = {"0": "All files", "1": "Music", "2": "Video", "3": "Photo", "4": "Archives"}
TYPES = {"1": ["mp3"], "2": ["mp4", "avi", "mkv", "3gp"], "3": ["jpg"], "4": ["zip"]}
SIZES = {"small": "Small, up to 50 MB", "medium": "Medium, 50 to 300 MB", "large": "Large, more"}
LENGTHS = {"short": "Up to 4 minutes", "middle": "4 to 20 minutes", "long": "Over 20 minutes"}
ORDERS = {
    "": "Relevance",
    "time,desc": "Newest first",
    "time,asc": "Oldest first",
    "downloads,desc": "Most downloaded",
    "size,desc": "Largest first",
    "name,asc": "Name",
}
Kind = tuple[str, str, str, str]
"""Of what a file is, its type, and its classes of length and size."""
NEWEST: list[Kind] = [
    ("doraemon", "avi", "long", "medium"),
    ("doraemon", "mp4", "middle", "medium"),
    ("doraemon", "mp4", "long", "large"),
    ("shinchan", "mp4", "long", "medium"),
    ("doraemon", "mp4", "long", "small"),
    ("doraemon", "mkv", "long", "medium"),
]
"""What was added last of all: each lacks one thing that somebody may look for."""

site = Site(__file__)
DATA = site.data("files")
LIST = Listing(
    search=("name",),
    facets=("category", "type", "size", "duration"),
    orders={
        "time,desc": Order("time", descending=True),
        "time,asc": Order("time"),
        "downloads,desc": Order("downloads", descending=True),
        "size,desc": Order("bytes", descending=True),
        "name,asc": Order("name"),
    },
    size=PER_PAGE,
)


@by_edition
def files(edition: Edition) -> Catalogue:
    """Videos by subject, and some files of other kinds, in no order."""
    draw = edition.draw("files")
    wanted = [*draw.sample(NEWEST, len(NEWEST)), *_older(edition)]
    names = draw.sample([(a, b) for a in DATA["firsts"] for b in DATA["seconds"]], len(wanted))
    age = timedelta(hours=2)
    rows: list[Row] = []
    for one, words in zip(wanted, names, strict=True):
        age += timedelta(hours=draw.randrange(5, 90))
        rows.append(_file(one, " ".join(words), age, edition))
    return Catalogue(draw.sample(rows, len(rows)))


def _older(edition: Edition) -> list[Kind]:
    """Those that were added before, of which a tenth is what is looked for."""
    draw = edition.draw("older")
    sought = [("doraemon", "mp4", "long", "medium")] * 7
    others = [
        (draw.choice(DATA["subjects"]), draw.choice(TYPES["2"]), draw.choice([*LENGTHS]), size)
        for size in draw.choices([*SIZES], k=62)
    ]
    more = [("doraemon", kind, "", "small") for kind in ("mp3", "jpg", "zip") for _ in range(4)]
    return draw.sample([*sought, *others, *more], 7 + 62 + 12)


def _file(given: Kind, words: str, age: timedelta, edition: Edition) -> Row:
    subject, kind, length, size = given
    draw = edition.draw(f"{subject} {words}")
    low, high = {"small": (2, 49), "medium": (52, 298), "large": (310, 1400)}[size]
    first, last = {"short": (1, 4), "middle": (5, 20), "long": (21, 110), "": (0, 1)}[length]
    name = f"{subject.title()} {words}.{kind}"
    code = "".join(draw.choices("abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789", k=8))
    folder = "video" if kind in TYPES["2"] else "file"
    megabytes = draw.randrange(low, high)
    return {
        "name": name,
        "code": code,
        "type": kind,
        "category": next(key for key, kinds in TYPES.items() if kind in kinds),
        "size": size,
        "bytes": megabytes,
        "duration": length,
        "minutes": draw.randrange(first, last),
        "seconds": draw.randrange(10, 60),
        "time": edition.now - age,
        "downloads": draw.randrange(3, 9000),
        "owner": draw.choice(DATA["owners"]),
        "path": f"/{folder}/{code}/{slugify(name)}.html",
    }


def show(request: Request, template: str, *, status: int = 200, **values: object) -> Response:
    common = {"categories": CATEGORIES, "texts": DATA["texts"], "now": edition_of(request).now}
    return site.render(template, request, status=status, **common, **values)


@site.get("/")
def home(request: Request) -> Response:
    popular = files(request).sort("downloads", descending=True).rows[:8]
    return show(request, "home.html", popular=popular)


@site.get("/web/q")
@site.get("/web/q/")
def search(request: Request) -> Response:
    given = request.query_params
    category = given.get("category", "0")
    chosen = {name: [given[name]] for name in ("type", "size", "duration") if given.get(name)}
    if category != "0":
        chosen["category"] = [category]
    offset = given.get("offset", "0")
    page = int(offset) // PER_PAGE + 1 if offset.isdecimal() and len(offset) < 6 else 1
    wanted = Wanted(given.get("query", ""), chosen, order=given.get("sort", ""), page=page)
    menus = [
        ("type", "Type", {"": "Any type", **{one: one.upper() for one in TYPES.get(category, ())}}),
        ("size", "Size", {"": "Any size", **SIZES}),
        ("duration", "Duration", {"": "Any duration", **LENGTHS}),
        ("sort", "Sort", ORDERS),
    ]
    shown = LIST.show(files(request), wanted)
    values = {"page": shown.page, "query": wanted.query, "category": category, "size": PER_PAGE}
    return show(request, "results.html", menus=menus, **values)


@site.get("/video/{code}/{name}")
@site.get("/file/{code}/{name}")
def file(request: Request) -> Response:
    row = files(request).one(code=request.path_params["code"])
    return show(request, "file.html", file=row) if row else missing(request)


@site.get("/{name}.jsp")
def text(request: Request) -> Response:
    name = request.path_params["name"]
    return show(request, "text.html", name=name) if name in DATA["texts"] else missing(request)


@site.not_found
def missing(request: Request) -> Response:
    return show(request, "missing.html", status=404)
