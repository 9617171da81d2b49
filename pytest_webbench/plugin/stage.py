"""Worlds and browsers of one worker process."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from ..browser.local import BrowserProvider, LocalBrowser
from ..browser.recording import OpenContext
from ..browser.session import fresh_context
from ..episode.runner import EpisodeRunner
from ..episode.watchdog import Watchdog
from ..errors import SettingsError
from ..world import World, open_world


class Place(NamedTuple):
    """A world and where its browser comes from."""

    world: World
    provider: BrowserProvider
    runner: EpisodeRunner


class Stage:
    """Opens each world once, with one browser of its own, and closes all at the end."""

    def __init__(self, provide: Callable[[], BrowserProvider], context_args: dict[str, Any], browser: str) -> None:
        self._provide, self._context_args, self._browser = provide, context_args, browser
        self._watchdog = Watchdog()
        self._places: dict[tuple[str, Path], Place] = {}

    def place(self, world_name: str, suite_folder: Path) -> Place:
        """The world of a suite, opened if need be."""
        key = (world_name, suite_folder)
        if key not in self._places:
            world = open_world(world_name, suite_folder)
            self._places[key] = Place(world, self._provide(), EpisodeRunner(self._watchdog, world))
        return self._places[key]

    def opener(self, place: Place, *, own: bool) -> OpenContext:
        """Makes contexts: each in a browser process of its ``own``, or all in one; a lost one is replaced."""
        provider = place.provider
        if not own:
            return lambda args: fresh_context(provider.acquire(place.world), args, provider.kill, lent=provider.lent)
        if not isinstance(provider, LocalBrowser):
            raise SettingsError(
                f"this agent needs a browser of its own for every episode, and --webbench-browser "
                f"{self._browser.partition(':')[0]} is a shared one; use local or local:/path/to/chrome"
            )
        return lambda args: provider.own(place.world, args)

    def context_args(self, place: Place) -> dict[str, Any]:
        """Arguments of every context in this place: the user's, then the world's."""
        return {**self._context_args, **place.world.context_args()}

    def close(self) -> None:
        """Release browsers and worlds."""
        for place in self._places.values():
            place.provider.release()
            place.world.close()
