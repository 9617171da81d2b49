"""The state of a local world: how it is made, what has changed, and SQL that may only read."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from pytest_webbench.errors import RuleError, SettingsError
from pytest_webbench.evidence.models import StateChange
from pytest_webbench.world.local.database import template_of
from pytest_webbench.world.local.state import State

NOTES = Path(__file__).parents[1] / "support" / "notes" / "sites"


@pytest.fixture
def state() -> Iterator[State]:
    state = State(template_of(NOTES, 0))
    yield state
    state.close()


def changed(state: State, *statements: str) -> list[StateChange]:
    """The changes after all statements were run, each in a request of its own."""
    for number, statement in enumerate(statements, start=1):
        with state.transaction(number):
            state.connection.execute(statement)
    return state.changes()


def ask(state: State, sql: str, **values: object) -> list[dict[str, object]]:
    return state.select(sql, values, Random(0))


# -- how it is made --------------------------------------------------------------------------------


def test_a_seed_gives_the_same_bytes_every_time_and_another_gives_others() -> None:
    first = template_of(NOTES, 0).content
    template_of.cache_clear()
    assert template_of(NOTES, 0).content == first
    assert template_of(NOTES, 1).content != first


def test_states_of_one_seed_do_not_see_each_other(state: State) -> None:
    other = State(template_of(NOTES, 0))
    changed(state, "delete from notes_notes")
    assert other.changes() == []
    assert len(ask(other, "select * from notes_notes")) == 3
    other.close()


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    folder = tmp_path / "sites"
    shutil.copytree(NOTES, folder)
    return folder


@pytest.mark.parametrize(
    ("sql", "message"),
    [
        ("create table a (id integer);\n\ncreate tabel b (id integer);", r"schema\.sql:3: .*tabel"),
        ("create table a (id integer)", r"schema\.sql:1: this statement has no end"),
    ],
)
def test_wrong_schema_is_named_with_its_line(broken: Path, sql: str, message: str) -> None:
    (broken / "notes" / "schema.sql").write_text(sql)
    with pytest.raises(SettingsError, match=message):
        template_of(broken, 0)


def test_wrong_seed_is_named_with_its_line(broken: Path) -> None:
    (broken / "notes" / "seed.py").write_text("def fill(db, edition):\n    db.execute('oh')\n")
    with pytest.raises(SettingsError, match=r"seed\.py:2: OperationalError"):
        template_of(broken, 0)


# -- what has changed ------------------------------------------------------------------------------


def test_each_kind_of_change_is_told_with_the_row_before_and_after(state: State) -> None:
    inserted, updated, deleted = changed(
        state,
        "insert into notes_notes (text) values ('new')",
        "update notes_notes set stars = 7 where id = 1",
        "delete from notes_notes where id = 2",
    )
    assert (inserted.table, inserted.before, inserted.request) == ("notes.notes", None, 1)
    assert inserted.after == {"id": 4, "text": "new", "stars": 0}
    assert updated.before is not None
    assert updated.after == {**updated.before, "stars": 7}
    assert (deleted.after, deleted.request) == (None, 3)


@pytest.mark.parametrize(
    "statements",
    [
        ("update notes_notes set stars = stars",),
        ("update notes_notes set stars = 9", "update notes_notes set stars = id - 1"),
        ("insert into notes_notes (text) values ('x')", "delete from notes_notes where id = 4"),
        ("update notes_notes set seen = 1",),
        ("insert into notes_visits (path) values ('/')",),
    ],
    ids=["same value", "undone", "taken back", "volatile column", "volatile table"],
)
def test_what_is_as_it_was_or_volatile_is_no_change(
    state: State, statements: tuple[str, ...]
) -> None:
    assert changed(state, *statements) == []


def test_number_of_a_row_that_changes_is_a_row_less_and_a_row_more(state: State) -> None:
    found = changed(state, "update notes_notes set id = 30 where id = 3")
    assert [(one.before is None, one.after is None) for one in found] == [
        (False, True),
        (True, False),
    ]


def test_consequences_have_a_cause_unless_the_row_was_asked_for_as_well(state: State) -> None:
    with state.transaction(1), state.consequence("a note came"), state.consequence("inner"):
        state.connection.execute("update notes_count set total = 4")
        state.connection.execute("update notes_notes set stars = 5 where id = 1")
    with state.transaction(2):
        state.connection.execute("update notes_notes set stars = 6 where id = 1")
    assert {one.table: one.cause for one in state.changes()} == {
        "notes.count": "a note came",
        "notes.notes": "",
    }


def test_request_that_fails_changes_nothing(state: State) -> None:
    with pytest.raises(ValueError, match="no"), state.transaction(1):
        state.connection.execute("delete from notes_notes")
        raise ValueError("no")
    assert state.changes() == []
    assert state.touched_by(1) == ()


# -- SQL that may only read ------------------------------------------------------------------------


def test_query_reads_the_start_and_the_end(state: State) -> None:
    changed(state, "delete from notes_notes where id = 1")
    count = "select count(*) as n from notes_notes"
    assert ask(state, count) == [{"n": 2}]
    assert state.select(count, {}, Random(0), at_start=True) == [{"n": 3}]


def test_chance_in_a_query_is_drawn_from_its_source(state: State) -> None:
    sql = "select id from notes_notes order by random()"
    orders = [state.select(sql, {}, Random(number)) for number in (1, 1, 2, 3, 4)]
    assert orders[0] == orders[1]
    assert len({str(order) for order in orders}) > 1


@pytest.mark.parametrize(
    ("sql", "message"),
    [
        ("delete from notes_notes", "may only read"),
        ("update notes_notes set stars = 1 returning id", "may only read"),
        ("select * from _journal", "may only read"),
        ("select sql from sqlite_schema", "may only read"),
        ("pragma table_list", "may only read"),
        ("attach ':memory:' as other", "may only read"),
        ("select load_extension('x')", "may only read"),
        ("select 1; select 2", "cannot be used"),
        ("select * from nowhere", "no such table"),
        ("select :absent", "cannot be used"),
        (
            "with recursive n(x) as (select 1 union all select x + 1 from n) select max(x) from n",
            "takes too long",
        ),
    ],
)
def test_query_that_is_more_than_a_question_is_refused(
    state: State, sql: str, message: str
) -> None:
    with pytest.raises(RuleError, match=message):
        ask(state, sql)
    assert state.changes() == []
