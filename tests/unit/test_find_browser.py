"""Which browser is chosen, and what is said if there is none."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from pytest_webbench.browser import find
from pytest_webbench.browser.find import FoundBrowser, Which, find_browser, parse_choice, places
from pytest_webbench.errors import BrowserNotFound, SettingsError

behind_wrapper = dict(find._BEHIND_WRAPPER)
BUNDLED = "chromium-1200/chrome-linux/chrome"
BUNDLED_SHELL = "chromium_headless_shell-1200/chrome-linux/headless_shell"


@pytest.fixture(autouse=True)
def no_wrappers(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is installed on the machine of the test plays no part."""
    monkeypatch.setattr(find, "_BEHIND_WRAPPER", {})


def program(path: Path, *, executable: bool = True) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n", "utf-8")
    path.chmod(0o755 if executable else 0o644)
    return str(path)


def on_path(programs: Mapping[str, str] | None = None) -> Which:
    """A PATH that holds just these programs."""
    return (programs or {}).get


EMPTY = on_path()


# -- a path given ------------------------------------------------------------------------------------------------------


def test_path_given_is_taken(tmp_path: Path) -> None:
    chrome = program(tmp_path / "my-chrome")
    found = find_browser(chrome, which=EMPTY)
    assert found == FoundBrowser(path=chrome, why=f"path given: {chrome}", headless_only=False)


def test_path_given_is_preferred_to_every_other(tmp_path: Path) -> None:
    chrome, bundled = program(tmp_path / "my-chrome"), program(tmp_path / BUNDLED)
    assert find_browser(chrome, bundled, which=on_path({"chromium": "/bin/chromium"})).path == chrome


@pytest.mark.parametrize("kind", ["missing", "a folder", "not executable"])
def test_path_given_that_is_no_program_is_an_error_and_no_other_is_tried(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "chrome"
    if kind == "a folder":
        path.mkdir()
    if kind == "not executable":
        program(path, executable=False)
    with pytest.raises(BrowserNotFound) as caught:
        find_browser(str(path), program(tmp_path / BUNDLED), which=on_path({"chromium": "/bin/chromium"}))
    assert str(caught.value) == (
        f"no Chromium was found. Looked at:\n  - path given: {path}: not there\n"
        "Install one with:  webbench browser install"
    )


# -- Playwright's own --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["headless_shell", "chrome-headless-shell"])
def test_headless_shell_beside_playwrights_chromium_is_best(tmp_path: Path, name: str) -> None:
    bundled = program(tmp_path / BUNDLED)
    shell = program(tmp_path / "chromium_headless_shell-1200" / "chrome-linux" / name)
    found = find_browser(None, bundled, which=on_path({"chromium": "/bin/chromium"}))
    assert found == FoundBrowser(path=shell, why="Playwright's own headless shell", headless_only=True)


def test_headless_shell_is_found_where_chromium_itself_is_not_installed(tmp_path: Path) -> None:
    shell = program(tmp_path / BUNDLED_SHELL)
    assert find_browser(None, str(tmp_path / BUNDLED), which=EMPTY).path == shell


def test_headless_shell_of_another_revision_is_not_taken(tmp_path: Path) -> None:
    program(tmp_path / BUNDLED_SHELL.replace("1200", "1100"))
    bundled = program(tmp_path / BUNDLED)
    assert find_browser(None, bundled, which=EMPTY).path == bundled


def test_headless_shell_that_cannot_be_executed_is_not_taken(tmp_path: Path) -> None:
    program(tmp_path / BUNDLED_SHELL, executable=False)
    bundled = program(tmp_path / BUNDLED)
    assert find_browser(None, bundled, which=EMPTY).path == bundled


def test_headed_run_takes_playwrights_chromium_and_not_its_shell(tmp_path: Path) -> None:
    program(tmp_path / BUNDLED_SHELL)
    bundled = program(tmp_path / BUNDLED)
    found = find_browser(None, bundled, headed=True, which=EMPTY)
    assert found == FoundBrowser(path=bundled, why="Playwright's own chromium", headless_only=False)


def test_playwrights_chromium_elsewhere_is_taken_as_it_is(tmp_path: Path) -> None:
    bundled = program(tmp_path / "opt" / "chrome")
    assert find_browser(None, bundled, which=EMPTY).path == bundled


# -- on PATH -----------------------------------------------------------------------------------------------------------

NAMES = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]


@pytest.mark.parametrize("best", range(len(NAMES)))
def test_names_on_path_are_tried_in_order(best: int) -> None:
    found = find_browser(which=on_path({name: f"/bin/{name}" for name in NAMES[best:]}))
    assert (found.path, found.why) == (f"/bin/{NAMES[best]}", f"{NAMES[best]} on PATH")


def test_headless_shell_on_path_is_known_to_have_no_window() -> None:
    assert find_browser(which=on_path({"chromium-headless-shell": "/bin/chromium-headless-shell"})).headless_only


def test_headed_run_passes_over_a_headless_shell_on_path() -> None:
    which = on_path({name: f"/bin/{name}" for name in ("chromium-headless-shell", "google-chrome")})
    assert find_browser(headed=True, which=which).path == "/bin/google-chrome"


def test_playwrights_chromium_is_preferred_to_one_on_path(tmp_path: Path) -> None:
    bundled = program(tmp_path / BUNDLED)
    assert find_browser(None, bundled, which=on_path({"chromium-headless-shell": "/bin/shell"})).path == bundled


