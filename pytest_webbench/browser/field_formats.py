"""What fields of forms take, and what of a value has to be written in their way.

A field for dates and the like takes one way of writing alone, whatever way it shows. Of another
value it makes nothing, or something near it, and no word is said of that to whoever typed it.
"""

from __future__ import annotations

from contextlib import suppress
from types import MappingProxyType
from typing import Final

from playwright.sync_api import ElementHandle, Error, Locator

from ..errors import StepError

_FORMATS: Final = MappingProxyType(
    {
        "date": "a date as YYYY-MM-DD, such as 2024-12-31",
        "time": "a time as HH:MM, such as 17:05",
        "month": "a month as YYYY-MM, such as 2024-12",
        "week": "a week as YYYY-Www, such as 2024-W07",
        "datetime-local": "a date and time as YYYY-MM-DDTHH:MM, such as 2024-12-31T17:05",
        "color": "a colour as #rrggbb, such as #ff8800",
        "range": "a number",
        "number": "a number, such as 12.5",
    }
)
_TEXT_FOR_NUMBER: Final = "Cannot type text into input[type=number]"
_BLACK: Final = "#000000"


def fill(field: Locator | ElementHandle, text: str, *, name: str, milliseconds: float) -> None:
    """Replace the content of a field.

    `StepError`, which begins with ``name``, says what the field takes if it refuses ``text``;
    Playwright's `Error` if it is not ready in time.
    """
    kind = _kind(field, milliseconds)
    if kind not in _FORMATS:
        field.fill(text, timeout=milliseconds)
        return
    written = _as_written(kind, text)
    try:
        field.fill(written, timeout=milliseconds)
    except Error as error:
        if _TEXT_FOR_NUMBER not in error.message:
            raise
        raise StepError(f"{name} {_refusal(field, kind, text)}") from error
    if not _took(kind, written, field.input_value()):
        raise StepError(f"{name} {_refusal(field, kind, text)}")


def takes_format(kind: str) -> bool:
    """Whether an input of this ``type`` takes one way of writing alone."""
    return kind in _FORMATS


def _kind(field: Locator | ElementHandle, milliseconds: float) -> str:
    if isinstance(field, Locator):
        return (field.get_attribute("type", timeout=milliseconds) or "").lower()
    return (field.get_attribute("type") or "").lower()


def _as_written(kind: str, text: str) -> str:
    """``text`` in the field's way, where the difference is none to people."""
    written = text.strip()
    if kind == "color":
        return written.lower()
    if kind == "datetime-local":
        return written.replace(" ", "T", 1)
    if kind == "range":
        with suppress(ValueError):
            return f"{float(written):g}"
    return written


def _took(kind: str, written: str, now: str) -> bool:
    """Whether a field that shows ``now`` has taken what was ``written``."""
    if kind == "color":  # it knows names and other notations, and shows black for what it does not
        return now != _BLACK or written in ("", "black", "#000", _BLACK)
    if kind in ("time", "datetime-local"):  # it leaves out seconds that are none
        return bool(now) == bool(written) and written.startswith(now)
    return now == written


def _refusal(field: Locator | ElementHandle, kind: str, text: str) -> str:
    takes = _FORMATS[kind]
    bounds = [
        f"{words} {value}"
        for name, words in (("min", "from"), ("max", "up to"), ("step", "in steps of"))
        if (value := field.get_attribute(name))
    ]
    if bounds:
        takes += f" ({' '.join(bounds)})"
    now = field.input_value()
    holds = f"holds {now!r} now" if now else "is empty now"
    return f"refused {text!r} and {holds}: it takes {takes}"
