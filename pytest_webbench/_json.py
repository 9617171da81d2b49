"""JSON as this package writes it (equal values, equal bytes) and as it reads it (strictly)."""

from __future__ import annotations

import hashlib
import json
from typing import Any, Final

DEEPEST: Final = 200


def canonical_json(value: Any) -> str:
    """JSON that is the same, byte for byte, for equal values."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, indent=1)


def digest(value: Any) -> str:
    """A 32-digit hex digest of a JSON value."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=16).hexdigest()


def json_line(value: Any) -> str:
    """``value`` on one line, keys sorted, without a final newline."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def parse_object(text: str | bytes) -> dict[str, Any] | None:
    """The JSON object that ``text`` holds; None if it is anything else, such as half a line.

    For what programs have written down: it takes all that Python's decoder takes.
    """
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def object_in(value: object, name: str) -> dict[str, Any]:
    """The member ``name`` of a JSON object, if it is an object itself; else an empty one."""
    member = value.get(name) if isinstance(value, dict) else None
    return member if isinstance(member, dict) else {}


def strict_json(text: str, *, huge_numbers: bool = False, unique_keys: bool = False) -> Any:
    """The value of a JSON text; `ValueError` if it is not JSON.

    Python's own decoder also takes ``NaN`` and ``Infinity``, reads ``1e999`` as infinity, and
    raises `RecursionError` for deep nesting; here all of these are a `ValueError`, and so is
    nesting that others who walk through the value would choke on. With ``huge_numbers``, ``1e999``
    is infinity here too: it is valid JSON, after all. ``unique_keys`` refuses an object that has a
    key twice.
    """
    try:
        value = _DECODERS[huge_numbers, unique_keys].decode(text)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    if _is_deep(value):
        raise ValueError("nested too deeply")
    return value


def _is_deep(value: Any) -> bool:
    """Whether there are more than `DEEPEST` lists and objects within each other."""
    level = [value]
    for _ in range(DEEPEST + 1):
        below: list[Any] = []
        for one in level:
            if isinstance(one, dict):
                below += one.values()
            elif isinstance(one, list):
                below += one
        if not below:
            return False
        level = below
    return True


def decoder(
    *,
    unique_keys: bool = False,
    control_characters: bool = False,
    huge_numbers: bool = False,
) -> json.JSONDecoder:
    """A decoder that refuses ``NaN``, infinities and numbers too large for a float.

    ``unique_keys`` refuses an object that has a key twice as well; ``control_characters`` allows
    raw line breaks and the like within strings, as language models write them; ``huge_numbers``
    reads numbers that are too large as infinity.
    """
    return json.JSONDecoder(
        object_pairs_hook=_unique if unique_keys else None,
        parse_constant=_refuse_constant,
        parse_float=None if huge_numbers else _finite,
        strict=not control_characters,
    )


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise ValueError("an object has the same key twice")
    return members


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a number in JSON")


def _finite(digits: str) -> float:
    value = float(digits)
    if value in (float("inf"), float("-inf")):
        raise ValueError(f"{digits} is too large a number")
    return value


_DECODERS: Final = {
    (huge, unique): decoder(huge_numbers=huge, unique_keys=unique)
    for huge in (False, True)
    for unique in (False, True)
}
"""By ``huge_numbers`` and ``unique_keys``."""
