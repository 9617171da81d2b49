"""Learn JavaScript: a course in the browser; how much of it is free is the edition's own."""

from typing import Any

from pytest_webbench.world.kit import Edition, Handbook, Request, Response, Row, Site

FIRST_LESSON = 1435
KNOWN_TRIAL = 77

site = Site(__file__)


def facts(edition: Edition) -> dict[str, Any]:
    """Sizes of the course, of its trial and of the sister course; none is what people know."""
    draw = edition.draw("sizes")
    lessons, challenges = draw.randrange(31, 47), draw.randrange(14, 24)
    trial = lessons + challenges + draw.randrange(2, 6)
    return {
        "trial_lessons": lessons,
        "trial": trial + (trial == KNOWN_TRIAL),
        "course": draw.randrange(390, 520),
        "team": draw.randrange(5, 12),
        "react_trial": draw.randrange(50, 60) + 40,
        "react": draw.randrange(180, 260),
        "price": draw.randrange(9, 20) * 10,
    }


LESSONS: list[Row] = [
    {"id": FIRST_LESSON + place, "module": module, "title": title, "text": text}
    for place, (module, title, text) in enumerate(
        (module, title, text)
        for module, lessons in site.data("lessons").items()
        for title, text in lessons.items()
    )
]
book = Handbook(site, facts=lambda edition: {**facts(edition), "lessons": LESSONS})
book.search_at("/search.html")
book.sitemap_at("/sitemap.html")
book.missing()


@site.get("/app.html")
def lesson(request: Request) -> Response:
    """One lesson by its number; without one, the first."""
    wanted = request.query_params.get("id", str(FIRST_LESSON))
    place = next((at for at, one in enumerate(LESSONS) if str(one["id"]) == wanted), None)
    if place is None:
        return book.render("handbook-missing.html", request, status=404)
    around = {
        "before": LESSONS[place - 1] if place else None,
        "after": LESSONS[place + 1] if place + 1 < len(LESSONS) else None,
    }
    return book.render("lesson.html", request, lesson=LESSONS[place], **around)
