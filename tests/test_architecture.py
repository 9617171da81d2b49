"""The layers: imports go down only, and each foreign library stays behind its border."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "pytest_webbench"
FILES = sorted(PACKAGE.rglob("*.py"))

# From the bottom up; a module may import from its own layer's folder and from every layer below.
LAYERS = [
    {"errors", "foreign"},
    {
        "evidence/models",
        "evidence/scrub",
        "evidence/probes",
        "evidence/redact",
        "evidence/bodies",
        "evidence/steps",
        "evidence/__init__",
    },
    {"checks"},
    {"task"},
    {"judge", "evidence/health", "report/failure"},
    {"world"},
    {"browser"},
    {"agents", "evidence/capture", "evidence/questions"},
    {"episode", "mind2web", "stats"},
    {"run"},
    {"report"},
    {"plugin", "cli", "testing", "__init__"},
]
# Who may import what at run time (imports for type checking alone are free).
BORDERS = {
    "playwright": {"browser", "evidence/capture", "evidence/questions", "plugin/fixtures"},
    "pytest": {"plugin", "testing"},
    "typer": {"cli"},
    "starlette": {"world", "report/html/serve"},
    "uvicorn": {"world", "cli/report"},
    "trustme": {"world"},
    "jinja2": {"world"},
    "yaml": {"task", "world"},
    "regex": {"checks"},
    "nh3": {"report/html/pages"},
    "httpx": {"agents/endpoint", "agents/http", "browser/cloud", "mind2web"},
    "dotenv": {"agents/config"},
    "filelock": {"run", "mind2web/store"},
    "fsspec": {"run/remote"},
    "psutil": {"browser/keeper", "run/lock"},
    "websockets": {"browser/tap"},
}


def name_of(path: Path) -> str:
    return path.relative_to(PACKAGE).with_suffix("").as_posix()


def belongs(module: str, places: set[str]) -> bool:
    return any(module == place or module.startswith(f"{place}/") for place in places)


def layer_of(module: str) -> int:
    found = [level for level, places in enumerate(LAYERS) if belongs(module, places)]
    assert found, f"{module} is in no layer; give it one in {Path(__file__).name}"
    return found[0]


def imports(path: Path) -> Iterator[str]:
    """Modules imported at run time, our own as ``folder/module``."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    skipped = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if id(node) in skipped:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield node.module or ""
        elif isinstance(node, ast.ImportFrom):
            yield from own_imports(path, node)


def own_imports(path: Path, node: ast.ImportFrom) -> Iterator[str]:
    base = path.parents[node.level - 1]
    target = base.joinpath(*(node.module or "").split(".")) if node.module else base
    for alias in node.names:
        inner = target / alias.name
        is_module = inner.with_suffix(".py").exists() or inner.is_dir()
        found = inner if is_module else target
        yield "own:" + (name_of(found.with_suffix(".py")) if found != PACKAGE else "__init__")


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_imports_go_down_only(path: Path) -> None:
    module = name_of(path)
    for imported in imports(path):
        if imported.startswith("own:"):
            target = imported.removeprefix("own:")
            target = f"{target}/__init__" if (PACKAGE / target).is_dir() else target
            assert layer_of(target) <= layer_of(module), f"{module} imports {target}, which is above it"


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_foreign_libraries_stay_behind_their_borders(path: Path) -> None:
    module = name_of(path)
    for imported in imports(path):
        allowed = BORDERS.get(imported.partition(".")[0])
        assert allowed is None or belongs(module, allowed), f"{module} must not import {imported}"


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_only_runs_and_commands_write_files(path: Path) -> None:
    # The keeper removes the temporary folders of what it ends.
    writers = {"run", "cli", "browser/recording", "browser/keeper", "mind2web/store", "plugin/reporting"}
    calls = {"write_text", "write_bytes", "mkdir", "unlink", "rmtree", "replace_file"}
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Attribute) and node.attr in calls and not belongs(name_of(path), writers):
            assert name_of(path) == "plugin/recording", f"{name_of(path)} writes files with {node.attr}"


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_modules_and_functions_are_short(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    assert source.count("\n") <= 400, "split it"
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            assert length <= 50, f"{node.name} has {length} lines"


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_no_eval_and_no_module_state(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        assert not isinstance(node, ast.Global), "state belongs to an object"
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in ("eval", "exec", "__import__"), f"{node.func.id} in {name_of(path)}"
