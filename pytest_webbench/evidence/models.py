"""Evidence: everything a verdict may be based on, as plain frozen data.

Evidence is written to ``evidence.json`` and read back before it is judged, so live and offline judging see the
same bytes. Strings are already scrubbed and redacted when they get here (see ``evidence/scrub.py``).
"""

from __future__ import annotations

import hashlib
import json
from enum import StrEnum
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue

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


class Record(BaseModel):
    """Base of all recorded data: frozen, unknown keys refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Target(Record):
    """The element that an observed action touched."""

    role: str = ""
    name: str = ""
    tag: str = ""
    box: tuple[float, float, float, float] | None = Field(None, description="x, y, width, height in CSS pixels")


class ObservedAction(Record):
    """One thing the agent did, as the browser saw it."""

    number: int
    kind: Literal["click", "type", "select", "check", "press", "scroll", "upload", "navigate"]
    target: Target = Target()
    value: str | None = Field(None, description="text typed, option chosen, key pressed or URL opened")
    url: str = Field("", description="address of the page when the action happened")
    url_after: str = Field("", description="address when the next action began, or at the end")
    tab: int = Field(0, description="index of the tab, in order of opening")
    seconds: float = Field(0.0, description="since the agent started")


class PageState(Record):
    """The page that the agent ended on."""

    url: str
    title: str = ""
    text: str = Field("", description="innerText of the body after the page was scrolled through")
    visible_text: str = Field("", description="text nodes that are really shown, one space between")
    status: int | None = Field(None, description="HTTP status of the main document, where known")
    responsive: bool = Field(True, description="false if a script or dialog kept the page from answering")


class Tab(Record):
    """One open tab."""

    url: str
    title: str = ""


class HistoryEntry(Record):
    """One entry of the final tab's history."""

    url: str
    typed: bool = Field(False, description="opened by address, not by following a link")
    ahead: bool = Field(False, description="after the page shown: somebody went back from there")


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

    state: Literal["ok", "bot_wall", "browser_error", "empty", "http_error", "unresponsive"] = "ok"
    detail: str = ""
    by_agent: bool = Field(False, description="the agent brought itself there by address")


class Read(Record):
    """What one in-page getter found: a value or the reason why there is none."""

    value: JsonValue = None
    missing: bool = Field(False, description="the path is valid but nothing is there")
    error: str | None = None
    archived: bool = Field(False, description="read after the episode, from the archived page")


class Evidence(Record):
    """All that was recorded at the end of one episode."""

    version: Literal[1] = 1
    task: str = ""
    ending: Ending = Ending.DONE
    answer: str | None = None
    page: PageState | None = None
    tabs: tuple[Tab, ...] = ()
    history: tuple[HistoryEntry, ...] = ()
    local_storage: dict[str, str] = {}
    session_storage: dict[str, str] = {}
    actions: tuple[ObservedAction, ...] = ()
    dialogs: tuple[str, ...] = ()
    console_errors: tuple[str, ...] = Field((), description="errors that pages logged or did not catch")
    downloads: tuple[Download, ...] = ()
    requests: tuple[NetworkRequest, ...] = Field((), description="in the order in which they were sent")
    outside: tuple[str, ...] = Field((), description="URLs requested that the world does not have")
    reads: dict[str, Read] = Field({}, description="by probe key, what selector getters found")
    health: Health = Health()
    gaps: tuple[str, ...] = Field((), description="what could not be captured, and why")

    def final_page(self) -> PageState:
        """The final page; `GetterError` if there was none to read."""
        if self.page is None:
            raise GetterError("no final page was captured" + (f": {'; '.join(self.gaps)}" if self.gaps else ""))
        return self.page

    def to_json(self) -> str:
        """The bytes of ``evidence.json``: sorted keys, no trailing spaces, one final newline."""
        return canonical_json(self.model_dump(mode="json")) + "\n"

    def digest(self) -> str:
        """Hex digest that names exactly this evidence."""
        return digest(self.model_dump(mode="json"))


def canonical_json(value: Any) -> str:
    """JSON that is the same, byte for byte, for equal values."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, indent=1)


def digest(value: Any) -> str:
    """A 32-digit hex digest of a JSON value."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=16).hexdigest()
