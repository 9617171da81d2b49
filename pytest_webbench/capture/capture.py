"""Takes an episode's evidence over the harness's own connection, before the browser is released."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, suppress
from typing import Any, Final, Literal, NamedTuple

from playwright.sync_api import Error, Page

from .._text import clip, sanitize, sanitize_deep
from .._url import host_of, is_same_site
from ..browser.playwright_errors import reason_of
from ..browser.session import Session
from ..checks import Probe
from ..errors import GetterError
from ..evidence.models import (
    Download,
    Ending,
    Evidence,
    HistoryEntry,
    HowOpened,
    Integrity,
    PageSeen,
    PageState,
    Read,
    Tab,
)
from ..judge.health import assess
from .final_page import (
    ANSWER_SECONDS,
    BLANK,
    MOST_CHARACTERS,
    PROBE_SECONDS,
    FinalPage,
    Limit,
    address,
)
from .growth import BLOCK_END, grown_read, grown_state, may_grow

_CAPTURE_SECONDS: Final = 30.0
"""For everything together; what is not read by then is a gap."""
_ELSEWHERE_SECONDS: Final = 20.0
"""For each page that the harness opens to read what the final page does not show."""
# Even when capture is out of time, a quick answer is still taken.
_LEAST_SECONDS: Final = 0.05
_MOST_TABS: Final = 100
_MOST_ADDRESSES: Final = 50
"""Of each list of the integrity section."""
_LONGEST_DETAIL: Final = 1_000


class Archive(NamedTuple):
    """Copies of the final page, so that a check can be revised later without a new episode."""

    mhtml: str | None = None
    screenshot: bytes | None = None


class Captured(NamedTuple):
    """Evidence and archive of one episode."""

    evidence: Evidence
    archive: Archive


class Finished(NamedTuple):
    """How the agent's part ended."""

    ending: Ending
    answer: str | None
    detail: str = ""
    """Why it ended so, in one line; empty if the ending says it all."""
    connected: bool = True
    """Whether the browser can still be asked."""


def without_browser(session: Session, *, task: str, finished: Finished) -> Captured:
    """All that is known of an episode whose browser cannot be asked any more."""
    evidence = Evidence(
        task=task,
        ending=finished.ending,
        ending_detail=clip(sanitize(finished.detail), _LONGEST_DETAIL),
        actions=tuple(session.actions),
        external_browser=session.external,
        gaps=(sanitize(finished.detail),),
    )
    return Captured(evidence, Archive())


