"""Keeps secrets out of every file: the one place that knows them and takes them out.

Secrets are the values of environment variables that the user names, and what was typed into
password fields. Parameters of requests are judged by their names as well, see `redact_fields`.
"""

from __future__ import annotations

import html
import json
import quopri
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cached_property
from itertools import pairwise, zip_longest
from typing import Any, Final, Literal, TypeVar, get_origin
from urllib.parse import quote, quote_plus, unquote, unquote_plus, urlsplit, urlunsplit

from ..errors import SettingsError
from .models import Evidence, Read, Record

MASK: Final = "[redacted]"
SHORTEST: Final = 4
"""Shorter values occur everywhere; masking them would leave no text readable."""
_FEW: Final = 100
"""Forms of secrets up to which it is quicker to look for each of them."""
_TELLTALE: Final = frozenset(
    [
        "accesstoken",
        "apikey",
        "authorization",
        "authtoken",
        "bearer",
        "cookie",
        "credential",
        "credentials",
        "csrf",
        "csrfmiddlewaretoken",
        "jwt",
        "otp",
        "passcode",
        "passphrase",
        "passwd",
        "password",
        "pwd",
        "secret",
        "sessionid",
        "sig",
        "signature",
        "token",
        "xsrf",
    ]
)
_TELLTALE_NAMES: Final = frozenset({"auth", "key", "pass", "pin", "session", "sid"})
"""Telltale as a whole name only: there is ``sort_key``."""
_TELLTALE_PAIRS: Final = frozenset({("api", "key"), ("access", "key"), ("session", "id")})

_USER: Final = re.compile(r"([A-Za-z][A-Za-z0-9+.-]{1,20}://)[^\s/?#@\"'<>\\]{1,200}@")
"""User name and password in an address."""
_SHORTEST_TOKEN: Final = 8
_SHORTEST_OPTION: Final = 6
_HEADER: Final = re.compile(r"([A-Za-z][\w-]*):\s*(?:(?:Basic|Bearer|Token)\s+)?(\S+)")
_ASSIGNMENT: Final = re.compile(r"-{0,2}([A-Za-z][\w.-]*)=(.+)", re.DOTALL)

RecordT = TypeVar("RecordT", bound=Record)


