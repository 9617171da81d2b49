"""Numbers as people write them, exact: digits grouped by locale, money, percentages, ``1.2 million``, ``twenty-one``.

Not every digit is a number of the answer: dates, times, versions, footnotes, addresses and list markers are none.
"""

from __future__ import annotations

import unicodedata
from decimal import Decimal
from functools import lru_cache
from typing import Annotated, Final, NamedTuple

import regex
from pydantic import Field

from .base import MISSING, Value
from .normal import FOLD
from .words import SCALES, spelt

Locale = Annotated[
    str, Field(pattern=r"^[a-zA-Z]{2,3}([_-][A-Za-z0-9]+)*$", description="how numbers are written, e.g. `en` or `de`")
]

MOST_DIGITS: Final = 40
"""A longer run of digits is an identifier, not a number."""

_COMMA_LANGUAGES: Final = frozenset({
    "az", "be", "bg", "bs", "ca", "cs", "da", "de", "el", "es", "et", "eu", "fi", "fr", "gl", "hr", "hu", "hy", "id",
    "is", "it", "ka", "kk", "lt", "lv", "mk", "nb", "nl", "nn", "no", "pl", "pt", "ro", "ru", "sk", "sl", "sq", "sr",
    "sv", "tr", "uk", "uz", "vi",
})  # fmt: skip
_POINT_REGIONS: Final = frozenset({
    "de-ch", "de-li", "it-ch", "es-do", "es-gt", "es-hn", "es-mx", "es-ni", "es-pa", "es-pe", "es-pr", "es-sv", "es-us",
})  # fmt: skip

_UNITS: Final = {
    "$": "$", "us$": "$", "usd": "$", "dollar": "$", "dollars": "$", "€": "€", "eur": "€", "euro": "€", "euros": "€",
    "£": "£", "gbp": "£", "¥": "¥", "jpy": "¥", "yen": "¥", "cny": "CN¥", "rmb": "CN¥", "yuan": "CN¥", "₹": "₹",
    "inr": "₹", "rs": "₹", "rs.": "₹", "₩": "₩", "krw": "₩", "chf": "CHF", "ca$": "CA$", "c$": "CA$", "cad": "CA$",
    "a$": "A$", "au$": "A$", "aud": "A$", "hk$": "HK$", "hkd": "HK$", "%": "%", "percent": "%", "per cent": "%",
    "pct": "%",
}  # fmt: skip
_SCALES: Final = {"hundred": 100, **SCALES, "bn": 10**9, "mio": 10**6, "k": 10**3, "m": 10**6, "b": 10**9}

_BEFORE: Final = r"(?:US|CA|AU|HK|C|A)?\$|[€£¥₹₩]|(?:USD|EUR|GBP|JPY|CNY|RMB|INR|KRW|CHF|CAD|AUD|HKD|Rs\.?)"
_AFTER: Final = (
    r"%|(?i:percent|per\ cent|pct|dollars?|euros?|yen|yuan)(?!\p{L})"
    r"|[€£¥₹₩]|(?:USD|EUR|GBP|JPY|CNY|RMB|INR|KRW|CHF|CAD|AUD|HKD)(?!\p{L})"
)
_THIN: Final = "'\u00a0\u202f\u2009"
_FRACTIONS: Final = {"½": ".5", "¼": ".25", "¾": ".75", "⅛": ".125", "⅜": ".375", "⅝": ".625", "⅞": ".875"}
_FOLD: Final = FOLD | str.maketrans(_FRACTIONS)

