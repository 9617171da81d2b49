"""Where a value is mentioned in a text, and whether a mention is a statement."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Final

import regex

_ARTICLE: Final = r"(?:(?:the|an?|in|by|at)\s)?[\"'(*]*$"
_DENIED: Final = regex.compile(
    r"(?:\b(?:not(?:\s(?:quite|exactly|really|actually|even))?|hardly|far\sfrom"
    r"|never|nor|neither|no longer|instead of|rather than|other than|anything but"
    r"|(?:can|could|would|should|must|may|might)\s?not\sbe"
    r"|(?:not\strue|false|untrue)\sthat\s(?:it|this|that|there)(?:'s|\s(?:is|are|was|were))"
    r"|(?:wrong|incorrect)(?:ly)?(?:\s(?:number|value|answer|result))?(?:\sis|\swas|:)?"
    r"|not\s(?:think|believe)\s(?:that\s)?(?:it|this|that)(?:'s|\sis|\swas))"
    r"|n't(?:\sbe|\s(?:think|believe)\s(?:that\s)?(?:it|this|that)(?:'s|\sis|\swas))?)\s" + _ARTICLE
)
_HEDGED_BEFORE: Final = regex.compile(r"\b(?:either|or)\s" + _ARTICLE)
_HEDGED_AFTER: Final = regex.compile(
    r"^[\"')*]*\s?,?\s?or\s"
    r"(?!(?:more|less|so|higher|lower|later|earlier|newer|older|above|below|greater|better)\b)"
)
_WORDY: Final = regex.compile(r"[\p{Latin}\p{Greek}\p{Cyrillic}\p{Arabic}\p{Hebrew}\p{N}\p{M}_]")
_UNSURE: Final = regex.compile(
    r"\b(?:maybe|perhaps|possibly|probably|presumably|(?:might|may|could)\sbe|unsure|uncertain"
    r"|not\s(?:\w+\s)?(?:sure|certain|confident)|ha(?:d|ve)\sto\sguess"
    r"|no\sidea|i\s(?:guess|suppose|doubt)|i(?:'d|\swould)\sguess|guessing"
    r"|(?:my|best|a|wild|educated|rough)\sguess)\b"
    r"[^.!?;\n]{0,20}$"
)
_GUESSED_AFTER: Final = regex.compile(
    r"^[\"')*%]*(?:\s[\w'-]+){0,3}?[\s,:(–—-]*"
    r"(?:\?|(?<!\w)(?:maybe|perhaps|possibly|probably|presumably|i\s(?:guess|suppose)"
    r"|i(?:'d|\swould)\sguess|no\sidea|who\sknows|i(?:'m|\sam)\sguessing"
    r"|(?:but\s)?(?:i(?:'m|\sam)\s)?(?:un(?:sure|certain)|not\s(?:\w+\s)?(?:sure|certain))"
    r"|(?:but\s)?(?:that(?:'s|\sis)\s|it(?:'s|\sis)\s)?(?:just\s|only\s|at\s)?(?:an?\s|my\s)?"
    r"(?:best\s|wild\s|rough\s|educated\s)?guess))"
    r"[\s)]*(?:[.,!?;\n]|$|(?:but|though|however)\b)"
)
"""A doubt that ends its clause: "5, I guess", "5?"."""
_WRONG: Final = r"(?:\w+ly\s|just\s)?(?:wrong|incorrect|mistaken|untrue|inaccurate)\b"
_DENIED_AFTER: Final = regex.compile(
    r"^[\"')*]*(?:\s(?:is|was|are|were)(?:n't|(?:\s\w+ly)?\snot)\s"
    r"(?!(?:only|just|merely|counting|including)\b)"
    rf"|\s(?:is|was|seems|looks|must\sbe|would\sbe)\s{_WRONG}"
    rf"|\s?[,(:–—-]\s?(?:(?:but\s)?(?:that|this|which|it)(?:'s|\sis|\swas)\s)?{_WRONG}"
    r"\s*(?:[).,;!\n]|$))"
)
_NUMBER_HERE: Final = regex.compile(
    r"^[$€£¥-]{0,2}\s?(?:\d(?:[\d.,]*\d)?%?|[\w-]+(?:\s(?:hundred|thousand|million|billion)\b)*)"
)
_TOTAL: Final = r"\s?(?:a\s(?:total|sum)\sof\s|the\s|an?\s)?[\"'(*]*[$€£¥]?$"
_COMPARED: Final = regex.compile(
    r"(?:\b(?:(?:more|less|fewer|greater|higher|lower|larger|smaller|bigger|better|worse|older"
    r"|newer|later|earlier|longer|shorter)\sthan|exceed(?:s|ed|ing)?|at\s(?:the\s)?(?:least|most)"
    r"|up\sto|beyond|as\smany\sas|upwards?\sof|north\sof|in\sexcess\sof|short\sof"
    r"|(?:(?:^|[,:(])\s?|\b(?:just|well|slightly|little|far|is|are|was|were|has|have|had|of|with"
    r"|costs?)\s)(?:over|under|above|below))|[<>≤≥]=?)" + _TOTAL
)
"""What makes a bound of a number: "more than 13", ">13"."""
_COMPARED_AFTER: Final = regex.compile(
    r"^(?:\s\w+){0,2}?,?\s(?:(?:or|and)\s(?:more|less|fewer|above|below|over|under|higher|lower|up|counting"
    r"|later|earlier)\b(?!\sthan)|at\s(?:the\s)?(?:very\s)?(?:least|most)\s*(?:[.,;!?)\n]|$))"
)
_PLUS_AFTER: Final = regex.compile(r"^\s?(?:\+(?!\s?\d)|plus\s*(?:[.,;!)\n]|$))")
_ABOUT: Final = regex.compile(
    r"(?:\b(?:about|around|approximately|approx\.?|roughly|some|nearly|almost|close\sto"
    r"|(?:an\s)?estimated(?:\sat)?|in\sthe\s(?:region|area|neighbou?rhood)\sof)|[~≈])" + _TOTAL
)
_ABOUT_AFTER: Final = regex.compile(
    r"^(?:-?ish\b|(?:\s\w+){0,2}?,?\s(?:or\s(?:so|thereabouts)|give\sor\stake|more\sor\sless"
    r"|approximately|roughly)\b)"
)
_MEASURE_AFTER: Final = regex.compile(
    r"^\s?(?:[kcm]?m|mi|miles?|[km]?g|lbs?|pounds?|tons?|tonnes?|°|degrees|h|hours?|min|minutes?"
    r"|s|seconds?|m?l|lit(?:re|er)s?|f(?:oo|ee)?t|inch(?:es)?|percent|[kmgt]b|\w*met(?:re|er)s?"
    r"|acres?|hectares?)\b"
)
_INEXACT: Final = regex.compile(
    r"[+<>≤≥~≈]|\b(?:about|around|approx\w*|over|under|than|up\sto|at\s(?:least|most)|or\smore)\b"
)
_LEAST_ROUND: Final = 100
"""From here on, pages themselves give round numbers as "about 200" and "200+"."""
_MOST_DIGITS: Final = 20
_SIGN_AFTER: Final = regex.compile(r"[+#]+(?![\w+#])|\.(?:js|net|ts|py|rs)\b|/\w{1,3}[+#]")
"""What makes another name of a name: C++, S23+, Node.js, C/C#."""
_SHORT_SIGN_AFTER: Final = regex.compile(r"-(?!\w)|[&*]\w")
_SHORT_SIGN_BEFORE: Final = regex.compile(r"\w[&-]$")
"""The same for names of one or two letters only: A-, Q&A, Objective-C."""
_DOT_BEFORE: Final = regex.compile(r"(?:^|[\s(\"'])\.$")
"""What begins another name: .NET."""
_VERSION: Final = regex.compile(r"v?(\d+(?:\.\d+)+.*)")
_VERSION_BEFORE: Final = regex.compile(r"(?:^|\W)v$")
_DECIMAL_BEFORE: Final = regex.compile(r"\d[.,]$")
_DECIMAL_AFTER: Final = regex.compile(r"[.,]?\d|-\w")


