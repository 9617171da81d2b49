"""Which regular expressions a task file may hold: well-formed, and fast on every text."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final

import regex

from . import regex_cost, regex_syntax
from .base import Issue

LONGEST: Final = 4000
"""Characters."""
DEEPEST: Final = 6
"""Repeats within repeats: compiling doubles its work with each level."""
MOST_ROUNDS: Final = 10_000
"""Of repeats with a limit, multiplied where nested: ``(?:a{100}){100}`` has as many."""

_BAR: Final = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\|", re.DOTALL)
"""An escaped character, a character class, or the bar between two alternatives."""
_FUZZY: Final = re.compile(
    r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|(?P<fuzzy>\{[\s\d<=,+]*[deis][\s\d<=,+:}])", re.DOTALL
)
"""What the search would take for approximate matching (``a{e<=2}``), which minds no time limit."""


@lru_cache(maxsize=1024)
def refuse(pattern: str) -> str | None:
    """Why ``pattern`` may not be used, or None."""
    if len(pattern) > LONGEST:
        return f"pattern of {len(pattern)} characters, at most {LONGEST} are allowed"
    try:
        with warnings.catch_warnings():
            # A warning announces that a later Python will read the pattern differently.
            warnings.simplefilter("error")
            parsed = regex_syntax.parse(pattern)
            if reason := _unbounded(pattern, parsed):
                return reason
            regex.compile(pattern)
            tree = regex_syntax.parse(_BAR.sub(_keep_apart, pattern))
    except (re.error, regex.error, RecursionError, OverflowError, Warning) as error:
        return f"bad pattern {pattern!r}: {error}"
    if reason := regex_cost.danger_of(tree):
        return f"pattern {pattern!r} {reason}, which can take for ever on some texts"
    return None


def _unbounded(pattern: str, tree: regex_syntax.Sequence) -> str | None:
    """Why ``pattern`` must not even be compiled or analysed, or None."""
    nesting = regex_cost.nesting_of(tree)
    if nesting.depth > DEEPEST:
        return f"pattern has repeats nested {nesting.depth} deep, at most {DEEPEST} are allowed"
    if nesting.rounds > MOST_ROUNDS:
        return (
            f"pattern has repeats of {nesting.rounds} rounds, multiplied where nested, "
            f"at most {MOST_ROUNDS} are allowed"
        )
    if any(match["fuzzy"] for match in _FUZZY.finditer(pattern)):
        return r"pattern asks for approximate matching; write \{ for a brace"
    return None


def _keep_apart(match: re.Match[str]) -> str:
    # Python's parser makes one class of ``a|[a-z]``, which hides that the two overlap; an empty
    # lookahead keeps them apart.
    return "|(?=)" if match.group() == "|" else match.group()


def issues(expected: Any) -> Iterator[Issue]:
    """Everything wrong with a pattern or a list of patterns."""
    if isinstance(expected, str):
        if reason := refuse(expected):
            yield Issue(reason)
    elif not isinstance(expected, list) or not expected:
        yield Issue("must be a pattern or a list of patterns")
    else:
        for index, pattern in enumerate(expected):
            reason = refuse(pattern) if isinstance(pattern, str) else "must be a pattern"
            if reason:
                yield Issue(reason, (index,))
