"""How a browser is installed: which ways are tried, in which order, and what is said of each."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from pytest_webbench.browser import find, install
from pytest_webbench.browser.install import install_browser, version_of
from pytest_webbench.errors import BrowserNotFound


def program(path: Path, script: str = "") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n", "utf-8")
    path.chmod(0o755)
    return path


class Machine:
    """A machine with an empty PATH and no browser; commands are noted, and do what a test says they do."""

    def __init__(self, folder: Path) -> None:
        self.bin = folder / "bin"
        self.bin.mkdir()
        self.bundled = folder / "chromium-1200" / "chrome-linux" / "chrome"
        self.shell = folder / "chromium_headless_shell-1200" / "chrome-linux" / "headless_shell"
        self.commands: list[list[str]] = []
        self.said: list[str] = []
        self.effects: dict[str, Callable[[], object]] = {}

    def run(self, command: Sequence[str]) -> int:
        """Succeeds where a test has told what the command does; commands are known by their last words."""
        self.commands.append(self._plain(command))
        words = " ".join(self.commands[-1])
        for ending, effect in self.effects.items():
            if words.endswith(ending):
                effect()
                return 0
        return 1

    def _plain(self, command: Sequence[str]) -> list[str]:
        """Without paths and without what only makes another user of us."""
        words = [word for word in command if word not in ("sudo", "--non-interactive")]
        return ["python" if word == sys.executable else Path(word).name for word in words]

    def install(self, *, only_if_missing: bool = False) -> find.FoundBrowser:
        return install_browser(say=self.said.append, only_if_missing=only_if_missing, run=self.run)


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    machine = Machine(tmp_path)
    monkeypatch.setenv("PATH", os.fspath(machine.bin))
    monkeypatch.setattr(find, "_BEHIND_WRAPPER", {})
    monkeypatch.setattr(install, "bundled_chromium", lambda: str(machine.bundled))
    return machine


@pytest.fixture
def debian(machine: Machine) -> Machine:
    program(machine.bin / "apt-get")
    machine.effects["apt-get update"] = lambda: None
    return machine


PLAYWRIGHT = ["python", "-m", "playwright", "install", "--only-shell", "chromium"]
UPDATE = ["apt-get", "update"]


def apt_install(package: str) -> list[str]:
    return ["apt-get", "install", "--yes", "--no-install-recommends", package]


# -- ways --------------------------------------------------------------------------------------------------------------


def test_playwrights_headless_shell_is_tried_first(debian: Machine) -> None:
    debian.effects["--only-shell chromium"] = lambda: program(debian.shell)
    found = debian.install()
    assert (found.path, debian.commands) == (str(debian.shell), [PLAYWRIGHT])


def test_first_way_is_announced_and_nothing_else_is_said_if_it_works(machine: Machine) -> None:
    machine.effects["--only-shell chromium"] = lambda: program(machine.shell)
    machine.install()
    assert machine.said == ["trying Playwright's headless shell ..."]


def test_system_package_is_tried_where_the_download_fails(debian: Machine) -> None:
    debian.effects["chromium-headless-shell"] = lambda: program(debian.bin / "chromium-headless-shell")
    found = debian.install()
    assert found.path == str(debian.bin / "chromium-headless-shell")
    assert debian.commands == [PLAYWRIGHT, UPDATE, apt_install("chromium-headless-shell")]


def test_larger_package_is_tried_last(debian: Machine) -> None:
    debian.effects["recommends chromium"] = lambda: program(debian.bin / "chromium")
    debian.install()
    assert [command[-1] for command in debian.commands] == [
        "chromium", "update", "chromium-headless-shell", "update", "chromium"
    ]  # fmt: skip


def test_package_is_not_installed_where_the_list_of_packages_cannot_be_had(debian: Machine) -> None:
    del debian.effects["apt-get update"]
    with pytest.raises(BrowserNotFound):
        debian.install()
    assert debian.commands == [PLAYWRIGHT, UPDATE, UPDATE]


def test_machine_without_apt_has_one_way(machine: Machine) -> None:
    with pytest.raises(BrowserNotFound):
        machine.install()
    assert machine.commands == [PLAYWRIGHT]


def test_every_way_that_did_not_work_is_said(debian: Machine) -> None:
    with pytest.raises(BrowserNotFound):
        debian.install()
    assert debian.said == [
        "trying Playwright's headless shell ...",
        "Playwright's headless shell did not work",
        "trying system package chromium-headless-shell ...",
        "system package chromium-headless-shell did not work",
        "trying system package chromium ...",
        "system package chromium did not work",
    ]


def test_success_without_a_browser_is_not_believed(debian: Machine) -> None:
    debian.effects["--only-shell chromium"] = lambda: None
    debian.effects["chromium-headless-shell"] = lambda: program(debian.bin / "chromium-headless-shell")
    debian.install()
    assert debian.said[1] == "Playwright's headless shell reported success, but no browser is there"


def test_error_says_what_can_be_done_by_hand(machine: Machine) -> None:
    with pytest.raises(BrowserNotFound) as caught:
        machine.install()
    assert str(caught.value) == (
        "no browser could be installed. Install Chromium or Chrome by hand, then run  webbench browser  to see whether "
        "it is found; or name it with  --webbench-browser local:/path/to/chrome"
    )


@pytest.mark.parametrize(("user", "first"), [(0, "apt-get"), (1000, "sudo")])
def test_only_root_does_without_sudo(debian: Machine, monkeypatch: pytest.MonkeyPatch, user: int, first: str) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: user)
    seen: list[str] = []

    def run(command: Sequence[str]) -> int:
        seen.append(Path(command[0]).name)
        return 1

    with pytest.raises(BrowserNotFound):
        install_browser(say=debian.said.append, only_if_missing=False, run=run)
    assert seen[1:] == [first, first]


# -- only if missing ---------------------------------------------------------------------------------------------------


def test_nothing_is_done_if_a_browser_is_there(machine: Machine) -> None:
    program(machine.bundled)
    found = machine.install(only_if_missing=True)
    assert (found.path, machine.commands, machine.said) == (str(machine.bundled), [], [])


def test_browser_is_installed_if_none_is_there(machine: Machine) -> None:
    machine.effects["--only-shell chromium"] = lambda: program(machine.shell)
    machine.install(only_if_missing=True)
    assert machine.said[0] == "no browser on this machine yet"


def test_browser_is_installed_although_one_is_there_if_that_was_asked(machine: Machine) -> None:
    program(machine.bundled)
    machine.effects["--only-shell chromium"] = lambda: program(machine.shell)
    assert machine.install().path == str(machine.shell)


# -- commands and versions ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", [0, 3])
def test_command_that_runs_gives_its_own_code(code: int) -> None:
    assert install._run([sys.executable, "-c", f"print('not shown'); raise SystemExit({code})"]) == code


def test_command_that_cannot_be_started_has_failed(tmp_path: Path) -> None:
    assert install._run([str(tmp_path / "nothing")]) == 1


def test_command_that_takes_too_long_has_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(install, "_DOWNLOAD_SECONDS", 0.05)
    assert install._run([sys.executable, "-c", "import time; time.sleep(30)"]) == 1


@pytest.mark.parametrize(
    ("script", "version"),
    [("echo 'Chromium 142.0.1 '", "Chromium 142.0.1"), ("exit 0", "unknown"), ("echo wrong >&2; exit 1", "unknown")],
)
def test_version_is_what_the_browser_says(tmp_path: Path, script: str, version: str) -> None:
    assert version_of(str(program(tmp_path / "chrome", script))) == version


def test_version_of_what_cannot_be_started_is_unknown(tmp_path: Path) -> None:
    assert version_of(str(tmp_path / "chrome")).startswith("unknown (")
