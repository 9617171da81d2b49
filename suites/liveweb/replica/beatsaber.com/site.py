"""Double of Beat Saber: the game, its music packs, and answers to questions."""

from __future__ import annotations

from pytest_webbench.world.kit import Edition, Handbook, Request, Response, Row, Site, slugify

site = Site(__file__)
PACKS: list[Row] = site.data("packs")
SECOND = "Linkin Park x Mike Shinoda Music Pack"


def facts(edition: Edition) -> Row:
    """Packs with their songs; whether there is a second one of Linkin Park differs."""
    draw = edition.draw("packs")
    counts = draw.sample(range(5, 31), len(PACKS) + 1)
    packs = [
        {**row, "slug": slugify(row["name"]), "songs": count}
        for row, count in zip(PACKS, counts, strict=False)
    ]
    if draw.random() < 0.5:
        packs.append({"name": SECOND, "artist": "", "slug": slugify(SECOND), "songs": counts[-1]})
    draw.shuffle(packs)
    return {"packs": packs, "songs": sum(row["songs"] for row in packs), "sold": 4 + len(packs)}


book = Handbook(site, facts=facts)
book.missing()


@site.get("/music-packs/{slug}.html")
def pack(request: Request) -> Response:
    for row in book.facts(request)["packs"]:
        if row["slug"] == request.path_params["slug"]:
            return book.render("pack.html", request, pack=row)
    return book.render("handbook-missing.html", request, status=404)
