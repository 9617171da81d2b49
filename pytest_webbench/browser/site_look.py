"""Looks at pages of a replica in a real browser: names of controls, requests to other hosts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, NamedTuple

from playwright.sync_api import Browser, BrowserContext, CDPSession, Error, Page

from .._text import clip, one_line
from ..world.replica import Replica
from .playwright_errors import reason_of

_CONTROLS: Final = frozenset(
    (
        *("button", "link", "textbox", "searchbox", "combobox", "listbox", "checkbox", "radio"),
        *("switch", "slider", "spinbutton", "menuitem", "menuitemcheckbox", "menuitemradio"),
        *("tab", "treeitem", "PopUpButton", "DisclosureTriangle", "ToggleButton", "Date", "Time"),
    )
)
"""Roles as Chromium's accessibility tree calls them."""
_OPEN_MILLISECONDS: Final = 15_000
_REST_MILLISECONDS: Final = 3_000
_LONGEST: Final = 120
_ADDRESSES: Final = "links => links.map(link => String(link.href))"


class Seen(NamedTuple):
    """What is wrong with one page."""

    url: str
    nameless: tuple[str, ...] = ()
    """Controls without an accessible name, as their HTML begins."""
    outside: tuple[str, ...] = ()
    failing: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    """Where links lead, those that scripts have made as well."""


def look(browser: Browser, replica: Replica, urls: Iterable[str]) -> list[Seen]:
    """Open each page in a fresh context, and wait until it has come to rest."""
    seen = []
    for url in urls:
        context = browser.new_context(**replica.context_args())
        try:
            seen.append(_look(context, replica, url))
        finally:
            context.close()
    return seen


def _look(context: BrowserContext, replica: Replica, url: str) -> Seen:
    replica.outside_since_last()
    replica.broken_since_last()
    failing: list[str] = []
    page = context.new_page()
    page.on("pageerror", lambda error: failing.append(f"script: {one_line(str(error))}"))
    try:
        page.goto(url, timeout=_OPEN_MILLISECONDS)
        _rest(page)
        nameless = _nameless(page)
        links = page.locator("a[href]").evaluate_all(_ADDRESSES)
    except Error as error:
        return Seen(url, failing=(*failing, reason_of(error)))
    outside = tuple(dict.fromkeys(replica.outside_since_last()))
    failing += replica.broken_since_last()
    return Seen(url, nameless, outside, tuple(failing), tuple(dict.fromkeys(links)))


def _rest(page: Page) -> None:
    try:
        page.wait_for_load_state("networkidle", timeout=_REST_MILLISECONDS)
    except Error:
        return  # a page that never rests is looked at as it is


def _nameless(page: Page) -> tuple[str, ...]:
    session = page.context.new_cdp_session(page)
    tree = session.send("Accessibility.getFullAXTree")
    found = []
    for node in tree["nodes"]:
        if _is_nameless_control(node):
            found.append(_html(session, node["backendDOMNodeId"]))
    return tuple(found)


def _is_nameless_control(node: dict[str, Any]) -> bool:
    if node.get("ignored") or "backendDOMNodeId" not in node:
        return False
    role = str(node.get("role", {}).get("value", ""))
    return role in _CONTROLS and not str(node.get("name", {}).get("value", "")).strip()


def _html(session: CDPSession, node: int) -> str:
    answer = session.send("DOM.getOuterHTML", {"backendNodeId": node})
    return clip(one_line(str(answer["outerHTML"])), _LONGEST)
