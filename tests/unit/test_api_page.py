"""``docs/api.md`` lists every public name as the code has it."""

from __future__ import annotations

import inspect
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from tests.support.api_page import MODULES, page, public_names

PAGE = Path(__file__).parents[2] / "docs" / "api.md"


def public_objects() -> list[tuple[str, Any]]:
    """Public classes and functions that this package defines."""
    found = []
    for module in MODULES:
        names = public_names(import_module(module))
        values = [(f"{module}.{name}", getattr(import_module(module), name)) for name in names]
        found += [one for one in values if inspect.isclass(one[1]) or inspect.isfunction(one[1])]
    return [
        (name, value) for name, value in found if value.__module__.startswith("pytest_webbench")
    ]


def test_api_page_agrees_with_the_code() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), (
        "run: python -m tests.support.api_page > docs/api.md"
    )


@pytest.mark.parametrize(
    ("name", "value"), public_objects(), ids=[name for name, _value in public_objects()]
)
def test_every_public_name_has_a_docstring(name: str, value: Any) -> None:
    assert value.__doc__, f"{name} has no docstring"
    assert not value.__doc__.startswith(f"{value.__name__}("), f"{name} has no docstring"
    for member, function in vars(value).items() if inspect.isclass(value) else ():
        if inspect.isfunction(function) and not member.startswith("_"):
            documented = inspect.getdoc(getattr(value, member))
            assert documented, f"{name}.{member} has no docstring"


@pytest.mark.parametrize("module", MODULES)
def test_public_names_can_be_imported(module: str) -> None:
    loaded = import_module(module)
    assert all(hasattr(loaded, name) for name in public_names(loaded))
