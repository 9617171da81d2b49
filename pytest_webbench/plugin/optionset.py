"""Options with ini twins: how they are registered and read, whatever they say. The command line beats the file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import pytest


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One option with its ini twin."""

    name: str
    help: str
    default: Any = None
    metavar: str | None = None
    many: bool = False
    flag: bool = False
    choices: tuple[str, ...] | None = None


class OptionSet:
    """Options ``--prefix-x`` with ini twins ``prefix_x``."""

    def __init__(self, prefix: str, title: str, options: tuple[Option, ...]) -> None:
        self.options = options
        self._prefix, self._title = prefix, title
        self._by_name = {option.name: option for option in options}

    def register(self, parser: pytest.Parser) -> None:
        """Make them known to pytest."""
        group = parser.getgroup(f"{self._prefix}-options", self._title)
        for option in self.options:
            keywords: dict[str, Any] = {"dest": self._dest(option.name), "default": None, "help": option.help}
            if option.choices:
                keywords["choices"] = option.choices
            elif option.metavar:
                keywords["metavar"] = option.metavar
            action = "append" if option.many else "store_true" if option.flag else "store"
            group.addoption(f"--{self._prefix}-{option.name}", action=action, **keywords)
            kind: Literal["linelist", "bool", "string"]
            kind = "linelist" if option.many else "bool" if option.flag else "string"
            parser.addini(self._dest(option.name), option.help, type=kind, default=None)

    def given(self, config: pytest.Config, name: str) -> Any:
        """What the user set, on the command line or in the ini file; None or empty if nothing."""
        value = config.getoption(self._dest(name), None)
        return value if value is not None else config.getini(self._dest(name)) or None

    def value(self, config: pytest.Config, name: str) -> Any:
        """The same, or the default; a usage error if it is none of the option's choices."""
        found, option = self.given(config, name), self._by_name[name]
        found = found if found is not None else option.default
        if option.choices and found is not None and found not in option.choices:
            raise pytest.UsageError(f"{self._dest(name)} = {found!r}: use one of {', '.join(option.choices)}")
        return found

    def number(self, config: pytest.Config, name: str, kind: type, least: float | None) -> Any:
        """A number of at least ``least``; None if the option has none; a usage error if it is anything else."""
        text = self.value(config, name)
        if text is None:
            return None
        try:
            number = kind(text)
        except ValueError:
            number = None
        if number is None or number != number or (least is not None and number < least):  # noqa: PLR0124 - NaN
            what = "a whole number" if kind is int else "a number"
            bound = "" if least is None else f" of at least {least:g}"
            raise pytest.UsageError(f"--{self._prefix}-{name} {text!r}: use {what}{bound}")
        return number

    def share(self, config: pytest.Config, name: str) -> float | None:
        """A number from 0 to 1; None if the option has none."""
        number: float | None = self.number(config, name, float, 0)
        if number is not None and number > 1:
            raise pytest.UsageError(f"--{self._prefix}-{name} {number:g}: use a number from 0 to 1")
        return number

    def _dest(self, name: str) -> str:
        return f"{self._prefix}_{name.replace('-', '_')}"
