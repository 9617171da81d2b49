"""Numbers as people write them: ``1,234.5``, ``$5``, ``25 %``, ``1.2 million``, ``twenty-one``.

Not all digits are numbers of the answer: those of dates, times, versions, footnotes, addresses and
list markers are not.
"""

from __future__ import annotations

import unicodedata
from decimal import Decimal
from functools import lru_cache
from typing import Annotated, Final, NamedTuple

import regex
from pydantic import Field

from .base import MISSING, Value
from .normal import fold
from .number_locales import writes_comma
from .number_words import SCALES, spelt

Locale = Annotated[
    str,
    Field(
        pattern=r"^[a-zA-Z]{2,3}([_-][A-Za-z0-9]+)*$",
        description="how numbers are written, e.g. `en` or `de`",
    ),
]

MOST_DIGITS: Final = 40
"""A longer run of digits is an identifier, not a number."""

_UNITS: Final = {
    "$": "$",
    "us$": "$",
    "usd": "$",
    "dollar": "$",
    "dollars": "$",
    "€": "€",
    "eur": "€",
    "euro": "€",
    "euros": "€",
    "£": "£",
    "gbp": "£",
    "¥": "¥",
    "jpy": "¥",
    "yen": "¥",
    "cny": "CN¥",
    "rmb": "CN¥",
    "yuan": "CN¥",
    "₹": "₹",
    "inr": "₹",
    "rs": "₹",
    "rs.": "₹",
    "₩": "₩",
    "krw": "₩",
    "chf": "CHF",
    "ca$": "CA$",
    "c$": "CA$",
    "cad": "CA$",
    "a$": "A$",
    "au$": "A$",
    "aud": "A$",
    "hk$": "HK$",
    "hkd": "HK$",
    "r$": "R$",
    "brl": "R$",
    "nz$": "NZ$",
    "nzd": "NZ$",
    "sek": "SEK",
    "nok": "NOK",
    "dkk": "DKK",
    "kr": "",  # any of the three
    "pln": "zł",
    "zł": "zł",
    "czk": "Kč",
    "kč": "Kč",
    "rub": "₽",
    "₽": "₽",
    "₺": "₺",
    "%": "%",
    "percent": "%",
    "per cent": "%",
    "pct": "%",
}
_SCALES: Final = {
    "": 1,
    "hundred": 100,
    **SCALES,
    "bn": 10**9,
    "mio": 10**6,
    "k": 10**3,
    "m": 10**6,
    "b": 10**9,
}

_CODES: Final = (
    "(?:USD|EUR|GBP|JPY|CNY|RMB|INR|KRW|CHF|CAD|AUD|HKD|NZD|BRL|SEK|NOK|DKK|PLN|CZK|RUB)"
)
_BEFORE: Final = rf"(?:US|CA|AU|HK|NZ|C|A|R)?\$|[€£¥₹₩₽₺]|{_CODES}|Rs\.?|[Kk]r(?=\s)"
_AFTER: Final = (
    r"%|(?i:percent|per\ cent|pct|dollars?|euros?|yen|yuan)(?!\p{L})"
    rf"|[€£¥₹₩₽₺]|(?:{_CODES}|kr|zł|Kč)(?!\p{{L}})"
)
_THIN: Final = "'\u00a0\u202f\u2009"
_FRACTIONS: Final = {
    "½": ".5",
    "¼": ".25",
    "¾": ".75",
    "⅛": ".125",
    "⅜": ".375",
    "⅝": ".625",
    "⅞": ".875",
}
_FRACTION_SIGNS: Final = str.maketrans(_FRACTIONS)

