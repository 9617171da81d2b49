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
    """A machine with an empty PATH and no browser; commands are noted, and do what a test says
    they do.
    """

    def __init__(self, folder: Path) -> None:
        self.bin = folder / "bin"
        self.bin.mkdir()
        self.bundled = folder / "chromium-1200" / "chrome-linux" / "chrome"
        self.shell = folder / "chromium_headless_shell-1200" / "chrome-linux" / "headless_shell"
        self.commands: list[list[str]] = []
        self.said: list[str] = []
        self.effects: dict[str, Callable[[], object]] = {}

    def run(self, command: Sequence[str]) -> int:
        """Succeeds where a test has told what the command does; commands are known by their last
        words.
        """
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


# -- ways --------------------------------------------------------------------------------------


def test_playwrights_headless_shell_is_tried_first(debian: Machine) -> None:
    debian.effects["--only-shell chromium"] = lambda: program(debian.shell)
    found = debian.install()
    assert (found.path, debian.commands) == (str(debian.shell), [PLAYWRIGHT])


def test_successful_first_attempt_prints_one_line(machine: Machine) -> None:
    machine.effects["--only-shell chromium"] = lambda: program(machine.shell)
    machine.install()
    assert machine.said == ["trying Playwright's headless shell ..."]


def test_system_package_is_tried_if_the_download_fails(debian: Machine) -> None:
    debian.effects["chromium-headless-shell"] = lambda: program(
        debian.bin / "chromium-headless-shell"
    )
    found = debian.install()
    assert found.path == str(debian.bin / "chromium-headless-shell")
    assert debian.commands == [PLAYWRIGHT, UPDATE, apt_install("chromium-headless-shell")]


def test_larger_package_is_tried_last(debian: Machine) -> None:
    debian.effects["recommends chromium"] = lambda: program(debian.bin / "chromium")
    debian.install()
    assert [command[-1] for command in debian.commands] == [
        "chromium",
        "update",
        "chromium-headless-shell",
        "update",
        "chromium",
    ]


def test_package_is_not_installed_if_the_package_list_fails(debian: Machine) -> None:
    del debian.effects["apt-get update"]
    with pytest.raises(BrowserNotFound):
        debian.install()
    assert debian.commands == [PLAYWRIGHT, UPDATE, UPDATE]


def test_without_apt_only_the_download_is_tried(machine: Machine) -> None:
    with pytest.raises(BrowserNotFound):
        machine.install()
    assert machine.commands == [PLAYWRIGHT]


def test_every_failed_attempt_is_reported(debian: Machine) -> None:
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


def test_success_without_a_browser_is_a_failure(debian: Machine) -> None:
    debian.effects["--only-shell chromium"] = lambda: None
    debian.effects["chromium-headless-shell"] = lambda: program(
        debian.bin / "chromium-headless-shell"
    )
    debian.install()
    assert debian.said[1] == "Playwright's headless shell reported success, but no browser is there"


def test_error_suggests_manual_steps(machine: Machine) -> None:
    with pytest.raises(BrowserNotFound) as caught:
        machine.install()
    assert str(caught.value) == (
        "no browser could be installed. Install Chromium or Chrome by hand, then run  "
        "webbench browser  to see whether "
        "it is found; or name it with  --webbench-browser local:/path/to/chrome"
    )


@pytest.mark.parametrize(("user", "first"), [(0, "apt-get"), (1000, "sudo")])
def test_sudo_is_used_unless_root(
    debian: Machine, monkeypatch: pytest.MonkeyPatch, user: int, first: str
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: user)
    seen: list[str] = []

    def run(command: Sequence[str]) -> int:
        seen.append(Path(command[0]).name)
        return 1

    with pytest.raises(BrowserNotFound):
        install_browser(say=debian.said.append, only_if_missing=False, run=run)
    assert seen[1:] == [first, first]


# -- only if missing ---------------------------------------------------------------------------


def test_nothing_is_installed_if_a_browser_exists(machine: Machine) -> None:
    program(machine.bundled)
    found = machine.install(only_if_missing=True)
    assert (found.path, machine.commands, machine.said) == (str(machine.bundled), [], [])


def test_browser_is_installed_if_missing(machine: Machine) -> None:
    machine.effects["--only-shell chromium"] = lambda: program(machine.shell)
    machine.install(only_if_missing=True)
    assert machine.said[0] == "no browser on this machine yet"


def test_browser_is_installed_again_on_request(machine: Machine) -> None:
    program(machine.bundled)
    machine.effects["--only-shell chromium"] = lambda: program(machine.shell)
    assert machine.install().path == str(machine.shell)


# -- commands and versions ---------------------------------------------------------------------


@pytest.mark.parametrize("code", [0, 3])
def test_exit_code_of_the_command_is_returned(code: int) -> None:
    assert (
        install._run([sys.executable, "-c", f"print('not shown'); raise SystemExit({code})"])
        == code
    )


def test_command_that_cannot_be_started_counts_as_failed(tmp_path: Path) -> None:
    assert install._run([str(tmp_path / "nothing")]) == 1


def test_command_that_times_out_counts_as_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(install, "_DOWNLOAD_SECONDS", 0.05)
    assert install._run([sys.executable, "-c", "import time; time.sleep(30)"]) == 1


@pytest.mark.parametrize(
    ("script", "version"),
    [
        ("echo 'Chromium 142.0.1 '", "Chromium 142.0.1"),
        ("exit 0", "unknown"),
        ("echo wrong >&2; exit 1", "unknown"),
    ],
)
def test_version_is_read_from_the_browser(tmp_path: Path, script: str, version: str) -> None:
    assert version_of(str(program(tmp_path / "chrome", script))) == version


def test_version_is_unknown_if_the_browser_does_not_start(tmp_path: Path) -> None:
    assert version_of(str(tmp_path / "chrome")).startswith("unknown (")
