"""Finds JSON in what a language model wrote: in code fences, between prose, with small slips.

Each reading is one pass over a bounded text, without regular expressions that could backtrack. A
text that breaks off is never completed: half a value is a wrong value.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final

from pydantic import JsonValue

from ..._json import decoder

LONGEST: Final = 100_000
"""Characters of a reply that are looked at."""
_MOST_STARTS: Final = 40
"""Opening brackets that are tried; prose may have brackets of its own before the JSON."""
_MOST_REPAIRS: Final = 8
"""How many of them are tried with repairs, which take longer than a strict reading."""
_THINKING: Final = ("think", "thinking", "thought", "reasoning")
_CLOSING: Final = {
    '"': '"',
    "'": "'",
    "“": "”",
    "”": "”",
    "„": "”",
    "‘": "’",
    "’": "’",
    "«": "»",
    "`": "`",
}
"""Closing quotation marks by opening ones."""
_CONSTANTS: Final = {"True": "true", "False": "false", "None": "null", "undefined": "null"}
"""JSON's constants as Python and JavaScript write them."""
_UNQUOTED: Final = frozenset(["true", "false", "null"])
# Models put raw line breaks into strings.
_DECODER: Final = decoder(control_characters=True, huge_numbers=True)


def find_json(text: str) -> JsonValue | None:
    """The first JSON object in ``text``, or list of objects; None if there is none."""
    text = text[:LONGEST].strip()
    if text.startswith("{") and text.endswith("}"):
        whole = _strict(text, 0)
        if whole is not None:
            return whole
    text = without_thinking(text)
    for part in (*_fenced(text), text):
        found = _find_in(part)
        if found is not None:
            return found
    return None


def _find_in(text: str) -> JsonValue | None:
    for number, start in enumerate(_starts(text)):
        found = _strict(text, start)
        if found is None and number < _MOST_REPAIRS:
            found = _repaired(text, start)
        if found is not None:
            return found
    return None


def without_thinking(text: str) -> str:
    """``text`` without what is in thinking tags; after a tag that is never closed, all is thinking.

    Servers that do not separate a model's thoughts from its reply leave them in the text.
    """
    for tag in _THINKING:
        opening, closing = f"<{tag}>", f"</{tag}>"
        end = text.rfind(closing)
        if end >= 0:
            # Chat templates often put the opening tag into the prompt, so it may be missing here.
            begin = text.find(opening)
            before = text[:begin] if 0 <= begin < end else ""
            text = before + text[end + len(closing) :]
        begin = text.find(opening)
        if begin >= 0:
            text = text[:begin]
    return text


def _fenced(text: str) -> Iterator[str]:
    """The contents of code fences."""
    parts = text.split("```", 2 * _MOST_STARTS)
    yield from parts[1 : len(parts) - 1 : 2]


def _starts(text: str) -> Iterator[int]:
    """Positions of opening brackets."""
    at = -1
    for _ in range(_MOST_STARTS):
        found = [place for place in (text.find("{", at + 1), text.find("[", at + 1)) if place >= 0]
        if not found:
            return
        at = min(found)
        yield at


def _strict(text: str, start: int) -> JsonValue | None:
    try:
        return _useful(_DECODER.raw_decode(text, start)[0])
    except (ValueError, RecursionError):
        return None


def _useful(value: object) -> JsonValue | None:
    """``value`` if it is an object or a list of objects: brackets in prose are neither."""
    if isinstance(value, dict) and value:
        return value
    if isinstance(value, list) and value and all(isinstance(item, dict) and item for item in value):
        return value
    return None


def _repaired(text: str, start: int) -> JsonValue | None:
    repaired = _Repairer(text, start).repaired()
    return None if repaired is None else _strict(repaired, 0)


class _Repairer:
    """Rewrites what looks like JSON as JSON.

    It replaces other quotation marks, quotes bare words, drops trailing commas, and translates the
    constants of Python and JavaScript.
    """

    def __init__(self, text: str, start: int) -> None:
        self._text = text
        self._at = start
        self._out: list[str] = []

    def repaired(self) -> str | None:
        """JSON from the opening bracket to the one that closes it; None if there is none."""
        open_brackets: list[str] = []
        while self._at < len(self._text):
            char = self._text[self._at]
            if char in _CLOSING:
                if not self._copy_string(_CLOSING[char]):
                    return None
            elif char.isalpha() or char in "_$":
                self._copy_word()
            else:
                self._at += 1
                if not self._copy_char(char, open_brackets):
                    return None
                if not open_brackets:
                    return "".join(self._out)
        return None

    def _copy_char(self, char: str, open_brackets: list[str]) -> bool:
        """Copy a bracket or another single character; false if a bracket closes nothing."""
        if char in "{[":
            open_brackets.append("}" if char == "{" else "]")
        elif char in "}]":
            if not open_brackets or open_brackets.pop() != char:
                return False
            self._drop_comma()
        self._out.append(char)
        return True

    def _drop_comma(self) -> None:
        while self._out and self._out[-1].isspace():
            self._out.pop()
        if self._out and self._out[-1] == ",":
            self._out.pop()

    def _copy_word(self) -> None:
        begin = self._at
        while self._at < len(self._text) and self._is_in_word(self._text[self._at]):
            self._at += 1
        word = self._text[begin : self._at]
        word = _CONSTANTS.get(word, word)
        is_exponent = word[0] in "eE" and bool(self._out) and self._out[-1].isdigit()
        if word not in _UNQUOTED and not is_exponent:
            word = json.dumps(word)
        self._out.append(word)

    def _is_in_word(self, char: str) -> bool:
        return char.isalnum() or char in "_$-"

    def _copy_string(self, closing: str) -> bool:
        """Copy a string as JSON writes it; false if it does not end."""
        content: list[str] = []
        at = self._at + 1
        while at < len(self._text):
            char = self._text[at]
            if char == "\\":
                escape = self._text[at : at + 2]
                # JSON has no escape for an apostrophe.
                content.append("'" if escape == "\\'" else escape)
                at += 2
            elif self._ends_string(at, closing):
                self._at = at + 1
                self._out.append('"' + "".join(content) + '"')
                return True
            else:
                content.append('\\"' if char == '"' else char)
                at += 1
        return False

    def _ends_string(self, at: int, closing: str) -> bool:
        char = self._text[at]
        # Models open with a curly quotation mark and close with a straight one.
        if char != closing and not (char == '"' and closing == "”"):
            return False
        if closing not in ("'", "’"):
            return True
        # It may as well be an apostrophe, unless something that can follow a string follows it.
        rest = self._text[at + 1 : at + 40].lstrip()
        return not rest or rest[0] in ",:}]"
