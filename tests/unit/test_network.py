"""The look for a network: who is asked, and what counts as an answer. `.invalid` never resolves."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest

from pytest_webbench.run.network import MOST_ASKED, is_local, unreachable


@pytest.fixture
def listening() -> Iterator[int]:
    """A port that somebody listens at."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


@pytest.fixture
def refusing() -> int:
    """A port that nobody listens at."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
    return port


@pytest.mark.parametrize(
    "url",
    [
        "http://localhost:8000/",
        "http://shop.localhost/",
        "http://shop.localhost./",
        "http://127.0.0.1:1/x",
        "http://127.9.9.9/",
        "http://[::1]:80/",
        "http://0.0.0.0:80/",
    ],
)
def test_addresses_of_this_machine_need_no_network(url: str) -> None:
    assert is_local(url)


@pytest.mark.parametrize(
    "url",
    [
        "https://wordpress.org/",
        "http://10.0.0.1/",
        "http://localhost.example/",
        "http://notlocalhost/",
        "http://[2001:db8::1]/",
    ],
)
def test_other_addresses_need_one(url: str) -> None:
    assert not is_local(url)


def test_one_site_that_answers_is_enough(listening: int) -> None:
    assert unreachable(["https://nobody.invalid/", f"http://127.0.0.1:{listening}/"]) == {}


def test_refusal_of_a_connection_is_an_answer(refusing: int) -> None:
    assert unreachable([f"http://127.0.0.1:{refusing}/"]) == {}


def test_sites_that_nobody_knows_are_named_with_the_reason() -> None:
    found = unreachable(["https://a.invalid/x", "http://b.invalid:99999/", "https://a.invalid/y"])
    assert sorted(found) == ["a.invalid", "b.invalid"]
    assert all(found.values())


def test_only_a_few_are_asked() -> None:
    urls = [f"https://site-{number:03}.invalid/" for number in range(60)]
    found = unreachable(urls)
    assert len(found) == MOST_ASKED
    assert min(found) == "site-000.invalid"
    assert max(found) >= "site-040.invalid"


def test_nothing_to_visit_needs_nothing() -> None:
    assert unreachable([]) == {}