def places(needle: str, text: str) -> Iterator[tuple[int, int]]:
    """Start and end of each place where the needle is a whole word.

    ``7.4.1`` is not in ``7.4.10``, nor in ``7.4.1-rc1``.
    """
    if version := _VERSION.fullmatch(needle):
        needle = version[1]
    start = text.find(needle)
    while start >= 0:
        end = start + len(needle)
        before, after = text[max(0, start - 2) : start], text[end : end + 6]
        if not (_cut_before(needle, before) or _cut_after(needle, after)):
            yield start, end
        start = text.find(needle, start + 1)


def is_mentioned(needle: str, text: str) -> bool:
    """Whether the needle is in the text as whole words."""
    return next(places(needle, text), None) is not None


def _cut_before(needle: str, before: str) -> bool:
    edge = needle[0]
    if _VERSION.fullmatch(needle) and _VERSION_BEFORE.search(before):
        return False
    if edge == "." and before and _WORDY.match(before[-1]):
        return True
    if edge.isalpha() and _DOT_BEFORE.search(before):
        return True
    if len(needle) <= 2 and edge.isalpha() and _SHORT_SIGN_BEFORE.search(before):
        return True
    if edge.isdigit() and _DECIMAL_BEFORE.search(before):
        return True
    return bool(_WORDY.match(edge) and before and _WORDY.match(before[-1]))


