"""Trouble that comes once the agent acts is the agent's, unless a server or the network made it."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_webbench.evidence.models import (
    Ending,
    Evidence,
    Health,
    HistoryEntry,
    HowOpened,
    Integrity,
    NetworkRequest,
    ObservedAction,
    PageSeen,
    PageState,
)
from pytest_webbench.judge import judge
from pytest_webbench.task import Task

HOME = "https://shop.example/"
WALL = "Verify you are human"
CLICK = ObservedAction(number=1, kind="click")
TASK = Task.model_validate(
    {
        "id": "t",
        "goal": "Open the lamps.",
        "start_url": HOME,
        "checks": [
            {"name": "x", "get": "page_title", "metric": "exact_match", "expected": "Lamps"}
        ],
    }
)


def final(how: HowOpened = HowOpened.CLICK, **facts: Any) -> PageSeen:
    return PageSeen(**{"number": 2, "url": HOME, "how": how, "final": True, **facts})


def outcome(state: str, seen: PageSeen | None, **changes: Any) -> str:
    page = {"url": seen.url if seen else HOME, **changes.pop("page", {})}
    facts = {
        "actions": (CLICK,),
        "page": PageState(**page),
        "health": Health(state=state),
        "pages_seen": () if seen is None else (seen,),
        **changes,
    }
    verdict = judge(TASK, Evidence(task="t", **facts))
    return f"{verdict.outcome.value} {verdict.reason}".strip()


OFF_SITE = "https://other.example/"


@pytest.mark.parametrize(
    ("state", "seen", "changes", "expected"),
    [
        # blanked, or filled with the words of a wall
        ("empty", final(text="Lamps"), {}, "failed"),
        ("empty", final(text="", text_left="Lamps"), {}, "failed"),
        ("empty", final(text="Lamps", how=HowOpened.START), {"actions": ()}, "failed"),
        ("empty", final(text_early="Lamps"), {}, "failed"),
        ("empty", final(), {}, "unscored infra"),
        ("empty", None, {}, "unscored infra"),
        ("bot_wall", final(text="Lamps"), {"page": {"text": WALL}}, "failed"),
        ("bot_wall", final(text=WALL), {"page": {"text": WALL}}, "unscored blocked"),
        ("bot_wall", final(text=WALL, text_early="Lamps"), {"page": {"text": WALL}}, "failed"),
        ("bot_wall", final(text_early="Lamps"), {"page": {"title": "Access denied"}}, "failed"),
        (
            "bot_wall",
            final(text_early="Access denied\nWait"),
            {"page": {"title": "Access denied"}},
            "unscored blocked",
        ),
        ("bot_wall", final(), {"page": {"text": WALL}}, "unscored blocked"),
        (
            "bot_wall",
            final(text="Loading"),
            {
                "page": {"text": WALL},
                "requests": (NetworkRequest(method="GET", url=HOME + "api", status=403),),
            },
            "unscored blocked",
        ),
        (
            "bot_wall",
            final(),
            {"page": {"text": WALL}, "integrity": Integrity(rewritten=(HOME,))},
            "failed",
        ),
        (
            "bot_wall",
            final(),
            {
                "page": {"text": WALL},
                "integrity": Integrity(rewritten=(HOME,)),
                "requests": (NetworkRequest(method="GET", url=HOME, status=503),),
            },
            "unscored blocked",
        ),
        # led away by script
        ("browser_error", final(HowOpened.SCRIPT), {}, "failed"),
        ("http_error", final(HowOpened.SCRIPT), {}, "failed"),
        ("bot_wall", final(HowOpened.SCRIPT, url=OFF_SITE, text=WALL), {}, "failed"),
        (
            "bot_wall",
            final(HowOpened.SCRIPT, text=WALL),
            {"page": {"text": WALL}},
            "unscored blocked",
        ),
        # no server sent it
        ("http_error", final(served=False), {}, "failed"),
        ("http_error", final(served=True), {}, "unscored blocked"),
        ("http_error", final(served=None), {}, "unscored blocked"),
        # refused without a word
        ("empty", final(), {"page": {"status": 401}}, "failed"),
        ("empty", final(), {"page": {"status": 404}}, "failed"),
        ("empty", final(), {"page": {"status": 200}}, "unscored infra"),
        (
            "browser_error",
            final(),
            {
                "history": (HistoryEntry(url=HOME),),
                "requests": (NetworkRequest(method="GET", url=HOME, kind="document", status=401),),
            },
            "failed",
        ),
        (
            "browser_error",
            final(),
            {
                "history": (HistoryEntry(url=HOME),),
                "requests": (NetworkRequest(method="GET", url=HOME, kind="document", status=503),),
            },
            "unscored infra",
        ),
        # the network
        ("browser_error", final(), {"history": (HistoryEntry(url=HOME),)}, "unscored infra"),
        ("browser_error", final(), {"history": (HistoryEntry(url=OFF_SITE),)}, "failed"),
        (
            "browser_error",
            final(HowOpened.START),
            {"history": (HistoryEntry(url=OFF_SITE),), "actions": ()},
            "unscored infra",
        ),
    ],
)
def test_page_that_is_not_well(
    state: str, seen: PageSeen | None, changes: dict[str, Any], expected: str
) -> None:
    assert outcome(state, seen, **changes) == expected


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, "failed"),
        ({"actions": ()}, "unscored infra"),
        ({"external_browser": True}, "unscored infra"),
    ],
)
def test_browser_that_is_lost(changes: dict[str, Any], expected: str) -> None:
    lost = {"ending": Ending.BROWSER_LOST, "page": {}, **changes}
    assert outcome("ok", None, **lost) == expected
