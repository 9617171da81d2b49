"""Actions as a chat model is told of them, all in one flat shape: ``{"do": ..., "ref": ..., "value": ...}``.

``value`` stands for the one field that an action has beside ``ref``, whatever it is called there. Small grammars and
small models get along with that better than with a shape for each action.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, get_args

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from ...browser.actions import (
    Action,
    Back,
    Blocked,
    Click,
    ClickAt,
    Done,
    Drag,
    Hover,
    Press,
    Scroll,
    SelectOption,
    SwitchTab,
    TypeText,
    Wait,
)
from ...browser.observation import Observation

Kind = type[BaseModel]
KINDS: Final[dict[str, Kind]] = {kind.model_fields["do"].default: kind for kind in get_args(Action)}
"""Every action by its name."""
MOST_REFS: Final = 250
"""Above this the schema does not list the refs."""
NO_REF: Final = "none"
"""Stands in ``ref`` where no element is meant. Some services refuse empty words in a schema."""
_LONGEST_REF: Final = 40
_FRAME_TOKENS: Final = 64
"""Tokens of a reply beside its thought and value."""


def offered(observation: Observation, *, pixels: bool = False, last: bool = False) -> tuple[Kind, ...]:
    """The actions that make sense on what is seen, in a fixed order; ``last`` leaves nothing but the answer."""
    if last:
        return (Done,)
    can = {operation for element in observation.elements if not element.disabled for operation in element.operations}
    elements = len(observation.elements)
    scrolls = any(observation.scrolled) or bool(observation.panels) or observation.left_out > 0
    wanted: list[tuple[Kind, bool]] = [
        (Click, "click" in can),
        (ClickAt, pixels),
        (TypeText, "type" in can),
        (SelectOption, "select" in can),
        (Press, True),
        (Scroll, scrolls),
        (Hover, elements > 0),
        (Drag, elements > 1),
        (Back, observation.can_go_back),
        (SwitchTab, len(observation.tabs) > 1),
        (Wait, True),
        (Done, True),
        (Blocked, True),
    ]
    return tuple(kind for kind, use in wanted if use)


def name_of(kind: Kind) -> str:
    """The word that ``do`` holds for this kind."""
    return str(kind.model_fields["do"].default)


def value_fields(kind: Kind) -> dict[str, FieldInfo]:
    """What ``value`` stands for: one field, or two numbers for a point."""
    return {name: field for name, field in kind.model_fields.items() if name not in ("do", "ref", "submit")}


def in_words(kinds: Sequence[Kind]) -> str:
    """The actions, one a line."""
    return "\n".join(f"- {name_of(kind)}: {_explained(kind)}" for kind in kinds)


def _explained(kind: Kind) -> str:
    words = [(kind.__doc__ or "").split("\n")[0]]
    ref = kind.model_fields.get("ref")
    if ref is not None:
        words.append("ref = its ref" if ref.is_required() else f"ref = {ref.description}".replace("null", NO_REF))
    fields = value_fields(kind)
    if len(fields) > 1:
        words.append(f'value = "{",".join(fields)}" in {next(iter(fields.values())).description}'.partition(" from")[0])
    for name, field in fields.items() if len(fields) == 1 else ():
        words.append(f"value = {_value_in_words(name, field)}")
    if "submit" in kind.model_fields:
        words.append(r"with \n at the end of value, Enter is pressed afterwards")
    return "; ".join(word.rstrip(". ") for word in words)


def _value_in_words(name: str, field: FieldInfo) -> str:
    if name == "to":
        return "ref of the other element"
    allowed = get_args(field.annotation)
    if allowed and all(isinstance(word, str) for word in allowed):
        return " or ".join(allowed)
    return field.description or f"the {name}"


def action_schema(kinds: Sequence[Kind], refs: Sequence[str], *, thought: bool, max_tokens: int) -> dict[str, Any]:
    """JSON Schema of a reply. Lengths are such that a reply is complete within ``max_tokens``, a token a character."""
    room = max(16, (max_tokens - _FRAME_TOKENS) // (2 if thought else 1))
    ref: dict[str, Any] = {"type": "string"}
    ref |= {"enum": [NO_REF, *refs]} if len(refs) <= MOST_REFS else {"maxLength": _LONGEST_REF}
    fields: dict[str, Any] = {"thought": {"type": "string", "maxLength": room}} if thought else {}
    fields |= {
        "do": {"type": "string", "enum": [name_of(kind) for kind in kinds]},
        "ref": ref,
        "value": {"type": "string", "maxLength": room},
    }
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}
