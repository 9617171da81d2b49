"""A pad of notes: they can be added, starred and thrown away."""

from pytest_webbench.world.kit import Response
from pytest_webbench.world.local import LocalSite, Visit

site = LocalSite(__file__)


@site.page("/")
def home(visit: Visit) -> Response:
    visit.run("update notes_notes set seen = 1")
    visit.insert("notes_visits", path="/")
    notes = visit.rows("select * from notes_notes order by id")
    return site.show("home.html", visit, notes=notes)


@site.page("/writes")
def writes(visit: Visit) -> Response:
    visit.run("update notes_notes set stars = 9")
    return Response("never sent")


@site.action("/add")
def add(visit: Visit) -> Response:
    visit.insert("notes_notes", text=visit.field("text"))
    with visit.consequence("a note was added"):
        visit.run("update notes_count set total = total + 1")
    if not visit.field("text"):
        raise ValueError("nothing was written")
    visit.notice("Added.")
    return visit.see("/")


@site.action("/star/{id}")
def star(visit: Visit) -> Response:
    visit.run("update notes_notes set stars = stars + 1 where id = ?", visit.part("id"))
    return visit.see("/")


@site.action("/throw/{id}")
def throw(visit: Visit) -> Response:
    visit.run("delete from notes_notes where id = ?", visit.part("id"))
    return visit.see("/")
