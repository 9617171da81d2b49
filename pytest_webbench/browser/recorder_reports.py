"""Takes what the recorders in pages report, and finds out what was lost on the way.

Each recorder numbers its reports and counts the real input that it has seen. The browser counts
real input as well, and no script and no client can change that. Where the two differ, somebody has
kept input from the recorder, or has reported something in its name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Final, Literal, NamedTuple, TypeAlias

from playwright.sync_api import Page
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from .._text import clip, sanitize
from .action_log import ActionLog

_MOST_DOCUMENTS: Final = 5_000
_LONGEST_ADDRESS: Final = 200
_LONGEST_FILE: Final = 1_400_000
"""In base64."""
_MOST_FILES: Final = 100
_CLICKS: Final = ("click", "auxclick")

_Text: TypeAlias = Annotated[str, Field(max_length=25_000)]
_Address: TypeAlias = Annotated[str, Field(max_length=2_200_000)]
_Kind: TypeAlias = Literal["click", "auxclick", "keydown", "input"]
_Counts: TypeAlias = dict[_Kind, Annotated[int, Field(ge=0)]]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _Target(_Part):
    role: _Text = ""
    name: _Text = ""
    tag: _Text = ""
    box: list[float] | None = Field(None, min_length=4, max_length=4)
    corner: list[float] | None = Field(None, min_length=2, max_length=2)


class _Report(_Part):
    recorder: _Text
    number: int = Field(ge=1)


_Place: TypeAlias = Annotated[list[float], Field(min_length=2, max_length=2)]


class _Gesture(_Part):
    at: _Place
    path: list[_Place] = Field([], max_length=100)
    onto: _Target | None = None
    onto_at: _Place | None = None
    beside: bool = False


class _File(_Part):
    name: _Text
    type: _Text
    size: int = Field(ge=0)
    content: Annotated[str, Field(max_length=_LONGEST_FILE)] | None


class _Input(_Report):
    kind: Literal["click", "type", "select", "press", "scroll", "upload", "drag"]
    target: _Target
    value: _Text | None
    secret: _Text | None
    element: int
    url: _Address
    by_script: bool = False
    gesture: _Gesture | None = None
    files: list[_File] | None = Field(None, max_length=_MOST_FILES)


class _Hover(_Part):
    target: _Target
    at: _Place
    url: _Address


class _HoverReport(_Report):
    hover: _Hover


class _FilesReport(_Report):
    element: int
    files: list[_File] = Field(max_length=_MOST_FILES)


class _PageShown(_Part):
    event: Literal["shown", "early", "read", "left"]
    document: _Text
    part: int
    url: _Address
    kind: _Text = ""
    title: _Text = ""
    text: _Text = ""


class _PageReport(_Report):
    page: _PageShown


class _Counted(_Part):
    at: float
    seen: _Counts
    happened: _Counts


class _Pulse(_Report):
    pulse: _Counted


_AnyReport: TypeAlias = _Input | _HoverReport | _FilesReport | _PageReport | _Pulse
_REPORT: Final[TypeAdapter[_AnyReport]] = TypeAdapter(_AnyReport)


class InputCounts(NamedTuple):
    """What the browser counts in one document, which is named by the moment it began."""

    began: float
    counts: Mapping[str, int]


@dataclass(slots=True)
class _Recorder:
    """What is known of the recorder of one document."""

    url: str
    began: float | None = None
    newest: int = 0
    clicks: int = 0
    seen: Counter[str] = field(default_factory=Counter)
    missed: Counter[str] = field(default_factory=Counter)
    """Real input that it did not see, by kind."""


class RecorderReports:
    """Passes reports on to the action log, and keeps accounts."""

    def __init__(self, log: ActionLog) -> None:
        self._log = log
        self._recorders: dict[tuple[Page, str], _Recorder] = {}
        self._lost = 0
        """Reports that were sent and did not arrive."""
        self._forged = 0
        """Reports that no recorder of ours can have made."""
        self._silent: dict[str, None] = {}
        """Addresses of documents in which no recorder reports."""

    def received(self, page: Page, payload: str) -> None:
        """A report has come from a tab, or what claims to be one."""
        try:
            report = _REPORT.validate_json(payload)
        except ValidationError:
            self._forged += 1
            return
        recorder = self._recorder_of(page, report)
        if recorder is None:
            return
        if isinstance(report, _Pulse):
            self._compare(recorder, report.pulse)
            return
        if isinstance(report, _Input) and report.kind == "click":
            recorder.clicks += not report.by_script  # the browser counts those of hands only
        self._log.observed(page, report.model_dump(exclude_unset=True))

    def _recorder_of(self, page: Page, report: _Report) -> _Recorder | None:
        """The recorder that speaks; None if it has said this before, or there are too many."""
        key = (page, report.recorder)
        if key not in self._recorders and len(self._recorders) >= _MOST_DOCUMENTS:
            return None
        recorder = self._recorders.setdefault(key, _Recorder(page.url))
        if report.number <= recorder.newest:
            self._forged += 1
            return None
        self._lost += report.number - recorder.newest - 1
        recorder.newest = report.number
        return recorder

    def _compare(self, recorder: _Recorder, counted: _Counted) -> None:
        recorder.began = counted.at
        recorder.seen = Counter[str](counted.seen)
        # The browser does not count all that is seen: a label's own click on its box, for one.
        recorder.missed = Counter[str](counted.happened) - recorder.seen

    def check(self, page: Page, url: str, documents: Iterable[InputCounts]) -> None:
        """Compare with what the browser counted in a tab before its recorders last reported."""
        for began, counts in documents:
            recorders = [
                one for (of, _), one in self._recorders.items() if of is page and one.began == began
            ]
            if not recorders:
                self._silent[url] = None
                continue
            seen = sum((one.seen for one in recorders), Counter[str]())
            recorders[0].missed |= Counter(counts) - seen
            clicks = sum(counts.get(kind, 0) for kind in _CLICKS)
            reported = sum(one.clicks for one in recorders)
            self._forged += max(0, reported - clicks)

    def gaps(self) -> list[str]:
        """What of the agent's input is not in the record, and what in it is doubtful."""
        gaps = []
        missed: dict[str, int] = {}
        for recorder in self._recorders.values():
            total = recorder.missed.total()
            if total:
                missed[recorder.url] = missed.get(recorder.url, 0) + total
        for url, total in missed.items():
            gaps.append(f"input that the recorder did not see in {_shown(url)}: {total}")
        gaps += [f"no recorder of input reports in {_shown(url)}" for url in self._silent]
        if self._lost:
            gaps.append(f"reports of the recorder of input that did not arrive: {self._lost}")
        if self._forged:
            gaps.append(f"reports that the recorder of input did not make: {self._forged}")
        return gaps


def _shown(url: str) -> str:
    return sanitize(clip(url, _LONGEST_ADDRESS))
