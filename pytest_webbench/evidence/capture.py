"""Reads the evidence from the final page over the harness's own CDP session, before the browser is released."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, suppress
from typing import Any, Final, NamedTuple

from playwright.sync_api import Error, Page

from ..browser.channel import Channel
from ..browser.session import Session, first_line
from ..checks import Probe
from .health import assess
from .models import Download, Ending, Evidence, HistoryEntry, PageState, Read, Tab
from .probes import script
from .questions import BEYOND, Answer, Asked, ask, ask_frame
from .scrub import scrub, scrub_deep

MOST_CHARACTERS: Final = 500_000
_MOST_SCREENS: Final = 60
_SCROLL_MILLISECONDS: Final = 5_000
_SETTLE_SECONDS: Final = 3.0
_ANSWER_SECONDS: Final = 2.0
_READ_SECONDS: Final = 20.0
_PROBE_SECONDS: Final = 10.0
_CAPTURE_SECONDS: Final = 30.0
"""For everything together; what is not read by then is a gap."""
_MOST_TABS: Final = 100
_BLANK: Final = "about:blank"
_LONGEST_ADDRESS: Final = 20_000

Limit = Callable[[float], AbstractContextManager[None]]
"""Opens a block that is interrupted (KeyboardInterrupt) after so many seconds."""


class Archive(NamedTuple):
    """Copies of the final page, so that a check can be revised later without a new episode."""

    mhtml: str | None = None
    screenshot: bytes | None = None


class Captured(NamedTuple):
    """Evidence and archive of one episode."""

    evidence: Evidence
    archive: Archive


class Capture:
    """Captures one episode. ``limit`` guards every stretch that could hang."""

    def __init__(self, session: Session, limit: Limit, *, archive: bool) -> None:
        self._session, self._limit, self._archive = session, limit, archive
        self._gaps: list[str] = []
        self._end = 0.0

    def _within(self, seconds: float) -> AbstractContextManager[None]:
        """A block that ends after so many seconds, and in any case when capture has to."""
        return self._limit(max(0.05, min(seconds, self._end - time.monotonic())))

    def run(
        self, *, task: str, ending: Ending, answer: str | None, probes: Sequence[Probe], outside: list[str]
    ) -> Captured:
        """The evidence; trouble on the way is noted in it, never raised."""
        self._end = time.monotonic() + _CAPTURE_SECONDS
        page = self._session.final_page()
        state: dict[str, Any] = {}
        history: list[HistoryEntry] = []
        archive = Archive()
        channel = self._session.channel(page) if page is not None else None
        if page is None or channel is None:
            self._gaps.append("no tab was open when the episode ended")
        else:
            state = self._read(page, channel, probes) or self._unanswered(page)
            history = self._history(channel)
            archive = self._copies(page, channel) if self._archive and state.get("responsive", True) else archive
        self._gaps += state.get("cuts", [])
        page_state = _page_state(state) if state else None
        traffic = self._session.traffic
        evidence = Evidence(
            task=task,
            ending=ending if self._session.alive() else Ending.BROWSER_LOST,
            answer=None if answer is None else scrub(self._cut("the answer", answer)),
            page=page_state,
            tabs=tuple(self._tabs(page, state)),
            history=tuple(history),
            local_storage=scrub_deep(state.get("local_storage", {})),
            session_storage=scrub_deep(state.get("session_storage", {})),
            actions=tuple(self._session.actions),
            dialogs=tuple(self._session.dialogs),
            console_errors=tuple(traffic.console_errors),
            downloads=self._downloads(),
            requests=traffic.requests(),
            outside=tuple(scrub(url) for url in outside),
            reads=_reads(probes, state),
            gaps=tuple(scrub(gap) for gap in (*self._gaps, *traffic.gaps())),
            **({} if page_state is None else {"health": assess(page_state, by_agent=self._typed(page, history))}),
        )
        return Captured(evidence, archive)

    # -- reading -------------------------------------------------------------------------------------------------

    def _read(self, page: Page, channel: Channel, probes: Sequence[Probe]) -> dict[str, Any] | None:
        if not self._answers(page, channel):
            return None
        own = [probe for probe in probes if probe.name not in BEYOND]
        state = self._collect(page, channel, own)
        if state is None:
            return None
        for secret in state["passwords"]:
            self._session.steps.sink.secret(secret, f"on the final page: {secret}")
        answers = dict(zip([probe.key() for probe in own], state["reads"], strict=True))
        asked = Asked(self._session, page, channel, MOST_CHARACTERS)
        for probe in probes:
            if probe.name in BEYOND:
                answers[probe.key()] = self._ask(asked, probe, ask)
            elif "foreign" in answers[probe.key()]:
                answers[probe.key()] = self._ask(asked, probe, ask_frame)
        return state | {"reads": [answers[probe.key()] for probe in probes]}

    def _ask(self, asked: Asked, probe: Probe, how: Callable[[Asked, Probe], Answer]) -> Answer:
        with suppress(KeyboardInterrupt), self._within(_PROBE_SECONDS):
            try:
                return how(asked, probe)
            except Error as error:
                return {"error": first_line(error)}
        return {"error": f"there was no answer within {_PROBE_SECONDS:g} s"}

    def _collect(self, page: Page, channel: Channel, probes: Sequence[Probe]) -> dict[str, Any] | None:
        with suppress(KeyboardInterrupt), self._within(_READ_SECONDS):
            try:
                self._settle(page, channel)
                questions = json.dumps([{"name": probe.name, "arguments": probe.arguments} for probe in probes])
                scroll = f"{script()}.read({_MOST_SCREENS}, {_SCROLL_MILLISECONDS}, {questions}, {MOST_CHARACTERS})"
                text = channel.evaluate(scroll, wait=True)
                if text is None:  # it was scrolled, which may have set off more loading
                    self._settle(page, channel)
                    text = channel.evaluate(f"{script()}.collect({questions}, {MOST_CHARACTERS})")
                state: dict[str, Any] = json.loads(text)
                return state
            except Error as error:
                self._gaps.append(f"the final page could not be read: {first_line(error)}")
                return None
        self._gaps.append(f"the final page could not be read within {_READ_SECONDS:g} s")
        return None

    def _answers(self, page: Page, channel: Channel) -> bool:
        """Whether the page answers; an open dialog and a script that never returns are ended first."""
        if page in self._session.crashed:
            self._gaps.append("the final tab crashed")
            return False
        ways: tuple[tuple[Callable[[], None], str], ...] = (
            (lambda: None, ""),
            (channel.close_dialog, "a dialog of the final page was open and was dismissed"),
            (channel.stop_scripts, "a script of the final page never returned and was ended"),
        )
        for unblock, gap in ways:
            with suppress(KeyboardInterrupt, Error), self._within(_ANSWER_SECONDS):
                unblock()
                self._gaps += [gap] if gap else []
                channel.evaluate("1")
                return True
        return False

    def _settle(self, page: Page, channel: Channel) -> None:
        """Waits, for a short time, until the page has loaded and nothing more is on its way."""
        with suppress(KeyboardInterrupt), self._within(_SETTLE_SECONDS):
            with suppress(Error):
                page.wait_for_load_state("load", timeout=_SETTLE_SECONDS * 1000)
            while self._session.traffic.in_flight:
                channel.evaluate("new Promise(requestAnimationFrame)", wait=True)
            channel.evaluate("new Promise(requestAnimationFrame)", wait=True)

    def _unanswered(self, page: Page) -> dict[str, Any]:
        """All that can be said of a page that does not answer."""
        return {"url": page.url, "responsive": False}

    def _history(self, channel: Channel) -> list[HistoryEntry]:
        with suppress(KeyboardInterrupt, Error), self._within(_ANSWER_SECONDS):
            current, entries = channel.history()
            return [
                HistoryEntry(
                    url=_address(entry["url"]),
                    typed=entry.get("transitionType") == "typed",
                    ahead=number > current,
                )
                for number, entry in enumerate(entries)
                if entry["url"] != _BLANK
            ]
        self._gaps.append("the tab's history could not be read")
        return []

    def _tabs(self, final: Page | None, state: dict[str, Any]) -> list[Tab]:
        tabs = []
        if len(self._session.tabs) > _MOST_TABS:
            self._gaps.append(f"{len(self._session.tabs)} tabs were open; the first {_MOST_TABS} are listed")
        for page in self._session.tabs[:_MOST_TABS]:
            title = state["title"] if page is final and "title" in state else ""
            channel = self._session.channel(page) if page is not final else None
            if channel is not None:
                with suppress(KeyboardInterrupt, Error), self._within(_ANSWER_SECONDS):
                    title = str(channel.evaluate("document.title.slice(0, 2000)"))
            tabs.append(Tab(url=_address(page.url), title=scrub(title)))
        return tabs

    def _copies(self, page: Page, channel: Channel) -> Archive:
        mhtml = screenshot = None
        with suppress(KeyboardInterrupt, Error), self._within(_ANSWER_SECONDS * 5):
            screenshot = channel.screenshot()
            self._session.steps.deliver_shots(page, screenshot)
            mhtml = channel.archive()
        if mhtml is None:
            self._gaps.append("the final page could not be archived")
        return Archive(mhtml, screenshot)

    def _downloads(self) -> tuple[Download, ...]:
        with suppress(KeyboardInterrupt), self._within(_PROBE_SECONDS):
            return self._session.traffic.downloads(self._gaps)
        self._gaps.append(f"downloads did not end within {_PROBE_SECONDS:g} s")
        return self._session.traffic.started_downloads()

    def _cut(self, what: str, text: str) -> str:
        if len(text) > MOST_CHARACTERS:
            self._gaps.append(f"{what} was cut after {MOST_CHARACTERS} of {len(text)} characters")
        return text[:MOST_CHARACTERS]

    def _typed(self, page: Page | None, history: list[HistoryEntry]) -> bool:
        """Whether the agent opened the final page by its address; nobody else leads to a blank one."""
        if page is not None and page.url == _BLANK:
            return True
        behind = [entry for entry in history if not entry.ahead]
        return bool(behind) and behind[-1].typed and (len(behind) > 1 or page is not self._session.page)


def _address(url: str) -> str:
    return scrub(url[:_LONGEST_ADDRESS])


def _page_state(state: dict[str, Any]) -> PageState:
    return PageState(
        url=_address(state["url"]),
        title=scrub(state.get("title", "")),
        text=scrub(state.get("text", "")),
        visible_text=scrub(state.get("visible_text", "")),
        status=state.get("status"),
        responsive=state.get("responsive", True),
    )


def _reads(probes: Sequence[Probe], state: dict[str, Any]) -> dict[str, Read]:
    answers = state.get("reads")
    if answers is None:
        return {probe.key(): Read(error="the final page could not be read") for probe in probes}
    return {probe.key(): Read(**scrub_deep(answer)) for probe, answer in zip(probes, answers, strict=True)}
