"""Health gate: can the final page carry a verdict at all?

A phrase counts only where it is telling: strong ones on a page short enough to be a wall, or in its title; weak ones
only on very short pages. So an article about captchas is no bot wall.
"""

from __future__ import annotations

import re
from typing import Final, Literal, TypeAlias

from .models import Health, PageState

_STRONG: Final = (
    "you have been blocked", "performing security verification", "checking your browser before accessing",
    "enable javascript and cookies to continue", "attention required!", "automated access is not permitted",
    "our systems have detected unusual traffic", "is not available from your region", "checking your connection",
    "just a quick check", "verify you are human", "verifying you are human", "are you a human", "are you a robot",
    "access to this page has been denied", "incapsula incident", "pardon our interruption", "human verification",
    "prove you are human", "vercel security checkpoint", "verifying your browser", "too many requests",
    "rate limit exceeded", "confirm you are not a robot", "unusual activity from your",
)  # fmt: skip
_WEAK: Final = (
    "ray id:", "just a moment", "access denied", "403 forbidden", "px-captcha", "datadome", "service unavailable",
    "bad gateway", "gateway time-out", "complete the captcha", "solve the captcha",
)  # fmt: skip
STRONG_LIMIT: Final = 3000
WEAK_LIMIT: Final = 800
_SPACE: Final = re.compile(r"\s+")

State: TypeAlias = Literal["ok", "bot_wall", "browser_error", "empty", "http_error", "unresponsive"]


def assess(page: PageState, *, by_agent: bool) -> Health:
    """The health of a final page; ``by_agent`` says whether the agent opened this address itself."""
    state, detail = _state(page)
    return Health(state=state, detail=detail, by_agent=by_agent and state not in ("ok", "bot_wall"))


def _state(page: PageState) -> tuple[State, str]:
    if page.url.startswith("chrome-error:"):
        return "browser_error", "the browser shows an error page instead of the site"
    if not page.responsive:
        return "unresponsive", "a script or dialog of the page keeps it from answering"
    text = _SPACE.sub(" ", page.text).strip()
    title = page.title.strip()
    if phrase := _wall(title, text):
        return "bot_wall", f"the site shows a bot wall ({phrase!r})"
    if page.status is not None and (page.status in (403, 429) or page.status >= 500):
        return "http_error", f"the site answered with HTTP status {page.status}"
    if not text and not title:
        return "empty", "the page is empty"
    return "ok", ""


def _wall(title: str, text: str) -> str | None:
    heading, body = title.casefold(), text.casefold()
    for phrases, limit in ((_STRONG, STRONG_LIMIT), (_WEAK, WEAK_LIMIT)):
        for phrase in phrases:
            if len(body) < limit and (phrase in body or phrase in heading):
                return phrase
    return None
