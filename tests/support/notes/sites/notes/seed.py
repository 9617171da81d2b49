"""Three notes, of which one has the most stars; the words differ by seed."""

from sqlite3 import Connection

from pytest_webbench.world.kit import Edition

VOLATILE = ("notes_visits", "notes_notes.seen")


def fill(db: Connection, edition: Edition) -> None:
    draw = edition.draw("notes")
    words = draw.sample(["apples", "bread", "cheese", "dates", "eggs"], 3)
    for stars, word in enumerate(words):
        db.execute("insert into notes_notes (text, stars) values (?, ?)", [f"Buy {word}", stars])
    db.execute("insert into notes_count (total) values (3)")
