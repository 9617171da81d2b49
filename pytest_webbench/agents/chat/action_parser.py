"""Reads an action out of a chat model's JSON.

Tolerant of other names and spellings, which models bring along from other agents, but strict about
what is meant.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, NamedTuple

from pydantic import JsonValue, ValidationError

from ...browser.actions import ACTION, Action
from ...browser.observation import Observation
from .actions import ACTION_TYPES, NO_REF, ActionType, name_of, value_fields
from .messages import BadChatReply, Failure

_VERB_KEYS: Final = (
    "do",
    "action",
    "operation",
    "action_type",
    "type",
    "name",
    "command",
    "tool",
    "function",
)
_WRAPPERS: Final = ("action", "actions", "arguments", "args", "parameters", "params", "input")
_REF_KEYS: Final = (
    "ref",
    "element",
    "element_id",
    "id",
    "target",
    "index",
    "node",
    "bid",
    "mark",
    "source",
    "from",
)
_VALUE_KEYS: Final[dict[str, tuple[str, ...]]] = {
    "text": ("text", "value", "content", "input", "string", "query"),
    "option": ("option", "value", "label", "text"),
    "key": ("key", "value", "keys", "text"),
    "direction": ("direction", "value"),
    "to": ("to", "value", "to_ref", "destination", "target"),
    "names": ("names", "value", "files"),
    "index": ("index", "value", "tab", "tab_index"),
    "answer": ("answer", "value", "text", "message", "result"),
    "reason": ("reason", "value", "text", "message"),
    "x": ("x",),
    "y": ("y",),
}
_THOUGHT_KEYS: Final = ("thought", "thoughts", "reasoning", "thinking", "rationale")
_SYNONYMS: Final = {
    "click_element": "click",
    "left_click": "click",
    "tap": "click",
    "check": "click",
    "click_point": "click_at",
    "click_coordinates": "click_at",
    "mouse_click": "click_at",
    "fill": "type",
    "input": "type",
    "input_text": "type",
    "type_text": "type",
    "enter_text": "type",
    "write": "type",
    "select_option": "select",
    "choose": "select",
    "choose_option": "select",
    "press_key": "press",
    "key": "press",
    "keypress": "press",
    "send_keys": "press",
    "scroll_down": "scroll",
    "scroll_up": "scroll",
    "drag_and_drop": "drag",
    "upload_file": "upload",
    "go_back": "back",
    "goback": "back",
    "navigate_back": "back",
    "switch_tab": "tab",
    "tab_focus": "tab",
    "sleep": "wait",
    "noop": "wait",
    "finish": "done",
    "finished": "done",
    "stop": "done",
    "complete": "done",
    "answer": "done",
    "give_up": "blocked",
    "fail": "blocked",
    "impossible": "blocked",
    "infeasible": "blocked",
}
_KEY_NAMES: Final = {
    "enter": "Enter",
    "return": "Enter",
    "esc": "Escape",
    "escape": "Escape",
    "tab": "Tab",
    "space": "Space",
    "backspace": "Backspace",
    "delete": "Delete",
    "down": "ArrowDown",
    "up": "ArrowUp",
    "left": "ArrowLeft",
    "right": "ArrowRight",
    "pagedown": "PageDown",
    "pageup": "PageUp",
    "home": "Home",
    "end": "End",
}
_POINT_KEYS: Final = ("coordinate", "coordinates", "point", "value")
_TOKEN: Final = re.compile(r"[A-Za-z]{0,10}[-_:]?\d{1,10}")
_REF_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz-_:"
_DEEPEST: Final = 4
"""Levels of objects and lists around an action that are unwrapped."""
_LONGEST: Final = 200
"""Characters of a reply that an error quotes."""
_LONGEST_THOUGHT: Final = 4000


class ParsedReply(NamedTuple):
    """What a reply says."""

    action: Action
    thought: str


def parse_action(
    data: JsonValue | None, observation: Observation, action_types: tuple[ActionType, ...]
) -> ParsedReply:
    """The action in ``data``, which must be one of ``action_types`` on the page observed.

    `BadChatReply` says what is wrong with it.
    """
    if data is None:
        raise BadChatReply("it holds no JSON object", Failure.NO_JSON)
    fields = _by_verb(_unwrapped(data))
    verb = _verb(fields)
    action_type = _action_type(verb, action_types)
    action: dict[str, Any] = {"do": name_of(action_type)}
    if "ref" in action_type.model_fields:
        action |= _ref(fields, action_type, observation)
    action |= _value(fields, action_type, observation)
    # Models like to put the direction into the verb.
    if action["do"] == "scroll" and verb.startswith("scroll_"):
        action["direction"] = verb.removeprefix("scroll_")
    thought = next((fields[key] for key in _THOUGHT_KEYS if fields.get(key)), "")
    return ParsedReply(_validated(action), str(thought)[:_LONGEST_THOUGHT])


def _validated(action: dict[str, Any]) -> Action:
    try:
        validated: Action = ACTION.validate_python(action)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"][1:]) or "the action"
        raise BadChatReply(
            f"{action['do']}: {where}: {first['msg']}", Failure.WRONG_FIELD
        ) from None
    return validated


def _first(fields: Mapping[str, Any], keys: Iterable[str], *, unless: tuple[Any, ...]) -> Any:
    """The value of the first of ``keys`` that has one, not counting values in ``unless``."""
    for key in keys:
        if fields.get(key) not in unless:
            return fields[key]
    return None


def _unwrapped(data: JsonValue) -> dict[str, Any]:
    """The fields of the one action, out of lists and of objects within objects."""
    fields: dict[str, Any] = {}
    for _ in range(_DEEPEST):
        if isinstance(data, list):
            data = _only(data)
        if not isinstance(data, dict):
            break
        for key, value in data.items():
            fields[str(key).strip().lower().replace("-", "_")] = value
        wrappers = [name for name in _WRAPPERS if isinstance(fields.get(name), dict | list)]
        if not wrappers:
            break
        data = fields.pop(wrappers[0])
    return fields


def _only(actions: list[JsonValue]) -> JsonValue:
    if len(actions) != 1:
        raise BadChatReply(
            f"it holds {len(actions)} actions; give one at a time", Failure.WRONG_ACTION
        )
    return actions[0]


def _by_verb(fields: dict[str, Any]) -> dict[str, Any]:
    """``{"click": {"ref": "3"}}`` and ``{"click": "3"}`` as ``{"do": "click", "ref": "3"}``."""
    if any(isinstance(fields.get(name), str) for name in _VERB_KEYS):
        return fields
    verbs = [name for name in fields if _is_verb(name, fields[name])]
    if len(verbs) != 1:
        return fields
    verb = verbs[0]
    others = {name: value for name, value in fields.items() if name != verb}
    inner = fields[verb]
    if isinstance(inner, dict):
        return {**others, **inner, "do": verb}
    slot = "ref" if "ref" in ACTION_TYPES[_canonical(verb)].model_fields else "value"
    return {slot: inner, **others, "do": verb}


def _is_verb(name: str, value: Any) -> bool:
    """Whether a key names an action; keys such as ``text`` or ``input`` only do with an object."""
    if _canonical(name) not in ACTION_TYPES:
        return False
    return isinstance(value, dict) or name not in (*_VERB_KEYS, *_VALUE_KEYS)


def _verb(fields: Mapping[str, Any]) -> str:
    """What the reply calls its action: the first name that is known, else the first of all."""
    words: list[str] = []
    for key in _VERB_KEYS:
        if isinstance(fields.get(key), str):
            word = fields[key][:_LONGEST].strip().lower()
            words.append(word.replace(" ", "_").replace("-", "_"))
    words = [word for word in words if word]
    for word in words:
        if _canonical(word) in ACTION_TYPES:
            return word
    return words[0] if words else ""


def _canonical(verb: str) -> str:
    return _SYNONYMS.get(verb, verb)


def _action_type(verb: str, action_types: tuple[ActionType, ...]) -> ActionType:
    allowed = {name_of(action_type): action_type for action_type in action_types}
    found = allowed.get(_canonical(verb))
    if found is None:
        what = f"{verb!r} is not an action that is possible now" if verb else "`do` is missing"
        raise BadChatReply(f"{what}; allowed: {', '.join(allowed)}", Failure.WRONG_ACTION)
    return found


def _ref(
    fields: Mapping[str, Any], action_type: ActionType, observation: Observation
) -> dict[str, str]:
    given = _first(fields, _REF_KEYS, unless=(None, "", NO_REF, "null"))
    if given is not None and not isinstance(given, bool):
        return {"ref": known_ref(given, observation)}
    if action_type.model_fields["ref"].is_required():
        raise BadChatReply(f"{name_of(action_type)}: `ref` is missing", Failure.INVALID_REF)
    return {}


def known_ref(given: object, observation: Observation) -> str:
    """The ref that is meant by ``given``; `BadChatReply` if there is none on the page.

    It may stand alone or in brackets, with or without the letter before its number.
    """
    refs = [element.ref for element in observation.elements]
    refs += [panel.ref for panel in observation.panels]
    text = str(given) if isinstance(given, str | int | float) else ""
    text = text[:_LONGEST].strip(" \t\r\n[](){}<>#\"'")
    if text in refs:
        return text
    found = _TOKEN.search(text)
    token = found.group() if found else ""
    if token in refs:
        return token
    # Models drop the letter of "e12", or put another one before the number.
    number = token.lstrip(_REF_LETTERS + _REF_LETTERS.upper())
    same = [ref for ref in refs if number and ref.lstrip(_REF_LETTERS) == number]
    if len(same) == 1:  # with several, the guess could click something else
        return same[0]
    raise BadChatReply(f"there is no element with ref {text!r}", Failure.INVALID_REF)


def _value(
    fields: Mapping[str, Any], action_type: ActionType, observation: Observation
) -> dict[str, Any]:
    wanted = list(value_fields(action_type))
    if len(wanted) > 1:
        return _point(fields)
    if not wanted:
        return {}
    name = wanted[0]
    given = _first(fields, _VALUE_KEYS.get(name, (name, "value")), unless=(None,))
    if given is None:
        return {}
    return _field(name, given, action_type, observation, submit=fields.get("submit") is True)


def _field(
    name: str, given: Any, action_type: ActionType, observation: Observation, *, submit: bool
) -> dict[str, Any]:
    """The field ``name``, in the type that the action needs."""
    if name == "to":
        return {"to": known_ref(given, observation)}
    if name == "names" and isinstance(given, list):
        return {"names": given}
    text = given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)
    if "submit" in action_type.model_fields:
        return {name: text.rstrip("\r\n"), "submit": submit or text.endswith("\n")}
    return {name: _CONVERTERS.get(name, str)(text.strip())} if text.strip() else {}


_CONVERTERS: Final[Mapping[str, Callable[[str], object]]] = {
    "key": lambda text: _KEY_NAMES.get(text.lower(), text),
    "direction": lambda text: text.lower().split()[0],
    "names": lambda text: [part.strip() for part in text.split(",")],
}
"""How a field's value is made of text, where it is not the text itself."""


def _point(fields: Mapping[str, Any]) -> dict[str, Any]:
    """x and y: each on its own, or as a pair."""
    pair = next((fields[key] for key in _POINT_KEYS if fields.get(key)), None)
    if isinstance(pair, str):
        pair = re.findall(r"-?\d{1,6}(?:\.\d{1,6})?", pair[:_LONGEST])
    if isinstance(pair, list) and len(pair) == 2:
        return {"x": pair[0], "y": pair[1]}
    return {name: fields[name] for name in ("x", "y") if name in fields}