_MONTH: Final = (
    r"(?i:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)(?!\p{L})\.?"
)
_YEAR: Final = r"(?P<year>(?:1\d|20)\d\d)"
_DAY: Final = r"\d{1,2}(?:st|nd|rd|th)?"
_EDGE, _END = r"(?<![\w.])", r"(?![\w]|[.:/-]\d)"
_DATES: Final = tuple(
    regex.compile(_EDGE + body + _END)
    for body in (
        rf"{_YEAR}([-/.])(?:0?[1-9]|1[0-2])\2(?:0?[1-9]|[12]\d|3[01])(?:[T ]\d{{1,2}}:\d\d(?::\d\d(?:\.\d+)?)?Z?)?",
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
)
_VERSION: Final = regex.compile(r"(?<![\w.])[vV]?\d+(?:\.\d+){2,}\w*")
_MINUS: Final = regex.compile(r"(?i)\b(?:minus|negative)\s(?=[\d$€£¥])")
_MARKER: Final = regex.compile(r"(?m)^[ \t]*\(?\d{1,3}[.)](?=\s+\S)")


_YEAR_OF_DATE, _LONE_ONE, _NOTE = 1, 2, 3


class Quantity(NamedTuple):
    """A number with its unit (money or ``%``), its decimals as written, and where it stands in the prepared text.

    A number of higher ``rank`` (a date's year, a lone "one", a bracketed ``[5]``) counts only where no lower one does.
    """

    value: Decimal
    unit: str = ""
    decimals: str = ""
    start: int = 0
    rank: int = 0
    quoted: bool = False


def same(wanted: Quantity, actual: Quantity) -> bool:
    """Whether two numbers are equal, to the last digit; a unit must not differ from another unit.

    ``"3.1"`` in quotes is not ``3.10``: that may be a version.
    """
    if wanted.value != actual.value or (wanted.unit and actual.unit and wanted.unit != actual.unit):
        return False
    exact = wanted.quoted and actual.quoted and not wanted.unit and not actual.unit
    return not (exact and wanted.decimals.strip("0") and wanted.decimals != actual.decimals)


def quantity(value: Value, locale: str = "en") -> Quantity | None:
    """``value`` as a number, if all of it is one: ``1,234.5``, ``$5``, ``25%``; not ``1,2345``, ``007``, ``12 kg``."""
    if isinstance(value, bool) or value is MISSING or value is None:
        return None
    if isinstance(value, Decimal):
        return Quantity(value)
    if isinstance(value, int | float):
        return _plain_number(value)
    if not isinstance(value, str) or len(value) > 4 * MOST_DIGITS:
        return None
    match = _pattern(_comma(locale), spaced=True).fullmatch(prepare(value).strip())
    found = match and _read(match, _comma(locale))
    return found._replace(start=0) if found and not _is_version(found) else None


def _plain_number(value: float) -> Quantity | None:
    text = repr(value)
    if len(text) > MOST_DIGITS or text in ("inf", "-inf", "nan"):
        return None
    return Quantity(Decimal(text), decimals=text.partition(".")[2] if "e" not in text else "")


def _is_version(found: Quantity) -> bool:
    """``3.10`` is more likely a version than a number, unless a unit says otherwise."""
    return not found.unit and found.decimals.endswith("0") and found.decimals.strip("0") != ""


def number(value: Value, locale: str = "en") -> Decimal | None:
    """The bare value of `quantity`."""
    found = quantity(value, locale)
    return None if found is None else found.value


def prepare(text: str) -> str:
    """``text`` with digits and signs in one form; superscripts and subscripts go, they are footnotes or units."""
    folded = _MINUS.sub("-", text.translate(_FOLD))
    return "".join(_digit(char) for char in folded) if not folded.isascii() else folded


def _digit(char: str) -> str:
    if char in _THIN or char.isascii():
        return char
    form = unicodedata.decomposition(char)
    if form.startswith(("<super>", "<sub>")):
        return ""
    value = unicodedata.decimal(char, None)
    if value is not None:
        return str(value)
    return unicodedata.normalize("NFKC", char) if form.startswith("<wide>") else char


def quantities(prepared: str, locale: str = "en", *, spaced: bool = False) -> list[Quantity]:
    """Every number in a `prepare`-d text; with ``spaced``, ``1 239 722`` is one number and not three."""
    comma = _comma(locale)
    extra: list[Quantity] = []
    text = _without_noise(prepared, extra, comma)
    digits = [found for match in _pattern(comma, spaced).finditer(text) if (found := _read(match, comma)) is not None]
    spoken = [
        Quantity(Decimal(one.value), start=one.start, rank=_LONE_ONE * one.lone_one) for one in spelt(text.lower())
    ]
    return sorted([*digits, *spoken, *extra], key=lambda found: found.start)


def _without_noise(text: str, extra: list[Quantity], comma: bool) -> str:
    """``text`` with all that only looks like numbers blanked out, positions kept."""

    def blank(match: regex.Match[str]) -> str:
        for group, rank in (("year", _YEAR_OF_DATE), ("note", _NOTE)):
            if group in match.re.groupindex and match[group]:
                extra.append(Quantity(Decimal(match[group]), start=match.start(group), rank=rank))
        return "\x00" * len(match.group())

    text = _NOISE.sub(blank, text)
    for date in _DATES:
        text = date.sub(blank, text)
    text = _VERSION.sub(lambda match: match.group() if comma and _grouped(match.group()) else blank(match), text)
    return _MARKER.sub(blank, text) if len(_MARKER.findall(text)) > 1 else text


def _grouped(digits: str) -> bool:
    return regex.fullmatch(r"\d{1,3}(?:\.\d{3})+", digits) is not None


def _comma(locale: str) -> bool:
    """Whether this locale writes 1.234,5."""
    name = locale.lower().replace("_", "-")
    return name.split("-")[0] in _COMMA_LANGUAGES and name not in _POINT_REGIONS


@lru_cache
def _pattern(comma: bool, spaced: bool) -> regex.Pattern[str]:
    group, point = (r"\.", ",") if comma else (",", r"\.")
    thin = _THIN + (" " if spaced else "")
    body = (
        rf"\d{{1,3}}(?:{point}\d{{3}})+{group}\d+(?![.,]?\d)"  # the other locale's form, where it is unmistakable
        rf"|\d{{1,3}}(?P<sep>[{thin}]|{group})\d{{3}}(?:(?P=sep)\d{{3}})*(?!\d)(?:{point}\d+)?"
        rf"|\d+(?:{point}\d+)?(?:[eE][+-]?\d{{1,3}}(?![\w]))?|{point}\d+"
    )
    return regex.compile(
        rf"(?<![\p{{L}}\p{{N}}_])(?<!\p{{L}}-)(?<sign>(?<![\w)%])(?<!\d\s)[-+])?(?:(?<before>{_BEFORE})\s?(?<inner>-)?)?"
        rf"(?<body>{body})(?!\p{{L}}{{1,20}}\d)"
        r"(?:\s?(?<scale>(?i:hundred|thousand|million|billion|trillion|bn|mio)|(?<=\d)[kKMB])(?![\p{L}\p{N}]))?"
        rf"(?:\s?(?<after>{_AFTER}))?"
    )


def _read(match: regex.Match[str], comma: bool) -> Quantity | None:
    body: str = match["body"]
    if sum(map(str.isdigit, body)) > MOST_DIGITS or (body[0] == "0" and body[1:2].isdigit()):
        return None  # ``007`` is a name
    whole, decimals, exponent = _parts(body, comma)
    value = Decimal(f"{whole or '0'}.{decimals or '0'}{exponent}")
    value *= _SCALES[match["scale"].lower()] if match["scale"] else 1
    negative = match["sign"] == "-" or match["inner"] == "-"
    money = match["before"] or match["after"]
    return Quantity(
        -value if negative else value,
        unit=_UNITS[money.lower()] if money else "",
        decimals="" if match["scale"] else decimals,
        start=match.start(),
        quoted=True,
    )


def _parts(body: str, comma: bool) -> tuple[str, str, str]:
    """Whole part, decimals and exponent of digits as written."""
    body, _, exponent = body.lower().partition("e")
    both = "," in body and "." in body
    point = max(",.", key=body.rfind) if both else "," if comma else "."
    whole, _, decimals = body.rpartition(point) if point in body else (body, "", "")
    digits = "".join(filter(str.isdigit, whole))
    return digits, decimals, f"e{exponent}" if exponent else ""
