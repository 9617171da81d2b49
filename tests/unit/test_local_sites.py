"""Sites of a local world over HTTP: what is noted, who sees what, and what cannot be reached."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from pytest_webbench.checks.local import StateQuery
from pytest_webbench.errors import SettingsError
from pytest_webbench.testing import task as build_task
from pytest_webbench.world.base import begin_episode, open_world
from pytest_webbench.world.facts import Facts
from pytest_webbench.world.local.stay import Stay
from pytest_webbench.world.local.world import Local

FOLDER = Path(__file__).parents[1] / "support" / "notes"

Ask = Callable[..., httpx.Response]


@pytest.fixture(scope="module")
def world() -> Iterator[Local]:
    world = Local(FOLDER / "sites")
    yield world
    world.close()


@pytest.fixture
def stay(world: Local) -> Iterator[Stay]:
    world.broken_since_last()
    world.outside_since_last()
    stay = world.open_stay(0)
    yield stay
    stay.end()


@pytest.fixture(scope="module")
def client() -> Iterator[httpx.Client]:
    with httpx.Client(trust_env=False, timeout=10) as client:
        yield client


@pytest.fixture
def ask(world: Local, client: httpx.Client) -> Ask:
    """Asks the server as a browser does that resolves every host to it."""

    def ask(path: str, host: str = "notes.localhost", **sent: str) -> httpx.Response:
        url = f"http://127.0.0.1:{world.http_port}{path}"
        method = "POST" if sent else "GET"
        return client.request(method, url, headers={"host": host}, data=sent or None)

    return ask


def test_log_notes_what_was_asked_and_what_it_changed(ask: Ask, stay: Stay) -> None:
    ask("/?page=2&page=3")
    ask("/add", text="Milk")
    facts = stay.end()
    assert facts.local is not None
    read, added = facts.local.log
    assert (read.number, read.method, read.query, read.changed) == (
        1,
        "GET",
        {"page": ["2", "3"]},
        (),
    )
    assert (added.site, added.path, added.form, added.status, added.changed) == (
        "notes",
        "/add",
        {"text": ["Milk"]},
        303,
        ("notes.count", "notes.notes"),
    )
    assert [change.cause for change in facts.local.changes] == ["", "a note was added"]
    assert stay.end() == Facts()


def test_what_fails_changes_nothing_and_is_noted_as_the_worlds_fault(
    ask: Ask, stay: Stay, world: Local
) -> None:
    assert ask("/add", text="").status_code == 500
    assert ask("/writes").status_code == 500
    facts = stay.facts()
    assert facts.local is not None
    assert facts.local.changes == ()
    assert [line.status for line in facts.local.log] == [500, 500]
    empty, wrote = world.broken_since_last()
    assert "ValueError: nothing was written" in empty
    assert "a page has changed notes.notes" in wrote


def test_time_goes_on_with_actions_only(ask: Ask, stay: Stay) -> None:
    assert "12:00" in ask("/").text
    assert "12:00" in ask("/").text
    ask("/star/1", x="1")
    assert "12:01" in ask("/").text


def test_notices_are_told_once(ask: Ask, stay: Stay) -> None:
    ask("/add", text="Milk")
    assert ["Added." in ask("/").text for _ in range(2)] == [True, False]


def test_login_of_a_task_signs_nobody_in(world: Local, ask: Ask) -> None:
    url = "http://notes.localhost/"
    for login, shown in (({}, "Signed in as number 1"), ({"notes": "out"}, "Nobody is signed in")):
        wanted = build_task(start_url=url, expected_url=url).model_copy(update={"login": login})
        stay = begin_episode(world, wanted, 0)
        assert shown in ask("/").text
        stay.end()


def test_many_stays_at_once_do_not_see_each_other(world: Local, ask: Ask) -> None:
    stays = [world.open_stay(0) for _ in range(50)]
    hosts = [f"notes.{world.key_of(stay)}.localhost" for stay in stays]

    def play(number: int) -> None:
        for _ in range(3):
            ask("/add", hosts[number], text=f"by {number}")

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(play, range(50)))
    for number, stay in enumerate(stays):
        facts = stay.end().local
        assert facts is not None
        added = [change.after for change in facts.changes if not change.cause]
        assert added == [{"id": 4 + n, "text": f"by {number}", "stars": 0} for n in range(3)]
    assert ask("/", hosts[0]).status_code == 404


def test_the_same_requests_give_the_same_facts(world: Local, ask: Ask) -> None:
    found = []
    for _ in range(2):
        stay = world.open_stay(3)
        for path in ("/add", "/star/1", "/throw/2"):
            ask(path, text="x")
        probe = StateQuery(sql="select * from notes_notes").probe()
        found.append(stay.end([probe]))
    assert found[0] == found[1]


@pytest.mark.parametrize(
    ("host", "path"),
    [
        ("nowhere.localhost", "/"),
        ("localhost", "/"),
        ("notes.localhost.example", "/"),
        ("notes.1.localhost", "/"),
        ("notes", "/"),
        ("127.0.0.1", "/"),
        ("notes.localhost", "/seed.py"),
        ("notes.localhost", "/static/../seed.py"),
        ("notes.localhost", "/_admin/state"),
        ("notes.localhost", "/assets/ui/..%2f..%2f..%2fbase.py"),
    ],
)
def test_nothing_but_a_sites_own_pages_is_there(ask: Ask, stay: Stay, host: str, path: str) -> None:
    assert ask(path, host).status_code == 404


def test_nobody_answers_when_no_episode_runs(world: Local, ask: Ask) -> None:
    assert ask("/").status_code == 404
    assert "http://notes.localhost/" in world.outside_since_last()


def test_folder_without_sites_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="holds no sites"):
        open_world("local", tmp_path)
