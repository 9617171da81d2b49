"""The worlds and browsers of one worker process."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NamedTuple

from ..browser.context import fresh_context
from ..browser.driver import Driver
from ..browser.local import BrowserProvider, LocalBrowser
from ..browser.recording import OpenContext
from ..errors import InfraError, SettingsError
from ..world import World, open_world
from .oversight import Oversight
from .runner import EpisodeRunner
from .watchdog import Interrupted, Watchdog

_DRIVER_SECONDS: Final = 20.0


class Environment(NamedTuple):
    """A world, the browser that lives in it, and what runs episodes there."""

    world: World
    provider: BrowserProvider
    runner: EpisodeRunner


class EnvironmentPool:
    """Opens each world once, with a browser to itself, and closes all of them at the end.

    ``provide`` makes a browser provider from the driver's Playwright, ``context_args`` are the
    user's arguments for every browser context, and ``browser`` is the value of
    ``--webbench-browser``, for messages.
    """

    def __init__(
        self,
        driver: Driver,
        provide: Callable[[Any], BrowserProvider],
        context_args: dict[str, Any],
        browser: str,
        oversight: Callable[[], Oversight] = Oversight.start,
    ) -> None:
        self._provide, self._context_args, self._browser = provide, context_args, browser
        self._watchdog = Watchdog(oversight)
        self._driver = driver
        self._environments: dict[tuple[str, Path], Environment] = {}

    def environment(self, world_name: str, suite_folder: Path) -> Environment:
        """The world of a suite, opened on first use; `InfraError` without a Playwright."""
        if not self._driver_answers():
            self._renew_driver()
        key = (world_name, suite_folder)
        if key not in self._environments:
            world = open_world(world_name, suite_folder)
            runner = EpisodeRunner(self._watchdog, world)
            self._environments[key] = Environment(world, self._provider(), runner)
        return self._environments[key]

    def _provider(self) -> BrowserProvider:
        return self._provide(self._driver.playwright)

    def _driver_answers(self) -> bool:
        try:
            with self._watchdog.limit(_DRIVER_SECONDS, "driver"):
                return self._driver.answers()
        except Interrupted:
            return False

    def _renew_driver(self) -> None:
        """Start Playwright anew, with other browsers: an agent or a crash has ended its driver."""
        for environment in self._environments.values():
            environment.provider.kill()
        try:
            with self._watchdog.limit(_DRIVER_SECONDS, "driver"):
                self._driver.renew()
        except Exception as error:
            raise InfraError(f"Playwright was lost and cannot be started anew: {error}") from error
        except Interrupted as error:
            raise InfraError(
                f"Playwright was lost and did not start anew within {_DRIVER_SECONDS:g} s"
            ) from error
        for key, environment in self._environments.items():
            self._environments[key] = environment._replace(provider=self._provider())

    def context_opener(self, environment: Environment, *, dedicated: bool) -> OpenContext:
        """Makes browser contexts; a lost browser is replaced.

        All contexts share one browser process, unless ``dedicated``: then each gets its own, which
        CDP clients can reach. `SettingsError` if the chosen browser cannot do that.
        """
        world, provider = environment.world, environment.provider
        if not dedicated:
            return lambda args: fresh_context(
                provider.acquire(world), args, provider.kill, external=provider.external
            )
        if not isinstance(provider, LocalBrowser):
            raise SettingsError(
                "this agent needs its own browser in every episode, but --webbench-browser "
                f"{self._browser.partition(':')[0]} is shared; "
                "use local or local:/path/to/chrome"
            )
        return lambda args: provider.dedicated(world, args)

    def context_args(self, environment: Environment) -> dict[str, Any]:
        """Arguments of every context in this environment: the user's, then the world's."""
        return {**self._context_args, **environment.world.context_args()}

    def close(self) -> None:
        """Release all browsers and worlds."""
        for environment in self._environments.values():
            environment.provider.release()
            environment.world.close()
        self._driver.close()
        self._watchdog.close()
