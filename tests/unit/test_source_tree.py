"""The finders behind the architecture tests see what they are meant to see, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support import source_tree as source
from tests.support.source_tree import Module

Package = Callable[..., tuple[Module, ...]]


@pytest.fixture
def package(tmp_path: Path) -> Package:
    """Writes a package from the sources of its modules and reads it."""

    def write(**sources: str) -> tuple[Module, ...]:
        root = tmp_path / "shop"
        for name, text in sources.items():
            file = root.joinpath(*name.split("__")).with_suffix(".py")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.parent.joinpath("__init__.py").touch()
            file.write_text(text, encoding="utf-8")
        root.joinpath("__init__.py").touch()
        return source.read_package(root)

    return write


def named(modules: tuple[Module, ...], name: str) -> Module:
    return next(module for module in modules if module.name == name)


@pytest.mark.parametrize(
    ("statement", "target"),
    [
        ("from . import tea", "goods/tea"),
        ("from .tea import Leaf", "goods/tea"),
        ("from . import Leaf", "goods/__init__"),
        ("from ..till import pay", "till"),
        ("from shop.till import pay", "till"),
        ("import shop.till", "till"),
        ("from .. import till", "till"),
        ("from .. import VERSION", "__init__"),
    ],
)
def test_import_is_resolved_to_the_module_it_reads(
    package: Package, statement: str, target: str
) -> None:
    modules = package(goods__tea="", goods__list=statement, till="")
    (found,) = named(modules, "goods/list").imports
    assert (found.target, found.own) == (target, True)


def test_foreign_import_keeps_its_dotted_name(package: Package) -> None:
    (found,) = named(package(tea="from os.path import join"), "tea").imports
    assert (found.target, found.own, found.local, found.typing_only) == (
        "os.path",
        False,
        False,
        False,
    )


def test_cycle_through_a_local_import_is_found_on_request(package: Package) -> None:
    modules = package(a="from . import b", b="def f():\n    from . import a", c="from . import a")
    assert source.cycles(modules, with_local=False) == []
    assert source.cycles(modules, with_local=True) == [["a", "b"]]


def test_imports_for_type_checking_make_no_cycle(package: Package) -> None:
    guarded = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from . import a"
    assert source.cycles(package(a="from . import b", b=guarded), with_local=True) == []


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("    import x", False),
        ("    import x  # costs 90 ms", True),
        ("    # costs 90 ms\n    import x", True),
        ("    # costs 90 ms\n    import x\n    import y", True),
        ("    # something else\n\n    import x", False),
    ],
)
def test_local_import_has_its_reason_on_or_above_its_line(
    package: Package, body: str, reason: bool
) -> None:
    module = named(package(tea=f"def f():\n{body}\n"), "tea")
    assert {source.has_reason(module, line) for line in source.local_imports(module)} == {reason}


@pytest.mark.parametrize(
    "call",
    [
        "open(p, 'a')",
        "open(p, mode='wb')",
        "p.open('x')",
        "p.open('r+')",
        "os.replace(a, b)",
        "os.remove(a)",
        "p.replace(q)",
        "p.rename(q)",
        "p.write_text('')",
        "p.parent.mkdir(parents=True)",
        "shutil.rmtree(p)",
        "write_atomically(p, '')",
    ],
)
def test_file_write_is_found(package: Package, call: str) -> None:
    assert len(list(source.file_writes(named(package(tea=call), "tea")))) == 1


@pytest.mark.parametrize(
    "call",
    [
        "open(p)",
        "open(p, 'rb')",
        "p.open(encoding='utf-8')",
        "text.replace('a', 'b')",
        "day.replace(year=2026)",
        "names.remove(a)",
        "session.open('https://shop.test/')",
    ],
)
def test_other_calls_are_not_taken_for_file_writes(package: Package, call: str) -> None:
    assert list(source.file_writes(named(package(tea=call), "tea"))) == []


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("[print(x) for x in y]", 1),
        ("any(print(x) for x in y)", 1),
        ("list(map(print, y))", 1),
        ("(print(x) for x in y)", 1),
        ("found = [x for x in y]", 0),
        ("found.extend(x for x in y)", 0),
    ],
)
def test_comprehension_run_for_its_side_effects_is_found(
    package: Package, statement: str, expected: int
) -> None:
    found = source.discarded_comprehensions(named(package(tea=statement), "tea"))
    assert len(list(found)) == expected


@pytest.mark.parametrize(
    ("expression", "expected"),
    [("a if b else c", 0), ("a if b else (c if d else e)", 1), ("f(a if b else c) if d else e", 0)],
)
def test_nested_ternary_is_found(package: Package, expression: str, expected: int) -> None:
    assert len(list(source.nested_ternaries(named(package(tea=expression), "tea")))) == expected
