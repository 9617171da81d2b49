"""The health gate: walls are told from pages that only talk about them."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_webbench.evidence.models import PageState
from pytest_webbench.judge.health import STRONG, WEAK, assess

FILLER = "Lamps come in many shapes, and every one of them gives some light. "


def page(text: str = "Some text.", **more: Any) -> PageState:
    return PageState(**{"url": "https://a.example/", "title": "A", "text": text, **more})


def state(page_state: PageState) -> str:
    return assess(page_state, by_agent=False).state


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("Just a moment...", "Checking your browser before accessing a.example.\nRay ID: 123"),
        (
            "Attention Required! | Cloudflare",
            "Sorry, you have been blocked\nYou are unable to access a.example",
        ),
        (
            "Access to this page has been denied.",
            "Press & Hold to confirm you are a human (and not a bot).",
        ),
        ("a.example", "Verify you are human by completing the action below."),
        ("", "Please verify you are human"),
        (
            "Pardon Our Interruption",
            "As you were browsing, something made us think you might be a bot.",
        ),
        ("Error", "429 Too many requests. Slow down."),
        ("Access Denied", "You don't have permission. Reference #18.2"),
        ("403 Forbidden", "403 Forbidden\nnginx"),
        (
            "Sorry",
            "Our systems have detected unusual traffic from your computer network. " + FILLER * 12,
        ),
        ("Service Unavailable", ""),
    ],
)
def test_bot_wall_is_recognised(title: str, text: str) -> None:
    assert state(page(text, title=title)) == "bot_wall"


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("How captchas work", FILLER * 60 + "Verify you are human."),
        (
            "How captchas work",
            "Many web sites today will ask you to verify you are human before they let you in. "
            + FILLER,
        ),
        ("How captchas work", FILLER * 15 + "\nVerify you are human is what they say."),
        ("Why does every shop ask me to verify you are human? A history of captchas", FILLER * 5),
        (
            "HTTP status codes",
            "A list of codes with their names: 404 not found, 429 too many requests, 503 and "
            "others. " + FILLER,
        ),
        ("Access denied: a novel in three parts", FILLER * 20),
        ("Moments", "It took just a moment, and the lamp was on."),
        ("News", FILLER + "\nAccess denied\n" + FILLER * 20),
        ("Jobs", "We look for engineers in bot detection and human verification. " + FILLER),
    ],
)
def test_page_about_bot_walls_is_not_a_wall(title: str, text: str) -> None:
    assert state(page(text, title=title)) == "ok"


_CLOUDFLARE = "Cloudflare Ray ID: 8f2\nYour IP: 1.2.3.4\nPerformance & security by Cloudflare"
_AKAMAI = (
    'Access Denied\nYou don\'t have permission to access "http://a.example/" on this server.\n'
    "Reference #18.2d3"
)


@pytest.mark.parametrize("status", [200, 403, 429, 503, None])
@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("Just a moment...", "a.example\nVerify you are human by completing the action below."),
        ("Attention Required! | Cloudflare", f"Sorry, you have been blocked\n{_CLOUDFLARE}"),
        ("Access denied", f"Error 1015\nYou are being rate limited\n{_CLOUDFLARE}"),
        ("Access Denied", _AKAMAI),
        ("a.example", "Please enable JS and disable any ad blocker"),
        ("Access to this page has been denied", "Press & Hold to confirm you are a human."),
        ("", "Request unsuccessful. Incapsula incident ID: 48-7"),
        ("Human Verification", "Let's confirm you are human\nComplete the security check"),
        ("Robot Check", "Enter the characters you see below\nSorry, we just need to make sure."),
        ("Nur einen Moment…", "Bestätigen Sie, dass Sie ein Mensch sind."),
        ("Un instant…", "Vérifiez que vous êtes humain"),
        ("429 Too Many Requests", "429 Too Many Requests\nnginx"),
    ],
)
def test_wall_is_recognised_whatever_the_status(title: str, text: str, status: int | None) -> None:
    assert state(page(text, title=title, status=status)) == "bot_wall"


@pytest.mark.parametrize("repeats", [1, 8])
@pytest.mark.parametrize(
    ("title", "text"),
    [
        (
            "429 Too Many Requests - HTTP | MDN",
            "429 Too Many Requests\nThe client has sent too many requests in a given time. ",
        ),
        ("Just a Moment (2021)", "Just a Moment\nA film by Ann Lee, with Bob Ray. 94 minutes. "),
        (
            "Access denied for user",
            "Access denied for user 'root'@'localhost'\nThe account has no such right: grant it. ",
        ),
        ("Service Unavailable", "Service Unavailable\nA song by The Gateways, from 1998. "),
        ("Are you a robot?", "Are you a robot?\nA novel for children, in three parts. "),
        ("403 Forbidden", "403 Forbidden\nThe status code says that the server will not serve. "),
        (
            "Human verification",
            "Human verification\nA method of proof by people, not machines. ",
        ),
    ],
)
def test_page_that_is_called_like_a_wall_is_a_page(title: str, text: str, repeats: int) -> None:
    assert state(page(text + FILLER * repeats, title=title, status=200)) == "ok"


def test_page_with_many_links_that_was_served_is_a_page() -> None:
    text = "Verify you are human\nWhy do I see this captcha? " + FILLER
    asked = page(text, title="Verify you are human", status=200)
    assert assess(asked, by_agent=False, links=30).state == "ok"
    assert assess(asked, by_agent=False, links=3).state == "bot_wall"


@pytest.mark.parametrize("phrase", STRONG.phrases)
def test_strong_phrase_counts_within_its_length_and_position(phrase: str) -> None:
    assert state(page(f"{phrase} now")) == "bot_wall"
    assert state(page(f"{phrase} now. " + "x" * STRONG.longest)) == "ok"
    assert state(page("x" * STRONG.top + f". {phrase} now")) == "ok"


@pytest.mark.parametrize("phrase", WEAK.phrases)
def test_weak_phrase_counts_within_its_length_and_position(phrase: str) -> None:
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
def test_health_of_a_page(changes: dict[str, Any], expected: str) -> None:
    assert state(page(**{"text": "Some text.", **changes})) == expected


@pytest.mark.parametrize(
    ("by_agent", "url"), [(True, "chrome-error://x/"), (False, "chrome-error://x/")]
)
def test_origin_of_the_navigation_is_kept(by_agent: bool, url: str) -> None:
    assert assess(page(url=url), by_agent=by_agent).by_agent is by_agent
    assert assess(page(), by_agent=by_agent).by_agent is False
