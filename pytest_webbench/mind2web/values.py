"""How an operation and its value are compared: the two definitions in use, and a kinder one beside them."""

from __future__ import annotations

import string
import unicodedata
from collections import Counter
from typing import Final

_PUNCTUATION: Final = frozenset(string.punctuation)


def glass_value_f1(predicted_op: str, predicted: str, op: str, value: str) -> float:
    """The reference's "operation F1": overlap of the value's words, each as often as it occurs, letters in any case.

    A CLICK is right or wrong; a wrong operation is worth nothing.
    """
    if predicted_op != op:
        return 0.0
    if op == "CLICK":
        return 1.0
    ours, theirs = Counter(predicted.lower().split()), Counter(value.lower().split())
    if not ours or not theirs:
        return float(ours == theirs)
    return _f1((ours & theirs).total(), ours.total(), theirs.total())


def official_f1(predicted_op: str, predicted: str, op: str, value: str) -> float:
    """The dataset's own: overlap of the words of ``OP value`` as sets, case kept, bare punctuation left out."""
    ours, theirs = operation_words(predicted_op, predicted), operation_words(op, value)
    return _f1(len(ours & theirs), len(ours), len(theirs))


def operation_words(op: str, value: str) -> frozenset[str]:
    """The words that the official F1 compares; a CLICK has no value."""
    text = op if op == "CLICK" else f"{op} {value}"
    return frozenset(word for word in text.split() if word not in _PUNCTUATION)


def same_value(predicted: str, value: str) -> bool:
    """Whether two values mean the same option: equal but for case, width of letters, spaces and punctuation."""
    return _plain(predicted) == _plain(value)


def _plain(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(letter for letter in folded if letter.isalnum())


def _f1(common: int, predicted: int, wanted: int) -> float:
    if not common:
        return 0.0
    precision, recall = common / predicted, common / wanted
    return 2 * precision * recall / (precision + recall)