def _cut_after(needle: str, after: str) -> bool:
    edge = needle[-1]
    if any(map(str.isalpha, needle)) and _WORDY.match(edge) and _SIGN_AFTER.match(after):
        return True
    if len(needle) <= 2 and needle.isalpha() and _SHORT_SIGN_AFTER.match(after):
        return True
    if edge.isdigit() and _DECIMAL_AFTER.match(after):
        return True
    return bool(_WORDY.match(edge) and after and _WORDY.match(after[0]))


def is_denied(text: str, start: int) -> bool:
    """Whether what begins at ``start`` is denied: "not X", "instead of X"."""
    return _ends_with(_DENIED, text, start)


def is_denied_number(text: str, start: int) -> bool:
    """Whether the number that begins at ``start`` is denied: "not 5", "5 is not the number"."""
    return is_denied(text, start) or bool(_DENIED_AFTER.search(_after_number(text, start)))


def is_unsure_number(text: str, start: int) -> bool:
    """Whether the number that begins at ``start`` is called a guess: "maybe 5", "5, I guess"."""
    guessed = _GUESSED_AFTER.search(_after_number(text, start))
    return is_unsure(text, start) or guessed is not None


def is_inexact_number(text: str, start: int, value: Decimal) -> bool:
    """Whether the number that begins at ``start`` is a bound or a rough count: "more than 13".

    Measures and round numbers may be rough, as they are on many pages.
    """
    after = _after_number(text, start)
    if _ends_with(_COMPARED, text, start) or _COMPARED_AFTER.search(after):
        return True
    # Beyond the precision of decimals there is no remainder, and every number is rough.
    if value.adjusted() >= _MOST_DIGITS or (abs(value) >= _LEAST_ROUND and value % 10 == 0):
        return False
    if value % 1:
        return False
    if _PLUS_AFTER.search(after):
        return True
    is_rough = _ends_with(_ABOUT, text, start) or _ABOUT_AFTER.search(after)
    return bool(is_rough) and not _MEASURE_AFTER.search(after)


def is_inexact(text: str) -> bool:
    """Whether an expected value is itself a bound or a rough number: ``200+``."""
    return _INEXACT.search(text.lower()) is not None


def _after_number(text: str, start: int) -> str:
    rest = text[start : start + 80]
    number = _NUMBER_HERE.match(rest)
    return rest[number.end() if number else 0 :].lower()


def is_doubtful(text: str, start: int, end: int) -> bool:
    """Whether a mention is denied ("not X"), one of two ("X or Y") or a guess ("maybe X")."""
    if _ends_with(_HEDGED_BEFORE, text, start) or is_denied(text, start):
        return True
    if text[start].isdigit() and _ends_with(_COMPARED, text, start):
        return True
    after = text[end : end + 20].lower()
    if _HEDGED_AFTER.search(after) or _DENIED_AFTER.search(text[end : end + 60].lower()):
        return True
    return is_unsure(text, start) or _GUESSED_AFTER.search(text[end : end + 60].lower()) is not None


def is_unsure(text: str, start: int) -> bool:
    """Whether what begins at ``start`` is called a guess: "maybe X", "I am not sure, X"."""
    return _ends_with(_UNSURE, text, start)


def _ends_with(pattern: regex.Pattern[str], text: str, position: int) -> bool:
    # A short piece before each place, so that long answers take time in proportion to their length.
    return pattern.search(text[max(0, position - 40) : position].lower()) is not None