_MONTH: Final = (
    r"(?i:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)(?!\p{L})\.?"
)
_YEAR: Final = r"(?P<year>(?:1\d|20)\d\d)"
_DAY: Final = r"\d{1,2}(?:st|nd|rd|th)?"
_EDGE, _END = r"(?<![\w.])", r"(?![\w]|[.:/-]\d)"
_DATES: Final = tuple(
    regex.compile(_EDGE + body + _END)
    for body in (
        rf"{_YEAR}([-/.])(?:0?[1-9]|1[0-2])\2(?:0?[1-9]|[12]\d|3[01])"
        r"(?:[T ]\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?Z?)?",
        rf"(?:0?[1-9]|[12]\d|3[01])([-/.])(?:0?[1-9]|[12]\d|3[01])\1{_YEAR}",
        rf"{_MONTH}\s{_DAY},?\s{_YEAR}",
        rf"{_DAY}(?:\sof)?\s{_MONTH},?\s{_YEAR}",
        rf"{_MONTH},?\s{_YEAR}",
        rf"{_MONTH}\s{_DAY}",
        rf"{_DAY}(?:\sof)?\s(?!(?i:may\s)){_MONTH}",
    )
)
_NOISE: Final = regex.compile(
    r"(?:https?://|www\.)[^\s<>\"]+|[\w.+-]{1,64}@[\w-]{1,63}\.[\w.-]{1,190}"  # addresses
    r"|(?<=\S)\[\d{1,3}(?:\s?[,-]\s?\d{1,3})*\]|(?<=\S\s)\[(?P<note>\d{1,3})\]"  # footnotes
    r"|(?<![\w.:])\d{1,2}:\d\d(?::\d\d)?(?![\d:])"  # times of day
    r"|\bout\s+of\s+(?:a\s+possible\s+)?\d+(?:\.\d+)?"  # the scale of a rating
    r"|(?<=(?<![\d/.,])\d{1,9}(?:[.,]\d{1,3})?)"  # 4.5/5, 3 of 12
    r"(?:\s?/\s?(?P<scale>5|10|20|100)|\sof\s(?P<total>\d{1,9}))(?![\d/]|[.,]\d)"
)
_RATING: Final = regex.compile(
    r"(?<![\w.,/])(\d{1,2})[.,](\d{1,2})"
    r"(?=\s?/\s?(?:5|10|20|100)(?![\d/]|[.,]\d)|\sof\s(?:5|10|20|100)\b|\sout\s+of\s)"
)
"""A mark and its scale: here a comma is a point, whatever the locale."""
_VERSION: Final = regex.compile(r"(?<![\w.])[vV]?\d+(?:\.\d+){2,}\w*")
_V_NUMBER: Final = regex.compile(r"(?<![\w.])[vV](?P<version>\d+(?:\.\d+)?)(?!\w|\.\d)")
_GROUPED: Final = regex.compile(r"\d{1,3}(?:\.\d{3})+")
_MINUS: Final = regex.compile(r"(?i)\b(?:minus|negative)\s(?=[\d$€£¥])")
_MARKER: Final = regex.compile(r"(?m)^[ \t]*\(?\d{1,3}[.)](?=\s+\S)")


_YEAR_OF_DATE, _LONE_ONE, _NOTE, _SCALE, _OF_VERSION = 1, 2, 3, 4, 5
_RANK_OF_GROUP: Final = {
    "year": _YEAR_OF_DATE,
    "note": _NOTE,
    "scale": _SCALE,
    "total": _SCALE,
    "version": _OF_VERSION,
}
RANKS: Final = 1 + max(_RANK_OF_GROUP.values())


class Quantity(NamedTuple):
    """A number as it was written."""

    value: Decimal
    unit: str = ""
    """A currency, ``%`` or nothing."""
    decimals: str = ""
    """The digits behind the point, as written."""
    start: int = 0
    """Where it begins in the prepared text."""
    rank: int = 0
    """Above 0 for a date's year, a lone "one", a bracketed ``[5]``, the 5 of ``4.5/5``, ``v5``.

    A number of higher rank counts only if none of a lower one does.
    """
    quoted: bool = False
    """Whether it comes from a text; a plain JSON number does not."""


def same(wanted: Quantity, actual: Quantity) -> bool:
    """Whether two numbers are equal, to the last digit; a unit must not differ from another unit.

    ``"3.1"`` in quotes is not ``3.10``: that may be a version.
    """
    if wanted.value != actual.value or (wanted.unit and actual.unit and wanted.unit != actual.unit):
        return False
    exact = wanted.quoted and actual.quoted and not wanted.unit and not actual.unit
    return not (exact and wanted.decimals.strip("0") and wanted.decimals != actual.decimals)


