"""Probes that the page's own document cannot answer: asked of the browser, of other frames, origins and servers."""

from __future__ import annotations

import json
from collections.abc import Callable
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from playwright.sync_api import Page

from ..browser.channel import Channel
from ..browser.session import Session
from ..checks import Probe
from ..checks.origins import origin_of
from .probes import script

MOST_NODES: Final = 20_000
_SERVER_SECONDS: Final = 8

Answer = dict[str, Any]
"""Arguments of a `Read`."""


class Asked(NamedTuple):
    """Whom to ask."""

    session: Session
    page: Page
    channel: Channel
    most_characters: int


def ask(asked: Asked, probe: Probe) -> Answer:
    """The answer to one probe; Playwright's errors pass through."""
    return BEYOND[probe.name](asked, probe.arguments)


def ask_frame(asked: Asked, probe: Probe) -> Answer:
    """The answer of a frame from another site, which the page itself cannot look into."""
    arguments = {name: value for name, value in probe.arguments.items() if name != "frame"}
    question = json.dumps({"name": probe.name, "arguments": arguments})
    element = f"{script()}.frameElement({json.dumps(probe.arguments['frame'])})"
    expression = f"{script()}.answer({question}, {asked.most_characters})"
    answer: Answer = asked.channel.evaluate_in_frame(element, expression)
    return answer


def _accessible(asked: Asked, arguments: dict[str, Any]) -> Answer:
    roles = {role.casefold() for role in arguments["role"]}
    nodes = [
        {name: str(node.get(name, {}).get("value", "")) for name in ("role", "name", "value")}
        for node in asked.channel.accessible_nodes()
        if not node.get("ignored")
    ]
    found = [node for node in nodes if not roles or node["role"].casefold() in roles]
    if len(found) > MOST_NODES:
        return {"error": f"the accessibility tree has {len(found)} such nodes, more than {MOST_NODES}: name a role"}
    return {"value": found}


def _api_state(asked: Asked, arguments: dict[str, Any]) -> Answer:
    call = f"{script()}.apiState({json.dumps(arguments)}, {asked.most_characters}, {_SERVER_SECONDS})"
    answer: Answer = asked.channel.evaluate(call, wait=True)
    return answer


def _clipboard(asked: Asked, arguments: dict[str, Any]) -> Answer:
    del arguments
    asked.session.context.grant_permissions(["clipboard-read"])
    answer: Answer = asked.channel.evaluate(f"{script()}.clipboard()", wait=True)
    return answer


def _storage(asked: Asked, arguments: dict[str, Any]) -> Answer:
    """Of another origin: in an open tab of it, else in a tab of ours; never another origin's in its stead."""
    origin = arguments["origin"]
    if origin_of(asked.page.url) == origin:
        return _entries(asked, asked.channel, origin)
    for page in reversed(asked.session.tabs):
        channel = asked.session.channel(page) if origin_of(page.url) == origin else None
        if channel is not None:
            return _entries(asked, channel, origin)
    with asked.session.own_tab(f"{origin}/") as channel:
        return _entries(asked, channel, origin)


def _entries(asked: Asked, channel: Channel, origin: str) -> Answer:
    text = channel.evaluate(
        f"location.origin === {json.dumps(origin)} ? "
        "JSON.stringify(Object.fromEntries(Object.entries(localStorage))) : null"
    )
    if text is None:
        return {"error": f"no page of {origin} could be opened"}
    if len(text) > asked.most_characters:
        return {"error": f"the storage of {origin} is longer than {asked.most_characters} characters"}
    return {"value": json.loads(text)}


BEYOND: Final = MappingProxyType[str, Callable[[Asked, dict[str, Any]], Answer]](
    {"accessible": _accessible, "apiState": _api_state, "clipboard": _clipboard, "storage": _storage}
)
