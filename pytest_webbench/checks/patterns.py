"""Which regular expressions a task file may hold: well-formed and free of catastrophic backtracking."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from functools import lru_cache
from re import _parser as sre_parser  # type: ignore[attr-defined]
from typing import Any, Final

import regex

from . import ambiguity
from .base import Flaw

LONGEST: Final = 4000

_BAR: Final = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\|", re.DOTALL)
"""An escaped character, a character class, or the bar between two alternatives."""


def _keep_apart(match: re.Match[str]) -> str:
    """Python's parser makes one class of ``a|[a-z]``, which hides the overlap; an empty lookahead stops it."""
    return "|(?=)" if match.group() == "|" else match.group()


@lru_cache(maxsize=1024)
def refuse(pattern: str) -> str | None:
    """Why ``pattern`` may not be used, or None."""
    if len(pattern) > LONGEST:
        return f"pattern of {len(pattern)} characters, at most {LONGEST} are allowed"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            sre_parser.parse(pattern)
            regex.compile(pattern)
            tree = sre_parser.parse(_BAR.sub(_keep_apart, pattern))
    except (re.error, regex.error, RecursionError, OverflowError, Warning) as error:
        return f"bad pattern {pattern!r}: {error}"
    reason = ambiguity.of(tree)
    return f"pattern {pattern!r} {reason}, which can take for ever on some texts" if reason else None


def flaws(expected: Any) -> Iterator[Flaw]:
    """Everything wrong with a pattern or a list of patterns."""
    if isinstance(expected, str):
        if reason := refuse(expected):
            yield Flaw(reason)
    elif not isinstance(expected, list) or not expected:
        yield Flaw("must be a pattern or a list of patterns")
    else:
        for index, pattern in enumerate(expected):
            reason = refuse(pattern) if isinstance(pattern, str) else "must be a pattern"
            if reason:
                yield Flaw(reason, (index,))
