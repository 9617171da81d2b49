"""Evidence: everything a verdict may be based on, as plain frozen data.

Evidence is written to ``evidence.json`` and read back before it is judged, so live and offline
judging see the same bytes. Strings are already sanitized (`sanitize`) and redacted (`Redactor`)
when they get here.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

from .._json import canonical_json, digest
from .._text import clip
from .._usage import MOST
from ..errors import GetterError


class Ending(StrEnum):
    """Why an episode stopped."""

    DONE = "done"
    GAVE_UP = "gave_up"
    NO_ANSWER = "no_answer"
    STEP_BUDGET = "step_budget"
    TIME_BUDGET = "time_budget"
    AGENT_CRASHED = "agent_crashed"
    BROWSER_LOST = "browser_lost"


_LONGEST_PLACE: Final = 200
Count = Annotated[int, Field(strict=True, ge=0, le=MOST)]
Amount = Annotated[float, Field(strict=True, ge=0, le=MOST)]
"""Seconds or dollars."""


def first_problem(error: ValidationError) -> str:
    """Where the first problem is and what it is, and how many more there are."""
    first, *more = error.errors(include_url=False, include_input=False)
    where = ".".join(map(str, first["loc"])) or "it"
    text = f"{clip(where, _LONGEST_PLACE)}: {first['msg']}"
    return f"{text}, and {len(more)} more problems" if more else text


class Record(BaseModel):
    """Base of all recorded data: frozen, unknown keys and numbers without end refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class TouchedElement(Record):
    """The element that an observed action touched; empty where an action touches none."""

    role: str = ""
    name: str = ""
    tag: str = ""
    box: tuple[float, float, float, float] | None = Field(
        None, description="x, y, width, height in CSS pixels of its frame's viewport"
    )
    corner: tuple[float, float] | None = Field(
        None, description="where that viewport began on the whole page; null if it is not known"
    )


class ObservedAction(Record):
    """One thing the agent did, as the browser saw it."""

    number: int
    kind: Literal[
        "click", "type", "select", "check", "press", "scroll", "drag", "upload", "navigate"
    ]
    target: TouchedElement = TouchedElement()
    value: str | None = Field(
        None,
        description="text typed, option chosen, key pressed, URL opened, or name of the element "
        "that the target was dragged onto",
    )
    url: str = Field("", description="address of the page when the action happened")
    url_after: str = Field("", description="address when the next action began, or at the end")
    tab: int = Field(0, description="index of the tab, in order of opening")
    seconds: float = Field(0.0, description="since the agent started")
    scrolled: tuple[float, float] | None = Field(
        None, description="how far the page was scrolled in the picture of this action"
    )
    by_script: bool = Field(
        False, description="made by a script of the agent, such as `element.click()`"
    )


class PageState(Record):
    """The page that the agent ended on."""

    url: str
    title: str = ""
    text: str = Field("", description="innerText of the body after the page was scrolled through")
    visible_text: str = Field("", description="text nodes that are really shown, one space between")
    status: int | None = Field(None, description="HTTP status of the main document, where known")
    responsive: bool = Field(
        True, description="false if a script or dialog kept the page from answering"
    )


def is_refusal(status: int | None) -> bool:
    """Whether an HTTP status says that the site did not serve its page: 403, 429, 500 and above."""
    return status is not None and (status in (403, 429) or status >= 500)


class Tab(Record):
    """One open tab."""

    url: str
    title: str = ""


class HistoryEntry(Record):
    """One entry of the final tab's history."""

    url: str
    typed: bool = Field(False, description="opened by address, not by following a link")
    ahead: bool = Field(False, description="after the page shown: somebody went back from there")


class HowOpened(StrEnum):
    """How a page that was in front came about."""

    START = "start"
    """The harness opened it before the agent began."""
    CLICK = "click"
    """By a click or a key in the page that it was opened from."""
    INPUT = "input"
    """By typing or choosing in a control of the page that it was opened from."""
    TYPED = "typed"
    """By its address."""
    SCRIPT = "script"
    """By a script or a refresh, without any input before: the page led on by itself, or was led."""
    BACK_FORWARD = "back_forward"
    RELOAD = "reload"


class PageSeen(Record):
    """One address that was in front in some tab: a document, or a state of one."""

    number: int = Field(description="counted from 1, in the order in which pages came to the front")
    tab: int = Field(0, description="index of the tab, in order of opening")
    url: str
    title: str = ""
    text_early: str = Field("", description="its title, and what it showed as soon as it was there")
    text: str = Field("", description="what it showed once it had come to rest, cut off if long")
    text_left: str | None = Field(None, description="what it showed last, if something else")
    how: HowOpened = HowOpened.START
    opened_from: int | None = Field(None, description="number of the page that it was opened from")
    new_tab: bool = Field(False, description="the first page of a tab that another page opened")
    same_document: bool = Field(False, description="a new address of the document before it")
    served: bool | None = Field(
        None, description="whether the world's server sent this document; null if it cannot know"
    )
    final: bool = Field(False, description="the page that is judged")
    download: str | None = Field(
        None, description="name of the file, if the browser downloaded this PDF and showed nothing"
    )
    seconds: float = Field(0.0, description="since the agent started")


class Download(Record):
    """A file that the browser downloaded."""

    url: str
    name: str
    size: int | None = Field(None, description="bytes; null if it did not arrive")
    sha256: str | None = None


class NetworkRequest(Record):
    """A request that the pages sent while the agent acted."""

    method: str
    url: str
    kind: str = Field("", description="document, xhr, fetch, script, image ...")
    status: int | None = Field(None, description="HTTP status; null if no answer came")
    form: dict[str, list[str]] | None = Field(None, description="fields of a form that was sent")
    body: JsonValue = Field(None, description="what else was sent: a JSON value, or text")


