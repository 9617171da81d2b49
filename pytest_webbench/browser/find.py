"""Finds a Chromium on this machine and says why it is the one."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Final

from ..errors import BrowserNotFound, SettingsError

Which = Callable[[str], str | None]

SERVICES: Final = MappingProxyType({"lexmount": ("LEXMOUNT_API_KEY",)})
"""Cloud services that are built in, and the variables that hold their keys."""

_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
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


def places(explicit: str | None, bundled: str | None, *, headed: bool, which: Which = shutil.which) -> Iterator[Place]:
    """Where a browser may be, best first."""
    if explicit:
        yield Place(label=f"path given: {explicit}", path=explicit if _is_program(explicit) else None)
        return
    if bundled and not headed:
        shell = next(iter(_headless_shells(Path(bundled))), None)
        yield Place(label="Playwright's own headless shell", path=shell)
    yield Place(label="Playwright's own chromium", path=bundled if bundled and _is_program(bundled) else None)
    for name in _NAMES:
        if headed and "headless" in name:
            continue
        found = which(name)
        real = _BEHIND_WRAPPER.get(name)
        if found == f"/usr/bin/{name}" and real is not None and real.exists():
            found = str(real)
        yield Place(label=f"{name} on PATH", path=found)


def find_browser(
    explicit: str | None = None, bundled: str | None = None, *, headed: bool = False, which: Which = shutil.which
) -> FoundBrowser:
    """The best browser here. ``bundled`` is where Playwright would keep its own; `BrowserNotFound` lists the places."""
    looked = list(places(explicit, bundled, headed=headed, which=which))
    for place in looked:
        if place.path:
            return FoundBrowser(path=place.path, why=place.label, headless_only="headless" in Path(place.path).name)
    lines = "\n".join(f"  - {place.label}: not there" for place in looked)
    raise BrowserNotFound(
        f"no Chromium{' with a window' if headed else ''} was found. Looked at:\n{lines}\n"
        "Install one with:  webbench browser install"
    )


def parse_choice(choice: str) -> tuple[str, str]:
    """``--webbench-browser`` as kind and rest.

    ``local``, ``local:/path/to/chrome``; ``cdp:URL`` of a running Chrome; ``ws://...`` of a Playwright server (kind
    ``server``); ``lexmount`` or ``package.module:Class`` (kind ``service``).
    """
    kind, _, rest = choice.partition(":")
    if kind == "local" or (kind == "cdp" and rest.startswith(("http://", "https://", "ws://", "wss://"))):
        return kind, rest
    if choice.startswith(("ws://", "wss://")):
        return "server", choice
    if choice in SERVICES or (rest.isidentifier() and all(part.isidentifier() for part in kind.split("."))):
        return "service", choice
    shown = f"{choice.partition('://')[0]}://..." if "://" in choice else choice  # an address may hold a token
    raise SettingsError(
        f"--webbench-browser {shown!r}: use local, local:/path/to/chrome, cdp:http://host:port of a running Chrome, "
        f"ws://host:port of a Playwright server, {', '.join(SERVICES)}, or package.module:Class"
    )


def _headless_shells(bundled: Path) -> Iterator[str]:
    """Playwright keeps its headless shell beside its chromium, as ``chromium_headless_shell-<revision>``."""
    for folder in bundled.parents:
        if folder.name.startswith("chromium-"):
            revision = folder.name.removeprefix("chromium-")
            shell_folder = folder.parent / f"chromium_headless_shell-{revision}"
            for name in ("headless_shell", "chrome-headless-shell", "headless_shell.exe", "chrome-headless-shell.exe"):
                yield from (str(path) for path in sorted(shell_folder.glob(f"*/{name}")) if _is_program(str(path)))
            return


def _is_program(path: str) -> bool:
    return Path(path).is_file() and os.access(path, os.X_OK)
