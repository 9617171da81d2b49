"""The people whom all sites know. Number 1 is the one whom the agent works for."""

from sqlite3 import Connection

from pytest_webbench.world.kit import Edition

FIRST = [
    "Ada",
    "Bruno",
    "Carla",
    "Deniz",
    "Emil",
    "Farah",
    "Greta",
    "Hugo",
    "Ines",
    "Jonas",
    "Kira",
    "Luca",
]
LAST = [
    "Albers",
    "Brandt",
    "Costa",
    "Dupont",
    "Egger",
    "Fischer",
    "Garcia",
    "Holm",
    "Ivanov",
    "Jansen",
    "Keller",
    "Lopez",
]


def fill(db: Connection, edition: Edition) -> None:
    draw = edition.draw("people")
    last = draw.sample(LAST, len(LAST))
    for first, name in zip(draw.sample(FIRST, len(FIRST)), last, strict=True):
        address = f"{first}.{name}@post.example".lower()
        db.execute("insert into people (name, mail) values (?, ?)", [f"{first} {name}", address])
