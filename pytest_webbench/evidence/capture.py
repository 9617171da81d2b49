"""Reads the evidence from the final page over the harness's own CDP session, before the browser is released."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, suppress
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from playwright.sync_api import Error, Page

from ..browser.channel import Channel
from ..browser.session import Session, first_line
from ..checks import Probe
from .health import assess
from .models import Ending, Evidence, HistoryEntry, PageState, Read, Tab
from .scrub import scrub, scrub_deep

MOST_CHARACTERS: Final = 500_000
_MOST_SCREENS: Final = 60
_SCROLL_MILLISECONDS: Final = 5_000
_SETTLE_SECONDS: Final = 3.0
_ANSWER_SECONDS: Final = 2.0
_CAPTURE_SECONDS: Final = 30.0

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


@cache
def _probes() -> str:
    return (Path(__file__).parent / "probes.js").read_text(encoding="utf-8").strip().removesuffix(";")


class Capture:
    """Captures one episode. ``limit`` guards every stretch that could hang."""

    def __init__(self, session: Session, limit: Limit, *, archive: bool) -> None:
        self._session, self._limit, self._archive = session, limit, archive
        self._gaps: list[str] = []

    def run(
        self, *, task: str, ending: Ending, answer: str | None, probes: Sequence[Probe], outside: list[str]
    ) -> Captured:
        """The evidence; trouble on the way is noted in it, never raised."""
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
        page_state = _page_state(state) if state else None
        typed = bool(history) and history[-1].typed and (len(history) > 1 or page is not self._session.page)
        evidence = Evidence(
            task=task,
            ending=ending,
            answer=None if answer is None else scrub(answer[:MOST_CHARACTERS]),
            page=page_state,
            tabs=tuple(self._tabs(page, state)),
            history=tuple(history),
            local_storage=scrub_deep(state.get("local_storage", {})),
            session_storage=scrub_deep(state.get("session_storage", {})),
            actions=tuple(self._session.actions),
            dialogs=tuple(self._session.dialogs),
            outside=tuple(scrub(url) for url in outside),
            reads=_reads(probes, state),
            gaps=tuple(scrub(gap) for gap in self._gaps),
            **({} if page_state is None else {"health": assess(page_state, by_agent=typed)}),
        )
        return Captured(evidence, archive)

    # -- reading -------------------------------------------------------------------------------------------------

    def _read(self, page: Page, channel: Channel, probes: Sequence[Probe]) -> dict[str, Any] | None:
        if not self._answers(channel):
            return None
        with suppress(KeyboardInterrupt), self._limit(_CAPTURE_SECONDS):
            try:
                self._settle(page, channel)
                questions = json.dumps([{"name": probe.name, "arguments": probe.arguments} for probe in probes])
                scroll = f"{_probes()}.read({_MOST_SCREENS}, {_SCROLL_MILLISECONDS}, {questions}, {MOST_CHARACTERS})"
                text = channel.evaluate(scroll, wait=True)
                if text is None:  # it was scrolled, which may have set off more loading
                    self._settle(page, channel)
                    text = channel.evaluate(f"{_probes()}.collect({questions}, {MOST_CHARACTERS})")
                state: dict[str, Any] = json.loads(text)
                return state
            except Error as error:
                self._gaps.append(f"the final page could not be read: {first_line(error)}")
                return None
        self._gaps.append(f"the final page could not be read within {_CAPTURE_SECONDS:g} s")
        return None

    def _answers(self, channel: Channel) -> bool:
        """Whether the page answers; a script that never returns is ended first."""
        for last in (False, True):
            with suppress(KeyboardInterrupt, Error), self._limit(_ANSWER_SECONDS):
                channel.evaluate("1")
                return True
            if not last:
                with suppress(KeyboardInterrupt, Error), self._limit(_ANSWER_SECONDS):
                    channel.stop_scripts()
                    self._gaps.append("a script of the final page never returned and was ended")
        return False

    def _settle(self, page: Page, channel: Channel) -> None:
        """Waits, for a short time, until the page has loaded and nothing more is on its way."""
        with suppress(KeyboardInterrupt), self._limit(_SETTLE_SECONDS):
            with suppress(Error):
                page.wait_for_load_state("load", timeout=_SETTLE_SECONDS * 1000)
            while self._session.in_flight:
                channel.evaluate("new Promise(requestAnimationFrame)", wait=True)
            channel.evaluate("new Promise(requestAnimationFrame)", wait=True)

    def _unanswered(self, page: Page) -> dict[str, Any]:
        """All that can be said of a page that does not answer."""
        return {"url": page.url, "responsive": False}

    def _history(self, channel: Channel) -> list[HistoryEntry]:
        with suppress(KeyboardInterrupt, Error), self._limit(_ANSWER_SECONDS):
            current, entries = channel.history()
            return [
                HistoryEntry(url=scrub(entry["url"]), typed=entry.get("transitionType") == "typed")
                for entry in entries[: current + 1]
                if entry["url"] != "about:blank"
            ]
        self._gaps.append("the tab's history could not be read")
        return []

    def _tabs(self, final: Page | None, state: dict[str, Any]) -> list[Tab]:
        tabs = []
        for page in self._session.tabs:
            title = state["title"] if page is final and "title" in state else ""
            channel = self._session.channel(page) if page is not final else None
            if channel is not None:
                with suppress(KeyboardInterrupt, Error), self._limit(_ANSWER_SECONDS):
                    title = str(channel.evaluate("document.title.slice(0, 2000)"))
            tabs.append(Tab(url=scrub(page.url), title=scrub(title)))
        return tabs

    def _copies(self, page: Page, channel: Channel) -> Archive:
        mhtml = screenshot = None
        with suppress(KeyboardInterrupt, Error), self._limit(_ANSWER_SECONDS * 5):
            screenshot = channel.screenshot()
            self._session.deliver_shots(page, screenshot)
            mhtml = channel.archive()
        if mhtml is None:
            self._gaps.append("the final page could not be archived")
        return Archive(mhtml, screenshot)


def _page_state(state: dict[str, Any]) -> PageState:
    return PageState(
        url=scrub(state["url"]),
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
