"""Letters, contacts and settings of the mailbox."""

from datetime import timedelta
from random import Random
from sqlite3 import Connection

from pytest_webbench.world.kit import Edition

VOLATILE = ("mail_messages.seen",)

TOPICS = [
    (
        "Minutes of the meeting",
        "The minutes are below. Please tell me by {day} if something is missing.",
    ),
    ("Lunch on {day}", "Shall we have lunch on {day}? I know a new place near the station."),
    (
        "Invoice {number}",
        "Please find our invoice {number} below. The amount is {amount} euros, due on {day}.",
    ),
    (
        "Photos of the trip",
        "I have put the photos in the shared folder. My favourite is number {number}.",
    ),
    ("Question about the budget", "Is it right that we have {amount} euros left for this quarter?"),
    ("Room for the workshop", "The workshop is in room {number}. It begins at nine on {day}."),
    ("Your library books", "Book {number} is due on {day}. You can keep it two weeks longer."),
    ("Draft of the report", "Here is the draft. Chapter two still has {number} open points."),
]
FOLDERS = ["inbox"] * 7 + ["archive"] * 2 + ["trash"]


def fill(db: Connection, edition: Edition) -> None:
    draw = edition.draw("mail")
    people = db.execute("select name, mail from people where id > 1 order by id").fetchall()
    for name, mail in people[:9]:
        db.execute("insert into mail_contacts (owner, name, mail) values (1, ?, ?)", [name, mail])
    db.execute(
        "insert into mail_settings (owner, signature, away, away_text) values (1, 'Kind"
        " regards', 0, '')"
    )
    minutes = sorted(draw.sample(range(60, 60 * 24 * 40), 60), reverse=True)
    # One of them has written three letters that are all in the inbox, in every seed.
    *usual, rare = people
    writers = [draw.choice(usual) for _ in range(57)] + [rare] * 3
    draw.shuffle(writers)
    for ago, (name, mail) in zip(minutes, writers, strict=True):
        subject, body = _letter(draw, edition)
        sent = (edition.now - timedelta(minutes=ago)).strftime("%Y-%m-%d %H:%M")
        folder = "inbox" if name == rare["name"] else draw.choice(FOLDERS)
        values = [folder, name, mail, subject, body, sent, int(draw.random() < 0.15)]
        db.execute(
            "insert into mail_messages (owner, folder, sender, sender_mail, recipient,"
            " subject, body, sent_at, starred)"
            " values (1, ?, ?, ?, 'me', ?, ?, ?, ?)",
            values,
        )


def _letter(draw: Random, edition: Edition) -> tuple[str, str]:
    subject, body = draw.choice(TOPICS)
    day = (edition.now + timedelta(days=draw.randrange(1, 30))).strftime("%d %B")
    facts = {"day": day, "number": draw.randrange(100, 999), "amount": draw.randrange(40, 900)}
    return subject.format(**facts), body.format(**facts)
