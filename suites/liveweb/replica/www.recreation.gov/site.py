"""Double of Recreation.gov: a search with filters, places with tabs, and its app in two stores."""

from __future__ import annotations

from pytest_webbench.world.kit import (
    Catalogue,
    Edition,
    Handbook,
    Request,
    Response,
    Row,
    Site,
    by_edition,
)

site = Site(__file__)
given: list[Row] = site.data("places")
GROUPS = (
    ("inventory_type", "Booking types", ["camping", "permits", "tickets & tours", "day use"]),
    ("activity", "Activities nearby", sorted({one for row in given for one in row["activities"]})),
    ("agency", "Federal agencies", sorted({row["agency"] for row in given})),
)
TABS = ("Availability", "Overview", "Rules & Cancellations", "Seasons & Fees")
KINDS = {"campgrounds": "camping", "permits": "permits", "facility": "tickets & tours"}


def stars(edition: Edition) -> Row:
    return {"stars": edition.draw("stars").randrange(35, 50) / 10}


@by_edition
def places(edition: Edition) -> Catalogue:
    """All places with a price each, in the order of this edition."""
    draw = edition.draw("places")
    rows = [{**row, "price": f"${draw.randrange(6, 40)}.00"} for row in given]
    return Catalogue(draw.sample(rows, len(rows)))


book = Handbook(site)
book.search_path, book.search_parameter = "/search", "q"
book.sitemap_at("/sitemap")
book.missing()
store = Handbook(site, "store", facts=stars, layout="store.html", host="apps.apple.com")
play = Handbook(site, "play", facts=stars, layout="store.html", host="play.google.com")


@site.get("/search")
def search(request: Request) -> Response:
    keys = ("q", "sort", *(key for key, _, _ in GROUPS))
    chosen = {key: request.query_params.getlist(key) for key in keys}
    found = places(request).where(
        kind=chosen["inventory_type"], activities=chosen["activity"], agency=chosen["agency"]
    )
    words = " ".join(chosen["q"])
    rows = (found.search(words, "name", "area", "state") if words.strip() else found).rows
    if "price asc" in chosen["sort"]:
        rows = sorted(rows, key=lambda row: float(row["price"][1:]))
    return book.render("search.html", request, chosen=chosen, groups=GROUPS, found=rows)


@site.get("/camping/{kind}/{number}")
@site.get("/ticket/{kind}/{number}")
@site.get("/{kind}/{number:int}")
def place(request: Request) -> Response:
    row = places(request).one(id=str(request.path_params["number"]))
    if row is None or KINDS.get(request.path_params["kind"]) != row["kind"]:
        return book.render("handbook-missing.html", request, status=404)
    return book.render("place.html", request, row=row, names=TABS)


@by_edition
def rules_of(edition: Edition) -> Row:
    draw = edition.draw("rules")
    return {
        "window": draw.randrange(4, 9),
        "stay": draw.choice([7, 10, 14]),
        "fee": draw.randrange(8, 15),
    }


@site.get("/api/places/{number}/rules", delay=0.3)
def rules(request: Request) -> Response:
    return site.render("rules.html", request, **rules_of(request))
