"""Whose trouble it is that an episode cannot be judged by its final page.

Trouble that comes once the agent acts is the agent's, unless the harness saw it come from a server
or from the network. Otherwise an agent could choose to leave unscored what it cannot do.
"""

from __future__ import annotations

from typing import Final

from .._url import host_of, is_on_site
from ..evidence.models import Evidence, HowOpened, PageSeen, PageState, is_refusal
from ..task import Task
from .health import wall_in

_OWN_WAY: Final = ("bot_wall", "restless")
"""What the task's own site may do at any address."""


def is_agents_browser_loss(evidence: Evidence) -> bool:
    """Whether the agent has to answer for the end of its browser, which nobody saw coming.

    A browser that somebody else runs may be lost with the network.
    """
    return bool(evidence.actions) and not evidence.external_browser


def is_agents_page(task: Task, evidence: Evidence) -> bool:
    """Whether the agent has to answer for a final page that is not well."""
    health, page = evidence.health, evidence.final_page()
    if health.state == "unresponsive":
        return True
    seen = next((one for one in evidence.pages_seen if one.final), None)
    led = health.by_agent or (seen is not None and seen.how is HowOpened.SCRIPT)
    if led and not (health.state in _OWN_WAY and on_site(task, page.url)):
        return True
    # The browser shows a page of its own where a server refuses without a word.
    wordless = health.state in ("empty", "browser_error")
    if wordless and _is_answer_to_agent(page.status or _answered(evidence)):
        return True
    if health.state == "browser_error":
        return bool(evidence.actions) and not on_site(task, _asked_for(evidence))
    return seen is not None and _is_altered(health.state, page, seen, evidence)


def on_site(task: Task, url: str) -> bool:
    """Whether ``url`` belongs to the task's own site."""
    return is_on_site(host_of(url), task.site)


def _asked_for(evidence: Evidence) -> str:
    """The address in whose place the browser shows an error page."""
    behind = [entry.url for entry in evidence.history if not entry.ahead]
    return behind[-1] if behind else ""


def _answered(evidence: Evidence) -> int | None:
    """With which status a server answered for the address that was asked for last."""
    asked = _asked_for(evidence).partition("#")[0]
    answers = [
        one.status
        for one in evidence.requests
        if one.kind == "document" and one.url.partition("#")[0] == asked
    ]
    return answers[-1] if answers else None


def _is_answer_to_agent(status: int | None) -> bool:
    """Whether a server answered that what was asked for is wrong, without a word."""
    return status is not None and 400 <= status < 500 and not is_refusal(status)


def _is_altered(state: str, page: PageState, seen: PageSeen, evidence: Evidence) -> bool:
    """Whether a page that no server left like this is not well."""
    if seen.served is False:
        return True
    refused = any(is_refusal(request.status) for request in evidence.requests)
    if page.url in _rewritten(evidence) and not refused:
        return True
    first = seen.text_early.strip() or seen.text.strip()
    if state == "empty":
        return bool(first or (seen.text_left or "").strip())
    if state != "bot_wall" or not first:
        return False
    title = "" if seen.text_early else seen.title
    shown = page.model_copy(update={"text": first, "title": title})
    return wall_in(shown) is None and not refused


def _rewritten(evidence: Evidence) -> tuple[str, ...]:
    """Documents that a script opened anew while the agent acted."""
    return () if evidence.integrity is None else evidence.integrity.rewritten
