"""Proxies that the environment names: found in either case, never asked for this machine."""

from __future__ import annotations

import os
from typing import Any

import pytest

from pytest_webbench._proxies import proxies, spare_loopback
from pytest_webbench.browser.local import LocalBrowser
from pytest_webbench.world import Live, World, open_world
from tests.support.mini_suite import MINI

NAMES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")


@pytest.fixture(autouse=True)
def no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in NAMES:
        for one in (name, name.upper()):
            monkeypatch.setenv(one, "")  # restores what is set meanwhile
            monkeypatch.delenv(one)


@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [
        ("HTTPS_PROXY", "http://proxy.example:3128", "http://proxy.example:3128"),
        ("https_proxy", "http://user:secret@proxy.example:3128/", "http://proxy.example:3128"),
        ("ALL_PROXY", "socks5://proxy.example:1080", "socks5://proxy.example:1080"),
        ("http_proxy", "proxy.example:80", "http://proxy.example:80"),
    ],
)
def test_proxy_is_found_without_its_password(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, shown: str
) -> None:
    monkeypatch.setenv(name, value)
    assert proxies() == {name: shown}


@pytest.mark.parametrize("given", ["", "intern.example", "localhost,.example"])
@pytest.mark.parametrize("name", ["no_proxy", "NO_PROXY"])
def test_loopback_is_spared(monkeypatch: pytest.MonkeyPatch, name: str, given: str) -> None:
    monkeypatch.setenv("ALL_PROXY", "http://proxy.example:3128")
    monkeypatch.setenv(name, given)
    spare_loopback()
    assert os.environ["no_proxy"] == os.environ["NO_PROXY"]
    spared = os.environ["no_proxy"].split(",")
    assert set(spared) == {"localhost", "127.0.0.1", "::1", *filter(None, given.split(","))}
    assert len(spared) == len(set(spared))


def test_environment_without_proxies_is_left_alone() -> None:
    spare_loopback()
    assert "no_proxy" not in os.environ


def test_only_the_live_world_goes_through_a_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("https_proxy", "http://proxy.example")
    monkeypatch.setenv("ALL_PROXY", "http://proxy.example")
    replica: World = open_world("replica", MINI)
    try:
        local = _options(replica)
    finally:
        replica.close()
    live = _options(Live())
    assert "--no-proxy-server" in local["args"]
    assert "proxy" not in local
    assert "PATH" in local["env"]
    assert not {"https_proxy", "ALL_PROXY"} & set(local["env"])
    assert "env" not in live
    assert "--no-proxy-server" not in live["args"]
    assert live["proxy"] == {"server": "http://proxy.example"}


def _options(world: World) -> dict[str, Any]:
    given = {"executable_path": "chrome", "proxy": {"server": "http://proxy.example"}}
    playwright: Any = None  # it is asked for its browser's path only
    return LocalBrowser(playwright, given)._launch_options(world)
