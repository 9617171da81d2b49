"""NVIDIA: products and the manual search for drivers; the research site, its labs and people."""

from datetime import timedelta
from typing import Any

from pytest_webbench.world.kit import (
    Edition,
    Handbook,
    RedirectResponse,
    Request,
    Response,
    Row,
    Site,
    by_edition,
    slugify,
)

RESEARCH = "research.nvidia.com"

site = Site(__file__)
CATALOGUE = site.data("drivers")
LABS = site.data("research")
PRODUCTS = CATALOGUE["products"]
SYSTEMS = CATALOGUE["systems"]
NAMES = [name for kinds in PRODUCTS.values() for kind in kinds for name in (kind, *kinds[kind])]
IDS = {name: 101 + place for place, name in enumerate(NAMES)}


def facts(edition: Edition) -> dict[str, Any]:
    draw = edition.draw("products")
    boards = ("h100", "h200", "a100", "l40s", "hgx", "dgx-platform")
    cards = ("rtx-50-series", "rtx-40-series", "laptops")
    return {
        "memory": {name: draw.choice((64, 96, 128, 160, 192)) for name in boards},
        "price": {name: draw.randrange(3, 15) * 100 - 1 for name in cards},
    }


book = Handbook(site, facts=facts)
book.search_at("/en-us/search/", "search.html")
book.sitemap_at("/en-us/sitemap/", "sitemap.html")
book.missing("missing.html")


@site.get("/")
def start(_request: Request) -> Response:
    return RedirectResponse("/en-us/", 302)


# -- drivers ---------------------------------------------------------------------------------------


@by_edition
def drivers(edition: Edition) -> list[Row]:
    """Every package: new and old data center branches by system, and GeForce drivers."""
    draw = edition.draw("drivers")
    number = draw.randrange(310_000, 330_000)
    branches = sorted(draw.sample(range(620, 690, 5), 3), reverse=True)
    made: list[Row] = []
    for branch in (*branches, 470):
        for system in SYSTEMS:
            geforce = system in ("Linux 64-bit", "Windows 11")
            number -= draw.randrange(3, 40)
            kind = "GeForce Game Ready Driver" if geforce else "Data Center Driver"
            target = "" if geforce else f" for {system.removeprefix('Linux ').partition(' ')[2]}"
            listed = {470: "old", branches[0]: "newest"}.get(branch, "new")
            released = edition.now - timedelta(days=draw.randrange(3, 25) + (690 - branch) * 2)
            made.append(
                {
                    "id": number,
                    "name": kind + target.replace("Server 2022", "Windows"),
                    "version": f"{branch}.{draw.randrange(10, 200)}.{draw.randrange(1, 10):02}",
                    "date": f"{released:%a %b %d, %Y}",
                    "system": system,
                    "size": round(draw.uniform(300, 900), 2),
                    "products": CATALOGUE["geforce" if geforce else listed],
                }
            )
    return made


@site.get("/en-us/drivers/")
def search_form(request: Request) -> Response:
    return book.render("drivers.html", request, products=PRODUCTS, systems=SYSTEMS, ids=IDS)


@site.get("/en-us/drivers/results/")
def results(request: Request) -> Response:
    """Drivers for one product and one system, the newest first."""
    query = request.query_params
    product = next((name for name in NAMES if str(IDS[name]) == query.get("pfid")), "")
    chosen = query.get("osid", "")
    known = chosen.isdecimal() and 0 < int(chosen) <= len(SYSTEMS)
    system = SYSTEMS[int(chosen) - 1] if known else ""
    found = [
        row for row in drivers(request) if product in row["products"] and row["system"] == system
    ]
    return book.render("results.html", request, product=product, system=system, found=found)


