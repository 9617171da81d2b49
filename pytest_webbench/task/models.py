"""Task and Suite: what a task file and a ``suite.toml`` mean.

Models are strict and frozen; unknown keys are refused, so that a typo is an error and never a silent default.
"""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeAlias
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    JsonValue,
    PrivateAttr,
    ValidationError,
    field_validator,
    model_validator,
)
from pydantic_core import PydanticCustomError

from ..checks import GETTERS, METRICS, Getter, Metric
from ..evidence.models import digest

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
TaskId = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_.-]{0,99}$")]
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

    @field_validator("get")
    @classmethod
    def _get_is_known(cls, value: str | dict[str, Any]) -> str | dict[str, Any]:
        make_getter(value)
        return value

    @field_validator("metric")
    @classmethod
    def _metric_is_known(cls, value: str) -> str:
        if value not in METRICS:
            raise PydanticCustomError("unknown_name", "{text}", {"text": _unknown("metric", value, METRICS)})
        return value

    @model_validator(mode="after")
    def _build(self) -> Check:
        self._getter = make_getter(self.get)
        self._metric = _make(METRICS[self.metric], self.options, "options")
        if isinstance(self.expected, dict) and isinstance(self.expected.get("type"), str):
            self._expected_getter = make_getter(self.expected)
        elif problem := self._metric.validate_expected(self.expected):
            raise PydanticCustomError("bad_expected", "{text}", {"text": problem, "at": ["expected"]})
        return self

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


def make_getter(spec: str | dict[str, Any]) -> Getter:
    """The getter that a task file's ``get`` names; a pydantic error says what is wrong with it."""
    options = {"type": spec} if isinstance(spec, str) else dict(spec)
    name = options.get("type")
    if not isinstance(name, str) or name not in GETTERS:
        raise PydanticCustomError("unknown_name", "{text}", {"text": _unknown("getter", name, GETTERS)})
    return _make(GETTERS[name], options, None)


def _make(model: Any, options: dict[str, Any], at: str | None) -> Any:
    try:
        return model(**options)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        text = f"{place}: {first['msg']}"
        if first["type"] == "extra_forbidden":
            text = _unknown("option", place, model.model_fields)
        raise PydanticCustomError("bad_options", "{text}", {"text": text, "at": [at] if at else []}) from error


def _unknown(kind: str, name: object, known: Any) -> str:
    near = difflib.get_close_matches(str(name), list(known), n=1, cutoff=0.5)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    return f"unknown {kind} {name!r}{hint} (known: {', '.join(sorted(known)) or 'none'})"


class Task(Model):
    """One task."""

    id: TaskId
    goal: Annotated[str, Field(min_length=10)]
    start_url: Url
    tags: list[Tag] = []
    source: Source | None = None
    setup: Setup = Setup()
    limits: Limits = Limits()
    checks: Annotated[list[Check], Field(min_length=1)]
    conj: Literal["and", "or"] = "and"
    answer: Literal["none", "text"] = Field("none", description="whether the agent has to answer in words")
    solution: list[Step] = Field([], description="reference solution, played by the `scripted` agent")
    counterexamples: list[Counterexample] = []

    @model_validator(mode="after")
    def _checks_refer_backwards(self) -> Task:
        seen: set[str] = set()
        for index, check in enumerate(self.checks):
            if check.name in seen:
                raise PydanticCustomError(
                    "duplicate", "{text}", {"text": f"check {check.name!r} exists twice", "at": ["checks", index, "name"]}
                )
            for place, needed in enumerate(check.requires):
                if needed not in seen:
                    later = any(needed == other.name for other in self.checks)
                    text = f"{needed!r} is {'a later check' if later else 'no check of this task'}; " + (
                        f"earlier checks: {', '.join(sorted(seen)) or 'none'}"
                    )
                    at = ["checks", index, "requires", place]
                    raise PydanticCustomError("bad_requires", "{text}", {"text": text, "at": at})
            seen.add(check.name)
        return self

    @property
    def site(self) -> str:
        """Host of the start page, without ``www.``."""
        return (urlsplit(self.start_url).hostname or "").removeprefix("www.")

    def digest(self) -> str:
        """Names exactly this task; stored verdicts carry it."""
        return digest(self.model_dump(mode="json"))


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
