"""What a text calls what: ``the town is X``, ``answer: X``, ``X is the answer``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

import regex

_WORD: Final = r"(?:(?:St|Mt|Ft|Dr|Mr|Mrs|Ms)\.|[\p{Lu}\p{Lo}][\w'&-]*)"
_SMALL: Final = (
    r"(?:(?:of|the|and|de|la|le|du|des|von|van|der|den|in|on|at|for|to|a|an|y|e|&|-)\s){0,2}"
)
_NAME: Final = rf"{_WORD}(?:\s{_SMALL}{_WORD}){{0,5}}"
_SHAPES: Final = {
    "name": _NAME,
    "word": r"\p{Ll}[\w'-]*(?:\s\p{Ll}[\w'-]*)?",
    "code": r"[vV]?\d(?:[\w.:/-]*\w)?",
    "address": r"(?:https?://|www\.)\S+",
}
_FINISHED: Final = r"[\"'*_`)]*\s*(?:[.,;!(\n]|-\s|$"
_GOES_ON: Final = rf"{_FINISHED}|\b(?:in|near|at|on|from|by|but|with|which|and|as|for)\b)"
_ENDS: Final = {
    "name": _GOES_ON,
    "word": rf"{_FINISHED})",
    "code": _GOES_ON,
    "address": _GOES_ON,
}
_DECOR: Final = r"[\s\"'*_`(]*"
_STATED: Final = {
    kind: regex.compile(rf"{_DECOR}({shape}){_ENDS[kind]}") for kind, shape in _SHAPES.items()
}
_BARE: Final = {
    kind: regex.compile(rf"{_DECOR}({shape})(?:,\s{shape})?[\"'*_`)]*[.!]?")
    for kind, shape in _SHAPES.items()
}
_SAYING: Final = regex.compile(
    r"\b(?P<subject>it|this|that|(?:the|my|our)\s(?:[\w'-]+\s){0,4}?[\w-]+)"
    r"(?:'s|\s(?:is|was|are|were|must be|should be))\s"
    r"(?:actually\s|really\s|in fact\s|called\s|named\s)?"
    r"(?=(?P<said>[^\n]{1,120}))",
    regex.IGNORECASE,
)
_CLAUSE: Final = regex.compile(r"[.!?;\n]|\b(?:but|however|though)\b")
_ANSWERS: Final = frozenset({"answer", "result", "solution", "value"})
_PRONOUNS: Final = frozenset({"it", "this", "that"})
_OTHERS: Final = regex.compile(
    r"\b(?:second|third|other|others|next|runner|previous|former|old|also|another"
    r"|source|page|site|website|reason|link)\b"
    r"|\b(?:if|whether|not)\s(?:that\s)?(?:it|this|that|the|my|our)\b"
)
"""What shows that a sentence is about something else than the answer."""
_STOCK: Final = frozenset(
    [
        "above",
        "answer",
        "answers",
        "below",
        "complete",
        "completed",
        "data",
        "details",
        "done",
        "extracted",
        "final",
        "finished",
        "found",
        "great",
        "here",
        "hope",
        "information",
        "it",
        "json",
        "note",
        "ok",
        "okay",
        "output",
        "page",
        "response",
        "result",
        "results",
        "search",
        "solution",
        "source",
        "sources",
        "success",
        "summary",
        "sure",
        "task",
        "thanks",
        "that",
        "there",
        "this",
        "value",
        "what",
        "which",
        "wikipedia",
        "yes",
    ]
)
"""Words that agents write around their answers: none of them is one."""

Agrees = Callable[[str], bool]
"""Whether a text says what was expected."""


class _Claim(NamedTuple):
    subject: str
    """Its last word: ``town`` of "the nearest town is X"."""
    said: str


def kind_of(text: str) -> str:
    """Which texts could be given for one another.

    ``name``, ``word`` (in small letters), ``code`` (begins with a digit) or ``address``.
    """
    for kind in ("address", "code"):
        if regex.match(_SHAPES[kind], text.strip()):
            return kind
    return "word" if regex.match(r"\W*\p{Ll}", text) else "name"


def is_bare(text: str, kind: str) -> bool:
    """Whether ``text`` is nothing but one value of this kind."""
    if not _BARE[kind].fullmatch(text):
        return False
    return _STOCK.isdisjoint(regex.findall(r"\w+", text.lower()))


def claims_another(text: str, value: str, names: set[str], agrees: Agrees) -> bool:
    """Whether ``text`` calls something else the answer than ``value``, which goes by ``names``."""
    kind = kind_of(value)
    if is_bare(text, kind) and not agrees(text):
        return True
    known = [name.split()[-1] for name in names if name]
    repeated: set[str] = set()
    rivals: set[str] = set()
    for claim in _claims(text, known, agrees):
        stated = _STATED[kind].match(claim.said)
        if stated and (kind != "code" or _alike(stated[1], value)):
            if agrees(stated[1]):
                repeated.add(claim.subject)
            else:
                rivals.add(claim.subject)
    weighty = _ANSWERS | repeated | set(known)
    if not repeated and kind != "word":
        # Without a name of the value any subject may be the one that was asked about.
        weighty = weighty | _PRONOUNS if known else weighty | rivals
    return not rivals.isdisjoint(weighty)


def _alike(code: str, other: str) -> bool:
    return _shape(code) == _shape(other)


def _shape(code: str) -> str:
    return str(regex.sub(r"\d+", "0", code.strip().lower().removeprefix("v")))


def _claims(text: str, names: list[str], agrees: Agrees) -> Iterator[_Claim]:
    for saying in _SAYING.finditer(text):
        lead = _CLAUSE.split(text[max(0, saying.start() - 200) : saying.end("subject")])
        # A sentence that mentions the value before its verb tells more about the value.
        if not _OTHERS.search(lead[-1].lower()) and not agrees(lead[-1]):
            yield _Claim(saying["subject"].lower().split()[-1], saying["said"])
    nouns = "|".join(map(regex.escape, (*sorted(_ANSWERS), *names)))
    for label in regex.finditer(rf"(?i)\b({nouns})[*_\"']{{0,3}}\s?[:=]([^\n]{{1,120}})", text):
        yield _Claim(label[1].lower(), label[2])
    answer = rf"({_NAME})\s(?:is|was)\s(?:the|my)\s(?:\w+\s){{0,2}}?(?i:({nouns}))\b"
    for statement in regex.finditer(answer, text):
        if statement[1].lower() not in _STOCK:
            yield _Claim(statement[2].lower(), statement[1])
