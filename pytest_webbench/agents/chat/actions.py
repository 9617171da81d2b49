"""Actions as a chat model sees them: ``{"do": ..., "ref": ..., "value": ...}``.

All have this one flat shape. ``value`` stands for the one field that an action has besides ``ref``,
whatever it is called there. Small grammars and small models cope better with this than with a
shape for each action.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, TypeAlias, get_args

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

ActionType: TypeAlias = type[BaseModel]
"""The class of an action, such as `Click`."""
ACTION_TYPES: Final[dict[str, ActionType]] = {
    action_type.model_fields["do"].default: action_type for action_type in get_args(Action)
}
"""Every action by its name."""
MOST_REFS: Final = 250
"""With more refs than this, the schema does not list them."""
NO_REF: Final = "none"
"""Stands in ``ref`` where no element is meant. Some services refuse empty words in a schema."""
_LONGEST_REF: Final = 40
_FRAME_TOKENS: Final = 64
"""Tokens of a reply besides its thought and value."""


def possible_actions(
    observation: Observation, *, pixels: bool = False, last: bool = False
) -> tuple[ActionType, ...]:
    """The actions that make sense on a page, in a fixed order.

    ``pixels`` allows clicks at points of the picture; ``last`` leaves nothing but the answer.
    """
    if last:
        return (Done,)
    usable: set[str] = set()
    for element in observation.elements:
        if not element.disabled:
            usable.update(element.operations)
    elements = len(observation.elements)
    scrolls = any(observation.scrolled) or bool(observation.panels) or observation.left_out > 0
    conditions: list[tuple[ActionType, bool]] = [
        (Click, "click" in usable),
        (ClickAt, pixels),
        (TypeText, "type" in usable),
        (SelectOption, "select" in usable),
        (Press, True),  # keys may do something anywhere
        (Scroll, scrolls),
        (Hover, elements > 0),
        (Drag, elements > 1),
        (Back, observation.can_go_back),
        (SwitchTab, len(observation.tabs) > 1),
        (Wait, True),
        (Done, True),
        (Blocked, True),
    ]
    return tuple(action_type for action_type, possible in conditions if possible)


def name_of(action_type: ActionType) -> str:
    """The word in ``do`` for an action."""
    return str(action_type.model_fields["do"].default)


def value_fields(action_type: ActionType) -> dict[str, FieldInfo]:
    """What ``value`` stands for: no field, one, or the two numbers of a point."""
    fields = dict(action_type.model_fields)
    for name in ("do", "ref", "submit"):
        fields.pop(name, None)
    return fields


def in_words(action_types: Sequence[ActionType]) -> str:
    """The actions with their explanations, one a line."""
    return "\n".join(f"- {name_of(one)}: {_explanation(one)}" for one in action_types)


def _explanation(action_type: ActionType) -> str:
    parts = [(action_type.__doc__ or "").split("\n")[0]]
    if "ref" in action_type.model_fields:
        parts.append(f"ref = {_ref_in_words(action_type.model_fields['ref'])}")
    fields = value_fields(action_type)
    if len(fields) > 1:
        form = next(iter(fields.values())).description
        parts.append(f'value = "{",".join(fields)}" in {form}'.partition(" from")[0])
    elif fields:
        ((name, field),) = fields.items()
        parts.append(f"value = {_value_in_words(name, field)}")
    if "submit" in action_type.model_fields:
        parts.append(r"with \n at the end of value, Enter is pressed afterwards")
    return "; ".join(part.rstrip(". ") for part in parts)


def _ref_in_words(ref: FieldInfo) -> str:
    if ref.is_required():
        return "its ref"
    return str(ref.description).replace("null", NO_REF)


def _value_in_words(name: str, field: FieldInfo) -> str:
    if name == "to":
        return "ref of the other element"
    allowed = get_args(field.annotation)
    if allowed and all(isinstance(word, str) for word in allowed):
        return " or ".join(allowed)
    return field.description or f"the {name}"


def action_schema(
    action_types: Sequence[ActionType], refs: Sequence[str], *, thought: bool, max_tokens: int
) -> dict[str, Any]:
    """JSON Schema of a reply.

    Lengths are such that a reply is complete within ``max_tokens`` even at one token a character:
    one that is cut off in the middle is worth nothing.
    """
    room = max(16, (max_tokens - _FRAME_TOKENS) // (2 if thought else 1))
    fields: dict[str, Any] = {}
    if thought:
        fields["thought"] = {"type": "string", "maxLength": room}
    fields["do"] = {"type": "string", "enum": [name_of(one) for one in action_types]}
    fields["ref"] = _ref_schema(refs)
    fields["value"] = {"type": "string", "maxLength": room}
    return {
        "type": "object",
        "properties": fields,
        "required": list(fields),
        "additionalProperties": False,
    }


def _ref_schema(refs: Sequence[str]) -> dict[str, Any]:
    if len(refs) <= MOST_REFS:
        return {"type": "string", "enum": [NO_REF, *refs]}
    return {"type": "string", "maxLength": _LONGEST_REF}
