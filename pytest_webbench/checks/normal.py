"""Texts in comparable form, and patterns that are searched for with a time limit."""

from __future__ import annotations

import json
import unicodedata
from typing import Any, Final

import regex

from ..errors import RuleError
from .base import MISSING, Value

PATTERN_SECONDS: Final = 1.0
"""How long one pattern may search one text; longer is a broken check, not a miss."""

FOLD: Final = str.maketrans(
    {
        "‘": "'", "’": "'", "‚": "'", "‛": "'", "“": '"', "”": '"', "„": '"', "‟": '"',
        "‐": "-", "‑": "-", "‒": "-", "–": "-", "—": "-", "―": "-", "−": "-", "\u200b": "", "\ufeff": "", "\u00ad": "",
    }
)  # fmt: skip

_SPACE: Final = regex.compile(r"\s+")
_FLAGS: Final = {"i": regex.IGNORECASE, "m": regex.MULTILINE, "s": regex.DOTALL, "x": regex.VERBOSE}


def plain(value: Value) -> str:
    """``value`` as a string: empty if there is none, JSON if it is a list or an object."""
    if value is MISSING or value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, dict | list | bool):
        return json.dumps(_json(value), ensure_ascii=False)
    return str(value)


def _json(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _json(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_json(one) for one in value]
    return None if value is MISSING else value


def text(value: Value, *, case_sensitive: bool = False, collapse_ws: bool = True) -> str:
    """``value`` as comparable text: NFKC, quotes and dashes folded, white space collapsed, case folded."""
    string = unicodedata.normalize("NFKC", plain(value)).translate(FOLD)
    if not case_sensitive:
        # Case folding may leave a text that NFKC would change again.
        string = unicodedata.normalize("NFKC", string.casefold())
    return _SPACE.sub(" ", string).strip() if collapse_ws else string


def unspaced(string: str) -> str:
    """``string`` without any white space."""
    return "".join(string.split())


def flags(letters: str) -> int | None:
    """The regex flags that ``letters`` name (i, m, s, x; spaces, bars and hyphens aside), or None."""
    wanted = [_FLAGS.get(letter) for letter in letters.lower() if letter not in " |-"]
    return None if None in wanted else sum(flag for flag in set(wanted) if flag is not None)


def found(pattern: str, string: str, *, case_sensitive: bool = False, extra: str | None = None) -> bool:
    """Whether ``pattern`` is found in ``string``; `RuleError` if it is malformed or takes too long."""
    more = flags(extra or "")
    if more is None:
        raise RuleError(f"bad flags {extra!r}; allowed: i, m, s, x")
    try:
        chosen = more if case_sensitive else more | regex.IGNORECASE
        return regex.search(pattern, string, chosen, timeout=PATTERN_SECONDS) is not None
    except (regex.error, RecursionError) as error:
        raise RuleError(f"bad pattern {pattern!r}: {error}") from error
    except TimeoutError as error:
        raise RuleError(f"pattern {pattern!r} searched for more than {PATTERN_SECONDS:g} s") from error
