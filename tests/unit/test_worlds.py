"""Worlds: the two built in, and those that other distributions offer by an entry point."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pytest_webbench._entry_points import WORLDS
from pytest_webbench.errors import SettingsError, TaskFileError
from pytest_webbench.task.native import read_suite
from pytest_webbench.testing import task as build_task
from pytest_webbench.world import Live, open_world
from pytest_webbench.world.base import begin_episode, has_editions, require_editions
from tests.support.distributions import offer

MARS = """
from pytest_webbench.world import Live


class Mars(Live):
    name = "mars"

    def __init__(self, folder):
        self.folder = folder


not_callable = 5


def nothing(folder):
    return folder
"""

Offer = Callable[[str], None]


@pytest.fixture
def offer_mars(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Offer:
    def offered(target: str) -> None:
        offer(tmp_path / "site", monkeypatch, {WORLDS: {"mars": target}}, acme_mars=MARS)

    return offered


def test_live_is_the_internet(tmp_path: Path) -> None:
    assert isinstance(open_world("live", tmp_path), Live)


def test_offered_world_is_opened_for_the_suites_folder(offer_mars: Offer, tmp_path: Path) -> None:
    offer_mars("acme_mars:Mars")
    world = open_world("mars", tmp_path)
    assert (world.name, getattr(world, "folder", None)) == ("mars", tmp_path)


def test_unknown_world_lists_the_known_ones(offer_mars: Offer, tmp_path: Path) -> None:
    offer_mars("acme_mars:Mars")
    with pytest.raises(SettingsError) as caught:
        open_world("marz", tmp_path)
    assert str(caught.value) == (
        "unknown world 'marz'; did you mean 'mars'?; allowed: live, replica, local, mars"
    )


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("acme_nowhere:Mars", "acme offers 'mars' in pytest_webbench.worlds, but .* cannot be"),
        ("acme_mars:not_callable", "'mars' names 5, which cannot be called"),
        ("acme_mars:nothing", "'mars' opened a Posix.*Path, which is not a World: it lacks launch"),
    ],
)
def test_broken_world_is_an_error_with_its_cause(
    offer_mars: Offer, tmp_path: Path, target: str, message: str
) -> None:
    offer_mars(target)
    with pytest.raises(SettingsError, match=message):
        open_world("mars", tmp_path)


def test_suite_may_name_offered_worlds_only(offer_mars: Offer, tmp_path: Path) -> None:
    file = tmp_path / "suite.toml"
    file.write_text('name = "x"\ntitle = "x"\nlicence = "x"\nworlds = ["mars", "live"]\n')
    with pytest.raises(TaskFileError, match=r"worlds\[0\]: unknown world 'mars'.*: live, replica"):
        read_suite(file)
    offer_mars("acme_mars:Mars")
    assert read_suite(file).worlds == ["mars", "live"]


# -- editions ----------------------------------------------------------------------------------

EDITIONS = """
class Prints:
    name, has_editions = "mars", True

    def begin(self, task, seed):
        self.shown = (task.id, seed)


class OnePrint:
    name = "mars"


def opened(folder):
    return OnePrint()
"""


@pytest.mark.parametrize(
    ("name", "there_are"), [("replica", True), ("live", False), ("mars", False)]
)
def test_worlds_say_whether_they_have_editions(
    offer_mars: Offer, name: str, *, there_are: bool
) -> None:
    offer_mars("acme_mars:Mars")
    assert has_editions(name) is there_are


@pytest.mark.parametrize(
    ("target", "there_are"), [("Prints", True), ("OnePrint", False), ("opened", False)]
)
def test_offered_world_says_so_by_its_class(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, target: str, *, there_are: bool
) -> None:
    offer(tmp_path, monkeypatch, {WORLDS: {"mars": f"acme_two:{target}"}}, acme_two=EDITIONS)
    assert has_editions("mars") is there_are


@pytest.mark.parametrize("name", ["live", "mars"])
def test_more_editions_than_a_world_has_are_refused(offer_mars: Offer, name: str) -> None:
    offer_mars("acme_mars:Mars")
    require_editions("replica")
    with pytest.raises(SettingsError, match=f"the {name} world has one edition only; leave the"):
        require_editions(name)


def test_world_without_begin_has_edition_0_only() -> None:
    names: dict[str, Any] = {}
    exec(EDITIONS, names)
    begin_episode(names["OnePrint"](), build_task(id="t"), 0)
    with pytest.raises(SettingsError, match="the mars world has one edition only, and this is 1"):
        begin_episode(names["OnePrint"](), build_task(id="t"), 1)
    prints = names["Prints"]()
    begin_episode(prints, build_task(id="t"), 2)
    assert prints.shown == ("t", 2)
