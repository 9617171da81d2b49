"""Names of worlds: those built in, and those that other distributions offer.

On the ground floor, so that suites, options and commands can check a name without opening a world.
"""

from __future__ import annotations

from typing import Final

from . import _entry_points
from ._suggest import unknown
from .errors import SettingsError

LIVE: Final = "live"
REPLICA: Final = "replica"
LOCAL: Final = "local"
BUILT_IN: Final = (LIVE, REPLICA, LOCAL)
SITES: Final = {REPLICA: "replica", LOCAL: "sites"}
"""Folders of a suite that hold the sites of a world."""


def world_names() -> tuple[str, ...]:
    """Every world that can be chosen here."""
    return (*BUILT_IN, *_entry_points.names(_entry_points.WORLDS))


def require_world(name: str) -> None:
    """`SettingsError` that lists the worlds there are, if ``name`` is none of them."""
    known = world_names()
    if name not in known:
        raise SettingsError(f"{unknown('world', name, known)}; allowed: {', '.join(known)}")
