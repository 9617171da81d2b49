"""Steps of a script: what a reference solution or a counterexample does, one after the other."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import (
    AfterValidator,
    ConfigDict,
    Field,
    ModelWrapValidatorHandler,
    PrivateAttr,
    model_validator,
)

from .._url import is_web_address
from ..checks import Getter, Issue
from ..checks.base import must_be
from .fields import Model
from .parts import make_getter, together

READABLE: Final = (
    "control_state",
    "dom_count",
    "dom_extract",
    "dom_rows",
    "final_url",
    "page_text",
    "page_title",
    "url_parse",
    "url_path_parse",
    "visible_text",
)
"""Getters of the step `read`: those that an open page can answer by itself."""

Role = Literal[
    "alert",
    "article",
    "banner",
    "button",
    "cell",
    "checkbox",
    "columnheader",
    "combobox",
    "dialog",
    "figure",
    "form",
    "grid",
    "gridcell",
    "group",
    "heading",
    "img",
    "link",
    "list",
    "listbox",
    "listitem",
    "main",
    "menu",
    "menubar",
    "menuitem",
    "menuitemcheckbox",
    "menuitemradio",
    "navigation",
    "option",
    "radio",
    "radiogroup",
    "region",
    "row",
    "rowheader",
    "search",
    "searchbox",
    "slider",
    "spinbutton",
    "switch",
    "tab",
    "table",
    "tablist",
    "tabpanel",
    "textbox",
    "toolbar",
    "tree",
    "treeitem",
]


class _Searched(Model):
    """How an element is looked for."""

    exact: bool = Field(
        True, description="the whole name, to the letter; otherwise any part of it in any case"
    )
    nth: int = Field(
        0, description="which one, from 0, if several have this role and name; -1 is the last"
    )
    frame: str | None = Field(None, description="CSS selector of the iframe that holds the element")


class Target(_Searched):
    """An element by role and name."""

    role: Role = Field(description="ARIA role")
    name: str = Field(description="accessible name")


class Click(Target):
    """Click an element; with ``new_tab`` a link opens in a tab that stays behind this one."""

    do: Literal["click"]
    new_tab: bool = Field(
        False, description="open the link in a new tab, as Ctrl and a click do; go on in this one"
    )
    dialog: Literal["accept", "dismiss"] | None = Field(
        None, description="the click opens a dialog of the browser (alert, confirm): answer it so"
    )


class Type(Target):
    """Replace the content of a field."""

    do: Literal["type"]
    text: str


class Select(Target):
    """Choose an option of a native select by its label."""

    do: Literal["select"]
    option: str


class SetChecked(Target):
    """Tick a checkbox or radio button, or untick it with ``on: false``."""

    do: Literal["check"]
    on: bool = True


class Hover(Target):
    """Move the pointer over an element."""

    do: Literal["hover"]


class Slide(Target):
    """Set a slider: a native one at once, any other key by key."""

    do: Literal["slide"]
    to: Annotated[str | int | float, must_be("a number")] = Field(
        description="the value that the slider is to have"
    )


class Drag(Target):
    """Drag an element onto another, with the mouse."""

    do: Literal["drag"]
    to: Target = Field(description="where it is dropped: role, name ...")


def _within_suite(name: str) -> str:
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or "\\" in name or not path.parts:
        raise ValueError("must be a path within the suite's folder, such as files/photo.jpg")
    return name


class Upload(Target):
    """Choose files in the file chooser that an element opens."""

    do: Literal["upload"]
    files: Annotated[list[Annotated[str, AfterValidator(_within_suite)]], Field(min_length=1)] = (
        Field(description="paths from the suite's folder")
    )


class Read(Model):
    """Read values from the page, for ``{{name.field}}`` in later steps and in the answer."""

    model_config = ConfigDict(serialize_by_alias=True)

    do: Literal["read"]
    get: str | dict[str, Any] = Field(description="a getter, as in checks")
    into: str = Field(
        alias="as", pattern=r"^[A-Za-z_][A-Za-z0-9_]*$", description="name of what is read"
    )

    _getter: Getter = PrivateAttr()

    @model_validator(mode="wrap")
    @classmethod
    def _all_problems(cls, data: Any, handler: ModelWrapValidatorHandler[Read]) -> Read:
        if not isinstance(data, dict):
            return handler(data)
        issues: list[Issue] = []
        getter = make_getter(data["get"], ("get",), issues) if "get" in data else None
        name = type(getter).model_fields["type"].default if getter is not None else None
        if name is not None and name not in READABLE:
            allowed = ", ".join(READABLE)
            issues.append(Issue(f"{name} cannot be read from an open page", ("get",), allowed))
        if isinstance(data.get("get"), dict) and "at" in data["get"]:
            issues.append(Issue("a step reads the page that is open", ("get", "at")))
        step = together(cls, data, handler, issues)
        assert getter is not None, "without one there is an issue"
        step._getter = getter
        return step

    @property
    def getter(self) -> Getter:
        """Reads the values."""
        return self._getter


class Press(_Searched):
    """Press a key where the focus is, or on an element, which gets the focus first."""

    do: Literal["press"]
    key: str = Field(description="Enter, Escape, ArrowDown, PageDown, a ...")
    role: Role | None = Field(None, description="ARIA role, if an element is meant")
    name: str | None = Field(None, description="accessible name, if an element is meant")

    @model_validator(mode="after")
    def _names_all_or_nothing(self) -> Press:
        if (self.role is None) != (self.name is None):
            raise ValueError("role and name go together: give both, or none for the focus")
        return self

    @property
    def target(self) -> Target | None:
        """The element; None for wherever the focus is."""
        if self.role is None or self.name is None:
            return None
        return Target(
            role=self.role, name=self.name, exact=self.exact, nth=self.nth, frame=self.frame
        )


class Scroll(Model):
    """Scroll the page to its end, so that more is loaded."""

    do: Literal["scroll"]


def _address(url: str) -> str:
    # What a step has read is put in later; it may be relative to the page that is open then.
    if "{{" not in url and not is_web_address(url):
        raise ValueError("must be an http:// or https:// address")
    return url


class Goto(Model):
    """Open an address."""

    do: Literal["goto"]
    url: Annotated[str, AfterValidator(_address)]


class Back(Model):
    """Go back in the tab's history."""

    do: Literal["back"]


class SwitchTab(Model):
    """Bring a tab to the front."""

    do: Literal["tab"]
    index: int = Field(
        description="which of the open tabs, from 0, in order of opening; -1 is the newest"
    )


class CloseTab(Model):
    """Close the tab in front; the newest of the others comes to the front."""

    do: Literal["close"]


class Done(Model):
    """End with an answer."""

    do: Literal["done"]
    answer: str


class Refuse(Model):
    """End without doing the task, because it cannot or must not be done."""

    do: Literal["refuse"]
    reason: Annotated[str, Field(min_length=1)] = Field(description="the agent's own words")


ScriptStep: TypeAlias = Annotated[
    Click
    | Type
    | Select
    | SetChecked
    | Hover
    | Slide
    | Drag
    | Upload
    | Read
    | Press
    | Scroll
    | Goto
    | Back
    | SwitchTab
    | CloseTab
    | Done
    | Refuse,
    Field(discriminator="do"),
]