class Capture:
    """Captures one episode. ``limit`` guards every stretch that could hang."""

    def __init__(self, session: Session, limit: Limit, *, archive: bool) -> None:
        self._session, self._limit, self._archive = session, limit, archive
        self._gaps: list[str] = []
        self._end = 0.0

    def _within(self, seconds: float) -> AbstractContextManager[None]:
        """A block that ends after so many seconds, and in any case when capture has to."""
        return self._limit(max(_LEAST_SECONDS, min(seconds, self._end - time.monotonic())))

    def run(
        self,
        *,
        task: str,
        finished: Finished,
        probes: Sequence[Probe],
        outside: list[str],
        delivered: frozenset[str] | None,
    ) -> Captured:
        """The evidence; trouble on the way is noted in it, never raised."""
        self._end = time.monotonic() + _CAPTURE_SECONDS
        elsewhere, probes = _by_place(probes)
        page = self._final_page()
        final = self._final(page)
        state = final.read(probes) if final is not None else {}
        history = final.history() if final is not None else []
        traffic = self._session.traffic
        pages_seen = self._session.log.pages.pages(
            page, traffic.documents() if delivered is None else delivered
        )
        evidence = Evidence(
            task=task,
            # Asked now, after the page was read: the browser may have died on the way.
            ending=finished.ending if self._session.alive() else Ending.BROWSER_LOST,
            ending_detail=clip(sanitize(finished.detail), _LONGEST_DETAIL),
            answer=self._cut_answer(finished.answer),
            tabs=tuple(self._tabs(page, state)),
            history=tuple(history or ()),
            local_storage=sanitize_deep(state.get("local_storage", {})),
            session_storage=sanitize_deep(state.get("session_storage", {})),
            pages_seen=pages_seen,
            integrity=self._integrity(pages_seen),
            actions=tuple(self._session.actions),
            dialogs=tuple(self._session.dialogs),
            console_errors=tuple(traffic.console_errors),
            downloads=self._downloads(),
            requests=traffic.requests(),
            outside=tuple(map(sanitize, outside)),
            refused=tuple(self._session.boundary.tried),
            external_browser=self._session.external,
            recorder_gaps=tuple(self._session.recorder_gaps()),
            reads=_reads(probes, state),
            incomplete=tuple(self._incomplete(history)),
            **self._page_and_health(page, state, history or []),
        )
        captured = self._with_copies(evidence, final, state, probes=probes)
        complete = self._with_reads_elsewhere(captured.evidence, elsewhere)
        return captured._replace(evidence=complete)

    def _with_copies(
        self,
        evidence: Evidence,
        final: FinalPage | None,
        state: dict[str, Any],
        *,
        probes: Sequence[Probe],
    ) -> Captured:
        # A page that does not answer would only use up the time of its copies.
        if final is None or not state.get("responsive", True):
            return Captured(self._with_gaps(evidence, state), Archive())
        archive = Archive(*final.copies()) if self._archive else Archive()
        # Pages change when they are scrolled, so that comes last.
        return Captured(self._scrolled(evidence, final, state, probes=probes), archive)

    def _with_reads_elsewhere(self, evidence: Evidence, probes: Sequence[Probe]) -> Evidence:
        """The evidence with the answers of pages that the agent need not have seen.

        After all else, for a page may notice that another tab comes to the front.
        """
        reads = dict(evidence.reads)
        for url in dict.fromkeys(probe.at for probe in probes):
            asked = [probe for probe in probes if probe.at == url]
            reads |= self._read_at(str(url), asked)
        return evidence.model_copy(update={"reads": reads}) if probes else evidence

    def _read_at(self, url: str, probes: Sequence[Probe]) -> dict[str, Read]:
        """What one page answers; it is opened once, whatever it is asked."""
        self._end = time.monotonic() + _ELSEWHERE_SECONDS
        trouble = f"there was no answer within {_ELSEWHERE_SECONDS:g} s"
        with suppress(KeyboardInterrupt), self._within(_ELSEWHERE_SECONDS):
            try:
                return self._answers_at(url, probes)
            except GetterError as error:
                trouble = str(error)
            except Error as error:
                trouble = reason_of(error)
        what = Read(error=sanitize(f"{url} could not be read: {trouble}"))
        return {probe.key(): what for probe in probes}

    def _answers_at(self, url: str, probes: Sequence[Probe]) -> dict[str, Read]:
        gaps: list[str] = []
        with self._session.own_tabs.at(url, seconds=_ELSEWHERE_SECONDS) as (page, cdp):
            opened = FinalPage(self._session, page, cdp, within=self._within, gaps=gaps)
            state = opened.read(probes)
            if not state.get("responsive", True):
                raise GetterError("; ".join(gaps) or "the page did not answer")
            if not is_same_site(page.url, url):
                raise GetterError(f"it led to {host_of(page.url)}")
            health = assess(page_state(state), by_agent=False)
            if health.state in ("bot_wall", "http_error"):
                raise GetterError(health.detail)
            reads = _reads(probes, state)
            absent = [probe for probe in probes if may_grow(probe, reads[probe.key()])]
            later = opened.scrolled(absent) if absent else None
            return reads if later is None else _grown_reads(reads, absent, later)

    def _scrolled(
        self,
        evidence: Evidence,
        final: FinalPage,
        state: dict[str, Any],
        *,
        probes: Sequence[Probe],
    ) -> Evidence:
        """The evidence with the text that appears when the page is scrolled; all else stays.

        ``state`` is what the evidence was made from.
        """
        absent = [probe for probe in probes if may_grow(probe, evidence.reads[probe.key()])]
        later = final.scrolled(absent)
        if later is None:
            return self._with_gaps(evidence, state)
        reads = _grown_reads(evidence.reads, absent, later)
        page = page_state(grown_state(state, later))
        return self._with_gaps(evidence.model_copy(update={"page": page, "reads": reads}), later)

    def _incomplete(
        self, history: list[HistoryEntry] | None
    ) -> Iterator[Literal["history", "pages_seen"]]:
        if history is None:
            yield "history"
        if self._session.log.pages.left_out:
            yield "pages_seen"

    def _final_page(self) -> Page | None:
        with suppress(KeyboardInterrupt), self._within(ANSWER_SECONDS):
            return self._session.final_page()
        # A blank tab hangs: which tab was the last to be opened or acted in is known all the same.
        return next(reversed(self._session.tabs), None)

    def _final(self, page: Page | None) -> FinalPage | None:
        cdp = self._session.cdp_session(page) if page is not None else None
        if page is None or cdp is None:
            self._gaps.append("no tab was open when the episode ended")
            return None
        return FinalPage(self._session, page, cdp, within=self._within, gaps=self._gaps)

    def _with_gaps(self, evidence: Evidence, state: dict[str, Any]) -> Evidence:
        gaps = (
            *self._gaps,
            *state.get("cuts", []),
            *self._session.traffic.gaps(),
            *self._session.log.pages.gaps(),
        )
        return evidence.model_copy(update={"gaps": tuple(map(sanitize, gaps))})

    def _page_and_health(
        self, page: Page | None, state: dict[str, Any], history: list[HistoryEntry]
    ) -> dict[str, Any]:
        if not state:
            return {"page": None}
        shown = page_state(state)
        typed = self._typed(page, history)
        health = assess(
            shown,
            by_agent=typed,
            restless=state.get("restless", False),
            links=state.get("links", 0),
        )
        return {"page": shown, "health": health}

    def _typed(self, page: Page | None, history: list[HistoryEntry]) -> bool:
        """Whether the agent opened the final page by its address.

        Nobody else leads to a blank page.
        """
        if page is not None and page.url == BLANK:
            return True
        behind = [entry for entry in history if not entry.ahead]
        if not behind or not behind[-1].typed:
            return False
        # The first entry of the first tab is the start page, which we opened.
        return len(behind) > 1 or page is not self._session.page

    def _tabs(self, final: Page | None, state: dict[str, Any]) -> list[Tab]:
        pages = self._session.tabs
        if len(pages) > _MOST_TABS:
            self._gaps.append(f"{len(pages)} tabs were open; the first {_MOST_TABS} are listed")
        tabs: list[Tab] = []
        for page in pages[:_MOST_TABS]:
            url, title = (
                (state.get("url", page.url), state.get("title", ""))
                if page is final
                else self._url_and_title(page)
            )
            tabs.append(Tab(url=address(url), title=sanitize(title)))
        return tabs

    def _url_and_title(self, page: Page) -> tuple[str, str]:
        """As the page has them: one that writes into a blank tab gives it another address."""
        cdp = self._session.cdp_session(page)
        if cdp is not None:
            with suppress(KeyboardInterrupt, Error), self._within(ANSWER_SECONDS):
                url, title = cdp.world.evaluate("[location.href, document.title.slice(0, 2000)]")
                return str(url), str(title)
        return page.url, ""

    def _integrity(self, pages_seen: Sequence[PageSeen]) -> Integrity:
        acts = [action for action in self._session.actions if action.kind != "navigate"]
        by_script = sum(action.by_script for action in acts)
        typed = [page.url for page in pages_seen if page.how is HowOpened.TYPED]
        return Integrity(
            by_input=len(acts) - by_script,
            by_script=by_script,
            typed=_some(typed),
            undelivered=_some([page.url for page in pages_seen if page.served is False]),
            intercepted=_some(self._session.traffic.intercepted),
            rewritten=_some(self._session.rewritten),
        )

    def _downloads(self) -> tuple[Download, ...]:
        traffic = self._session.traffic
        # A limit ends its block by a KeyboardInterrupt, see `episode.watchdog`.
        with suppress(KeyboardInterrupt), self._within(PROBE_SECONDS):
            return traffic.downloads(self._gaps)
        self._gaps.append(f"downloads did not end within {PROBE_SECONDS:g} s")
        return traffic.started_downloads()

    def _cut_answer(self, answer: str | None) -> str | None:
        if answer is None:
            return None
        if len(answer) > MOST_CHARACTERS:
            self._gaps.append(
                f"the answer was cut after {MOST_CHARACTERS} of {len(answer)} characters"
            )
        return sanitize(answer[:MOST_CHARACTERS])


