"""Reads an action out of a chat model's JSON, tolerant of other names and spellings, strict about what they mean."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from pydantic import JsonValue, ValidationError

from ...browser.actions import ACTION, Action
from ...browser.observation import Observation
from .actions import KINDS, NO_REF, Kind, value_fields
from .messages import BadChatReply, Failure

_VERBS: Final = ("do", "action", "operation", "action_type", "type", "name", "command", "tool", "function")
_WRAPPERS: Final = ("action", "actions", "arguments", "args", "parameters", "params", "input")
_REFS: Final = (
    "ref", "element", "element_id", "id", "target", "index", "node", "bid", "mark", "source", "from",
)  # fmt: skip
_VALUES: Final[dict[str, tuple[str, ...]]] = {
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
_THOUGHTS: Final = ("thought", "thoughts", "reasoning", "thinking", "rationale")
_SAME: Final = {
    "click_element": "click", "left_click": "click", "tap": "click", "check": "click",
    "click_point": "click_at", "click_coordinates": "click_at", "mouse_click": "click_at",
    "fill": "type", "input": "type", "input_text": "type", "type_text": "type", "enter_text": "type", "write": "type",
    "select_option": "select", "choose": "select", "choose_option": "select",
    "press_key": "press", "key": "press", "keypress": "press", "send_keys": "press",
    "scroll_down": "scroll", "scroll_up": "scroll",
    "drag_and_drop": "drag", "upload_file": "upload",
    "go_back": "back", "goback": "back", "navigate_back": "back",
    "switch_tab": "tab", "tab_focus": "tab",
    "sleep": "wait", "noop": "wait",
    "finish": "done", "finished": "done", "stop": "done", "complete": "done", "answer": "done",
    "give_up": "blocked", "fail": "blocked", "impossible": "blocked", "infeasible": "blocked",
}  # fmt: skip
_KEYS: Final = {
    "enter": "Enter", "return": "Enter", "esc": "Escape", "escape": "Escape", "tab": "Tab", "space": "Space",
    "backspace": "Backspace", "delete": "Delete", "down": "ArrowDown", "up": "ArrowUp", "left": "ArrowLeft",
    "right": "ArrowRight", "pagedown": "PageDown", "pageup": "PageUp", "home": "Home", "end": "End",
}  # fmt: skip
_TOKEN: Final = re.compile(r"[A-Za-z]{0,10}[-_:]?\d{1,10}")
_LONGEST: Final = 200
"""Characters of a reply that an error quotes."""
_LONGEST_THOUGHT: Final = 4000


class Reading(NamedTuple):
    """What a reply says."""

    action: Action
    thought: str


def read_action(data: JsonValue | None, observation: Observation, kinds: tuple[Kind, ...]) -> Reading:
    """The action in ``data``, if it is one of ``kinds`` on what was seen; else `BadChatReply` says what is wrong."""
    if data is None:
        raise BadChatReply("it holds no JSON object", Failure.NO_JSON)
    fields = _unwrapped(data)
    kind = _kind(fields, kinds)
    action: dict[str, Any] = {"do": kind.model_fields["do"].default}
    if "ref" in kind.model_fields:
        action |= _ref(fields, kind, observation)
    action |= _value(fields, kind, observation)
    if action.get("do") == "scroll" and _word(fields).startswith("scroll_"):
        action["direction"] = _word(fields).removeprefix("scroll_")
    try:
        read: Action = ACTION.validate_python(action)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"][1:])
        raise BadChatReply(f"{action['do']}: {where or 'the action'}: {first['msg']}", Failure.WRONG_FIELD) from None
    return Reading(read, next((str(fields[name])[:_LONGEST_THOUGHT] for name in _THOUGHTS if fields.get(name)), ""))


def _unwrapped(data: JsonValue) -> dict[str, Any]:
    """The fields of the one action, out of lists and of objects within objects."""
    fields: dict[str, Any] = {}
    for _ in range(4):
        if isinstance(data, list):
            if len(data) != 1:
                raise BadChatReply(f"it holds {len(data)} actions; give one at a time", Failure.WRONG_ACTION)
            data = data[0]
        if not isinstance(data, dict):
            break
        fields = fields | {str(key).strip().lower().replace("-", "_"): value for key, value in data.items()}
        inner = next((name for name in _WRAPPERS if isinstance(fields.get(name), dict | list)), None)
        if inner is None:
            break
        data = fields.pop(inner)
    return _by_verb(fields)


def _by_verb(fields: dict[str, Any]) -> dict[str, Any]:
    """``{"click": {"ref": "3"}}`` and ``{"click": "3"}`` as ``{"do": "click", "ref": "3"}``."""
    taken = (*_VERBS, *_VALUES)
    verbs = [name for name in fields if _named(name) in KINDS and (name not in taken or isinstance(fields[name], dict))]
    if len(verbs) != 1 or any(isinstance(fields.get(name), str) for name in _VERBS):
        return fields
    inner = fields.pop(verbs[0])
    if isinstance(inner, dict):
        return {**fields, **inner, "do": verbs[0]}
    slot = "ref" if "ref" in KINDS[_named(verbs[0])].model_fields else "value"
    return {slot: inner, **fields, "do": verbs[0]}


def _word(fields: Mapping[str, Any]) -> str:
    """What the reply calls its action: the first name that there is, or the first at all."""
    given = [str(fields[name])[:_LONGEST].strip() for name in _VERBS if isinstance(fields.get(name), str)]
    words = [word.lower().replace(" ", "_").replace("-", "_") for word in given if word]
    return next((word for word in words if _named(word) in KINDS), words[0] if words else "")


def _named(word: str) -> str:
    return _SAME.get(word, word)


def _kind(fields: Mapping[str, Any], kinds: tuple[Kind, ...]) -> Kind:
    allowed = {str(kind.model_fields["do"].default): kind for kind in kinds}
    word = _word(fields)
    kind = allowed.get(_named(word))
    if kind is None:
        what = f"{word!r} is no action that can be done now" if word else "`do` is missing"
        raise BadChatReply(f"{what}; allowed: {', '.join(allowed)}", Failure.WRONG_ACTION)
    return kind


def _ref(fields: Mapping[str, Any], kind: Kind, observation: Observation) -> dict[str, str]:
    given = next((fields[name] for name in _REFS if fields.get(name) not in (None, "", NO_REF, "null")), None)
    if given is None or isinstance(given, bool):
        if kind.model_fields["ref"].is_required():
            raise BadChatReply(f"{kind.model_fields['do'].default}: `ref` is missing", Failure.INVALID_REF)
        return {}
    return {"ref": known_ref(given, observation)}


def known_ref(given: object, observation: Observation) -> str:
    """The ref that is meant: as it stands, in brackets, with or without a letter before its number."""
    refs = [element.ref for element in observation.elements] + [panel.ref for panel in observation.panels]
    text = (str(given) if isinstance(given, str | int | float) else "")[:_LONGEST].strip(" \t\r\n[](){}<>#\"'")
    if text in refs:
        return text
    found = _TOKEN.search(text)
    token = found.group() if found else ""
    if token in refs:
        return token
    number = token.lstrip("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_:")
    same = [ref for ref in refs if number and ref.lstrip("abcdefghijklmnopqrstuvwxyz-_:") == number]
    if len(same) == 1:
        return same[0]
    raise BadChatReply(f"there is no element with ref {text!r}", Failure.INVALID_REF)


def _value(fields: Mapping[str, Any], kind: Kind, observation: Observation) -> dict[str, Any]:
    wanted = value_fields(kind)
    if len(wanted) > 1:
        return _point(fields)
    for name in wanted:
        given = next((fields[key] for key in _VALUES.get(name, (name, "value")) if fields.get(key) is not None), None)
        if given is None:
            return {}
        return _typed(name, given, kind, observation, submit=fields.get("submit") is True)
    return {}


def _typed(name: str, given: Any, kind: Kind, observation: Observation, *, submit: bool) -> dict[str, Any]:
    """The field ``name``, in the type that the action wants."""
    if name == "to":
        return {"to": known_ref(given, observation)}
    if name == "names" and isinstance(given, list):
        return {"names": given}
    text = given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)
    if "submit" in kind.model_fields:
        return {name: text.rstrip("\r\n"), "submit": submit or text.endswith("\n")}
    return {name: _SPELLED.get(name, str)(text.strip())} if text.strip() else {}


_SPELLED: Final[Mapping[str, Callable[[str], object]]] = {
    "option": str,
    "key": lambda text: _KEYS.get(text.lower(), text),
    "direction": lambda text: text.lower().split()[0],
    "names": lambda text: [part.strip() for part in text.split(",")],
    "index": str,
    "answer": str,
    "reason": str,
}
"""How each field is made of words."""


def _point(fields: Mapping[str, Any]) -> dict[str, Any]:
    """x and y: each on its own, or as a pair."""
    pair = next((fields[name] for name in ("coordinate", "coordinates", "point", "value") if fields.get(name)), None)
    if isinstance(pair, str):
        pair = re.findall(r"-?\d{1,6}(?:\.\d{1,6})?", pair[:_LONGEST])
    if isinstance(pair, list) and len(pair) == 2:
        return {"x": pair[0], "y": pair[1]}
    return {name: fields[name] for name in ("x", "y") if name in fields}
