"""Where browsers come from: what the option says, and services of other distributions."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import SecretStr

from pytest_webbench.browser.choice import parse_choice, secret_names, service_class
from pytest_webbench.browser.cloud import load_service
from pytest_webbench.browser.cloud.lexmount import Lexmount
from pytest_webbench.errors import SettingsError
from tests.support.distributions import offer

GROUP = "pytest_webbench.browsers"
SERVICE = """
class Grid:
    SECRETS = ("GRID_KEY",)

    def __init__(self, key="none"):
        self.key = key

    @classmethod
    def from_environment(cls, secret):
        return cls(secret("GRID_KEY").get_secret_value())

    def acquire(self, note):
        return "ws://grid.example"

    def release(self, session_id):
        pass

class Plain:
    acquire = release = lambda self, _argument: ""

NOTHING = None
"""


@pytest.mark.parametrize(
    ("choice", "parsed"),
    [
        ("local", ("local", "")),
        ("local:", ("local", "")),
        ("local:/opt/chrome", ("local", "/opt/chrome")),
        ("local:C:/chrome.exe", ("local", "C:/chrome.exe")),
        ("cdp:http://127.0.0.1:9222", ("cdp", "http://127.0.0.1:9222")),
        ("cdp:https://grid.example", ("cdp", "https://grid.example")),
        (
            "cdp:ws://127.0.0.1:9222/devtools/browser/x",
            ("cdp", "ws://127.0.0.1:9222/devtools/browser/x"),
        ),
        ("cdp:wss://grid.example/?token=x:y", ("cdp", "wss://grid.example/?token=x:y")),
        ("ws://127.0.0.1:3000/", ("server", "ws://127.0.0.1:3000/")),
        ("wss://grid.example/?token=x:y", ("server", "wss://grid.example/?token=x:y")),
        ("lexmount", ("service", "lexmount")),
        ("my_package.clouds:Grid", ("service", "my_package.clouds:Grid")),
    ],
)
def test_browser_choice_is_a_kind_and_its_argument(choice: str, parsed: tuple[str, str]) -> None:
    assert parse_choice(choice) == parsed


@pytest.mark.parametrize(
    ("choice", "shown"),
    [
        *(
            (name, name)
            for name in (
                "",
                "cdp",
                "cdp:",
                "cdp:127.0.0.1:9222",
                "remote",
                "/opt/chrome",
                "Local",
                "a.b:",
            )
        ),
        *((name, name) for name in (":C", "a..b:C", "a-b:C", "a:b.C", "a:b:C", "lexmount:x y")),
        ("cdp:file:///x?token=1234", "cdp:file://..."),
        ("http://grid.example/?token=1234", "http://..."),
    ],
)
def test_unknown_browser_choice_lists_what_is_allowed(choice: str, shown: str) -> None:
    with pytest.raises(SettingsError) as caught:
        parse_choice(choice)
    assert str(caught.value) == (
        f"--webbench-browser {shown!r}: use local, local:/path/to/chrome, "
        "cdp:http://host:port of a running Chrome, "
        "ws://host:port of a Playwright server, lexmount, or package.module:Class"
    )


def grid(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, **services: str) -> None:
    """A distribution that offers these services, by name."""
    offer(tmp_path / "site", monkeypatch, {GROUP: services}, acme_grid=SERVICE)


def test_service_of_another_distribution_is_chosen_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    grid(tmp_path, monkeypatch, grid="acme_grid:Grid")
    assert parse_choice("grid") == ("service", "grid")
    assert secret_names("grid") == ("GRID_KEY",)
    service = load_service("grid", lambda name: SecretStr(f"value of {name}"))
    assert vars(service) == {"key": "value of GRID_KEY"}


def test_class_without_from_environment_gets_no_arguments(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    grid(tmp_path, monkeypatch, plain="acme_grid:Plain")
    for name in ("plain", "acme_grid:Plain"):
        assert type(load_service(name, lambda _name: None)).__name__ == "Plain"
        assert secret_names(name) == ()


def test_built_in_service_is_an_entry_point_too() -> None:
    assert service_class("lexmount") is Lexmount
    assert secret_names("lexmount") == ("LEXMOUNT_API_KEY",)
    assert secret_names("local") == secret_names("cdp:http://127.0.0.1:9222") == ()


def test_service_name_takes_no_argument(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    grid(tmp_path, monkeypatch, grid="acme_grid:Grid")
    with pytest.raises(SettingsError, match="--webbench-browser 'grid:Grid': use local, .*, grid"):
        parse_choice("grid:Grid")


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ("acme_grid:Missing", "acme offers 'grid' in .*, but acme_grid:Missing cannot be imported"),
        ("no_such_module:Grid", "No module named 'no_such_module'"),
        ("acme_grid:NOTHING", "'grid' names None, which is not a class or function"),
        ("acme_grid:dict", "a browser service has methods acquire\\(note\\) and release\\(id\\)"),
    ],
)
def test_broken_entry_point_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, value: str, why: str
) -> None:
    grid(tmp_path, monkeypatch, grid=value.replace("acme_grid:dict", "builtins:dict"))
    with pytest.raises(SettingsError, match=why):
        load_service("grid", lambda _name: None)


def test_name_offered_by_two_distributions_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    offer(tmp_path, monkeypatch, {GROUP: {"lexmount": "json:loads"}})
    with pytest.raises(SettingsError, match="'lexmount' is offered by acme and pytest-webbench"):
        service_class("lexmount")
