"""Which browser is chosen, and what is said if there is none."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from pytest_webbench.browser import find
from pytest_webbench.browser.find import FoundBrowser, Which, find_browser, places
from pytest_webbench.errors import BrowserNotFound

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


# -- a path given ------------------------------------------------------------------------------


def test_explicit_path_is_taken(tmp_path: Path) -> None:
    chrome = program(tmp_path / "my-chrome")
    found = find_browser(chrome, which=EMPTY)
    assert found == FoundBrowser(path=chrome, why=f"path given: {chrome}", headless_only=False)


def test_explicit_path_beats_every_other(tmp_path: Path) -> None:
    chrome, bundled = program(tmp_path / "my-chrome"), program(tmp_path / BUNDLED)
    assert (
        find_browser(chrome, bundled, which=on_path({"chromium": "/bin/chromium"})).path == chrome
    )


@pytest.mark.parametrize("kind", ["missing", "a folder", "not executable"])
def test_explicit_path_to_no_program_is_an_error(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "chrome"
    if kind == "a folder":
        path.mkdir()
    if kind == "not executable":
        program(path, executable=False)
    with pytest.raises(BrowserNotFound) as caught:
        find_browser(
            str(path), program(tmp_path / BUNDLED), which=on_path({"chromium": "/bin/chromium"})
        )
    assert str(caught.value) == (
        f"no Chromium was found. Looked at:\n  - path given: {path}: not there\n"
        "Install one with:  webbench browser install"
    )


# -- Playwright's own --------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["headless_shell", "chrome-headless-shell"])
def test_headless_shell_next_to_playwrights_chromium_is_preferred(
    tmp_path: Path, name: str
) -> None:
    bundled = program(tmp_path / BUNDLED)
    shell = program(tmp_path / "chromium_headless_shell-1200" / "chrome-linux" / name)
    found = find_browser(None, bundled, which=on_path({"chromium": "/bin/chromium"}))
    assert found == FoundBrowser(
        path=shell, why="Playwright's own headless shell", headless_only=True
    )


def test_headless_shell_is_found_without_chromium(tmp_path: Path) -> None:
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


def test_headed_run_takes_chromium_instead_of_the_shell(tmp_path: Path) -> None:
    program(tmp_path / BUNDLED_SHELL)
    bundled = program(tmp_path / BUNDLED)
    found = find_browser(None, bundled, headed=True, which=EMPTY)
    assert found == FoundBrowser(path=bundled, why="Playwright's own chromium", headless_only=False)


def test_playwrights_chromium_in_another_folder_is_taken(tmp_path: Path) -> None:
    bundled = program(tmp_path / "opt" / "chrome")
    assert find_browser(None, bundled, which=EMPTY).path == bundled


# -- on PATH -----------------------------------------------------------------------------------

NAMES = [
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
]


@pytest.mark.parametrize("best", range(len(NAMES)))
def test_names_on_path_are_tried_in_order(best: int) -> None:
    found = find_browser(which=on_path({name: f"/bin/{name}" for name in NAMES[best:]}))
    assert (found.path, found.why) == (f"/bin/{NAMES[best]}", f"{NAMES[best]} on PATH")


def test_headless_shell_on_path_is_recognised_as_windowless() -> None:
    assert find_browser(
        which=on_path({"chromium-headless-shell": "/bin/chromium-headless-shell"})
    ).headless_only


def test_headed_run_skips_a_headless_shell_on_path() -> None:
    which = on_path({name: f"/bin/{name}" for name in ("chromium-headless-shell", "google-chrome")})
    assert find_browser(headed=True, which=which).path == "/bin/google-chrome"


def test_playwrights_chromium_is_preferred_to_one_on_path(tmp_path: Path) -> None:
    bundled = program(tmp_path / BUNDLED)
    assert (
        find_browser(None, bundled, which=on_path({"chromium-headless-shell": "/bin/shell"})).path
        == bundled
    )


def test_debian_wrapper_is_replaced_by_its_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = program(tmp_path / "lib" / "chromium")
    monkeypatch.setattr(find, "_BEHIND_WRAPPER", {"chromium": Path(real)})
    found = find_browser(which=on_path({"chromium": "/usr/bin/chromium"}))
    assert (found.path, found.why) == (real, "chromium on PATH")


def test_chromium_on_path_is_taken_if_no_program_is_behind_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(find, "_BEHIND_WRAPPER", {"chromium": tmp_path / "not there"})
    assert (
        find_browser(which=on_path({"chromium": "/usr/bin/chromium"})).path == "/usr/bin/chromium"
    )


def test_program_of_a_wrapper_outside_path_is_not_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(find, "_BEHIND_WRAPPER", {"chromium": Path(program(tmp_path / "chromium"))})
    with pytest.raises(BrowserNotFound):
        find_browser(which=EMPTY)


def test_own_chromium_is_not_mistaken_for_debians_wrapper(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        find, "_BEHIND_WRAPPER", {"chromium": Path(program(tmp_path / "debian" / "chromium"))}
    )
    own = program(tmp_path / "own" / "chromium")
    assert find_browser(which=on_path({"chromium": own})).path == own


def test_wrapper_rule_applies_to_debian_folders_only() -> None:
    folder = Path("/usr/lib/chromium")
    assert behind_wrapper == {
        name: folder / name for name in ("chromium", "chromium-headless-shell")
    }


def test_path_variable_is_searched_by_default(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chrome = program(tmp_path / "google-chrome")
    monkeypatch.setenv("PATH", os.fspath(tmp_path))
    assert find_browser().path == chrome


# -- nothing there -----------------------------------------------------------------------------


def test_error_lists_every_place_searched_and_the_remedy(tmp_path: Path) -> None:
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


def test_headed_error_does_not_suggest_a_headless_shell(tmp_path: Path) -> None:
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


def test_all_places_are_listed_after_the_first_match(tmp_path: Path) -> None:
    looked = list(
        places(
            None,
            program(tmp_path / BUNDLED),
            headed=False,
            which=on_path({"chromium": "/bin/chromium"}),
        )
    )
    assert [place.label for place in looked if place.path] == [
        "Playwright's own chromium",
        "chromium on PATH",
    ]