def quantity(value: Value, locale: str = "en") -> Quantity | None:
    """``value`` as a number, if all of it is one.

    ``1,234.5``, ``$5`` and ``25%`` are; ``1,2345``, ``007`` and ``12 kg`` are not.
    """
    if isinstance(value, bool) or value is MISSING or value is None:
        return None
    if isinstance(value, Decimal):
        return Quantity(value)
    if isinstance(value, int | float):
        return _plain_number(value)
    if not isinstance(value, str) or len(value) > 4 * MOST_DIGITS:
        return None
    match = _pattern(writes_comma(locale), spaced=True).fullmatch(prepare(value).strip())
    found = match and _read(match, writes_comma(locale))
    if not found or _is_version(found):
        return None
    return found._replace(start=0)


def _plain_number(value: float) -> Quantity | None:
    text = repr(value)
    if len(text) > MOST_DIGITS or text in ("inf", "-inf", "nan"):
        return None
    if "e" in text:
        return Quantity(Decimal(text))
    return Quantity(Decimal(text), decimals=text.partition(".")[2])


def _is_version(found: Quantity) -> bool:
    """``3.10`` is more likely a version than a number, unless a unit says otherwise."""
    return not found.unit and found.decimals.endswith("0") and found.decimals.strip("0") != ""


def number(value: Value, locale: str = "en") -> Decimal | None:
    """The bare value of `quantity`."""
    found = quantity(value, locale)
    return None if found is None else found.value


def in_text(value: Value, locale: str = "en") -> list[Quantity]:
    """The one number that all of ``value`` is, or else the numbers that a text holds."""
    whole = quantity(value, locale)
    if whole is not None:
        return [whole]
    found = quantities(prepare(str(value)), locale)
    return [one for one in found if one.rank == 0] or found


def prepare(text: str) -> str:
    """``text`` with digits and signs in one form.

    Superscripts and subscripts are dropped: they are footnotes or units.
    """
    folded = _MINUS.sub("-", fold(text).translate(_FRACTION_SIGNS))
    return folded if folded.isascii() else "".join(map(_digit, folded))


def _digit(char: str) -> str:
    if char in _THIN or char.isascii():
        return char
    form = unicodedata.decomposition(char)
    if form.startswith(("<super>", "<sub>")):
        return ""
    value = unicodedata.decimal(char, None)
    if value is not None:
        return str(value)
    if form.startswith("<wide>"):
        return unicodedata.normalize("NFKC", char)
    return char


def quantities(prepared: str, locale: str = "en", *, spaced: bool = False) -> list[Quantity]:
    """Every number in a `prepare`-d text, in order.

    With ``spaced``, ``1 239 722`` is one number and not three.
    """
    comma = writes_comma(locale)
    extra: list[Quantity] = []
    text = _without_noise(prepared, extra, comma)
    found = extra
    for match in _pattern(comma, spaced).finditer(text):
        if (quantity := _read(match, comma)) is not None:
            found.append(quantity)
    for one in spelt(text.lower()):
        rank = _LONE_ONE if one.lone_one else 0
        found.append(Quantity(Decimal(one.value), start=one.start, rank=rank))
    return sorted(found, key=lambda one: one.start)


def _without_noise(text: str, extra: list[Quantity], comma: bool) -> str:
    """``text`` with all that only looks like a number blanked out, positions kept.

    Years of dates and bracketed digits are added to ``extra``: they may be numbers after all.
    """

    def blank(match: regex.Match[str]) -> str:
        for group, rank in _RANK_OF_GROUP.items():
            if group in match.re.groupindex and match[group]:
                decimals = match[group].partition(".")[2]
                extra.append(
                    Quantity(
                        Decimal(match[group]),
                        decimals=decimals,
                        start=match.start(group),
                        rank=rank,
                        quoted=True,
                    )
                )
        return "\x00" * len(match.group())

    def blank_version(match: regex.Match[str]) -> str:
        if comma and _GROUPED.fullmatch(match.group()):
            return str(match.group())
        return blank(match)

    text = _NOISE.sub(blank, _RATING.sub(_with_point_of(comma), text))
    for date in _DATES:
        text = date.sub(blank, text)
    text = _V_NUMBER.sub(blank, _VERSION.sub(blank_version, text))
    # One line that begins with "12." may be a sentence; several are a list.
    if len(_MARKER.findall(text)) > 1:
        text = _MARKER.sub(blank, text)
    return text


