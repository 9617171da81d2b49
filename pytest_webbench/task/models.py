"""Task and Suite: what a task file and a ``suite.toml`` mean.

Models are strict and frozen; unknown keys are refused, so that a typo is an error and never a silent default.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeAlias
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    JsonValue,
    ModelWrapValidatorHandler,
    PrivateAttr,
    model_validator,
)

from ..checks import Flaw, Getter, Metric
from ..checks.naming import unknown
from ..evidence.models import digest
from .parts import Parts, together

DEFAULT_ACTIONS = 60
DEFAULT_SECONDS = 900.0


class Model(BaseModel):
    """Base of everything that stands in a task or suite file."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


def _web_address(url: str) -> str:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("must be an http:// or https:// address")
    return url


Url = Annotated[str, AfterValidator(_web_address)]


def _not_a_folder_mark(name: str) -> str:
    """Episode folders are called after tasks: an id must not look like the mark of a repeat or of another attempt."""
    if re.search(r"\.(?:r\d+|s\d+|partial|attempt\d+)$", name):
        raise ValueError("must not end in .r<number>, .s<number>, .attempt<number> or .partial")
    return name


TaskId = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_.-]{0,99}$"), AfterValidator(_not_a_folder_mark)]
Tag = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,49}$")]


class Limits(Model):
    """What an agent may use up. Absent values fall back to the suite, then to 60 actions and 900 seconds."""

    actions: int | None = Field(None, ge=1, le=10_000, description="observed actions")
    seconds: float | None = Field(None, gt=0, le=86_400, description="wall time of the agent")


class Source(Model):
    """Where a task comes from."""

    benchmark: str
    id: str = ""
    note: str = ""


class Setup(Model):
    """What is done before the agent starts."""

    clear_storage: bool = Field(False, description="start without cookies and storage (a fresh context has none)")
    local_storage: dict[str, str] = Field({}, description="localStorage entries of the start page's origin")


Role = Literal[
    "alert", "article", "banner", "button", "cell", "checkbox", "columnheader", "combobox", "dialog", "figure", "form",
    "grid", "gridcell", "group", "heading", "img", "link", "list", "listbox", "listitem", "main", "menu", "menubar",
    "menuitem", "menuitemcheckbox", "menuitemradio", "navigation", "option", "radio", "radiogroup", "region", "row",
    "rowheader", "search", "searchbox", "slider", "spinbutton", "switch", "tab", "table", "tablist", "tabpanel",
    "textbox", "toolbar", "tree", "treeitem",
]  # fmt: skip


class _OnElement(Model):
    role: Role = Field(description="ARIA role")
    name: str = Field(description="accessible name")
    exact: bool = Field(True, description="the whole name, to the letter; otherwise any part of it in any case")
    nth: int = Field(0, description="which one, from 0, if several have this role and name; -1 is the last")
    frame: str | None = Field(None, description="CSS selector of the iframe that holds the element")


class Click(_OnElement):
    """Click an element."""

    do: Literal["click"]


class Type(_OnElement):
    """Replace the content of a field."""

    do: Literal["type"]
    text: str


class Select(_OnElement):
    """Choose an option of a native select by its label."""

    do: Literal["select"]
    option: str


class SetChecked(_OnElement):
    """Tick a checkbox or radio button, or untick it with ``on: false``."""

    do: Literal["check"]
    on: bool = True


class Hover(_OnElement):
    """Move the pointer over an element."""

    do: Literal["hover"]


class Press(Model):
    """Press a key where the focus is."""

    do: Literal["press"]
    key: str = Field(description="Enter, Escape, ArrowDown, PageDown, a ...")


class Scroll(Model):
    """Scroll the page to its end, so that more is loaded."""

    do: Literal["scroll"]


class Goto(Model):
    """Open an address."""

    do: Literal["goto"]
    url: Url


class Back(Model):
    """Go back in the tab's history."""

    do: Literal["back"]


class Done(Model):
    """End with an answer."""

    do: Literal["done"]
    answer: str


Step: TypeAlias = Annotated[
    Click | Type | Select | SetChecked | Hover | Press | Scroll | Goto | Back | Done, Field(discriminator="do")
]


class Counterexample(Model):
    """An end state that looks right and must not pass."""

    name: Annotated[str, Field(min_length=3)]
    steps: list[Step] = []


