"""The health gate: walls are told from pages that only talk about them."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_webbench.evidence.health import STRONG, WEAK, assess
from pytest_webbench.evidence.models import PageState

FILLER = "Lamps come in many shapes, and every one of them gives some light. "


def page(text: str = "Some text.", **more: Any) -> PageState:
    return PageState(**{"url": "https://a.example/", "title": "A", "text": text, **more})


def state(page_state: PageState) -> str:
    return assess(page_state, by_agent=False).state


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("Just a moment...", "Checking your browser before accessing a.example.\nRay ID: 123"),
        ("Attention Required! | Cloudflare", "Sorry, you have been blocked\nYou are unable to access a.example"),
        ("Access to this page has been denied.", "Press & Hold to confirm you are a human (and not a bot)."),
        ("a.example", "Verify you are human by completing the action below."),
        ("", "Please verify you are human"),
        ("Pardon Our Interruption", "As you were browsing, something made us think you might be a bot."),
        ("Error", "429 Too many requests. Slow down."),
        ("Access Denied", "You don't have permission. Reference #18.2"),
        ("403 Forbidden", "403 Forbidden\nnginx"),
        ("Sorry", "Our systems have detected unusual traffic from your computer network. " + FILLER * 12),
        ("Service Unavailable", ""),
    ],
)
def test_wall_is_recognised(title: str, text: str) -> None:
    assert state(page(text, title=title)) == "bot_wall"


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("How captchas work", FILLER * 60 + "Verify you are human."),
        (
            "How captchas work",
            "Many web sites today will ask you to verify you are human before they let you in. " + FILLER,
        ),
        ("How captchas work", FILLER * 15 + "\nVerify you are human is what they say."),
        ("Why does every shop ask me to verify you are human? A history of captchas", FILLER * 5),
        (
            "HTTP status codes",
            "A list of codes with their names: 404 not found, 429 too many requests, 503 and others. " + FILLER,
        ),
        ("Access denied: a novel in three parts", FILLER * 20),
        ("Moments", "It took just a moment, and the lamp was on."),
        ("News", FILLER + "\nAccess denied\n" + FILLER * 20),
        ("Jobs", "We look for engineers in bot detection and human verification. " + FILLER),
    ],
)
def test_page_that_talks_about_walls_is_none(title: str, text: str) -> None:
    assert state(page(text, title=title)) == "ok"


@pytest.mark.parametrize("phrase", STRONG.phrases)
def test_strong_phrase_counts_up_to_its_length_and_place(phrase: str) -> None:
    assert state(page(f"{phrase} now")) == "bot_wall"
    assert state(page(f"{phrase} now. " + "x" * STRONG.longest)) == "ok"
    assert state(page("x" * STRONG.top + f". {phrase} now")) == "ok"


@pytest.mark.parametrize("phrase", WEAK.phrases)
def test_weak_phrase_counts_up_to_its_length_and_place(phrase: str) -> None:
    assert state(page(f"{phrase} now")) == "bot_wall"
    assert state(page(f"{phrase} now. " + "x" * WEAK.longest)) == "ok"
    assert state(page("x" * WEAK.top + f". {phrase} now")) == "ok"


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, "ok"),
        ({"url": "chrome-error://chromewebdata/"}, "browser_error"),
        ({"responsive": False, "text": "", "title": ""}, "unresponsive"),
        ({"text": " \n", "title": ""}, "empty"),
        ({"text": "", "title": "A picture"}, "ok"),
        ({"status": 403}, "http_error"),
        ({"status": 429}, "http_error"),
        ({"status": 503}, "http_error"),
        ({"status": 404}, "ok"),
        ({"status": 200}, "ok"),
    ],
)
def test_state_of_a_page(changes: dict[str, Any], expected: str) -> None:
    assert state(page(**{"text": "Some text.", **changes})) == expected


@pytest.mark.parametrize(("by_agent", "url"), [(True, "chrome-error://x/"), (False, "chrome-error://x/")])
def test_who_brought_the_agent_there_is_kept(by_agent: bool, url: str) -> None:
    assert assess(page(url=url), by_agent=by_agent).by_agent is by_agent
    assert assess(page(), by_agent=by_agent).by_agent is False