def _with_point_of(comma: bool) -> str:
    return r"\1,\2" if comma else r"\1.\2"


@lru_cache
def _pattern(comma: bool, spaced: bool) -> regex.Pattern[str]:
    group, point = (r"\.", ",") if comma else (",", r"\.")
    thin = f"{_THIN} " if spaced else _THIN
    money = rf"(?:(?<=(?:{_BEFORE})\s?)|(?=[\d.,]{{1,{MOST_DIGITS}}}\s?(?:{_AFTER})))"
    body = (
        # Cents and percents behind the other locale's point, and grouping by lakh.
        rf"{money}\d+{group}\d{{1,2}}(?![.,]?\d)"
        r"|\d{1,2}(?:,\d{2})+,\d{3}(?![,\d])(?:\.\d+)?|"
        # The other locale's form, where it is unmistakable.
        rf"\d{{1,3}}(?:{point}\d{{3}})+{group}\d+(?![.,]?\d)"
        rf"|\d{{1,3}}(?P<sep>[{thin}]|{group})\d{{3}}(?:(?P=sep)\d{{3}})*(?!\d)(?:{point}\d+)?"
        rf"|\d+(?:{point}\d+)?(?:[eE][+-]?\d{{1,3}}(?![\w]))?|{point}\d+"
    )
    return regex.compile(
        rf"(?<![\p{{L}}\p{{N}}_])(?<!\p{{L}}-)(?<sign>(?<![\w)%])(?<!\d\s)[-+])?"
        rf"(?:(?<before>{_BEFORE})\s?(?<inner>-)?)?"
        rf"(?<body>{body})(?!\p{{L}}{{1,20}}\d|D\b)"
        r"(?:\s?(?<scale>(?i:hundred|thousand|million|billion|trillion|bn|mio)|(?<=\d)[kKMB])"
        r"(?![\p{L}\p{N}]))?"
        rf"(?:\s?(?<after>{_AFTER}))?"
    )


def _read(match: regex.Match[str], comma: bool) -> Quantity | None:
    body: str = match["body"]
    is_name = body[0] == "0" and body[1:2].isdigit()  # such as 007
    if is_name or sum(map(str.isdigit, body)) > MOST_DIGITS:
        return None
    whole, decimals, exponent = _parts(body, comma)
    scale = (match["scale"] or "").lower()
    # The product has the 28 digits of decimal's default context, whatever was written.
    value = Decimal(f"{whole or '0'}.{decimals or '0'}{exponent}") * _SCALES[scale]
    if "-" in (match["sign"], match["inner"]):
        value = -value
    unit = (match["before"] or match["after"] or "").lower()
    return Quantity(
        value,
        unit=_UNITS[unit] if unit else "",
        decimals="" if scale else decimals,
        start=match.start(),
        quoted=True,
    )


def _parts(body: str, comma: bool) -> tuple[str, str, str]:
    """Whole part, decimals and exponent of digits as written."""
    body, _, exponent = body.lower().partition("e")
    point = "," if comma else "."
    if "," in body and "." in body:
        point = max(",.", key=body.rfind)
    elif regex.search(r"\A\d+[.,]\d{1,2}\Z", body):
        point = "." if "." in body else ","
    whole, decimals = body, ""
    if point in body:
        whole, _, decimals = body.rpartition(point)
    digits = "".join(filter(str.isdigit, whole))
    if exponent:
        exponent = f"e{exponent}"
    return digits, decimals, exponent
