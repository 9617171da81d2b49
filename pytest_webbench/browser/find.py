"""Finds a Chromium on this machine and says why it is the one."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ..errors import BrowserNotFound

Which = Callable[[str], str | None]

_NAMES = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)
# Debian's /usr/bin entries are shell wrappers that do not `exec`: killing them orphans the browser.
_BEHIND_WRAPPER = {
    "chromium-headless-shell": Path("/usr/lib/chromium/chromium-headless-shell"),
    "chromium": Path("/usr/lib/chromium/chromium"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundBrowser:
    """A browser binary and the reason for choosing it."""

    path: str
    why: str
    headless_only: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """One place that was looked at; ``path`` is None if nothing usable is there."""

    label: str
    path: str | None


def places(
    explicit: str | None, bundled: str | None, *, headed: bool, which: Which = shutil.which
) -> Iterator[Place]:
    """Where a browser may be, best first."""
    if explicit:
        yield _place(f"path given: {explicit}", explicit)
        return
    if bundled and not headed:
        shell = next(iter(_headless_shells(Path(bundled))), None)
        yield Place(label="Playwright's own headless shell", path=shell)
    yield _place("Playwright's own chromium", bundled)
    for name in _NAMES:
        if headed and "headless" in name:
            continue
        found = which(name)
        real = _BEHIND_WRAPPER.get(name)
        if found == f"/usr/bin/{name}" and real is not None and real.exists():
            found = str(real)
        yield Place(label=f"{name} on PATH", path=found)


def _place(label: str, path: str | None) -> Place:
    if path and _is_program(path):
        return Place(label=label, path=path)
    return Place(label=label, path=None)


def find_browser(
    explicit: str | None = None,
    bundled: str | None = None,
    *,
    headed: bool = False,
    which: Which = shutil.which,
) -> FoundBrowser:
    """The best browser here.

    ``bundled`` is where Playwright would keep its own. `BrowserNotFound` lists the places.
    """
    looked = list(places(explicit, bundled, headed=headed, which=which))
    for place in looked:
        if place.path:
            return FoundBrowser(
                path=place.path, why=place.label, headless_only="headless" in Path(place.path).name
            )
    lines = "\n".join(f"  - {place.label}: not there" for place in looked)
    raise BrowserNotFound(
        f"no Chromium{' with a window' if headed else ''} was found. Looked at:\n{lines}\n"
        "Install one with:  webbench browser install"
    )


def _headless_shells(bundled: Path) -> Iterator[str]:
    """Playwright's own, next to its chromium in ``chromium_headless_shell-<revision>``."""
    for folder in bundled.parents:
        if folder.name.startswith("chromium-"):
            revision = folder.name.removeprefix("chromium-")
            shell_folder = folder.parent / f"chromium_headless_shell-{revision}"
            # The name depends on Playwright's version and on the system.
            for name in (
                "headless_shell",
                "chrome-headless-shell",
                "headless_shell.exe",
                "chrome-headless-shell.exe",
            ):
                for path in sorted(shell_folder.glob(f"*/{name}")):
                    if _is_program(str(path)):
                        yield str(path)
            return


def _is_program(path: str) -> bool:
    return Path(path).is_file() and os.access(path, os.X_OK)
