"""Keeps secrets out of every file: the one place that knows them and takes them out of texts and records.

Secrets are the values of environment variables that the user names, and what was typed into password fields. The
parameters of requests are judged by their names as well, see `redact_fields`.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable, Mapping
from enum import StrEnum
from functools import cached_property
from itertools import pairwise
from typing import Any, Final, Literal, TypeVar, get_origin
from urllib.parse import quote, quote_plus, urlsplit, urlunsplit

from ..errors import SettingsError
from .models import Evidence, Read, Record

MASK: Final = "[redacted]"
SHORTEST: Final = 4
"""Shorter values occur everywhere; taking them out would tear every text to pieces."""
_TELLTALE: Final = frozenset(
    {
        "accesstoken", "apikey", "authorization", "authtoken", "bearer", "cookie", "credential", "credentials", "csrf",
        "csrfmiddlewaretoken", "jwt", "otp", "passcode", "passphrase", "passwd", "password", "pwd", "secret",
        "sessionid", "sig", "signature", "token", "xsrf",
    }
)  # fmt: skip
_TELLTALE_NAMES: Final = frozenset({"auth", "key", "pass", "pin", "session", "sid"})
"""Telltale as a whole name only: there is ``sort_key``."""
_TELLTALE_PAIRS: Final = frozenset({("api", "key"), ("access", "key"), ("session", "id")})

RecordT = TypeVar("RecordT", bound=Record)


class Redactor:
    """Replaces known secrets. ``child`` makes one for an episode, which learns the passwords typed in it."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        self._given = frozenset(secret for secret in secrets if len(secret) >= SHORTEST)
        self._learned: set[str] = set()
        self._typed: dict[str, str] = {}
        self._open: set[str] = set()

    @classmethod
    def from_environment(cls, names: Iterable[str], environment: Mapping[str, str]) -> Redactor:
        """Takes out the values of these variables; `SettingsError` for one that is too short for that."""
        values = {name: environment[name] for name in names if environment.get(name)}
        for name, value in values.items():
            if len(value) < SHORTEST:
                raise SettingsError(
                    f"webbench_secrets: the value of {name} has fewer than {SHORTEST} characters, which cannot be told "
                    "from ordinary text; use a longer one, or take the name off the list"
                )
        return cls(values.values())

    def child(self) -> Redactor:
        """The same secrets; what it learns in addition is its own."""
        return Redactor(self._given)

    @property
    def _secrets(self) -> frozenset[str]:
        return self._given | self._learned

    def learn(self, secret: str, field: str) -> None:
        """From now on this is a secret, unless the same was typed in the open (a user name, say).

        In one field, each value that goes on from the one before takes its place: it is typed letter by letter.
        """
        before = self._typed.get(field)
        self._typed[field] = secret
        if before is not None and before != secret and secret.startswith(before):
            self._learned.discard(before)
        if len(secret) >= SHORTEST and secret not in self._open:
            self._learned.add(secret)
        self.__dict__.pop("_pattern", None)

    def seen_in_the_open(self, text: str) -> None:
        """This was typed into a field that shows it, so it is no password even if it serves as one."""
        self._open.add(text)

    @cached_property
    def _pattern(self) -> re.Pattern[str] | None:
        forms = {form for secret in self._secrets for form in _forms(secret)}
        longest_first = sorted(forms, key=lambda form: (-len(form), form))
        return re.compile("|".join(map(re.escape, longest_first))) if forms else None

    def text(self, text: str) -> str:
        """``text`` without secrets, however they are quoted in it."""
        return text if self._pattern is None else self._pattern.sub(MASK, text)

    def mhtml(self, text: str) -> str:
        """The same for an archive, where a line may break within a word and a byte may be written ``=XX``."""
        for secret in sorted(self._secrets, key=lambda one: (-len(one), one)):
            for form in sorted(_forms(secret)):
                text = re.sub(r"(?:=\r?\n)?".join(map(_printable, form)), MASK, text)
        return text

    def record(self, record: RecordT) -> RecordT:
        """A record without secrets; words of the format itself and names from the task file stay."""
        if self._pattern is None:
            return record
        changes = {}
        for name, field in type(record).model_fields.items():
            if get_origin(field.annotation) is not Literal:
                keys = not isinstance(record, Read) and not (isinstance(record, Evidence) and name == "reads")
                changes[name] = self._value(getattr(record, name), keys=keys)
        return record.model_copy(update=changes)

    def _value(self, value: Any, *, keys: bool) -> Any:
        if isinstance(value, str) and not isinstance(value, StrEnum):
            return self.text(value)
        if isinstance(value, Record):
            return self.record(value)
        if isinstance(value, dict):
            return {self.text(key) if keys else key: self._value(one, keys=keys) for key, one in value.items()}
        if isinstance(value, list | tuple):
            return type(value)(self._value(one, keys=keys) for one in value)
        return value


def _forms(secret: str) -> set[str]:
    """A secret as texts, addresses, HTML and JSON write it."""
    return {
        secret,
        quote(secret, safe=""),
        quote(secret),
        quote_plus(secret),
        html.escape(secret),
        html.escape(secret, quote=False),
        json.dumps(secret)[1:-1],
        json.dumps(secret, ensure_ascii=False)[1:-1],
    }


def _printable(character: str) -> str:
    """A pattern for one character, as it stands or in quoted-printable."""
    coded = r"(?:=\r?\n)?".join(f"={byte:02X}" for byte in character.encode("utf-8", "replace"))
    return f"(?:{coded}|{re.escape(character)})"


# -- requests ----------------------------------------------------------------------------------------------------------


def telltale(name: str) -> bool:
    """Whether a parameter of this name holds what opens doors: ``token``, ``user[password]``, ``apiKey`` ..."""
    words = re.findall("[a-z]+", re.sub("(?<=[a-z])(?=[A-Z])", "_", name).casefold())
    whole = len(words) == 1 and words[0] in _TELLTALE_NAMES
    return whole or not _TELLTALE.isdisjoint(words) or not _TELLTALE_PAIRS.isdisjoint(pairwise(words))


def redact_address(url: str) -> str:
    """An address with the values of telltale parameters masked, and without a password before the host."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return url.partition("?")[0]
    host = parts.netloc.rpartition("@")[2] if "@" in parts.netloc else parts.netloc
    pieces = [_masked(piece) for piece in parts.query.split("&")] if parts.query else []
    return urlunsplit(parts._replace(netloc=host, query="&".join(pieces)))


def _masked(piece: str) -> str:
    name, equals, value = piece.partition("=")
    return f"{name}={quote(MASK, safe='[]')}" if equals and value and telltale(name) else piece


def redact_fields(value: Any) -> Any:
    """The same for the members of what was sent, at any depth."""
    if isinstance(value, dict):
        return {key: _mask_of(one) if telltale(str(key)) else redact_fields(one) for key, one in value.items()}
    return [redact_fields(one) for one in value] if isinstance(value, list) else value


def _mask_of(value: Any) -> Any:
    """A mask of the same shape, so that one can still see whether anything was sent."""
    if isinstance(value, list):
        return [_mask_of(one) for one in value]
    return value if value in (None, "", True, False) else MASK
