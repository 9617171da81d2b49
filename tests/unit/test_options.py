"""Options and their ini twins: what is read, and what is refused."""

from __future__ import annotations

import re
from dataclasses import fields
from typing import Any

import pytest

from pytest_webbench.mind2web.plugin.options import OPTIONS as STEP_OPTIONS
from pytest_webbench.mind2web.selection import Selection
from pytest_webbench.plugin.options import OPTIONS
from pytest_webbench.plugin.optionset import Option, OptionSet
from pytest_webbench.plugin.settings import Settings

SOME = OptionSet(
    "x",
    "some options",
    (
        Option(name="word", help="a word", choices=("one", "two"), default="one"),
        Option(name="names", help="names", kind="many"),
        Option(name="loud", help="loud", kind="flag"),
        Option(name="count", help="a count", kind="integer", least=1),
        Option(name="seconds", help="seconds", kind="number", default=2),
        Option(name="rate", help="a rate", kind="share"),
    ),
)


class FakeConfig:
    """Command line and ini file, as pytest gives them."""

    def __init__(self, given: dict[str, Any], ini: dict[str, Any]) -> None:
        self._given, self._ini = given, ini

    def getoption(self, name: str, default: Any) -> Any:
        return self._given.get(name, default)

    def getini(self, name: str) -> Any:
        return self._ini.get(name)


def read(given: dict[str, Any] | None = None, **ini: Any) -> dict[str, Any]:
    config: Any = FakeConfig(given or {}, ini)
    return SOME.read(config)


def names(options: OptionSet) -> set[str]:
    return {option.name.replace("-", "_") for option in options.options}


def test_settings_name_every_option_once() -> None:
    assert {field.name for field in fields(Settings)} == names(OPTIONS)


def test_every_field_of_a_selection_of_steps_is_an_option() -> None:
    assert {field.name for field in fields(Selection)} < names(STEP_OPTIONS)


def test_nothing_given_means_the_defaults() -> None:
    assert read() == {
        "word": "one",
        "names": (),
        "loud": False,
        "count": None,
        "seconds": 2,
        "rate": None,
    }


def test_command_line_beats_the_ini_file() -> None:
    found = read({"x_word": "two", "x_names": ["a"]}, x_word="one", x_names=["b"], x_count="3")
    assert (found["word"], found["names"], found["count"]) == ("two", ("a",), 3)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"x_word": "three"}, "x_word = 'three': use one of one, two"),
        ({"x_count": "0"}, "--x-count '0': use a whole number of at least 1"),
        ({"x_count": "1.5"}, "--x-count '1.5': use a whole number of at least 1"),
        ({"x_seconds": "soon"}, "--x-seconds 'soon': use a number"),
        ({"x_seconds": "nan"}, "--x-seconds 'nan': use a number"),
        ({"x_rate": "1.01"}, "--x-rate 1.01: use a number from 0 to 1"),
        ({"x_rate": "-1"}, "--x-rate -1: use a number from 0 to 1"),
    ],
    ids=lambda value: (
        " ".join(f"{k}={v}" for k, v in value.items()) if isinstance(value, dict) else ""
    ),
)
def test_wrong_value_names_the_option_and_what_it_takes(
    given: dict[str, Any], message: str
) -> None:
    with pytest.raises(pytest.UsageError, match=f"^{re.escape(message)}$"):
        read(given)