def _some(addresses: Sequence[str]) -> tuple[str, ...]:
    """Each address once, the first ones only if there are many."""
    return tuple(map(address, list(dict.fromkeys(addresses))[:_MOST_ADDRESSES]))


def _by_place(probes: Sequence[Probe]) -> tuple[list[Probe], list[Probe]]:
    """The probes of other pages, and those of the final page."""
    elsewhere = [probe for probe in probes if probe.at is not None]
    return elsewhere, [probe for probe in probes if probe.at is None]


def page_state(state: dict[str, Any]) -> PageState:
    """A page as evidence has it; ``state`` is what ``collect`` of the probe script says."""
    return PageState(
        url=address(state["url"]),
        title=sanitize(state.get("title", "")),
        text=sanitize(state.get("text", "")),
        visible_text=sanitize(state.get("visible_text", "").replace(BLOCK_END, " ")),
        status=state.get("status"),
        responsive=state.get("responsive", True),
    )


def _reads(probes: Sequence[Probe], state: dict[str, Any]) -> dict[str, Read]:
    reads: dict[str, Read] = {}
    for number, probe in enumerate(probes):
        if "reads" in state:
            reads[probe.key()] = Read(**sanitize_deep(state["reads"][number]))
        else:
            reads[probe.key()] = Read(error="the final page could not be read")
    return reads


def _grown_reads(
    reads: dict[str, Read], absent: Sequence[Probe], later: dict[str, Any]
) -> dict[str, Read]:
    answers = sanitize_deep(later["reads"])
    more = {
        probe.key(): grown_read(reads[probe.key()], answer)
        for probe, answer in zip(absent, answers, strict=True)
    }
    return {**reads, **more}
