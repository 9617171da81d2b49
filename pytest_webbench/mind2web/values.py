"""Compares operations and their values: by the two definitions in use, and by a kinder one."""

from __future__ import annotations

import string
import unicodedata
from collections import Counter
from typing import Final, NamedTuple

_PUNCTUATION: Final = frozenset(string.punctuation)


class Operation(NamedTuple):
    """What is done to an element: CLICK, TYPE or SELECT, and the text that is typed or chosen."""

    op: str
    value: str = ""


def glass_value_f1(predicted: Operation, recorded: Operation) -> float:
    """The reference's "operation F1", from 0 to 1.

    A wrong operation scores 0, a right CLICK 1. Otherwise it is the F1 of the value's words, each
    as often as it occurs and in any case.
    """
    if predicted.op != recorded.op:
        return 0.0
    if recorded.op == "CLICK":
        return 1.0
    ours = Counter(predicted.value.lower().split())
    theirs = Counter(recorded.value.lower().split())
    if not ours or not theirs:
        return float(ours == theirs)
    return _f1(common=(ours & theirs).total(), predicted=ours.total(), recorded=theirs.total())


def official_f1(predicted: Operation, recorded: Operation) -> float:
    """The dataset's own, from 0 to 1: the F1 of the words of ``OP value`` as sets.

    Case counts; punctuation that stands alone is no word.
    """
    ours, theirs = operation_words(predicted), operation_words(recorded)
    return _f1(common=len(ours & theirs), predicted=len(ours), recorded=len(theirs))


def operation_words(operation: Operation) -> frozenset[str]:
    """The words that the official F1 compares; a CLICK has no value."""
    if operation.op == "CLICK":
        return frozenset({operation.op})
    return frozenset(" ".join(operation).split()) - _PUNCTUATION


def same_value(predicted: str, recorded: str) -> bool:
    """Whether two values are equal but for case, letter width, spaces and punctuation."""
    return _plain(predicted) == _plain(recorded)


def _plain(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(letter for letter in folded if letter.isalnum())


def _f1(*, common: int, predicted: int, recorded: int) -> float:
    if not common:
        return 0.0
    precision, recall = common / predicted, common / recorded
    return 2 * precision * recall / (precision + recall)
