"""The house rules that a test can hold, for every module of the package at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

import pytest

from .support import source_tree as source
from .support.source_tree import Import, Module

PACKAGE: Final = Path(__file__).parents[1] / "pytest_webbench"

# From the bottom up. A folder imports from itself and from the layers below, never from a folder
# beside it. ``_ground`` are the files beside the folders.
LAYERS: Final = (
    {"_ground"},
    {"evidence"},
    {"checks"},
    {"task"},
    {"judge", "stats"},
    {"world"},
    {"browser"},
    {"capture"},
    {"agents"},
    {"redteam"},
    {"episode"},
    {"run"},
    {"report"},
    {"plugin", "cli"},
    {"mind2web"},
    {"__init__", "browsers", "formats", "judging", "observation", "testing"},
)
# Who may import which library at run time; imports for type checking alone are free.
BORDERS: Final[Mapping[str, set[str]]] = {
    "dotenv": {"agents/config"},
    "fsspec": {"run/remote"},
    "genai_prices": {"agents/prices"},
    "httpx": {"agents/endpoint", "agents/http", "browser/cloud", "mind2web", "world/crawl"},
    "jinja2": {"world"},
    "nh3": {"report/html/pages"},
    "playwright": {"browser", "capture", "plugin/fixtures", "testing"},
    "psutil": {"browser/supervisor", "run/lock"},
    "pytest": {"plugin", "testing", "mind2web/plugin"},
    "regex": {"checks"},
    "starlette": {"world", "report/html/serve"},
    "trustme": {"world"},
    "typer": {"cli", "mind2web/cli"},
    "uvicorn": {"world", "cli/report"},
    "websockets": {"browser/cdp_listener"},
    "yaml": {"task", "world"},
}
WRITERS: Final = {
    "run",
    "_files",
    "agents/endpoint/stored",  # replies of models, beside webbench.toml
    "cli/audit",  # the notes of an audit that the command was asked to write
    "cli/export",  # tables of a run, where the user wants them
    "cli/shared",  # files to begin with
    "cli/import_tasks",  # task files likewise
    "cli/schema",  # schemas likewise
    "cli/suites",  # a suite, where the user wants a copy of it
    "mind2web/store",  # the cache of downloaded pages
    "plugin/run_reports",  # JUnit, CTRF and step summary, at paths from the command line
    "browser/supervisor",  # temporary folders of the browsers that it ends
}
LOCAL_IMPORTS: Final = 30
FUNCTION_LINES: Final = 50
MODULE_LINES: Final = 400
STASH_KEYS: Final = 4


@pytest.fixture(scope="module")
def modules() -> tuple[Module, ...]:
    return source.read_package(PACKAGE)


def holds(found: Iterable[str], advice: str) -> None:
    """Fails with everything that was found and with what to do about it."""
    listed = sorted(found)
    assert not listed, "\n  ".join([advice, *listed])


def belongs(name: str, places: Iterable[str]) -> bool:
    return any(name == place or name.startswith(f"{place}/") for place in places)


def layer_of(name: str) -> int:
    room = source.room(name)
    levels = [level for level, rooms in enumerate(LAYERS) if belongs(room, rooms)]
    assert levels, (
        f"{name} is in no layer: move it into a folder of LAYERS, or name its folder there"
    )
    return levels[0]


def goes_down(module: Module, imported: Import) -> bool:
    target = source.room(imported.target)
    return target == source.room(module.name) or layer_of(target) < layer_of(module.name)


def test_imports_go_down_only(modules: tuple[Module, ...]) -> None:
    upwards = (
        f"{module.name}:{one.line} imports {one.target}"
        for module in modules
        for one in module.imports
        if one.own and not goes_down(module, one)
    )
    holds(upwards, "Move what is shared into a lower layer, or pass it in from above:")


def test_borders_name_modules_that_exist() -> None:
    places = {place for allowed in BORDERS.values() for place in allowed} | WRITERS
    gone = (place for place in places - LAYERS[-1] if not source.exists(PACKAGE, place))
    holds(gone, "Remove these from BORDERS and WRITERS:")


def test_every_module_is_in_a_layer(modules: tuple[Module, ...]) -> None:
    assert {layer_of(module.name) for module in modules} <= set(range(len(LAYERS)))


def test_no_modules_import_each_other(modules: tuple[Module, ...]) -> None:
    found = source.cycles(modules, with_local=False)
    for room in sorted({source.room(module.name) for module in modules}):
        inside = [module for module in modules if source.room(module.name) == room]
        found += source.cycles(inside, with_local=True)
    holds(map(", ".join, found), "Take out of these modules what they share (local imports count):")


def test_local_imports_are_few_and_have_a_reason(modules: tuple[Module, ...]) -> None:
    found = [(module, line) for module in modules for line in source.local_imports(module)]
    bare = (
        f"{module.name}:{line}" for module, line in found if not source.has_reason(module, line)
    )
    holds(bare, "Import at the top, or say in a comment what the local import saves:")
    assert len(found) <= LOCAL_IMPORTS, "Import at the top what costs nothing at start-up"


def test_foreign_libraries_stay_behind_their_borders(modules: tuple[Module, ...]) -> None:
    outside = (
        f"{module.name}:{one.line} imports {one.target}"
        for module in modules
        for one in module.imports
        if not one.own and not one.typing_only
        if not belongs(module.name, BORDERS.get(one.target.partition(".")[0], {module.name}))
    )
    holds(outside, "Call the module that wraps the library; BORDERS says which it is:")


def test_files_are_written_in_few_places(modules: tuple[Module, ...]) -> None:
    elsewhere = (
        f"{module.name}:{line} {call}"
        for module in modules
        if not belongs(module.name, WRITERS)
        for line, call in source.file_writes(module)
    )
    holds(elsewhere, "Give what is to be written to run/, or use _files from a place of WRITERS:")


def test_modules_and_functions_are_short(modules: tuple[Module, ...]) -> None:
    long = [
        f"{module.place(function)} {function.name} has {lines} lines, allowed: {FUNCTION_LINES}"
        for module in modules
        for function, lines in source.functions(module)
        if lines > FUNCTION_LINES
    ]
    long += [
        f"{module.name} has {len(module.lines)} lines, allowed: {MODULE_LINES}"
        for module in modules
        if len(module.lines) > MODULE_LINES
    ]
    holds(long, "Take apart by topic, do not pack lines:")


def test_code_is_plain(modules: tuple[Module, ...]) -> None:
    found = []
    for module in modules:
        found += [f"{module.place(one)} nests ternaries" for one in source.nested_ternaries(module)]
        found += [
            f"{module.place(one)} runs a comprehension for its side effects"
            for one in source.discarded_comprehensions(module)
        ]
        found += [
            f"{module.name}:{line} {comment}"
            for line, comment in module.comments.items()
            if "fmt: skip" in comment or "fmt: off" in comment
        ]
    holds(
        found, "Use an early return, if and else, or a plain loop; the formatter lays out the rest:"
    )


def test_no_module_state_and_no_text_run_as_code(modules: tuple[Module, ...]) -> None:
    found = (
        f"{module.name}:{line} {name}"
        for module in modules
        for line, name in source.forbidden_names(module)
    )
    holds(found, "State belongs to an object, and text is parsed:")


def test_plugin_keeps_its_state_in_few_stash_keys(modules: tuple[Module, ...]) -> None:
    found = {module.name: source.stash_keys(module) for module in modules}
    keys = {name: count for name, count in found.items() if count}
    assert sum(keys.values()) <= STASH_KEYS, f"Put it on the session object: {keys}"