class Check(Model):
    """One condition: a getter reads a value, a metric compares it with what is expected."""

    name: Annotated[str, Field(min_length=1, max_length=200)]
    get: str | dict[str, Any] = Field(description="a getter's name, or an object {type: name, option: ...}")
    metric: str
    expected: JsonValue = Field(description="a literal; an object {type: ...} naming a getter is read from evidence")
    options: dict[str, Any] = {}
    requires: list[str] = Field([], description="names of earlier checks without which this one means nothing")
    weight: float = Field(1.0, gt=0)

    _getter: Getter = PrivateAttr()
    _metric: Metric = PrivateAttr()
    _expected_getter: Getter | None = PrivateAttr(None)

    @model_validator(mode="wrap")
    @classmethod
    def _all_problems(cls, data: Any, handler: ModelWrapValidatorHandler[Check]) -> Check:
        """Field errors and what is wrong with the getter, metric, options and expectation come out together."""
        parts = Parts.of(data) if isinstance(data, dict) else None
        check = together(cls, data, handler, parts.flaws if parts else [])
        if parts:
            check._getter, check._metric, check._expected_getter = parts.getter, parts.metric, parts.expected
        return check

    @property
    def getter(self) -> Getter:
        """Reads the value that is judged."""
        return self._getter

    @property
    def expected_getter(self) -> Getter | None:
        """Reads the expected value, where that comes from evidence too."""
        return self._expected_getter

    @property
    def rule(self) -> Metric:
        """The metric with its options."""
        return self._metric


class Task(Model):
    """One task."""

    model_config = ConfigDict(
        json_schema_extra={
            "anyOf": [
                {"required": ["checks"], "properties": {"checks": {"minItems": 1}}},
                {"required": ["needs_judge"], "properties": {"needs_judge": {"const": True}}},
            ]
        }
    )

    id: TaskId
    goal: Annotated[str, Field(min_length=10)]
    start_url: Url
    tags: list[Tag] = []
    source: Source | None = None
    setup: Setup = Setup()
    limits: Limits = Limits()
    checks: list[Check] = Field([], description="at least one, unless the task needs a judge")
    conj: Literal["and", "or", "weighted"] = "and"
    answer: Literal["none", "text"] = Field("none", description="whether the agent has to answer in words")
    needs_judge: bool = Field(
        False, description="no check can decide this: whatever the checks, if any, do not fail is left to a judge"
    )
    reference: str = Field("", description="for whoever judges: an answer that is right")
    solution: list[Step] = Field([], description="reference solution, played by the `scripted` agent")
    counterexamples: list[Counterexample] = []

    @model_validator(mode="wrap")
    @classmethod
    def _all_problems(cls, data: Any, handler: ModelWrapValidatorHandler[Task]) -> Task:
        flaws = list(_check_flaws(data)) if isinstance(data, dict) else []
        return together(cls, data, handler, flaws)

    @property
    def site(self) -> str:
        """Host of the start page, without ``www.``."""
        return (urlsplit(self.start_url).hostname or "").removeprefix("www.")

    def digest(self) -> str:
        """Names exactly this task; stored verdicts carry it."""
        return digest(self.model_dump(mode="json"))


def _check_flaws(data: dict[str, Any]) -> Iterator[Flaw]:
    """What is wrong with the checks as a whole."""
    checks = data.get("checks", [])
    if checks == [] and data.get("needs_judge") is not True:
        yield Flaw("is missing" if "checks" not in data else "must hold at least one check", ("checks",))
    if isinstance(checks, list):
        yield from _name_flaws(checks)


def _name_flaws(checks: list[Any]) -> Iterator[Flaw]:
    """Check names that stand twice, and ``requires`` that do not lead to an earlier check."""
    names = [check.get("name") if isinstance(check, dict) else getattr(check, "name", None) for check in checks]
    for index, (check, name) in enumerate(zip(checks, names, strict=True)):
        seen = [one for one in names[:index] if isinstance(one, str)]
        if name in seen:
            yield Flaw(f"check {name!r} exists twice", ("checks", index, "name"))
        needed = check.get("requires", []) if isinstance(check, dict) else []
        for place, one in enumerate(needed if isinstance(needed, list) else []):
            if isinstance(one, str) and one not in seen:
                where = "this check itself" if one == name else "a later check" if one in names else None
                what = f"{one!r} is {where}" if where else unknown("check", one, seen)
                yield Flaw(what, ("checks", index, "requires", place), f"earlier checks: {', '.join(seen) or 'none'}")


class Suite(Model):
    """A folder with ``suite.toml`` and task files."""

    name: TaskId
    title: str
    description: str = ""
    licence: str
    worlds: Annotated[list[Literal["live", "replica"]], Field(min_length=1)] = Field(
        ["live"], description="where this suite can run; the first is the default"
    )
    limits: Limits = Limits()
    locale: str = "en-US"
    timezone: str = "UTC"


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskBrief:
    """All that an agent is told about its task."""

    task_id: str
    goal: str
    start_url: str
    wants_answer: bool
    max_actions: int
    max_seconds: float
    locale: str
    timezone: str


def mark_name(text: str) -> str:
    """``text`` as a pytest mark: letters, digits and underscores."""
    return re.sub(r"\W+", "_", text).strip("_").lower() or "unnamed"
