"""Writes ``docs/api.md``: every public name with its signature and docstring.

python -m tests.support.api_page > docs/api.md
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from types import ModuleType
from typing import Any, Final

MODULES: Final = (
    "pytest_webbench",
    "pytest_webbench.agents",
    "pytest_webbench.agents.endpoint",
    "pytest_webbench.observation",
    "pytest_webbench.checks",
    "pytest_webbench.judging",
    "pytest_webbench.formats",
    "pytest_webbench.browsers",
    "pytest_webbench.world",
    "pytest_webbench.world.kit",
    "pytest_webbench.testing",
    "pytest_webbench.errors",
)
"""Public modules, in the order of the page."""

_HEAD: Final = """# Public API

All that your code may import. These names stay; anything else in the package may change without
notice. Formats on disk are described in [run directory](run-directory.md) and
[task files](task-format.md), entry points in [plugins](plugins.md).

This page is made from the code by `python -m tests.support.api_page`; a test holds both equal.
"""


def page() -> str:
    """The whole page."""
    parts = [_HEAD]
    described: dict[int, str] = {}
    for name in MODULES:
        parts += _module(import_module(name), described)
    return "\n".join(parts)


def _module(module: ModuleType, described: dict[int, str]) -> Iterator[str]:
    """A section; ``described`` maps what sections before have described to their module."""
    yield f"## `{module.__name__}`\n"
    yield f"{_prose(inspect.getdoc(module) or '')}\n"
    handed_on = []
    for name in public_names(module):
        value = getattr(module, name)
        if _is_foreign(value) or id(value) in described:
            handed_on.append(f"`{name}`")
            continue
        if inspect.isclass(value) or inspect.isfunction(value):
            described[id(value)] = module.__name__
        yield from _entry(name, value)
    if handed_on:
        yield f"Also here: {', '.join(handed_on)}.\n"


def public_names(module: ModuleType) -> list[str]:
    """What a module offers: its ``__all__``, or the classes that it defines."""
    if hasattr(module, "__all__"):
        return sorted(module.__all__)
    return [
        name
        for name, value in vars(module).items()
        if inspect.isclass(value) and value.__module__ == module.__name__
    ]


def _is_foreign(value: Any) -> bool:
    """Whether a name belongs to another library and is only handed on."""
    owner = getattr(value, "__module__", "pytest_webbench") or "pytest_webbench"
    return not owner.startswith(("pytest_webbench", "typing", "builtins"))


def _entry(name: str, value: Any) -> Iterator[str]:
    if inspect.isclass(value):
        yield f"### `{_class_head(name, value)}`\n"
        yield f"{_prose(_own_doc(value))}\n"
        yield from _members(value)
    elif inspect.isfunction(value):
        yield f"### `{name}{_signature(value)}`\n"
        yield f"{_prose(inspect.getdoc(value) or '')}\n"
    else:
        yield f"### `{name}`\n"
        yield f"`{_plain(value)}`\n"


def _class_head(name: str, value: type) -> str:
    bases = [base.__name__ for base in value.__bases__ if base is not object]
    if bases == ["tuple"]:
        bases = ["NamedTuple"]
    return f"class {name}({', '.join(bases)})" if bases else f"class {name}"


def _members(value: type) -> Iterator[str]:
    for name, member in vars(value).items():
        if name.startswith("_") or (name == "model_config"):
            continue
        found = member.__func__ if isinstance(member, classmethod | staticmethod) else member
        if isinstance(found, property):
            yield f"- `{name}`: {_one_line(found)}"
        elif inspect.isfunction(found):
            yield f"- `{name}{_signature(found)}`: {_one_line(found)}"
    fields = list(_fields(value))
    yield from (f"- `{field}`" for field in fields)
    yield ""


def _fields(value: type) -> Iterator[str]:
    for name, annotation in inspect.get_annotations(value).items():
        if not name.startswith("_") and name != "model_config":
            text = getattr(annotation, "__forward_arg__", annotation)
            yield f"{name}: {_plain(text)}"


def _signature(function: Any) -> str:
    signature = inspect.signature(function)
    parameters = [one for name, one in signature.parameters.items() if name not in ("self", "cls")]
    return _plain(signature.replace(parameters=parameters))


def _plain(value: Any) -> str:
    """A value or annotation without addresses of memory and without the package's own prefix."""
    text = value if isinstance(value, str) else str(value)
    text = re.sub(r" at 0x[0-9a-f]+", "", text)
    text = re.sub(r"<function <lambda>>|<function [\w.<>]+>", "...", text)
    return text.replace("pytest_webbench.", "").replace("'", "") if "->" in text else text


def _own_doc(value: type) -> str:
    doc = value.__doc__ or ""
    return "" if doc.startswith(f"{value.__name__}(") else inspect.cleandoc(doc)


def _one_line(value: Any) -> str:
    return " ".join((inspect.getdoc(value) or "").split())


def _prose(doc: str) -> str:
    """A docstring as Markdown: indented examples become code blocks."""
    parts: list[str] = []
    for block in doc.split("\n\n"):
        lines = block.splitlines()
        indented = bool(lines) and all(line.startswith("    ") for line in lines)
        code = "\n".join(line[4:] for line in lines)
        parts.append(f"```text\n{code}\n```" if indented else block.replace("``", "`"))
    return "\n\n".join(parts)


if __name__ == "__main__":
    sys.stdout.write(page())
