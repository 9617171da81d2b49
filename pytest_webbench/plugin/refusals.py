"""Sessions that are refused before anything is run."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import pytest

from ..errors import SettingsError
from ..run import ItemKey
from ..run.work_item import WorkItem
from ..world.base import require_editions
from .invocation import Invocation
from .settings import Settings

_DISTRIBUTIONS: Final = {
    "each": "would run every task on every worker under one name",
    "loadgroup": "hangs when a worker dies (xdist 3.8.0 and earlier)",
}
# pytest knows a plugin by its entry point's name, or with -p by its module's.
_RIVALS: Final = ("pytest-retry", "pytest_retry", "flaky")


def refuse_half_runs(invocation: Invocation) -> None:
    """`SettingsError` if pytest was called in a way in which tasks cannot be run, or judged."""
    problem = _DISTRIBUTIONS.get(invocation.distribution)
    if problem:
        raise SettingsError(
            f"--dist {invocation.distribution} {problem}: use --dist load or --dist worksteal"
        )
    if not invocation.config.pluginmanager.hasplugin("playwright"):
        raise SettingsError(
            "the plugin pytest-playwright is switched off, and tasks need it: leave out "
            "`-p no:playwright`"
        )
    if invocation.config.option.setuponly:
        raise SettingsError(
            "--setup-only makes no sense here: a task is run and judged in its set-up, and the "
            "verdict would not be reported. Use --setup-show, or --setup-plan to run nothing"
        )


def refuse_missing_editions(
    works: Iterable[tuple[pytest.Item, WorkItem]], settings: Settings
) -> None:
    """`SettingsError` if an item is to be played in an edition that its world does not have."""
    if settings.runs_agents:
        for world in sorted({work.world for _item, work in works if work.key.seed}):
            require_editions(world)


def refuse_doubles(works: Iterable[tuple[pytest.Item, WorkItem]]) -> None:
    """`SettingsError` if two items have the same key: they would share one result."""
    first: dict[ItemKey, str] = {}
    for item, work in works:
        if work.key in first:
            key = work.key
            raise SettingsError(
                f"suite {key.suite}, task {key.task}, agent {key.agent} was collected twice, as "
                f"{first[key]} and as {item.nodeid}: name one of them only, or give the suites "
                "different names"
            )
        first[work.key] = item.nodeid


def refuse_rival_plugins(plugins: pytest.PytestPluginManager) -> None:
    """Plugins that retry wrong answers would turn failures into passes."""
    for name in _RIVALS:
        if plugins.hasplugin(name):
            raise pytest.UsageError(
                f"plugin {name!r} is active; it repeats tests that failed, so no score could be "
                f"trusted. Switch it off with -p no:{name}"
            )
