"""Probes that the page's document cannot answer.

They are asked of the browser, of other frames, of other origins and of servers.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from playwright.sync_api import Page

from .._url import decoded, origin_of
from ..browser.cdp_session import CdpSession
from ..browser.session import Session
from ..checks import Probe
from ..checks.normal import found
from ..errors import RuleError
from .probe_script import script

MOST_NODES: Final = 20_000
_SERVER_SECONDS: Final = 8

Answer = dict[str, Any]
"""Arguments of a `Read`."""


class Asked(NamedTuple):
    """Whom to ask."""

    session: Session
    page: Page
    cdp: CdpSession
    most_characters: int


def is_read_with_the_page(probe: Probe) -> bool:
    """Whether the script that reads the page answers this probe as well."""
    return probe.script is None and probe.name not in BEYOND


def ask(asked: Asked, probe: Probe) -> Answer:
    """The answer to one probe; Playwright's errors pass through."""
    if probe.script is not None:
        return _ask_script(asked, probe.script, probe.arguments)
    return BEYOND[probe.name](asked, probe.arguments)


def _ask_script(asked: Asked, source: str, arguments: dict[str, Any]) -> Answer:
    """The answer of a function that a getter of another distribution brings along."""
    call = f"{script()}.run(({source}), {json.dumps(arguments)}, {asked.most_characters})"
    answer: Answer = asked.cdp.world.evaluate(call, wait=True)
    return answer


def ask_frame(asked: Asked, probe: Probe) -> Answer:
    """The answer of a frame from another site, which the page itself cannot look into."""
    return frame_answer(asked.cdp, probe, asked.most_characters)


def frame_answer(cdp: CdpSession, probe: Probe, most_characters: int) -> Answer:
    """As `ask_frame`, for whoever has nothing but a connection to the page."""
    arguments = dict(probe.arguments)
    del arguments["frame"]  # it is asked within its frame
    question = json.dumps({"name": probe.name, "arguments": arguments})
    element = f"{script()}.frameElement({json.dumps(probe.arguments['frame'])})"
    expression = f"{script()}.answer({question}, {most_characters})"
    answer: Answer = cdp.world.within(element).evaluate(expression)
    return answer


def _accessible(asked: Asked, arguments: dict[str, Any]) -> Answer:
    roles = {role.casefold() for role in arguments["role"]}
    found: list[dict[str, str]] = []
    for node in asked.cdp.accessible_nodes():
        role = _property(node, "role")
        if node.get("ignored") or (roles and role.casefold() not in roles):
            continue
        found.append(
            {"role": role, "name": _property(node, "name"), "value": _property(node, "value")}
        )
    if len(found) > MOST_NODES:
        return {
            "error": f"the accessibility tree has {len(found)} such nodes, "
            f"more than {MOST_NODES}: name a role"
        }
    return {"value": found}


def _property(node: dict[str, Any], name: str) -> str:
    return str(node.get(name, {}).get("value", ""))


def _api_state(asked: Asked, arguments: dict[str, Any]) -> Answer:
    call = (
        f"{script()}.apiState({json.dumps(arguments)}, {asked.most_characters}, {_SERVER_SECONDS})"
    )
    answer: Answer = asked.cdp.world.evaluate(call, wait=True)
    return answer


def _clipboard(asked: Asked, arguments: dict[str, Any]) -> Answer:
    del arguments
    asked.session.context.grant_permissions(["clipboard-read"])
    answer: Answer = asked.cdp.world.evaluate(f"{script()}.clipboard()", wait=True)
    return answer


def _cookie(asked: Asked, arguments: dict[str, Any]) -> Answer:
    """Asked of the browser, not of the page, which cannot see cookies marked HttpOnly.

    Only the outcome leaves this function: values of cookies open doors and belong in no file.
    """
    where = arguments.get("origin") or asked.page.url
    name = arguments["name"]
    cookies = asked.session.context.cookies(where)
    values = [decoded(one.get("value", "")) for one in cookies if one.get("name") == name]
    if not values:
        return {"missing": True}
    try:
        # A second cookie of this name, of another path or domain, must not pass for the first.
        held = all(_is_value_of(value, arguments) for value in values)
    except RuleError as error:
        return {"error": str(error)}
    return {"value": {"name": name, "matches": held}}


def _is_value_of(value: str, arguments: dict[str, Any]) -> bool:
    if value != arguments.get("equals", value):
        return False
    return all(found(pattern, value) for pattern in arguments.get("matches", []))


def _storage(asked: Asked, arguments: dict[str, Any]) -> Answer:
    """The storage of an origin: in an open tab of it, else in a tab of ours.

    Never another origin's in its place.
    """
    origin = arguments["origin"]
    if origin_of(asked.page.url) == origin:
        return _entries(asked, asked.cdp, origin)
    for page in reversed(asked.session.tabs):
        cdp = asked.session.cdp_session(page) if origin_of(page.url) == origin else None
        if cdp is not None:
            return _entries(asked, cdp, origin)
    with asked.session.own_tabs.empty(f"{origin}/") as cdp:
        return _entries(asked, cdp, origin)


def _entries(asked: Asked, cdp: CdpSession, origin: str) -> Answer:
    # The origin is checked in the same call: the tab may have gone elsewhere meanwhile.
    text = cdp.world.evaluate(
        f"location.origin === {json.dumps(origin)} ? "
        "JSON.stringify(Object.fromEntries(Object.entries(localStorage))) : null"
    )
    if text is None:
        return {"error": f"no page of {origin} could be opened"}
    if len(text) > asked.most_characters:
        return {
            "error": f"the storage of {origin} is longer than {asked.most_characters} characters"
        }
    return {"value": json.loads(text)}


BEYOND: Final = MappingProxyType[str, Callable[[Asked, dict[str, Any]], Answer]](
    {
        "accessible": _accessible,
        "apiState": _api_state,
        "clipboard": _clipboard,
        "cookie": _cookie,
        "storage": _storage,
    }
)
