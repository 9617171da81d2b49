"""Worlds and browsers of one worker process."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ..browser.local import BrowserProvider, browser_provider
from ..episode.runner import EpisodeRunner
from ..episode.watchdog import Watchdog
from ..world import World, open_world

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Playwright


class Place(NamedTuple):
    """A world and where its browser comes from."""

    world: World
    provider: BrowserProvider
    runner: EpisodeRunner


class Stage:
    """Opens each world once, with one browser of its own, and closes all at the end."""

    def __init__(
        self, playwright: Playwright, launch_args: dict[str, Any], context_args: dict[str, Any], browser: str
    ) -> None:
        self._playwright, self._launch_args, self._browser = playwright, launch_args, browser
        self._context_args = context_args
        self._watchdog = Watchdog()
        self._places: dict[tuple[str, Path], Place] = {}

    def place(self, world_name: str, suite_folder: Path) -> Place:
        """The world of a suite, opened if need be."""
        key = (world_name, suite_folder)
        if key not in self._places:
            world = open_world(world_name, suite_folder)
            provider = browser_provider(self._playwright, self._launch_args, self._browser)
            self._places[key] = Place(world, provider, EpisodeRunner(self._watchdog, world, provider.kill))
        return self._places[key]

    def browser(self, place: Place) -> Browser:
        """A connected browser; a lost one is replaced."""
        return place.provider.acquire(place.world)

    def context_args(self, place: Place) -> dict[str, Any]:
        """Arguments of every context in this place: the user's, then the world's."""
        return {**self._context_args, **place.world.context_args()}

    def close(self) -> None:
        """Release browsers and worlds."""
        for place in self._places.values():
            place.provider.release()
            place.world.close()
