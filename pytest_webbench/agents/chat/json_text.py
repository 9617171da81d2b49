"""Finds JSON in what a language model wrote: in code fences, with prose around, with small slips.

One pass over a bounded text, no regular expressions. A text that breaks off is never completed: half a value is wrong.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final, NoReturn

from pydantic import JsonValue

LONGEST: Final = 100_000
"""Characters of a reply that are looked at."""
_STARTS: Final = 40
"""Opening brackets that are tried."""
_MENDED: Final = 8
"""How many of them with slips."""
_THINKING: Final = ("think", "thinking", "thought", "reasoning")
_CLOSING: Final = {'"': '"', "'": "'", "“": "”", "”": "”", "„": "”", "‘": "’", "’": "’", "«": "»", "`": "`"}
_WORDS: Final = {"True": "true", "False": "false", "None": "null", "undefined": "null"}
_PLAIN: Final = frozenset(["true", "false", "null"])


def find_json(text: str) -> JsonValue | None:
    """The first JSON object in ``text``, or list of objects; None if there is none."""
    text = text[:LONGEST].strip()
    if text.startswith("{") and text.endswith("}") and (whole := _strict(text, 0)) is not None:
        return whole
    text = without_thinking(text)
    for part in (*_fenced(text), text):
        for number, start in enumerate(_starts(part)):
            found = _strict(part, start)
            if found is None and number < _MENDED:
                found = _lenient(part, start)
            if found is not None:
                return found
    return None


def without_thinking(text: str) -> str:
    """``text`` without what stands in thinking tags; a tag that is never closed takes all that follows."""
    for tag in _THINKING:
        opening, closing = f"<{tag}>", f"</{tag}>"
        end = text.rfind(closing)
        if end >= 0:
            begin = text.find(opening)
            text = (text[:begin] if 0 <= begin < end else "") + text[end + len(closing) :]
        begin = text.find(opening)
        if begin >= 0:
            text = text[:begin]
    return text


def _fenced(text: str) -> Iterator[str]:
    """What stands in code fences."""
    parts = text.split("```", 2 * _STARTS)
    yield from parts[1 : len(parts) - 1 : 2]


def _starts(text: str) -> Iterator[int]:
    at = -1
    for _ in range(_STARTS):
        following = [place for place in (text.find("{", at + 1), text.find("[", at + 1)) if place >= 0]
        if not following:
            return
        at = min(following)
        yield at


def _useful(value: object) -> JsonValue | None:
    """``value`` if it is an object or a list of objects: brackets in prose are neither."""
    if isinstance(value, dict) and value:
        return value
    if isinstance(value, list) and value and all(isinstance(item, dict) and item for item in value):
        return value
    return None


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON")


_DECODER: Final = json.JSONDecoder(strict=False, parse_constant=_refuse)


def _strict(text: str, start: int) -> JsonValue | None:
    try:
        return _useful(_DECODER.raw_decode(text, start)[0])
    except (ValueError, RecursionError):
        return None


def _lenient(text: str, start: int) -> JsonValue | None:
    mended = _Mender(text, start).mended()
    return None if mended is None else _strict(mended, 0)


class _Mender:
    """Rewrites what looks like JSON as JSON: other quotes, bare keys, trailing commas, Python's constants."""

    def __init__(self, text: str, start: int) -> None:
        self._text, self._at = text, start
        self._out: list[str] = []

    def mended(self) -> str | None:
        """JSON text from the opening bracket to the one that closes it; None if none does."""
        open_brackets: list[str] = []
        while self._at < len(self._text):
            char = self._text[self._at]
            if char in _CLOSING:
                if not self._string(_CLOSING[char]):
                    return None
                continue
            if char.isalpha() or char in "_$":
                self._word()
                continue
            self._at += 1
            if char in "{[":
                open_brackets.append("}" if char == "{" else "]")
            elif char in "}]":
                if not open_brackets or open_brackets.pop() != char:
                    return None
                self._drop_comma()
            self._out.append(char)
            if not open_brackets:
                return "".join(self._out)
        return None

    def _drop_comma(self) -> None:
        while self._out and self._out[-1].isspace():
            self._out.pop()
        if self._out and self._out[-1] == ",":
            self._out.pop()

    def _word(self) -> None:
        begin = self._at
        while self._at < len(self._text) and (self._text[self._at].isalnum() or self._text[self._at] in "_$-"):
            self._at += 1
        word = self._text[begin : self._at]
        word = _WORDS.get(word, word)
        exponent = word[0] in "eE" and bool(self._out) and self._out[-1].isdigit()
        self._out.append(word if word in _PLAIN or exponent else json.dumps(word))

    def _string(self, closing: str) -> bool:
        """Copy a string; whether it ends."""
        content: list[str] = []
        at = self._at + 1
        while at < len(self._text):
            char = self._text[at]
            if char == "\\":
                content.append(self._text[at : at + 2] if self._text[at + 1 : at + 2] != "'" else "'")
                at += 2
            elif (char == closing or (char == '"' and closing == "”")) and self._ends_at(at, closing):
                self._at = at + 1
                self._out.append('"' + "".join(content) + '"')
                return True
            else:
                content.append('\\"' if char == '"' else char)
                at += 1
        return False

    def _ends_at(self, at: int, closing: str) -> bool:
        """Apostrophes end a string only where something may follow it."""
        if closing not in ("'", "’"):
            return True
        rest = self._text[at + 1 : at + 40].lstrip()
        return not rest or rest[0] in ",:}]"