def test_debians_wrapper_is_passed_over_for_the_program_behind_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = program(tmp_path / "lib" / "chromium")
    monkeypatch.setattr(find, "_BEHIND_WRAPPER", {"chromium": Path(real)})
    found = find_browser(which=on_path({"chromium": "/usr/bin/chromium"}))
    assert (found.path, found.why) == (real, "chromium on PATH")


def test_chromium_on_path_is_taken_where_no_program_is_behind_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(find, "_BEHIND_WRAPPER", {"chromium": tmp_path / "not there"})
    assert find_browser(which=on_path({"chromium": "/usr/bin/chromium"})).path == "/usr/bin/chromium"


def test_program_behind_a_wrapper_that_is_not_on_path_is_not_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(find, "_BEHIND_WRAPPER", {"chromium": Path(program(tmp_path / "chromium"))})
    with pytest.raises(BrowserNotFound):
        find_browser(which=EMPTY)


def test_users_own_chromium_is_not_taken_for_debians_wrapper(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(find, "_BEHIND_WRAPPER", {"chromium": Path(program(tmp_path / "debian" / "chromium"))})
    own = program(tmp_path / "own" / "chromium")
    assert find_browser(which=on_path({"chromium": own})).path == own


def test_wrapper_rule_is_about_debians_own_folders() -> None:
    folder = Path("/usr/lib/chromium")
    assert behind_wrapper == {name: folder / name for name in ("chromium", "chromium-headless-shell")}


def test_path_of_the_process_is_searched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chrome = program(tmp_path / "google-chrome")
    monkeypatch.setenv("PATH", os.fspath(tmp_path))
    assert find_browser().path == chrome


# -- nothing there -----------------------------------------------------------------------------------------------------


def test_error_lists_every_place_and_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(BrowserNotFound) as caught:
        find_browser(None, str(tmp_path / BUNDLED), which=EMPTY)
    assert str(caught.value) == (
        "no Chromium was found. Looked at:\n"
        "  - Playwright's own headless shell: not there\n"
        "  - Playwright's own chromium: not there\n"
        "  - chromium-headless-shell on PATH: not there\n"
        "  - chromium on PATH: not there\n"
        "  - chromium-browser on PATH: not there\n"
        "  - google-chrome on PATH: not there\n"
        "  - google-chrome-stable on PATH: not there\n"
        "Install one with:  webbench browser install"
    )


def test_error_of_a_headed_run_asks_for_a_window_and_names_no_shell(tmp_path: Path) -> None:
    program(tmp_path / BUNDLED_SHELL)
    with pytest.raises(BrowserNotFound) as caught:
        find_browser(None, str(tmp_path / BUNDLED), headed=True, which=EMPTY)
    assert str(caught.value) == (
        "no Chromium with a window was found. Looked at:\n"
        "  - Playwright's own chromium: not there\n"
        "  - chromium on PATH: not there\n"
        "  - chromium-browser on PATH: not there\n"
        "  - google-chrome on PATH: not there\n"
        "  - google-chrome-stable on PATH: not there\n"
        "Install one with:  webbench browser install"
    )


def test_places_are_listed_even_after_the_first_that_will_do(tmp_path: Path) -> None:
    looked = list(places(None, program(tmp_path / BUNDLED), headed=False, which=on_path({"chromium": "/bin/chromium"})))
    assert [place.label for place in looked if place.path] == ["Playwright's own chromium", "chromium on PATH"]


# -- the option --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("choice", "parsed"),
    [
        ("local", ("local", "")),
        ("local:", ("local", "")),
        ("local:/opt/chrome", ("local", "/opt/chrome")),
        ("local:C:/chrome.exe", ("local", "C:/chrome.exe")),
        ("cdp:http://127.0.0.1:9222", ("cdp", "http://127.0.0.1:9222")),
        ("cdp:https://grid.example", ("cdp", "https://grid.example")),
        ("cdp:ws://127.0.0.1:9222/devtools/browser/x", ("cdp", "ws://127.0.0.1:9222/devtools/browser/x")),
        ("cdp:wss://grid.example/?token=x:y", ("cdp", "wss://grid.example/?token=x:y")),
        ("ws://127.0.0.1:3000/", ("server", "ws://127.0.0.1:3000/")),
        ("wss://grid.example/?token=x:y", ("server", "wss://grid.example/?token=x:y")),
        ("lexmount", ("service", "lexmount")),
        ("my_package.clouds:Grid", ("service", "my_package.clouds:Grid")),
    ],
)
def test_choice_is_a_kind_and_what_belongs_to_it(choice: str, parsed: tuple[str, str]) -> None:
    assert parse_choice(choice) == parsed


@pytest.mark.parametrize(
    ("choice", "shown"),
    [
        *((name, name) for name in ("", "cdp", "cdp:", "cdp:127.0.0.1:9222", "remote", "/opt/chrome", "Local", "a.b:")),
        *((name, name) for name in (":C", "a..b:C", "a-b:C", "a:b.C", "a:b:C", "lexmount:x y")),
        ("cdp:file:///x?token=1234", "cdp:file://..."),
        ("http://grid.example/?token=1234", "http://..."),
    ],
)
def test_choice_of_another_kind_is_an_error_that_says_what_is_allowed(choice: str, shown: str) -> None:
    with pytest.raises(SettingsError) as caught:
        parse_choice(choice)
    assert str(caught.value) == (
        f"--webbench-browser {shown!r}: use local, local:/path/to/chrome, cdp:http://host:port of a running Chrome, "
        "ws://host:port of a Playwright server, lexmount, or package.module:Class"
    )
