"""Which locales write ``1.234,5`` and which ``1,234.5``."""

from __future__ import annotations

from typing import Final

_COMMA_LANGUAGES: Final = frozenset(
    [
        "az",
        "be",
        "bg",
        "bs",
        "ca",
        "cs",
        "da",
        "de",
        "el",
        "es",
        "et",
        "eu",
        "fi",
        "fr",
        "gl",
        "hr",
        "hu",
        "hy",
        "id",
        "is",
        "it",
        "ka",
        "kk",
        "lt",
        "lv",
        "mk",
        "nb",
        "nl",
        "nn",
        "no",
        "pl",
        "pt",
        "ro",
        "ru",
        "sk",
        "sl",
        "sq",
        "sr",
        "sv",
        "tr",
        "uk",
        "uz",
        "vi",
    ]
)
_POINT_REGIONS: Final = frozenset(
    [
        "de-ch",
        "de-li",
        "it-ch",
        "es-do",
        "es-gt",
        "es-hn",
        "es-mx",
        "es-ni",
        "es-pa",
        "es-pe",
        "es-pr",
        "es-sv",
        "es-us",
    ]
)


def writes_comma(locale: str) -> bool:
    """Whether this locale writes 1.234,5."""
    name = locale.lower().replace("_", "-")
    return name.split("-")[0] in _COMMA_LANGUAGES and name not in _POINT_REGIONS
