"""Reads the tab that the agent ended on: trouble with it becomes a gap, never an error."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, suppress
from typing import Any, Final

from playwright.sync_api import Error, Page

from .._text import sanitize
from ..browser.cdp_session import CdpSession
from ..browser.playwright_errors import is_from_script, reason_of
from ..browser.session import Session
from ..checks import Probe
from ..evidence.models import HistoryEntry
from .probe_script import questions, script
from .probes import Answer, Asked, ask, ask_frame, is_read_with_the_page

MOST_CHARACTERS: Final = 500_000
BLANK: Final = "about:blank"
# Endless pages load more with every screen.
_MOST_SCREENS: Final = 60
_SCROLL_MILLISECONDS: Final = 5_000
_SETTLE_SECONDS: Final = 3.0
ANSWER_SECONDS: Final = 2.0
_READ_SECONDS: Final = 20.0
_RESTLESS_SECONDS: Final = 5.0
"""How long a page that goes on to another document again and again is given to hold still."""
PROBE_SECONDS: Final = 10.0
_COPY_SECONDS: Final = 10.0
_MOST_SECRETS: Final = 200
"""Contents of password fields: to look for more of them in all files takes too long."""
_LARGEST_ARCHIVE: Final = 50_000_000
_MOST_QUESTIONS: Final = 3
"""How often a probe is asked of a page whose document goes away under the question."""
_LONGEST_ADDRESS: Final = 20_000
_DOCUMENT: Final = "performance.timeOrigin"
"""Tells the documents of a tab apart."""
_NEXT_FRAME: Final = "new Promise(requestAnimationFrame)"

Limit = Callable[[float], AbstractContextManager[None]]
"""Opens a block that is interrupted (KeyboardInterrupt) after so many seconds."""


class FinalPage:
    """One tab, read over our own connection ``cdp``.

    ``within`` guards every stretch that could hang; ``gaps`` takes what could not be read.
    """

    def __init__(
        self, session: Session, page: Page, cdp: CdpSession, *, within: Limit, gaps: list[str]
    ) -> None:
        self._session, self._page, self._cdp = session, page, cdp
        self._within, self._gaps = within, gaps
        self._restless = False
        self._unmasked = 0
        """Contents of password fields beyond those that are masked."""

    def read(self, probes: Sequence[Probe]) -> dict[str, Any]:
        """What ``collect`` of the probe script says, with an answer to each probe as ``reads``.

        Of a page that does not answer only ``url``, ``responsive`` and ``restless``: whether it
        never held still.
        """
        state = self._read(probes) if self._answers() else None
        unread = {"url": self._page.url, "responsive": False, "restless": self._restless}
        return state or unread

    def scrolled(self, probes: Sequence[Probe]) -> dict[str, Any] | None:
        """What ``collect`` says once the page was scrolled through, so that what loads on sight is.

        None if the page fits its window, or if scrolling has led to another document.
        """
        with suppress(KeyboardInterrupt, Error), self._within(_READ_SECONDS):
            here = self._cdp.world.evaluate(_DOCUMENT)
            if not self._cdp.world.evaluate(
                f"{script()}.scrollThrough({_MOST_SCREENS}, {_SCROLL_MILLISECONDS})", wait=True
            ):
                return None
            self._settle()  # scrolling may have set off more loading
            state = self._collected(probes)
            if self._cdp.world.evaluate(_DOCUMENT) == here:
                return state
        self._gaps.append("what the final page loads when it is scrolled could not be read")
        return None

    def _read(self, probes: Sequence[Probe]) -> dict[str, Any] | None:
        inside = [probe for probe in probes if is_read_with_the_page(probe)]
        state = self._collect(inside)
        if state is None:
            return None
        answers = dict(zip([probe.key() for probe in inside], state["reads"], strict=True))
        asked = Asked(self._session, self._page, self._cdp, MOST_CHARACTERS)
        for probe in probes:
            if not is_read_with_the_page(probe):
                answers[probe.key()] = self._ask(asked, probe, ask)
            elif "foreign" in answers[probe.key()]:
                answers[probe.key()] = self._ask(asked, probe, ask_frame)
        return state | {"reads": [answers[probe.key()] for probe in probes]}

    def _ask(self, asked: Asked, probe: Probe, how: Callable[[Asked, Probe], Answer]) -> Answer:
        error = f"there was no answer within {PROBE_SECONDS:g} s"
        with suppress(KeyboardInterrupt), self._within(PROBE_SECONDS):
            for _ in range(_MOST_QUESTIONS):
                try:
                    return how(asked, probe)
                except Error as caught:
                    error = reason_of(caught)
                    if is_from_script(caught):
                        break
        return {"error": error}

    def _collect(self, probes: Sequence[Probe]) -> dict[str, Any] | None:
        """What the page shows once it holds still: one that reloads itself is read again."""
        trouble = ""
        with suppress(KeyboardInterrupt), self._within(_READ_SECONDS):
            end = time.monotonic() + _RESTLESS_SECONDS
            while not trouble or time.monotonic() < end:
                try:
                    self._settle()
                    state = self._collected(probes)
                    if self._stays(state["document"]):
                        return state
                    trouble = "another document has taken its place"
                except Error as error:
                    trouble = reason_of(error)
                    if is_from_script(error) or self._page.is_closed():
                        break
            else:
                self._restless = True
        if not trouble:
            trouble = f"there was no answer within {_READ_SECONDS:g} s"
        self._gaps.append(f"the final page could not be read: {trouble}")
        return None

    def _stays(self, document: float) -> bool:
        """Whether no other document takes the place of the one that was just read."""
        if not self._session.traffic.loading(self._page):
            return True
        with suppress(KeyboardInterrupt), self._within(_SETTLE_SECONDS):
            while self._session.traffic.loading(self._page):
                self._cdp.world.evaluate(_NEXT_FRAME, wait=True)
        return bool(self._cdp.world.evaluate(_DOCUMENT) == document)

    def _collected(self, probes: Sequence[Probe]) -> dict[str, Any]:
        state: dict[str, Any] = json.loads(
            self._cdp.world.evaluate(f"{script()}.collect({questions(probes)}, {MOST_CHARACTERS})")
        )
        # Reported before anything is stored, so that no file holds a password.
        secrets = list(dict.fromkeys(state["passwords"]))
        for secret in secrets[:_MOST_SECRETS]:
            self._session.log.sink.secret(secret, f"on the final page: {secret}")
        self._unmasked = len(secrets) - _MOST_SECRETS
        return state

    def _answers(self) -> bool:
        """Whether the page answers.

        An open dialog and a script that never returns are ended first.
        """
        if self._page in self._session.crashed:
            self._gaps.append("the final tab crashed")
            return False
        if self._evaluates():
            return True
        # The gentlest first: stopping a script changes the page.
        ways: tuple[tuple[Callable[[], None], str], ...] = (
            (self._cdp.close_dialog, "a dialog of the final page was open and was dismissed"),
            (self._cdp.stop_scripts, "a script of the final page never returned and was ended"),
        )
        for unblock, gap in ways:
            with suppress(KeyboardInterrupt, Error), self._within(ANSWER_SECONDS):
                unblock()
                self._gaps.append(gap)
                if self._evaluates():
                    return True
        return False

    def _evaluates(self) -> bool:
        with suppress(KeyboardInterrupt), self._within(ANSWER_SECONDS):
            try:
                self._cdp.world.evaluate("1")
            except Error:  # its document goes away, which no page does that hangs
                return not self._page.is_closed() and self._page not in self._session.crashed
            return True
        return False

    def _settle(self) -> None:
        """Waits, for a short time, until the page has loaded and nothing more is on its way."""
        with suppress(KeyboardInterrupt), self._within(_SETTLE_SECONDS):
            with suppress(Error):
                self._page.wait_for_load_state("load", timeout=_SETTLE_SECONDS * 1000)
            # Playwright hears of the end of a request only while one of its calls waits.
            while self._session.traffic.in_flight:
                self._cdp.world.evaluate(_NEXT_FRAME, wait=True)
            self._cdp.world.evaluate(_NEXT_FRAME, wait=True)

    def history(self) -> list[HistoryEntry] | None:
        """Where the tab was, oldest first, blank pages left out; None if it is not all known."""
        answer = self._history()
        if answer is None:
            self._gaps.append("the tab's history could not be read")
            return None
        current, entries = answer
        forgotten = self._session.history.forgotten(self._page, [one["url"] for one in entries])
        if forgotten is None:
            self._gaps.append(f"the browser has forgotten history before {entries[0]['url']}")
            return None
        listed = [
            HistoryEntry(
                url=address(entry["url"]),
                typed=entry.get("transitionType") == "typed",
                ahead=number > current,
            )
            for number, entry in enumerate(entries)
        ]
        earlier = [HistoryEntry(url=address(one.url), typed=one.typed) for one in forgotten]
        return [entry for entry in (*earlier, *listed) if entry.url != BLANK]

    def _history(self) -> tuple[int, list[dict[str, Any]]] | None:
        with suppress(KeyboardInterrupt), self._within(ANSWER_SECONDS):
            for _ in range(_MOST_QUESTIONS):
                with suppress(Error):  # the tab moves on to another document
                    return self._cdp.history()
        return None

    def copies(self) -> tuple[str | None, bytes | None]:
        """The page as MHTML and as a JPEG; None for what could not be had."""
        mhtml = screenshot = None
        if self._unmasked > 0:
            self._gaps.append(
                f"the final page has {self._unmasked} contents of password fields too many to mask "
                "them, so no copies of it are kept"
            )
            return None, None
        with suppress(KeyboardInterrupt, Error), self._within(_COPY_SECONDS):
            screenshot = self._cdp.screenshot()
            self._session.log.deliver_shots(self._page, screenshot)
            mhtml = self._cdp.archive()
        if mhtml is not None and len(mhtml) > _LARGEST_ARCHIVE:
            self._gaps.append(
                f"the archive of the final page has {len(mhtml)} characters; it is not kept, for "
                f"it has more than {_LARGEST_ARCHIVE}"
            )
            return None, screenshot
        if mhtml is None:
            self._gaps.append("the final page could not be archived")
        return mhtml, screenshot


def address(url: str) -> str:
    """An address fit for evidence."""
    return sanitize(url[:_LONGEST_ADDRESS])