class Health(Record):
    """Whether the final page can carry a verdict at all."""

    state: Literal[
        "ok",
        "bot_wall",
        "browser_error",
        "empty",
        "http_error",
        "restless",
        "unresponsive",
        "world_error",
    ] = "ok"
    detail: str = ""
    by_agent: bool = Field(False, description="the agent brought itself there by address")


class Read(Record):
    """What one in-page getter found: a value or the reason why there is none."""

    value: JsonValue = None
    missing: bool = Field(False, description="the path is valid but nothing is there")
    error: str | None = None
    archived: bool = Field(False, description="read after the episode, from the archived page")


class Repeated(StrEnum):
    """What came of the observed actions when the harness did them again, in a clean browser."""

    SAME = "same"
    """They pass the checks by themselves."""
    OTHER = "other"
    """They do not: the pass rests on something else."""
    UNTRIED = "untried"
    """Unknown: the episode did not pass, or the world may answer otherwise the second time."""


class Integrity(Record):
    """On what ground the rest of the evidence stands."""

    by_input: int = Field(0, description="actions by real input; opened addresses do not count")
    by_script: int = Field(0, description="actions by a script of the agent")
    typed: tuple[str, ...] = Field((), description="addresses that the agent opened")
    linked: tuple[str, ...] = Field(
        (), description="those of them to which the page before had a link, as far as known"
    )
    undelivered: tuple[str, ...] = Field((), description="documents shown that no server delivered")
    intercepted: tuple[str, ...] = Field(
        (), description="requests for documents and data that no server answered"
    )
    rewritten: tuple[str, ...] = Field(
        (), description="documents that a script opened anew, by `document.open` or the like"
    )
    repeated: Repeated = Repeated.UNTRIED
    repeated_detail: str = Field("", description="why it is not the same, or was not tried")


class StateChange(Record):
    """One row of a local world that is not what it was when the episode began."""

    table: str = Field(description="site and table, such as `shop.orders`")
    before: dict[str, JsonValue] | None = Field(None, description="null if the row is new")
    after: dict[str, JsonValue] | None = Field(None, description="null if the row is gone")
    cause: str = Field(
        "", description="for what a site did thereupon, why; empty for what was asked of it"
    )
    request: int = Field(0, description="number of the request that touched the row first")


class ServedRequest(Record):
    """A request that a site of a local world has answered."""

    number: int
    site: str
    method: str
    path: str
    query: dict[str, list[str]] = {}
    form: dict[str, list[str]] | None = None
    body: JsonValue = None
    status: int
    changed: tuple[str, ...] = Field((), description="tables of which it changed rows")


class LocalFacts(Record):
    """What became of a local world in one episode."""

    changes: tuple[StateChange, ...] = ()
    log: tuple[ServedRequest, ...] = ()


class Evidence(Record):
    """All that was recorded at the end of one episode."""

    version: Literal[1] = 1
    task: str = ""
    world: str = Field(
        "", description="where the pages came from; empty in evidence from before this was noted"
    )
    ending: Ending = Ending.DONE
    ending_detail: str = Field(
        "", description="why it ended so: the agent's exception, its reason to give up"
    )
    answer: str | None = None
    page: PageState | None = None
    tabs: tuple[Tab, ...] = ()
    history: tuple[HistoryEntry, ...] = ()
    local_storage: dict[str, str] = {}
    session_storage: dict[str, str] = {}
    pages_seen: tuple[PageSeen, ...] = Field((), description="in all tabs, oldest first")
    actions: tuple[ObservedAction, ...] = ()
    dialogs: tuple[str, ...] = ()
    console_errors: tuple[str, ...] = Field(
        (), description="errors that pages logged or did not catch"
    )
    downloads: tuple[Download, ...] = ()
    requests: tuple[NetworkRequest, ...] = Field(
        (), description="in the order in which they were sent"
    )
    outside: tuple[str, ...] = Field((), description="URLs requested that the world does not have")
    refused: tuple[str, ...] = Field(
        (), description="addresses that are not on the web and were tried, each once"
    )
    recorder_gaps: tuple[str, ...] = Field(
        (), description="what is missing or doubtful in the record of actions"
    )
    reads: dict[str, Read] = Field({}, description="by probe key, what selector getters found")
    health: Health = Health()
    external_browser: bool = Field(False, description="somebody else runs the browser")
    incomplete: tuple[Literal["history", "pages_seen"], ...] = Field(
        (), description="records of which a part was lost, so that no check of them can be judged"
    )
    integrity: Integrity | None = Field(
        None, description="null in evidence that was recorded before this was looked at"
    )
    local: LocalFacts | None = Field(None, description="null in worlds that keep no state")
    gaps: tuple[str, ...] = Field((), description="what could not be captured, and why")

    def final_page(self) -> PageState:
        """The final page; `GetterError` if there was none to read."""
        if self.page is None:
            what = "no final page was captured"
            if self.gaps:
                what += f": {'; '.join(self.gaps)}"
            raise GetterError(what)
        return self.page

    def require_complete(self, record: Literal["history", "pages_seen"]) -> None:
        """`GetterError` if a part of ``record`` was lost."""
        if record in self.incomplete:
            raise GetterError(f"a part of `{record}` was lost: {'; '.join(self.gaps)}")

    def to_json(self) -> str:
        """The bytes of ``evidence.json``: sorted keys, no trailing spaces, one final newline."""
        return canonical_json(self.model_dump(mode="json")) + "\n"

    def digest(self) -> str:
        """Hex digest that names exactly this evidence."""
        return digest(self.model_dump(mode="json"))