class Redactor:
    """Replaces known secrets.

    `child` makes one for an episode, which also learns the passwords typed in it.
    """

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        self._given = frozenset(secret for secret in secrets if len(secret) >= SHORTEST)
        self._learned: set[str] = set()
        self._typed: dict[str, str] = {}
        self._open: set[str] = set()

    @classmethod
    def from_environment(cls, names: Iterable[str], environment: Mapping[str, str]) -> Redactor:
        """A redactor for the values of these variables; `SettingsError` if one is too short."""
        values = {name: environment[name] for name in names if environment.get(name)}
        for name, value in values.items():
            if len(value) < SHORTEST:
                raise SettingsError(
                    f"webbench_secrets: the value of {name} has fewer than {SHORTEST} characters "
                    "and would be found in ordinary text; use a longer one, or take the name off "
                    "the list"
                )
        return cls(values.values())

    def also(self, secrets: Iterable[str]) -> Redactor:
        """One that hides these as well."""
        return Redactor({*self._given, *secrets})

    def child(self) -> Redactor:
        """A redactor with the same secrets; what it learns stays with it."""
        return Redactor(self._given)

    @property
    def _secrets(self) -> frozenset[str]:
        return self._given | self._learned

    def learn(self, secret: str, field: str) -> None:
        """From now on this is a secret, unless the same was typed into an open field.

        A password is typed letter by letter: in one ``field``, a value that continues the one
        before takes its place.
        """
        before = self._typed.get(field)
        self._typed[field] = secret
        if before is not None and before != secret and secret.startswith(before):
            self._learned.discard(before)
        if len(secret) >= SHORTEST and secret not in self._open:
            self._learned.add(secret)
        self._forget_forms()

    def learn_address(self, url: str) -> None:
        """What is secret in an address is secret wherever it occurs."""
        for secret in secrets_in_address(url):
            if secret not in self._open:
                self._learned.add(secret)
                self._forget_forms()

    def _forget_forms(self) -> None:
        for cached in ("_forms", "_by_beginning"):  # they lack the new secret
            self.__dict__.pop(cached, None)

    @property
    def has_learned(self) -> bool:
        """Whether there are secrets that were not known from the beginning."""
        return bool(self._learned)

    def seen_in_the_open(self, text: str) -> None:
        """This was typed into a field that shows it: it is no secret, even if it is a password."""
        self._open.add(text)

    @cached_property
    def _forms(self) -> tuple[str, ...]:
        """All that is to be masked, the longest first.

        A secret that begins with another one must not leave its rest behind.
        """
        forms: set[str] = set()
        for secret in self._secrets:
            forms |= _forms(secret)
        return tuple(sorted(forms, key=_longest_first))

    def text(self, text: str) -> str:
        """``text`` without secrets, however they are quoted in it."""
        if "://" in text and "@" in text:
            text = _USER.sub(rf"\1{MASK}@", text)
        # A pattern tries each of its words at each place; most secrets occur nowhere.
        found = self._in(text)
        return re.sub("|".join(map(re.escape, found)), MASK, text) if found else text

    def data(self, value: Any) -> Any:
        """JSON data without secrets in its strings; names of members stay."""
        return self._value(value, keys=False)

    def mhtml(self, text: str) -> str:
        """The same for an archive in MIME HTML.

        It is quoted-printable: lines may break within words, bytes may be written ``=XX``.
        """
        plain = quopri.decodestring(text.encode("utf-8", "replace")).decode("utf-8", "replace")
        for form in sorted({*self._in(plain), *self._in(text)}, key=_longest_first):
            text = re.sub(r"(?:=\r?\n)?".join(map(_printable, form)), MASK, text)
        return _USER.sub(rf"\1{MASK}@", text)

    def _in(self, text: str) -> list[str]:
        """What is to be masked in ``text``, the longest first."""
        if len(self._forms) <= _FEW:
            return [form for form in self._forms if form in text]
        # A page can have thousands of password fields: one walk for all of them.
        found = set()
        for place in range(len(text) - SHORTEST + 1):
            for form in self._by_beginning.get(text[place : place + SHORTEST], ()):
                if form not in found and text.startswith(form, place):
                    found.add(form)
        return sorted(found, key=_longest_first)

    @cached_property
    def _by_beginning(self) -> dict[str, list[str]]:
        groups: dict[str, list[str]] = {}
        for form in self._forms:
            groups.setdefault(form[:SHORTEST], []).append(form)
        return groups

    def record(self, record: RecordT) -> RecordT:
        """A record without secrets; words of the format and names from the task file stay."""
        changes = {}
        for name, field in type(record).model_fields.items():
            if get_origin(field.annotation) is Literal:
                continue
            # Keys of what probes have read are names from the task file.
            named_by_task = isinstance(record, Read) or (type(record), name) == (Evidence, "reads")
            changes[name] = self._value(getattr(record, name), keys=not named_by_task)
        redacted = record.model_copy(update=changes)
        return record if redacted == record else redacted

    def _value(self, value: Any, *, keys: bool) -> Any:
        if isinstance(value, str) and not isinstance(value, StrEnum):
            return self.text(value)
        if isinstance(value, Record):
            return self.record(value)
        if isinstance(value, dict):
            redacted = {}
            for key, one in value.items():
                redacted[self.text(key) if keys else key] = self._value(one, keys=keys)
            return redacted
        if isinstance(value, list | tuple):
            return type(value)(self._value(one, keys=keys) for one in value)
        return value


def _longest_first(text: str) -> tuple[int, str]:
    return -len(text), text


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
    """A pattern for one character, as it is or in quoted-printable."""
    coded = r"(?:=\r?\n)?".join(f"={byte:02X}" for byte in character.encode("utf-8", "replace"))
    return f"(?:{coded}|{re.escape(character)})"


