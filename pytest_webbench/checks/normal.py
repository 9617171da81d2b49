"""Texts in comparable form, and searches for patterns with a time limit."""

from __future__ import annotations

import json
import unicodedata
from typing import Any, Final

import regex

from ..errors import RuleError
from .base import MISSING, Value

PATTERN_SECONDS: Final = 1.0
"""How long one search of one text may take; a longer one is a broken check, not a miss."""

FOLD: Final = str.maketrans(
    {
        "‘": "'",
        "’": "'",
        "‚": "'",
        "‛": "'",
        "“": '"',
        "”": '"',
        "„": '"',
        "‟": '"',
        "‐": "-",
        "‑": "-",
        "‒": "-",
        "–": "-",
        "—": "-",
        "―": "-",
        "−": "-",
    }
)

_INVISIBLE: Final = regex.compile(r"[\p{Cf}\p{Default_Ignorable_Code_Point}]+")
"""Soft hyphens, joiners, direction marks, variation selectors, tags: all that is not seen."""
_SPACE: Final = regex.compile(r"\s+")
_UNIT: Final = (
    r"°[cfk]?|%|[kmgt]i?b(?:ps|/s)?|[kmg]?hz|[kmg]?wh?|m?ah|[kcmnµ]?m[23]?|[kc]?m/[sh]|mph|kmh|kph"
    r"|mi|ft|in|yd|lbs?|oz|[kmµ]?g|[mcd]?l|gal|[hk]?pa|psi|h|hrs?|min|m?s|sec|[ap]\.?m"
)
# Nobody means another thing by "7 °C" than by "7°C".
_BEFORE_UNIT: Final = regex.compile(
    rf"(?<=\d)\s?(?=(?:{_UNIT})(?![\p{{L}}\p{{N}}]))", regex.IGNORECASE
)
_FLAGS: Final = {"i": regex.IGNORECASE, "m": regex.MULTILINE, "s": regex.DOTALL, "x": regex.VERBOSE}


def plain(value: Value) -> str:
    """``value`` as a string: empty if there is none, JSON if it is a list or an object."""
    if value is MISSING or value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, dict | list | bool):
        return json.dumps(_without_missing(value), ensure_ascii=False)
    return str(value)


def _without_missing(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _without_missing(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_without_missing(one) for one in value]
    return None if value is MISSING else value


def fold(string: str) -> str:
    """``string`` without invisible characters, with quotes and dashes in one form."""
    return str(_INVISIBLE.sub("", string)).translate(FOLD)


def text(value: Value, *, case_sensitive: bool = False, collapse_ws: bool = True) -> str:
    """``value`` as comparable text.

    NFKC, quotes and dashes folded; by default, white space collapsed and case folded.
    """
    string = fold(unicodedata.normalize("NFKC", fold(plain(value))))
    if not case_sensitive:
        # Case folding may leave a text that NFKC would change again.
        string = unicodedata.normalize("NFKC", string.casefold())
    if collapse_ws:
        return str(_SPACE.sub(" ", string)).strip()
    return string


def unspaced(string: str) -> str:
    """``string`` without any white space."""
    return "".join(string.split())


def parts_at_units(string: str) -> list[str]:
    """``string``, taken apart between each number and its unit, where there may be a space.

    >>> parts_at_units("12 km/h, 5GB")
    ['12', 'km/h, 5', 'GB']
    """
    return list(_BEFORE_UNIT.split(string))


def flags(letters: str) -> int | None:
    """The regex flags that ``letters`` name (i, m, s, x; spaces, bars and hyphens are skipped).

    None if there is another letter among them.
    """
    combined = 0
    for letter in letters.lower():
        if letter in " |-":
            continue
        if letter not in _FLAGS:
            return None
        combined |= _FLAGS[letter]
    return combined


def groups(pattern: str, string: str) -> list[str]:
    """What the one group of ``pattern`` holds, wherever it is found; `RuleError` as for `found`."""
    try:
        matches = regex.findall(pattern, string, regex.IGNORECASE, timeout=PATTERN_SECONDS)
    except TimeoutError as error:
        raise _too_slow(pattern) from error
    return [one.strip() for one in matches if one.strip()]


def _too_slow(pattern: str) -> RuleError:
    return RuleError(f"pattern {pattern!r} searched for more than {PATTERN_SECONDS:g} s")


def found(
    pattern: str, string: str, *, case_sensitive: bool = False, extra: str | None = None
) -> bool:
    """Whether ``pattern`` is found in ``string``; ``extra`` are letters as `flags` reads them.

    `RuleError` if the pattern is malformed or the search takes longer than `PATTERN_SECONDS`.
    """
    more = flags(extra or "")
    if more is None:
        raise RuleError(f"bad flags {extra!r}; allowed: i, m, s, x")
    if not case_sensitive:
        more |= regex.IGNORECASE
    try:
        return regex.search(pattern, string, more, timeout=PATTERN_SECONDS) is not None
    except (regex.error, RecursionError) as error:
        raise RuleError(f"bad pattern {pattern!r}: {error}") from error
    except TimeoutError as error:
        raise _too_slow(pattern) from error
