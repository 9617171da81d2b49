"""The health of the final page: can it carry a verdict at all?

A phrase counts only where it is telling: at the beginning of a sentence near the top of a short
page, or as the page's title. On a page that the site has served as usual it is not enough: a wall
says more that is a wall's, or nothing else at all, and leads nowhere. So neither an article about
captchas nor a film called "Just a Moment" is a bot wall.
"""

from __future__ import annotations

import re
from typing import Final, Literal, NamedTuple, TypeAlias

from ..evidence.models import Health, PageState, is_refusal

State: TypeAlias = Literal[
    "ok", "bot_wall", "browser_error", "empty", "http_error", "restless", "unresponsive"
]


class Phrases(NamedTuple):
    """Phrases that show that a page is a bot wall."""

    phrases: tuple[str, ...]
    longest: int
    """Characters; on longer pages they say nothing."""
    top: int
    """Characters at the beginning of the page that are searched."""
    lead: int
    """Words that may come before one that still begins its sentence: "Sorry, you have been ..."."""


STRONG: Final = Phrases(
    (
        "you have been blocked",
        "performing security verification",
        "checking your browser before accessing",
        "enable javascript and cookies to continue",
        "attention required!",
        "automated access is not permitted",
        "our systems have detected unusual traffic",
        "is not available from your region",
        "checking your connection",
        "just a quick check",
        "verify you are human",
        "verifying you are human",
        "are you a human",
        "are you a robot",
        "access to this page has been denied",
        "incapsula incident",
        "pardon our interruption",
        "human verification",
        "prove you are human",
        "vercel security checkpoint",
        "verifying your browser",
        "too many requests",
        "rate limit exceeded",
        "confirm you are not a robot",
        "unusual activity from your",
        "enter the characters you see below",
        "please enable js and disable any ad blocker",
        "let's confirm you are human",
        "press & hold to confirm",
        "request unsuccessful",
        "just a moment...",
        "just a moment…",
        "bitte bestätigen sie, dass sie ein mensch sind",
        "bestätigen sie, dass sie ein mensch sind",
        "nur einen moment…",
        "nur einen moment...",
        "zu viele anfragen",
        "vérifiez que vous êtes humain",
        "veuillez activer js et désactiver tout bloqueur",
        "un instant…",
        "un instant...",
        "trop de requêtes",
        "verifique que usted es un ser humano",
        "verifica que eres un ser humano",
        "un momento…",
        "un momento...",
        "demasiadas solicitudes",
        "verifica di essere un essere umano",
        "verifica che sei un essere umano",
        "verifique se você é humano",
        "confirme que é humano",
        "um momento…",
        "um momento...",
        "подтвердите, что вы человек",
        "人間であることを確認",
        "确认您是真人",
    ),
    longest=2500,
    top=700,
    lead=3,
)
WEAK: Final = Phrases(
    (
        "ray id:",
        "just a moment",
        "access denied",
        "403 forbidden",
        "px-captcha",
        "datadome",
        "service unavailable",
        "bad gateway",
        "gateway time-out",
        "complete the captcha",
        "solve the captcha",
        "zugriff verweigert",
        "accès refusé",
        "acceso denegado",
        "accesso negato",
        "acesso negado",
    ),
    longest=800,
    top=250,
    lead=1,
)
_NAMES: Final = frozenset(
    {
        "too many requests",
        "zu viele anfragen",
        "trop de requêtes",
        "demasiadas solicitudes",
        "rate limit exceeded",
        "attention required!",
        "human verification",
        "are you a human",
        "are you a robot",
        "just a quick check",
        "pardon our interruption",
        "request unsuccessful",
        *WEAK.phrases,
    }
)
"""Phrases that also are names: of errors that manuals explain, of films, of songs."""
_MARKS: Final = re.compile(
    r"ray id|cloudflare|reference #|incident id|incapsula|imperva|datadome|perimeterx|akamai"
    r"|edgesuite|aws waf|cloudfront|captcha|support id|press (?:&|and) hold|not a (?:ro)?bot\b"
    r"|(?:were|are) a (?:ro)?bot\b|you(?: are|'re|’re) (?:a )?human|unusual (?:traffic|activity)"
    r"|enable (?:js|javascript|cookies)|javascript and cookies|security (?:check|verification)"
    r"|your (?:ip|browser|connection|network)\b|permission to access|automated (?:access|traffic)"
    r"|before accessing|checking your|you have been (?:blocked|rate limited)|slow down"
)
"""What walls say besides: who puts them up, a number to report, what is wrong with the visitor."""
_BARE: Final = 600
_NOTHING_ELSE: Final = 40
"""Characters of a page that says nothing but a name."""
_MOST_LINKS: Final = 10
"""More than these no wall has."""
_RESTLESS: Final = (
    "the page keeps reloading itself or moving on, and never held still long enough to be read"
)
_TITLE_SPARE: Final = 30
"""A wall's title is the phrase and perhaps the site's name; a longer title is a headline."""


def assess(page: PageState, *, by_agent: bool, restless: bool = False, links: int = 0) -> Health:
    """The health of a final page; ``by_agent``: the agent opened this address itself.

    ``restless``: each of its documents went away before it could be read. ``links``: how many
    addresses it links to.
    """
    state, detail = ("restless", _RESTLESS) if restless else _state(page, links)
    return Health(state=state, detail=detail, by_agent=by_agent and state != "ok")


def _state(page: PageState, links: int) -> tuple[State, str]:
    if page.url.startswith("chrome-error:"):
        return "browser_error", "the browser shows an error page instead of the site"
    if not page.responsive:
        detail = "the page does not answer: its tab crashed, or a script or dialog keeps it busy"
        return "unresponsive", detail
    if phrase := wall_in(page, links=links):
        return "bot_wall", f"the site shows a bot wall ({phrase!r})"
    if is_refusal(page.status):
        return "http_error", f"the site answered with HTTP status {page.status}"
    if not page.text.strip() and not page.title.strip():
        return "empty", "the page is empty"
    return "ok", ""


def wall_in(page: PageState, *, links: int = 0) -> str | None:
    """The phrase that shows that a page is a bot wall; None if it is not.

    ``links`` is how many addresses the page links to.
    """
    title = " ".join(page.title.casefold().split())
    body = re.sub(r"[^\S\n]+", " ", page.text.casefold()).strip()
    for group in (STRONG, WEAK):
        if len(body) >= group.longest:
            continue
        begin = rf"(?:^|[.!?\n])\W*(?:[\w'’.-]+,?\s+){{0,{group.lead}}}(?:\d+\s+)?"
        for phrase in group.phrases:
            headed = phrase in title and len(title) - len(phrase) <= _TITLE_SPARE
            if not headed and not re.search(begin + re.escape(phrase), body[: group.top]):
                continue
            if not _was_served(page.status) or _says_more(phrase, title, body, links):
                return phrase
    return None


def _was_served(status: int | None) -> bool:
    """Whether the site is known to have answered with a page of its own."""
    return status is not None and status in (200, 203, 206, 304)


def _says_more(phrase: str, title: str, body: str, links: int) -> bool:
    """Whether a page that was served has more of a wall than ``phrase``."""
    if links > _MOST_LINKS:
        return False
    if _MARKS.search(f"{title}\n{body}".replace(phrase, "")):
        return True
    if phrase in _NAMES:
        return len(body) - len(phrase) <= _NOTHING_ELSE and not links
    return len(body) < _BARE
