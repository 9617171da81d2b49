"""The World protocol, the live world, and how one is opened."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal, Protocol, TypeAlias

WorldName: TypeAlias = Literal["live", "replica"]


class World(Protocol):
    """Where pages come from. A browser is started for a world and serves no other."""

    name: str

    def launch_args(self) -> list[str]:
        """Command-line arguments of a browser that lives in this world."""

    def context_args(self) -> dict[str, Any]:
        """Arguments of each browser context in this world."""

    def outside_since_last(self) -> list[str]:
        """URLs requested since the last call that this world does not have."""

    def close(self) -> None:
        """Free ports and threads."""


class Live:
    """The internet."""

    name = "live"

    def launch_args(self) -> list[str]:
        return []

    def context_args(self) -> dict[str, Any]:
        return {}

    def outside_since_last(self) -> list[str]:
        return []

    def close(self) -> None:
        return None


def open_world(name: str, suite_folder: Path) -> World:
    """A running world; ``replica`` serves the sites under ``suite_folder/replica``."""
    if name == "live":
        return Live()
    from .replica import Replica

    return Replica(suite_folder / "replica")
