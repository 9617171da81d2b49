"""Patterns of addresses whose parameters are compared as sets, whatever their order."""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatchcase
from typing import Annotated, Any, Final
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from .._url import decoded, form_values
from .base import Issue, as_list
from .events import Pattern
from .normal import found

_SCALAR: Final = (str, int, float)
_TRACKING: Final = ("utm_*", "gclid", "fbclid", "msclkid")
"""Parameters that say where a visitor came from; they change no page."""

Wanted = str | int | float | list[str | int | float]
"""One value, or all values of a parameter that is given several times."""

Patterns = Annotated[list[Pattern], Field(min_length=1)]


class Params(BaseModel):
    """Conditions on an address's parameters: names are compared exactly, values in any case."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    exactly: dict[str, Wanted] | None = Field(
        None, description="these parameters with these values, and no others but `ignoring`"
    )
    includes: dict[str, Wanted] = Field(
        {}, description="these parameters with these values, among others"
    )
    matches: dict[str, Pattern | Patterns] = Field(
        {},
        description="parameters with a value in which this is found; a list says all values, in "
        "any order: each pattern is found in one of them, and each of them has a pattern",
    )
    without: list[str] = Field(
        [], description="parameters that must be absent or empty; `*` stands for any characters"
    )
    ignoring: list[str] = Field(
        [],
        description="parameters that `exactly` does not look at; `*` stands for any characters; "
        "`utm_*` and other tracking is never looked at",
    )

    def hold(self, given: dict[str, list[str]]) -> bool:
        """Whether parameters, by name with all their values, meet every condition."""
        if self.exactly is not None and not self._is_exact(given, self.exactly):
            return False
        if any(_is_one_of(name, self.without) for name in given):
            return False
        if any(not _holds(given.get(name, []), wanted) for name, wanted in self.includes.items()):
            return False
        return all(_match(given.get(name, []), wanted) for name, wanted in self.matches.items())

    def _is_exact(self, given: dict[str, list[str]], exactly: dict[str, Wanted]) -> bool:
        looked_at = {*exactly, *self.matches, *self.includes}
        ignored = [*self.ignoring, *_TRACKING]
        if any(name not in looked_at and not _is_one_of(name, ignored) for name in given):
            return False
        return all(_equals(given.get(name, []), wanted) for name, wanted in exactly.items())


class AddressPattern(BaseModel):
    """Which addresses are meant. What is not given may be anything."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    host: str | None = Field(None, description="the host, `www.` or not")
    path: Pattern | None = Field(
        None, description="the whole decoded path, as a pattern; a slash at the end does not matter"
    )
    params: Params = Field(Params(), description="conditions on the parameters after `?`")
    fragment_params: Params = Field(Params(), description="conditions on parameters after `#`")
    fragment: Pattern | None = Field(None, description="found in what stands after `#`")

    @field_validator("host")
    @classmethod
    def _is_host(cls, host: str | None) -> str | None:
        if host is not None and ("/" in host or ":" in host or host != host.lower()):
            raise ValueError("must be a host name in small letters, such as wordpress.org")
        return host

    def holds(self, url: str) -> bool:
        """Whether ``url`` is one of those that are meant."""
        try:
            parts = urlsplit(url)
            host = (parts.hostname or "").removeprefix("www.")
        except ValueError:
            return False
        if self.host is not None and host != self.host.removeprefix("www."):
            return False
        path = decoded(parts.path).rstrip("/") or "/"
        if self.path is not None and not _is_whole(self.path, path):
            return False
        if self.fragment is not None and not found(self.fragment, decoded(parts.fragment)):
            return False
        in_fragment = parts.fragment.partition("?")[2] or parts.fragment
        return self.params.hold(parameters(parts.query)) and self.fragment_params.hold(
            parameters(in_fragment)
        )


def parameters(query: str) -> dict[str, list[str]]:
    """Values by name, decoded as forms are; parameters without a value are left out."""
    return form_values(query, blanks=False)


def address_issues(expected: Any, at: tuple[str | int, ...] = ()) -> list[Issue]:
    """Everything wrong with an address pattern as a task file has it."""
    if isinstance(expected, str):
        expected = {"path": expected}
    try:
        AddressPattern.model_validate(expected)
    except ValidationError as error:
        return [
            Issue(
                problem["msg"].removeprefix("Value error, "),
                (*at, *_place(expected, problem["loc"])),
            )
            for problem in error.errors()
        ]
    return []


def _place(written: Any, where: tuple[str | int, ...]) -> Iterator[str | int]:
    """The part of ``where`` that is in the file; the rest says which kind of value was tried."""
    for part in where:
        try:
            written = written[part]
        except (KeyError, IndexError, TypeError):
            return
        yield part


def _is_whole(pattern: str, path: str) -> bool:
    trimmed = pattern if pattern == "/" else pattern.rstrip("/")
    return found(rf"\A(?:{trimmed})\Z", path)


def _is_one_of(name: str, patterns: list[str]) -> bool:
    return any(fnmatchcase(name, pattern.replace("[", "[[]")) for pattern in patterns)


def _holds(given: list[str], wanted: Wanted) -> bool:
    """Whether all wanted values are among those given."""
    values = {_plain(value) for value in given}
    return bool(values) and all(_plain(value) in values for value in as_list(wanted))


def _match(given: list[str], wanted: str | list[str]) -> bool:
    """Whether values fit: some value one pattern, or all values a list of patterns."""
    if isinstance(wanted, str):
        return any(found(wanted, value) for value in given)
    fits = [[found(pattern, value) for value in given] for pattern in wanted]
    return all(map(any, fits)) and all(map(any, zip(*fits, strict=True)))


def _equals(given: list[str], wanted: Wanted) -> bool:
    return sorted(_plain(value) for value in given) == sorted(
        _plain(value) for value in as_list(wanted)
    )


def _plain(value: str | float) -> str:
    """A value as people compare it: case and the kind of space do not matter."""
    return " ".join(str(value).split()).casefold()
