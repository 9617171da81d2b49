"""Health gate: can the final page carry a verdict at all?

A phrase counts only where it is telling: at the beginning of a sentence near the top of a short page, or as the page's
title. So an article about captchas is no bot wall.
"""

from __future__ import annotations

import re
from typing import Final, Literal, NamedTuple, TypeAlias

from .models import Health, PageState

State: TypeAlias = Literal["ok", "bot_wall", "browser_error", "empty", "http_error", "unresponsive"]


class Phrases(NamedTuple):
    """Phrases that tell of a wall on pages shorter than ``longest``, in the first ``top`` characters.

    Up to ``lead`` words may stand before one that still begins its sentence: "Sorry, you have been blocked".
    """

    phrases: tuple[str, ...]
    longest: int
    top: int
    lead: int


STRONG: Final = Phrases(
    (
        "you have been blocked", "performing security verification", "checking your browser before accessing",
        "enable javascript and cookies to continue", "attention required!", "automated access is not permitted",
        "our systems have detected unusual traffic", "is not available from your region", "checking your connection",
        "just a quick check", "verify you are human", "verifying you are human", "are you a human", "are you a robot",
        "access to this page has been denied", "incapsula incident", "pardon our interruption", "human verification",
        "prove you are human", "vercel security checkpoint", "verifying your browser", "too many requests",
        "rate limit exceeded", "confirm you are not a robot", "unusual activity from your",
        "enter the characters you see below",
    ),
    longest=2500,
    top=700,
    lead=3,
)  # fmt: skip
WEAK: Final = Phrases(
    (
        "ray id:", "just a moment", "access denied", "403 forbidden", "px-captcha", "datadome", "service unavailable",
        "bad gateway", "gateway time-out", "complete the captcha", "solve the captcha",
    ),
    longest=800,
    top=250,
    lead=1,
)  # fmt: skip
_TITLE_SPARE: Final = 30
"""A wall's title is the phrase and perhaps the site's name; a longer one is a headline."""


def assess(page: PageState, *, by_agent: bool) -> Health:
    """The health of a final page; ``by_agent`` says whether the agent opened this address itself."""
    state, detail = _state(page)
    return Health(state=state, detail=detail, by_agent=by_agent and state != "ok")


def _state(page: PageState) -> tuple[State, str]:
    if page.url.startswith("chrome-error:"):
        return "browser_error", "the browser shows an error page instead of the site"
    if not page.responsive:
        return "unresponsive", "the page does not answer: its tab crashed, or a script or dialog keeps it busy"
    if phrase := _wall(page):
        return "bot_wall", f"the site shows a bot wall ({phrase!r})"
    if page.status is not None and (page.status in (403, 429) or page.status >= 500):
        return "http_error", f"the site answered with HTTP status {page.status}"
    if not page.text.strip() and not page.title.strip():
        return "empty", "the page is empty"
    return "ok", ""


def _wall(page: PageState) -> str | None:
    title = " ".join(page.title.casefold().split())
    body = re.sub(r"[^\S\n]+", " ", page.text.casefold()).strip()
    for group in (STRONG, WEAK):
        if len(body) >= group.longest:
            continue
        begin = rf"(?:^|[.!?\n])\W*(?:[\w'’.-]+,?\s+){{0,{group.lead}}}(?:\d+\s+)?"
        for phrase in group.phrases:
            headed = phrase in title and len(title) - len(phrase) <= _TITLE_SPARE
            if headed or re.search(begin + re.escape(phrase), body[: group.top]):
                return phrase
    return None
