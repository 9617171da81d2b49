"""Double of Girls Write Now: programs for young writers, their courses, and news."""

from __future__ import annotations

from pytest_webbench.world.kit import Edition, Handbook, Row, Site

site = Site(__file__)
COURSES = (
    "Poetry Lab",
    "Fiction Studio",
    "Memoir and Essay",
    "Podcasting",
    "Screenwriting",
    "Songwriting",
    "Graphic Storytelling",
    "College Essay",
    "Career Readiness",
    "Public Speaking",
    "Civic Journalism",
    "Zine Making",
)
LIVE, SELF_PACED = "Synchronous (live)", "Asynchronous (self-paced)"


def facts(edition: Edition) -> Row:
    """Courses of two programs, each with its format, in mixed order."""
    draw = edition.draw("courses")
    formats = [LIVE] * 4 + [SELF_PACED] * 3
    draw.shuffle(formats)
    chosen = draw.sample(COURSES, 7)
    rows = [
        {"name": name, "format": form, "weeks": draw.randrange(3, 12)}
        for name, form in zip(chosen, formats, strict=True)
    ]
    others = [
        {"name": name, "format": draw.choice((LIVE, SELF_PACED)), "weeks": draw.randrange(3, 12)}
        for name in draw.sample(COURSES, 5)
    ]
    return {"writing": rows, "mentoring": others, "members": 800 + draw.randrange(900)}


book = Handbook(site, facts=facts)
book.search_at("/search")
book.sitemap_at("/sitemap")
book.missing()
