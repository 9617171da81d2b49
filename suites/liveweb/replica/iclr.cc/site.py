"""ICLR with its archive, and VideoLectures.NET, where the recordings of early years are."""

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

VIDEOS = ("videolectures.net", "www.videolectures.net")
AWARDS = "Best Paper Awards"
SECTIONS = (("Opening", 1), ("Invited Talks", 2), (AWARDS, 2), ("Oral Sessions", 4))

site = Site(__file__)
TALKS = site.data("talks")


def drawn(edition: Edition) -> list[Row]:
    """All talks; which of them has won an award, and in which order, is another in each edition."""
    made: list[Row] = []
    for event, name in TALKS["events"]:
        draw = edition.draw(event)
        titles = draw.sample(TALKS["titles"], 9)
        people = draw.sample(TALKS["people"], 9)
        places = [section for section, size in SECTIONS for _ in range(size)]
        for title, who, section in zip(titles, people, places, strict=True):
            word = slugify(title).replace("-", "_")
            made.append(
                {
                    "slug": f"{event.partition('_')[0]}_{slugify(who.split()[1])}_{word}",
                    "title": title,
                    "who": who,
                    "section": section,
                    "event": event,
                    "event_name": name,
                    "views": draw.randrange(200, 30_000),
                    "minutes": draw.randrange(12, 58),
                }
            )
    return made


lectures = by_edition(drawn)


def facts(edition: Edition) -> dict[str, Any]:
    draw = edition.draw("conference")
    talks = [one for one in drawn(edition) if one["event"] == TALKS["events"][0][0]]
    return {
        "papers": sorted(draw.sample(range(300, 4000), 9)),
        "weeks": draw.randrange(5, 12),
        "awards": [one for one in talks if one["section"] == AWARDS],
    }


book = Handbook(site, facts=facts)
book.search_at("/search", "search.html")
book.sitemap_at("/sitemap", "sitemap.html")
book.missing("missing.html")


def events(request: Request) -> Response:
    entries = [(f"/events/{event}", name) for event, name in TALKS["events"]]
    return book.render("v-list.html", request, heading="Events", entries=entries)


def videos(request: Request) -> Response:
    """All lectures, or those that a search has found."""
    words = request.query_params.get("q", "").casefold().split()
    entries = [
        (f"/videos/{one['slug']}", f"{one['title']}, {one['who']}")
        for one in lectures(request)
        if all(word in f"{one['title']} {one['who']}".casefold() for word in words)
    ]
    return book.render("v-list.html", request, heading="Lectures", entries=sorted(entries))


def event(request: Request) -> Response:
    name = dict(TALKS["events"]).get(request.path_params["event"])
    talks = [one for one in lectures(request) if one["event"] == request.path_params["event"]]
    if name is None:
        return book.render("missing.html", request, status=404)
    sections = [
        (heading, [one for one in talks if one["section"] == heading]) for heading, _ in SECTIONS
    ]
    return book.render("v-event.html", request, name=name, sections=sections, total=len(talks))


def talk(request: Request) -> Response:
    rows = lectures(request)
    found = next((one for one in rows if one["slug"] == request.path_params["talk"]), None)
    if found is None:
        return book.render("missing.html", request, status=404)
    related = [one for one in rows if one["event"] == found["event"] and one is not found]
    return book.render("v-talk.html", request, talk=found, related=related[:4])


def old_address(request: Request) -> Response:
    """Addresses of the time before lead to today's."""
    name = request.path_params["name"]
    kind = "events" if name in dict(TALKS["events"]) else "videos"
    return RedirectResponse(f"/{kind}/{name}", 301)


for host in VIDEOS:
    site.get("/", host=host)(events)
    site.get("/events", host=host)(events)
    site.get("/videos", host=host)(videos)
    site.get("/search", host=host)(videos)
    site.get("/events/{event}", host=host)(event)
    site.get("/videos/{talk}", host=host)(talk)
    site.get("/{name}", host=host)(old_address)
    site.get("/{name}/", host=host)(old_address)
