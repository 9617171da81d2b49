"""Options with ini twins: how they are registered and read. The command line beats the ini file."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

import pytest

Kind: TypeAlias = Literal["text", "many", "flag", "integer", "number", "share"]
"""A text; a list of texts; on or off; a whole number; a number; a number from 0 to 1."""
IniType: TypeAlias = Literal["string", "linelist", "bool"]

_ACTIONS: Final[dict[str, str]] = {"many": "append", "flag": "store_true"}
_INI_TYPES: Final[dict[str, IniType]] = {"many": "linelist", "flag": "bool"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One option with its ini twin. ``least`` is the smallest number that it takes."""

    name: str
    help: str
    kind: Kind = "text"
    default: Any = None
    metavar: str | None = None
    choices: tuple[str, ...] | None = None
    least: float | None = None


def _not_given(option: Option) -> Any:
    if option.kind == "many":
        return ()
    if option.kind == "flag":
        return False
    return option.default


class OptionSet:
    """Options ``--prefix-x`` with ini twins ``prefix_x``."""

    def __init__(self, prefix: str, title: str, options: tuple[Option, ...]) -> None:
        self.options = options
        self._prefix, self._title = prefix, title

    def register(self, parser: pytest.Parser) -> None:
        """Make them known to pytest."""
        group = parser.getgroup(f"{self._prefix}-options", self._title)
        for option in self.options:
            keywords: dict[str, Any] = {}
            if option.choices:
                keywords["choices"] = option.choices
            elif option.metavar:
                keywords["metavar"] = option.metavar
            # Without a default: whether the user gave the option decides between it and its twin.
            group.addoption(
                self._flag(option.name),
                action=_ACTIONS.get(option.kind, "store"),
                dest=self._dest(option.name),
                default=None,
                help=option.help,
                **keywords,
            )
            ini_type = _INI_TYPES.get(option.kind, "string")
            parser.addini(self._dest(option.name), option.help, type=ini_type, default=None)

    def read(self, config: pytest.Config) -> dict[str, Any]:
        """The value of every option by its name as an identifier, such as ``max_actions``.

        `pytest.UsageError` that names the option and what it takes if a value cannot be used.
        """
        found = {}
        for option in self.options:
            given = self._given(config, option.name)
            value = _not_given(option) if given is None else self._parsed(option, given)
            found[option.name.replace("-", "_")] = value
        return found

    def default(self, name: str) -> Any:
        """The value of an option that was not given."""
        return next(option.default for option in self.options if option.name == name)

    def on_command_line(self, config: pytest.Config, name: str) -> bool:
        """Whether the user gave the option on the command line, whatever the ini file says."""
        return config.getoption(self._dest(name), None) is not None

    def _given(self, config: pytest.Config, name: str) -> Any:
        """What the user set; None if nothing."""
        value = config.getoption(self._dest(name), None)
        if value is None:
            value = config.getini(self._dest(name))
        return value or None  # an empty value means the same as none

    def _parsed(self, option: Option, given: Any) -> Any:
        if option.choices and given not in option.choices:
            allowed = ", ".join(option.choices)
            raise pytest.UsageError(f"{self._dest(option.name)} = {given!r}: use one of {allowed}")
        if option.kind == "many":
            return tuple(given)
        if option.kind == "integer":
            return self._number(option, given, int)
        if option.kind == "number":
            return self._number(option, given, float)
        if option.kind == "share":
            return self._share(option, given)
        return given

    def _number(self, option: Option, text: str, convert: Callable[[str], float]) -> float:
        try:
            number = convert(text)
        except ValueError:
            number = math.nan
        too_small = option.least is not None and number < option.least
        if math.isnan(number) or too_small:
            what = "a whole number" if option.kind == "integer" else "a number"
            bound = "" if option.least is None else f" of at least {option.least:g}"
            raise pytest.UsageError(f"{self._flag(option.name)} {text!r}: use {what}{bound}")
        return number

    def _share(self, option: Option, text: str) -> float:
        number = self._number(option, text, float)
        if not 0 <= number <= 1:
            flag = self._flag(option.name)
            raise pytest.UsageError(f"{flag} {text}: use a number from 0 to 1")
        return number

    def _flag(self, name: str) -> str:
        return f"--{self._prefix}-{name}"

    def _dest(self, name: str) -> str:
        return f"{self._prefix}_{name.replace('-', '_')}"
