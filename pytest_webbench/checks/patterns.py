"""Which regular expressions a task file may hold: well-formed and free of catastrophic backtracking."""

from __future__ import annotations

import re
import warnings
from re import _constants as sre  # type: ignore[attr-defined]
from re import _parser as sre_parser  # type: ignore[attr-defined]
from typing import Any, Final

import regex

LONGEST: Final = 2000
_REPEATS: Final = (sre.MAX_REPEAT, sre.MIN_REPEAT)


def refuse(pattern: str) -> str | None:
    """Why ``pattern`` may not be used, or None."""
    if len(pattern) > LONGEST:
        return f"pattern of {len(pattern)} characters, at most {LONGEST} are allowed"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            tree = sre_parser.parse(pattern)
            regex.compile(pattern)
    except (re.error, regex.error, RecursionError, OverflowError, Warning) as error:
        return f"bad pattern {pattern!r}: {error}"
    if _nests_repeats(tree, inside_repeat=False):
        return f"pattern {pattern!r} repeats a repetition, which can take for ever on some texts"
    return None


def refuse_any(expected: Any) -> str | None:
    """Why a pattern, or one of a list of patterns, may not be used, or None."""
    wanted = expected if isinstance(expected, list) else [expected]
    if not wanted or not all(isinstance(pattern, str) for pattern in wanted):
        return "must be a pattern or a list of patterns"
    return next((reason for pattern in wanted if (reason := refuse(pattern))), None)


def _nests_repeats(tree: Any, *, inside_repeat: bool) -> bool:
    """Whether an unbounded repeat stands directly in another one: ``(a+)+``, ``(a|b*)*``."""
    for operator, argument in tree:
        if operator in _REPEATS:
            low, high, body = argument
            unbounded = high == sre.MAXREPEAT or high > 50
            if unbounded and inside_repeat and not _starts_with_anchor(body):
                return True
            if _nests_repeats(body, inside_repeat=inside_repeat or unbounded):
                return True
            del low
        elif any(_nests_repeats(part, inside_repeat=inside_repeat) for part in _children(operator, argument)):
            return True
    return False


def _starts_with_anchor(body: Any) -> bool:
    return len(body) > 0 and body[0][0] == sre.AT


def _children(operator: Any, argument: Any) -> list[Any]:
    if operator is sre.SUBPATTERN:
        return [argument[-1]]
    if operator is sre.BRANCH:
        return list(argument[1])
    if operator in (sre.ASSERT, sre.ASSERT_NOT):
        return [argument[1]]
    if operator is sre.GROUPREF_EXISTS:
        return [part for part in argument[1:] if part is not None]
    if operator is sre.ATOMIC_GROUP or operator is sre.POSSESSIVE_REPEAT:
        return [argument if operator is sre.ATOMIC_GROUP else argument[2]]
    return []
