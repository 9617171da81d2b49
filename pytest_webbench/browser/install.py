"""Installs a headless Chromium: Playwright's own, else the system's package."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from typing import Final

from playwright.sync_api import sync_playwright

from ..errors import BrowserNotFound
from .find import FoundBrowser, find_browser

Say = Callable[[str], None]
Run = Callable[[Sequence[str]], int]

_DOWNLOAD_SECONDS: Final = 600
_PACKAGES: Final = ("chromium-headless-shell", "chromium")
# Playwright's installer waits long for hosts that never answer; one attempt is enough to know.
_DOWNLOAD_ENVIRONMENT: Final = {"PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT": "20000"}


def bundled_chromium() -> str | None:
    """Where Playwright keeps its own chromium, whether or not it is installed."""
    with sync_playwright() as playwright:
        return playwright.chromium.executable_path


def install_browser(*, say: Say, only_if_missing: bool, run: Run | None = None) -> FoundBrowser:
    """Install a browser and say what is done; `BrowserNotFound` if every way failed."""
    bundled = bundled_chromium()
    if only_if_missing:
        try:
            return find_browser(bundled=bundled)
        except BrowserNotFound:
            say("no browser on this machine yet")
    execute = run or _run
    for title, commands in _ways():
        say(f"trying {title} ...")
        if all(execute(command) == 0 for command in commands):
            try:
                return find_browser(bundled=bundled)
            except BrowserNotFound:
                say(f"{title} reported success, but no browser is there")
        else:
            say(f"{title} did not work")
    raise BrowserNotFound(
        "no browser could be installed. Install Chromium or Chrome by hand, then run  webbench "
        "browser  to see whether it is found; or name it with  --webbench-browser "
        "local:/path/to/chrome"
    )


def _ways() -> list[tuple[str, list[list[str]]]]:
    """Ways to install, best first, each as commands that all have to succeed."""
    playwright = [sys.executable, "-m", "playwright", "install"]
    ways = [("Playwright's headless shell", [[*playwright, "--only-shell", "chromium"]])]
    apt = shutil.which("apt-get")
    if apt:
        prefix = [] if os.geteuid() == 0 else ["sudo", "--non-interactive"]
        install = [*prefix, apt, "install", "--yes", "--no-install-recommends"]
        ways += [
            (f"system package {name}", [[*prefix, apt, "update"], [*install, name]])
            for name in _PACKAGES
        ]
    return ways


def _run(command: Sequence[str]) -> int:
    environment = {**os.environ, **_DOWNLOAD_ENVIRONMENT, "DEBIAN_FRONTEND": "noninteractive"}
    try:
        done = subprocess.run(
            command,
            env=environment,
            timeout=_DOWNLOAD_SECONDS,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return 1
    return done.returncode


def version_of(path: str) -> str:
    """What a browser says of its version."""
    try:
        answer = subprocess.run(
            [path, "--version"], capture_output=True, text=True, timeout=20, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"unknown ({error})"
    return answer.stdout.strip() or "unknown"
