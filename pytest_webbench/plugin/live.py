"""What a session does before it goes to live sites."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

import pytest

from .._proxies import proxies
from .._text import listed
from .._worlds import LIVE, REPLICA
from ..browser.choice import parse_choice
from ..errors import SettingsError
from ..run import RunDir
from ..run.ledger import kept_result
from ..run.live_turns import FOLDER, LiveTurns
from ..run.network import is_local, unreachable
from ..run.work_item import WorkItem
from ..task.models import Live
from .invocation import Invocation
from .items import Retries, overrides_browser
from .settings import Settings


def require_network(
    works: Iterable[tuple[pytest.Item, WorkItem]], invocation: Invocation, run: RunDir
) -> None:
    """`SettingsError` if items need sites on the network, and this machine has none."""
    settings = invocation.settings
    if not invocation.writes_plan:
        return  # one worker looks for all
    # Where a proxy or another machine opens the pages, this machine's network says nothing.
    if settings.rescore or proxies() or parse_choice(settings.browser)[0] != "local":
        return
    needing = [work for item, work in works if _needs_network(work, run, item)]
    in_vain = unreachable(_start_urls(needing))
    if not in_vain:
        return
    tried = ", ".join(f"{host} ({problem})" for host, problem in sorted(in_vain.items()))
    raise SettingsError(
        f"the live world needs a network, and no site can be reached from this machine; tried "
        f"{tried}: connect it, or {_way_out(needing)}"
    )


def live_rules(settings: Settings, work: WorkItem) -> Live | None:
    """How live sites are spared by this item; None if it visits none, or without such rules."""
    if work.world != LIVE or work.task is None:
        return None
    chosen = {
        "parallel": settings.live_parallel,
        "parallel_cloud": settings.live_parallel,
        "per_site": settings.live_per_site,
        "pause": settings.live_pause,
        "blocked_retries": settings.live_blocked_retries,
    }
    given = {name: value for name, value in chosen.items() if value is not None}
    if work.suite.live is None and not given:
        return None
    return (work.suite.live or Live()).model_copy(update=given)


def retries_of(settings: Settings, work: WorkItem) -> Retries:
    """What is done when an attempt at this item finds no verdict, for no fault of the agent's."""
    if settings.rescore:
        return Retries(0, 0, settings.infra_retry_delay)
    rules = live_rules(settings, work)
    blocked = 0 if rules is None else rules.blocked_retries
    return Retries(settings.infra_retries, blocked, settings.infra_retry_delay)


def live_turn(
    settings: Settings, work: WorkItem, runs_folder: Path
) -> AbstractContextManager[None]:
    """A block that is entered when the item's site may be visited."""
    rules = live_rules(settings, work)
    if rules is None or work.task is None:
        return nullcontext()
    cloud = parse_choice(settings.browser)[0] == "service"
    return LiveTurns(runs_folder / FOLDER, rules, cloud=cloud).take(work.task.site)


def _needs_network(work: WorkItem, run: RunDir, item: pytest.Item) -> bool:
    if work.world != LIVE or work.task is None or is_local(work.task.start_url):
        return False
    if overrides_browser(item):
        return False
    kept = kept_result(
        run.attempts_at(work.key),
        task_digest=work.digest(),
        world=work.world,
        judge_version=work.judge_version,
    )
    return kept is None


def _start_urls(works: Iterable[WorkItem]) -> Iterator[str]:
    for work in works:
        if work.task is not None:
            yield work.task.start_url


def _way_out(works: Iterable[WorkItem]) -> str:
    without = {work.suite.name for work in works if REPLICA not in work.suite.worlds}
    if not without:
        return f"run on doubles of the sites with --webbench-world {REPLICA}"
    names = ", ".join(listed(sorted(without), 5))
    return f"give the suite doubles of its sites for --webbench-world {REPLICA}; {names} has none"