@site.get("/en-us/drivers/details/{number:int}/")
@site.get("/en-us/drivers/details/{number:int}")
def details(request: Request) -> Response:
    rows = drivers(request)
    driver = next((row for row in rows if row["id"] == request.path_params["number"]), None)
    if driver is None:
        return book.render("missing.html", request, status=404)
    supported = []
    for kinds in PRODUCTS.values():
        for series, models in kinds.items():
            listed = [model for model in models if model in driver["products"]]
            supported += [(series, listed)] if listed else []
    branch = driver["version"].partition(".")[0]
    others = [row for row in rows if row["version"].startswith(branch) and row is not driver]
    return book.render(
        "driver.html", request, driver=driver, supported=supported, others=others[:3]
    )


# -- research --------------------------------------------------------------------------------------


@by_edition
def people(edition: Edition) -> list[Row]:
    """All researchers, with their lab and role; who leads a lab is another in each edition."""
    made: list[Row] = []
    for lab in LABS["labs"]:
        draw = edition.draw(f"lab {lab['slug']}")
        # Not the one who was chosen in the edition before: the same draw, one place further.
        leader = (draw.randrange(2) + 2 * edition.number) % len(lab["people"])
        for place, name in enumerate(lab["people"]):
            titles = ("Distinguished Research Scientist", "Research Scientist", "Research Manager")
            role = f"VP of {lab['name']}" if place == leader else draw.choice(titles)
            made.append(
                {
                    "name": name,
                    "slug": slugify(name),
                    "lab": lab,
                    "role": role,
                    "leads": place == leader,
                    "year": draw.randrange(2008, 2024),
                }
            )
    return made


@site.get("/", host=RESEARCH)
def research(request: Request) -> Response:
    return book.render("r-home.html", request, labs=LABS["labs"])


@site.get("/labs", host=RESEARCH)
def labs(request: Request) -> Response:
    entries = [(f"/labs/{lab['slug']}/", lab["name"]) for lab in LABS["labs"]]
    return book.render("r-list.html", request, heading="Research Labs", entries=entries)


@site.get("/people", host=RESEARCH)
def everyone(request: Request) -> Response:
    """By family name; roles are on the profiles only."""
    ranked = sorted(people(request), key=lambda one: one["name"].split()[-1])
    entries = [(f"/person/{one['slug']}", one["name"]) for one in ranked]
    return book.render("r-list.html", request, heading="People", entries=entries)


@site.get("/publications", host=RESEARCH)
def publications(request: Request) -> Response:
    entries = [("", paper) for paper in LABS["papers"]]
    return book.render("r-list.html", request, heading="Publications", entries=entries)


@site.get("/search", host=RESEARCH)
def searched(request: Request) -> Response:
    words = request.query_params.get("q", "").casefold().split()
    entries = [(f"/labs/{lab['slug']}/", f"{lab['name']} {lab['short']}") for lab in LABS["labs"]]
    entries += [(f"/person/{one['slug']}", one["name"]) for one in people(request)]
    found = [one for one in entries if words and all(word in one[1].casefold() for word in words)]
    return book.render("r-list.html", request, heading="Search", entries=found)


@site.get("/labs/{lab}/", host=RESEARCH)
@site.get("/labs/{lab}", host=RESEARCH)
def lab_page(request: Request) -> Response:
    staff = [one for one in people(request) if one["lab"]["slug"] == request.path_params["lab"]]
    if not staff:
        return book.render("missing.html", request, status=404)
    return book.render(
        "r-lab.html",
        request,
        lab=staff[0]["lab"],
        leader=next(one for one in staff if one["leads"]),
        people=[one for one in staff if not one["leads"]],
        papers=LABS["papers"][:3],
    )


@site.get("/person/{slug}", host=RESEARCH)
@site.get("/labs/{lab}/author/{slug}/", host=RESEARCH)
def person(request: Request) -> Response:
    wanted = request.path_params
    one = next((one for one in people(request) if one["slug"] == wanted["slug"]), None)
    if one is None or wanted.get("lab", one["lab"]["slug"]) != one["lab"]["slug"]:
        return book.render("missing.html", request, status=404)
    return book.render("r-person.html", request, one=one, author="lab" in wanted)
