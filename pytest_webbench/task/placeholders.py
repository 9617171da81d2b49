"""``{{name.field}}`` in steps: what an earlier step has read, put into a later one."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, TypeVar

from pydantic import BaseModel

from .._suggest import unknown
from ..checks import MISSING, Issue, Value, numbers, paths
from ..errors import RuleError, StepError

_PLACEHOLDER: Final = re.compile(r"\{\{\s*([A-Za-z_][^{}]*?)\s*\}\}")
_QUOTE: Final = re.compile(r'(?<!\\)"')
_SINGLE: Final = ("dom_count", "final_url", "page_text", "page_title", "visible_text")
"""Getters that read one value."""
_UNFILLED: Final = ("do", "get", "as")
"""Keys of a step that hold no placeholders."""

StepT = TypeVar("StepT", bound=BaseModel)
Put = Callable[[Value, str], str]
"""A value as it stands in a text, of which the beginning is known."""
Known = dict[str, tuple[str, ...] | None]
"""Names that were read, each with its fields, or None if it may have any."""


def filled(step: StepT, values: Mapping[str, Value]) -> StepT:
    """``step`` with the values in place of placeholders; `StepError` if one was not read."""
    changes = {}
    for name, value in step:
        changed = _filled(value, values)
        if changed is not value:
            changes[name] = changed
    return step.model_copy(update=changes) if changes else step


def _filled(value: Any, values: Mapping[str, Value]) -> Any:
    if isinstance(value, str) and "{{" in value:
        return _substituted(value, values, lambda found, _before: _as_text(found))
    if isinstance(value, BaseModel):
        return filled(value, values)
    if isinstance(value, list):
        changed = [_filled(one, values) for one in value]
        return changed if changed != value else value
    return value


def filled_json(text: str, values: Mapping[str, Value]) -> str:
    """As `filled`, for an answer that is JSON.

    Between quotes a value is escaped. Elsewhere a text gives the number in it, ``$1,299.00`` gives
    1299, or a JSON string if it holds none; other values are JSON already.
    """
    return _substituted(text, values, _in_json)


def put_in(text: str, values: Mapping[str, Value], *, typed: bool) -> Any:
    """``text`` with the ``values`` that its placeholders name; others stay.

    With ``typed``, a text that is one placeholder and nothing else becomes the value itself.
    """
    whole = _PLACEHOLDER.fullmatch(text)
    if typed and whole is not None and _name_of(whole[1]) in values:
        return _value_at(whole[1], values)

    def put(match: re.Match[str]) -> str:
        if _name_of(match[1]) not in values:
            return match[0]
        return _as_text(_value_at(match[1], values))

    return _PLACEHOLDER.sub(put, text)


def has_placeholder(value: Any) -> bool:
    """Whether there is one anywhere in ``value``."""
    if isinstance(value, str):
        return _PLACEHOLDER.search(value) is not None
    if isinstance(value, dict):
        return any(map(has_placeholder, value.values()))
    return isinstance(value, list) and any(map(has_placeholder, value))


def _name_of(path: str) -> str:
    return path.partition(".")[0].strip()


def _substituted(text: str, values: Mapping[str, Value], put: Put) -> str:
    parts: list[str] = []
    position = 0
    for match in _PLACEHOLDER.finditer(text):
        parts.append(text[position : match.start()])
        parts.append(put(_value_at(match[1], values), text[: match.start()]))
        position = match.end()
    return "".join((*parts, text[position:]))


def _value_at(path: str, values: Mapping[str, Value]) -> Value:
    try:
        found = paths.select(dict(values), path)
    except RuleError as error:
        raise StepError(f"{{{{{path}}}}}: {error}") from error
    if not found or found[0] is MISSING:
        read = ", ".join(values) or "nothing"
        raise StepError(f"{{{{{path}}}}} was not on the page that was read (read so far: {read})")
    return found[0]


def _as_text(value: Value) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _in_json(value: Value, before: str) -> str:
    if len(_QUOTE.findall(before)) % 2:
        return json.dumps(_as_text(value), ensure_ascii=False)[1:-1]
    if not isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    held = numbers.in_text(value)
    if len(held) == 1:
        number = held[0].value
        return f"{number.to_integral() if number == number.to_integral() else number:f}"
    return json.dumps(value, ensure_ascii=False)


# -- what is wrong with them, found when the file is read ----------------------------------------


def placeholder_issues(steps: Any, given: Known | None = None) -> Iterator[Issue]:
    """Placeholders in ``steps``, as a file has them, that no earlier step reads.

    ``given`` are names that are filled before the first step.
    """
    known: Known = dict(given or {})
    for index, step in enumerate(steps if isinstance(steps, list) else ()):
        if not isinstance(step, dict):
            continue
        for key, value in step.items():
            if key not in _UNFILLED:
                yield from (issue.within(index, key) for issue in issues_in(value, known))
        if step.get("do") == "read" and isinstance(step.get("as"), str):
            known[step["as"]] = _fields_of(step.get("get"))


def issues_in(value: Any, known: Known) -> Iterator[Issue]:
    """Placeholders anywhere in ``value`` that nothing known fills."""
    if isinstance(value, str):
        for match in _PLACEHOLDER.finditer(value):
            yield from _issues_of(match[1], known)
    elif isinstance(value, dict):
        for key, one in value.items():
            yield from (issue.within(key) for issue in issues_in(one, known))
    elif isinstance(value, list):
        for index, one in enumerate(value):
            yield from (issue.within(index) for issue in issues_in(one, known))


def _issues_of(path: str, known: Known) -> Iterator[Issue]:
    try:
        name, *rest = paths.parse(path)
    except RuleError as error:
        yield Issue(str(error))
        return
    if name not in known:
        allowed = (
            f"names of parameters and of earlier steps that read: {', '.join(known) or 'none'}"
        )
        yield Issue(unknown("name", name, known), (), allowed)
        return
    fields = known[str(name)]
    if fields is not None and rest and rest[0] not in fields:
        allowed = f"fields of {name!r}: {', '.join(fields) or 'none, it is one value'}"
        yield Issue(unknown("field", rest[0], fields), (), allowed)


def _fields_of(get: Any) -> tuple[str, ...] | None:
    """The fields of what a step reads, where its getter names them."""
    options = get if isinstance(get, dict) else {"type": get}
    if options.get("type") in _SINGLE or options.get("pick") == "count":
        return ()
    pick = options.get("pick")
    if options.get("type") == "dom_rows" and (
        not pick or (isinstance(pick, dict) and "each" in pick)
    ):
        return None  # a list, whose items are named by numbers
    fields = options.get("selectors", options.get("fields"))
    return tuple(fields) if isinstance(fields, dict) else None


def _is_list(pick: Any) -> bool:
    return not pick or (isinstance(pick, dict) and "each" in pick)
