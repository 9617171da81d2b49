"""What an agent can do, as plain data: the action space of agents that do not drive the page."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

Ref = Annotated[str, Field(description="ref of an element in the observation", max_length=40)]


class _Action(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Click(_Action):
    """Click an element."""

    do: Literal["click"] = "click"
    ref: Ref


class ClickAt(_Action):
    """Click a point of the viewport; only for agents that work on pictures."""

    do: Literal["click_at"] = "click_at"
    x: float = Field(allow_inf_nan=False, description="CSS pixels from the left")
    y: float = Field(allow_inf_nan=False, description="CSS pixels from the top")


class TypeText(_Action):
    """Replace the content of a field."""

    do: Literal["type"] = "type"
    ref: Ref
    text: str = Field(max_length=10_000)
    submit: bool = Field(False, description="press Enter afterwards")


class SelectOption(_Action):
    """Choose an option of a list by its label or value."""

    do: Literal["select"] = "select"
    ref: Ref
    option: str


class Press(_Action):
    """Press a key where the focus is."""

    do: Literal["press"] = "press"
    key: str = Field(description="Enter, Escape, ArrowDown, PageDown, Control+a ...", max_length=40)


class Scroll(_Action):
    """Scroll the page, or one panel of it, by most of its height."""

    do: Literal["scroll"] = "scroll"
    direction: Literal["up", "down"] = "down"
    ref: Ref | None = Field(None, description="ref of a panel; null for the page")


class Hover(_Action):
    """Move the pointer over an element."""

    do: Literal["hover"] = "hover"
    ref: Ref


class Drag(_Action):
    """Drag one element onto another."""

    do: Literal["drag"] = "drag"
    ref: Ref
    to: Ref


class Upload(_Action):
    """Hand files to the page's own file chooser."""

    do: Literal["upload"] = "upload"
    ref: Ref
    names: tuple[str, ...] = Field(description="names of files that the task offers")


class Back(_Action):
    """Go back in the tab's history."""

    do: Literal["back"] = "back"


class SwitchTab(_Action):
    """Bring another tab to the front."""

    do: Literal["tab"] = "tab"
    index: int = Field(ge=0, description="index in the list of tabs")


class Wait(_Action):
    """Let the page go on for a moment."""

    do: Literal["wait"] = "wait"


class Done(_Action):
    """The task is done."""

    do: Literal["done"] = "done"
    answer: str | None = Field(None, description="the answer in words, if the task asks for one")


class Blocked(_Action):
    """There is no way to do the task."""

    do: Literal["blocked"] = "blocked"
    reason: str = ""


Action = (
    Click
    | ClickAt
    | TypeText
    | SelectOption
    | Press
    | Scroll
    | Hover
    | Drag
    | Upload
    | Back
    | SwitchTab
    | Wait
    | Done
    | Blocked
)
ACTION: Final[TypeAdapter[Any]] = TypeAdapter(Annotated[Action, Field(discriminator="do")])
"""Parses an action from JSON-like data; pydantic's ValidationError says what is wrong."""
