"""What keeps a run whole: one session at a time, the same conditions throughout, and shards that do not overlap."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final

import pytest

from ..errors import WebbenchError
from .options import given, has_run, run_path, settings

if TYPE_CHECKING:
    from ..run import ItemKey
    from ..run.lock import RunLock
    from ..run.shards import Shard
    from .collect import Job

SESSION_KEY: Final = pytest.StashKey[tuple[str, int]]()
LOCK_KEY: Final = pytest.StashKey["RunLock"]()
REFUSED_KEY: Final = pytest.StashKey[WebbenchError]()
"""Why nothing of this run may be run in this process."""
WHOLE_KEY: Final = pytest.StashKey[list["ItemKey"]]()


def session_of(config: pytest.Config) -> tuple[str, int]:
    """Name of this session and the process that the user started; the same in the controller and in all workers."""
    if SESSION_KEY not in config.stash:
        handed = getattr(config, "workerinput", {})
        config.stash[SESSION_KEY] = handed.get("webbench_session") or (uuid.uuid4().hex, os.getpid())
    return config.stash[SESSION_KEY]


def hold_run(config: pytest.Config) -> None:
    """Keep other sessions out of this run; `SettingsError` if one is in there."""
    _lock(config).acquire()


def refuse_if_refused(item: pytest.Item) -> None:
    """In a worker that may not use the run: its first item says why, and the session ends."""
    refused = item.config.stash.get(REFUSED_KEY, None)
    if refused is not None:
        item.session.shouldfail = str(refused).splitlines()[0]
        raise refused


def join_run(config: pytest.Config) -> None:
    """The controller holds what its workers hold, so that a run is not free while they are replaced."""
    _lock(config).join()


def _lock(config: pytest.Config) -> RunLock:
    from ..run.lock import RunLock

    if LOCK_KEY not in config.stash:
        lock = config.stash[LOCK_KEY] = RunLock(run_path(config), *session_of(config))
        config.add_cleanup(lock.release)
    return config.stash[LOCK_KEY]


def check_run(config: pytest.Config) -> None:
    """Before xdist's controller starts workers: a usage error if they could not use the run that was named."""
    if not given(config, "run") or not has_run(config):
        return
    from ..run.conditions import KEY, refuse_changes
    from ..run.lock import left_behind
    from .reporting import current_run

    lock, run = _lock(config), current_run(config)
    holder = lock.holder()
    if holder is not None and not left_behind(holder):
        raise pytest.UsageError(lock.refusal(holder))
    try:
        refuse_changes(run.path.name, run.facts().get(KEY, {}), {"agents": _agents(config)}, run.results())
    except WebbenchError as error:
        raise pytest.UsageError(str(error)) from error


def conditions(config: pytest.Config, jobs: Iterable[Job]) -> dict[str, Any]:
    """What a result depends on besides its task: the agents' settings, and the suites' where no option beats them."""
    chosen = settings(config)
    suites = {job.suite.name: job.suite for job in jobs}
    return {
        "agents": {} if chosen.validate else _agents(config),
        "suites": {
            name: {
                "max_actions": None if chosen.max_actions else suite.limits.actions,
                "max_seconds": None if chosen.max_seconds else suite.limits.seconds,
                "locale": suite.locale,
                "timezone": suite.timezone,
            }
            for name, suite in suites.items()
        },
    }


def _agents(config: pytest.Config) -> dict[str, Any]:
    from ..agents.config import agent_label
    from .agents import chosen_options

    chosen, options = settings(config), chosen_options(config)
    return {
        agent_label(spec): {
            "agent": spec,
            "--webbench-seed": chosen.seed,
            "--webbench-max-actions": chosen.max_actions,
            "--webbench-max-seconds": chosen.max_seconds,
            "options": {
                name: value for name, value in options.get(agent_label(spec), {}).items() if name not in _WITHOUT_EFFECT
            },
        }
        for spec in chosen.agents
    }


_WITHOUT_EFFECT: Final = ("parallel",)


def keep_shard(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the items of this shard, and remember the whole plan; items that are none of ours stay."""
    shard = chosen_shard(config)
    if shard is None:
        return
    from .collect import jobs_of

    keys = {item: job.key for item, job in jobs_of(items)}
    others = [item for item, key in keys.items() if not shard.holds(key)]
    config.stash[WHOLE_KEY] = list(keys.values())
    if others:
        gone = set(others)
        items[:] = [item for item in items if item not in gone]
        config.hook.pytest_deselected(items=others)


def chosen_shard(config: pytest.Config) -> Shard | None:
    """``--webbench-shard``; a usage error if it makes no sense."""
    text = given(config, "shard")
    if not text:
        return None
    from ..run.shards import Shard

    try:
        return Shard.parse(str(text))
    except WebbenchError as error:
        raise pytest.UsageError(str(error)) from error
