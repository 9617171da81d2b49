"""On what doubtful ground a pass stands, as far as its evidence tells.

A pass stays a pass: a flag says why nobody should take it on trust.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ..evidence.models import Evidence, HowOpened, Integrity, PageSeen, Repeated
from ..task import Task
from ..task.script import Goto
from .trouble import on_site
from .verdict import Flag, FlagKind

_ACTS: Final = frozenset(
    {"click", "type", "select", "check", "press", "scroll", "drag", "upload", "slide"}
)
"""Steps of a solution that are seen as actions."""


def flags_of(task: Task, evidence: Evidence) -> tuple[Flag, ...]:
    """The flags of a pass; few where the evidence does not speak of its ground."""
    flags = []
    if evidence.refused:
        flags.append(Flag(kind=FlagKind.REFUSED, detail=_listed(evidence.refused)))
    integrity = evidence.integrity
    if integrity is not None:
        flags += _flags_of_ground(task, evidence, integrity)
    return tuple(flags)


def _flags_of_ground(task: Task, evidence: Evidence, integrity: Integrity) -> list[Flag]:
    flags = []
    if not integrity.by_input + integrity.by_script and _needs_actions(task):
        why = "the reference solution acts in pages, and no action of the agent was observed"
        flags.append(Flag(kind=FlagKind.NO_ACTION, detail=why))
    if typed := _typed_on_the_way(task, evidence.pages_seen, integrity):
        flags.append(Flag(kind=FlagKind.TYPED, detail=_listed(typed)))
    if integrity.repeated is Repeated.SAME:
        return flags  # whatever was faked as well, the actions pass without it
    if integrity.repeated is Repeated.OTHER:
        flags.append(Flag(kind=FlagKind.NOT_REPEATED, detail=integrity.repeated_detail))
    for kind, found in (
        (FlagKind.UNDELIVERED, integrity.undelivered),
        # Agents may well keep advertisements away.
        (FlagKind.INTERCEPTED, [one for one in integrity.intercepted if on_site(task, one)]),
        (FlagKind.REWRITTEN, integrity.rewritten),
        (FlagKind.UNRECORDED, evidence.recorder_gaps),
    ):
        if found:
            flags.append(Flag(kind=kind, detail=_listed(found)))
    return flags


def _needs_actions(task: Task) -> bool:
    return any(step.do in _ACTS for step in task.solution)


def _typed_on_the_way(
    task: Task, pages: Sequence[PageSeen], integrity: Integrity
) -> tuple[str, ...]:
    """Addresses that the agent opened on its way from the start page to the final page.

    Those that the solution opens, too, are the task's own, and those that the page before had a
    link to lead where a click would. Without a solution nobody knows what the way is.
    """
    if not task.solution:
        return ()
    opened = {step.url for step in task.solution if isinstance(step, Goto)}
    allowed = {bare(url) for url in (task.start_url, *opened, *integrity.linked)}
    typed = []
    for page in _way_to_final(pages):
        if bare(page.url) == bare(task.start_url):
            break
        if page.how is HowOpened.TYPED and bare(page.url) not in allowed:
            typed.append(page.url)
    return tuple(reversed(typed))


def _way_to_final(pages: Sequence[PageSeen]) -> list[PageSeen]:
    """The final page, the page that it was opened from, and so on."""
    by_number = {page.number: page for page in pages}
    page = next((page for page in pages if page.final), None)
    way: list[PageSeen] = []
    while page is not None and page not in way:
        way.append(page)
        page = _visited_before(page, pages) or by_number.get(page.opened_from or 0)
    return way


def _visited_before(page: PageSeen, pages: Sequence[PageSeen]) -> PageSeen | None:
    """The visit that a move in the history leads back to, for that is how the agent got there."""
    if page.how is not HowOpened.BACK_FORWARD:
        return None
    for other in reversed(pages):
        same = (other.tab, other.url) == (page.tab, page.url)
        if same and other.number < page.number and other.how is not HowOpened.BACK_FORWARD:
            return other
    return None


def bare(url: str) -> str:
    """An address without what leads to the same page: a place in it, a slash at the end."""
    return url.partition("#")[0].rstrip("/")


def _listed(found: Sequence[str]) -> str:
    more = len(found) - 1
    return f"{found[0]} and {more} more" if more else found[0]
