"""VEKA Deutschland: profiles for windows and doors, in German, and the windows in English, too."""

from pytest_webbench.world.kit import Edition, Handbook, Row, Site

GERMAN = "/fensterbauer/produkte-leistungen"
ENGLISH = "/window-fabricators/products-services"
GROUPS = {"fenster": "windows", "haustueren": "front-doors", "schiebetueren": "sliding-doors"}
KNOWN = 13

site = Site(__file__)
PRODUCTS: dict[str, Row] = site.data("products")


def facts(edition: Edition) -> Row:
    """Thermal figures in hundredths; that of no two systems is alike, nor what people know."""
    draw = edition.draw("systems")
    frames = draw.sample([tenth for tenth in range(8, 24) if tenth != KNOWN], len(PRODUCTS))
    made = {}
    for key, frame in zip(PRODUCTS, frames, strict=True):
        made[key] = {"uf": frame / 10, "uw": (frame * 10 - draw.randrange(22, 41)) / 100}
    return {"products": PRODUCTS, "figures": made, "year": draw.randrange(1969, 1999)}


def pages() -> dict[str, Row]:
    """A page for each system: in German all of them, in English those for windows."""
    made: dict[str, Row] = {}
    for key, one in PRODUCTS.items():
        fields = {**one, "key": key, "lang": "de"}
        base = {"title": one["name"], "template": "product.html"}
        path = f"{GERMAN}/{one['group']}/{one['slug']}/"
        made[path] = {**base, "summary": one["text"], "fields": fields}
        if one["group"] == "fenster":
            english = {**fields, "lang": "en"}
            path = f"{ENGLISH}/windows/{one['slug']}/"
            made[path] = {**base, "summary": one["english"], "fields": english}
    return made


book = Handbook(site, facts=facts, more=pages())
book.search_at("/suche/", "search.html")
book.sitemap_at("/sitemap/")
book.missing("missing.html")