# -- requests ------------------------------------------------------------------------------------


def telltale(name: str) -> bool:
    """Whether a parameter of this name is secret: ``token``, ``user[password]``, ``apiKey`` ..."""
    words = re.findall("[a-z]+", re.sub("(?<=[a-z])(?=[A-Z])", "_", name).casefold())
    if len(words) == 1 and words[0] in _TELLTALE_NAMES:
        return True
    return not (_TELLTALE.isdisjoint(words) and _TELLTALE_PAIRS.isdisjoint(pairwise(words)))


def secrets_in_address(url: str) -> Iterator[str]:
    """The password in an address, and what looks like a token in its query or fragment.

    A parameter that is called ``key``, say, is none: its value may be a word of the page.
    """
    try:
        parts = urlsplit(url)
        password = parts.password
    except ValueError:
        return
    if password and len(password) >= SHORTEST:
        yield unquote(password)
    for text in (parts.query, parts.fragment):
        for piece in text.split("&"):
            name, _, value = piece.partition("=")
            value = unquote_plus(value)
            if telltale(name) and name.casefold() not in _TELLTALE_NAMES and _is_token(value):
                yield value


def _is_token(value: str) -> bool:
    has_both = re.search("[0-9]", value) and re.search("[A-Za-z]", value)
    return len(value) >= _SHORTEST_TOKEN and bool(has_both)


def secrets_in_options(value: Any) -> Iterator[str]:
    """What is secret in JSON data that a user wrote: members with telltale names, at any depth.

    A list of words is read as a command line as well.
    """
    if isinstance(value, dict):
        for name, one in value.items():
            if isinstance(one, str) and telltale(str(name)) and len(one) >= _SHORTEST_OPTION:
                yield one
            yield from secrets_in_options(one)
    elif isinstance(value, list):
        yield from secrets_in_command([word for word in value if isinstance(word, str)])
        for one in value:
            yield from secrets_in_options(one)
    elif isinstance(value, str):
        yield from secrets_in_address(value)


def secrets_in_command(words: Sequence[str]) -> Iterator[str]:
    """What is secret on a command line.

    It is ``--api-key X``, ``--token=X``, ``KEY=X``, a header such as ``Authorization: Bearer X``,
    and what is secret in an address.
    """
    for word, following in zip_longest(words, words[1:], fillvalue=""):
        found = ""
        if assigned := _ASSIGNMENT.fullmatch(word):
            found = assigned[2] if telltale(assigned[1]) else ""
        elif header := _HEADER.fullmatch(word):
            is_secret = telltale(header[1]) or header[1].casefold() == "authorization"
            found = header[2] if is_secret else ""
        elif word.startswith("-") and telltale(word) and not following.startswith("-"):
            found = following
        if len(found) >= _SHORTEST_OPTION:
            yield found
        yield from secrets_in_address(word)


def redact_address(url: str) -> str:
    """An address with telltale parameters masked, and without user and password before the host."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return url.partition("?")[0]
    host = parts.netloc.rpartition("@")[2]
    query = "&".join(map(_masked, parts.query.split("&")))
    return urlunsplit(parts._replace(netloc=host, query=query))


def _masked(piece: str) -> str:
    name, _, value = piece.partition("=")
    if value and telltale(name):
        return f"{name}={quote(MASK, safe='[]')}"
    return piece


def redact_fields(value: Any) -> Any:
    """The same for the members of what was sent, at any depth."""
    if isinstance(value, dict):
        redacted = {}
        for key, one in value.items():
            redacted[key] = _mask_of(one) if telltale(str(key)) else redact_fields(one)
        return redacted
    if isinstance(value, list):
        return [redact_fields(one) for one in value]
    return value


def _mask_of(value: Any) -> Any:
    """A mask of the same shape, so that one can still see whether anything was sent."""
    if isinstance(value, list):
        return [_mask_of(one) for one in value]
    return value if value in (None, "", True, False) else MASK
