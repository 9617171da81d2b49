"""Post, a mailbox: folders, search, reading, writing, several at once, contacts and settings."""

from typing import Any

from pytest_webbench.world.kit import Response
from pytest_webbench.world.local import LocalSite, Visit

site = LocalSite(__file__)

FOLDERS = ["inbox", "archive", "sent", "trash"]
MOVES = {"archive": "archive", "trash": "trash", "inbox": "inbox"}


def show(template: str, visit: Visit, **values: Any) -> Response:
    """A page with the folders, and how many letters each holds."""
    sql = "select folder, count(*) as n from mail_messages where owner = ? group by folder"
    counts = {row["folder"]: row["n"] for row in visit.rows(sql, visit.user)}
    return site.show(template, visit, folders=FOLDERS, counts=counts, **values)


def letter_of(visit: Visit) -> dict[str, Any] | None:
    return visit.row(
        "select * from mail_messages where id = ? and owner = ?", visit.part("id"), visit.user
    )


def missing(visit: Visit) -> Response:
    return show("missing.html", visit, status=404)


@site.page("/")
def folder(visit: Visit) -> Response:
    words, name = visit.asked("q"), visit.asked("folder") or "inbox"
    if words:
        like = f"%{words}%"
        rows = visit.rows(
            "select * from mail_messages where owner = ?1 and (subject like ?2 or body"
            " like ?2 or sender like ?2)"
            " order by sent_at desc, id desc",
            visit.user,
            like,
        )
    else:
        sql = (
            "select * from mail_messages where owner = ? and folder = ? order by sent_at"
            " desc, id desc"
        )
        rows = visit.rows(sql, visit.user, name)
    return show("folder.html", visit, rows=rows, words=words, name=name)


@site.action("/move")
def move_many(visit: Visit) -> Response:
    goal = MOVES.get(visit.field("to"))
    chosen = visit.sent.get("letter", [])
    if goal is None or not chosen:
        visit.notice("Please tick some letters first.")
        return visit.see("/")
    for number in chosen:
        visit.run(
            "update mail_messages set folder = ? where id = ? and owner = ?",
            goal,
            number,
            visit.user,
        )
    visit.notice(f"{len(chosen)} letters moved to {goal}.")
    return visit.see("/")


@site.page("/letter/{id}")
def letter(visit: Visit) -> Response:
    row = letter_of(visit)
    if row is None:
        return missing(visit)
    visit.run("update mail_messages set seen = 1 where id = ?", row["id"])
    return show("letter.html", visit, letter=row)


@site.action("/letter/{id}/star")
def star(visit: Visit) -> Response:
    sql = "update mail_messages set starred = 1 - starred where id = ? and owner = ?"
    visit.run(sql, visit.part("id"), visit.user)
    return visit.see(f"/letter/{visit.part('id')}")


@site.action("/letter/{id}/move")
def move(visit: Visit) -> Response:
    if (goal := MOVES.get(visit.field("to"))) is not None:
        sql = "update mail_messages set folder = ? where id = ? and owner = ?"
        visit.run(sql, goal, visit.part("id"), visit.user)
        visit.notice(f"Moved to {goal}.")
    return visit.see("/")


@site.page("/write")
def write(visit: Visit) -> Response:
    """An empty letter, an answer (``to``) or a copy of one (``forward``)."""
    settings = visit.rows("select signature from mail_settings where owner = ?", visit.user)[0]
    draft = {"to": visit.asked("address"), "subject": "", "text": f"\n\n{settings['signature']}"}
    sql = "select * from mail_messages where id = ? and owner = ?"
    if (old := visit.row(sql, visit.asked("answer"), visit.user)) is not None:
        draft |= {"to": old["sender_mail"], "subject": f"Re: {old['subject']}"}
    elif (old := visit.row(sql, visit.asked("forward"), visit.user)) is not None:
        draft |= {
            "subject": f"Fwd: {old['subject']}",
            "text": f"{draft['text']}\n\n> {old['body']}",
        }
    return show("write.html", visit, draft=draft, contacts=contacts_of(visit))


@site.action("/write")
def send(visit: Visit) -> Response:
    to, subject, text = (visit.field(name) for name in ("to", "subject", "text"))
    if "@" not in to or not subject:
        visit.notice("Please give an address and a subject.")
        return visit.see("/write")
    me = visit.rows("select name, mail from people where id = ?", visit.user)[0]
    visit.insert(
        "mail_messages",
        owner=visit.user,
        folder="sent",
        sender=me["name"],
        sender_mail=me["mail"],
        recipient=to,
        subject=subject,
        body=text,
        sent_at=visit.now.strftime("%Y-%m-%d %H:%M"),
    )
    visit.notice(f"Sent to {to}.")
    return visit.see("/?folder=sent")


def contacts_of(visit: Visit) -> list[dict[str, Any]]:
    return visit.rows("select * from mail_contacts where owner = ? order by name", visit.user)


@site.page("/contacts")
def contacts(visit: Visit) -> Response:
    return show("contacts.html", visit, contacts=contacts_of(visit))


@site.action("/contacts")
def add_contact(visit: Visit) -> Response:
    name, mail = visit.field("name"), visit.field("mail")
    if name and "@" in mail:
        visit.insert("mail_contacts", owner=visit.user, name=name, mail=mail)
    else:
        visit.notice("Please give a name and an address.")
    return visit.see("/contacts")


@site.page("/settings")
def settings(visit: Visit) -> Response:
    row = visit.row("select * from mail_settings where owner = ?", visit.user)
    return show("settings.html", visit, settings=row)


@site.action("/settings")
def save_settings(visit: Visit) -> Response:
    visit.run(
        "update mail_settings set signature = ?, away = ?, away_text = ? where owner = ?",
        visit.field("signature"),
        int(bool(visit.field("away"))),
        visit.field("away_text"),
        visit.user,
    )
    visit.notice("Your settings are saved.")
    return visit.see("/settings")
