"""Reads a package's source once, and finds in it what the house rules forbid."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

Function = ast.FunctionDef | ast.AsyncFunctionDef
Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp

# Calls that exist to consume an iterable; as a statement they run it for its side effects.
_CONSUMERS: Final = {"all", "any", "deque", "dict", "list", "max", "min", "set", "sum", "tuple"}
# Names that are told from other methods only by what they stand on, such as ``str.replace``.
_WRITERS_OF_MODULES: Final = {
    "os": {"link", "makedirs", "remove", "removedirs", "replace", "symlink", "truncate"},
    "shutil": {"copy", "copy2", "copyfile", "copytree", "move"},
}
_WRITERS: Final = {
    "hardlink_to",
    "mkdir",
    "rename",
    "rmdir",
    "rmtree",
    "symlink_to",
    "touch",
    "unlink",
    "write_atomically",
    "write_bytes",
    "write_text",
}


@dataclass(frozen=True, kw_only=True)
class Import:
    """One imported module: ``foreign.package`` or, one of the package's own, ``folder/module``."""

    target: str
    own: bool
    line: int
    local: bool
    """Whether it stands inside a function."""
    typing_only: bool


@dataclass(frozen=True, kw_only=True)
class Module:
    """A module of the package. ``name`` is its path without suffix, such as ``task/models``."""

    name: str
    source: str
    imports: tuple[Import, ...]
    tree: ast.Module

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        return tuple(ast.walk(self.tree))

    @cached_property
    def lines(self) -> tuple[str, ...]:
        return tuple(self.source.splitlines())

    @cached_property
    def comments(self) -> Mapping[int, str]:
        """Comments by line."""
        tokens = tokenize.generate_tokens(io.StringIO(self.source).readline)
        return {one.start[0]: one.string for one in tokens if one.type == tokenize.COMMENT}

    def place(self, node: ast.stmt | ast.expr) -> str:
        return f"{self.name}:{node.lineno}"


PUBLIC_FILES: Final = ("__init__", "browsers", "formats", "judging", "observation", "testing")


def room(name: str) -> str:
    """The top folder that a module is in; ``_ground`` for the files beside the folders.

    The files that offer public names stand above all folders, so they are rooms of their own.
    """
    folder, slash, _ = name.partition("/")
    return folder if slash or folder in PUBLIC_FILES else "_ground"


def exists(root: Path, name: str) -> bool:
    return (root / name).is_dir() or (root / f"{name}.py").is_file()


def read_package(root: Path) -> tuple[Module, ...]:
    """Every module below ``root``, in order."""
    return tuple(_read(root, path) for path in sorted(root.rglob("*.py")))


def _read(root: Path, path: Path) -> Module:
    source = path.read_text(encoding="utf-8")
    tree = ast.parse(source)
    found = tuple(_imports(root, path, tree))
    name = path.relative_to(root).with_suffix("").as_posix()
    return Module(name=name, source=source, tree=tree, imports=found)


def _imports(root: Path, path: Path, tree: ast.Module) -> Iterator[Import]:
    local = _inside(tree, _is_function)
    typing_only = _inside(tree, _is_typing_block)
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            for target, own in _targets(root, path, node):
                yield Import(
                    target=target,
                    own=own,
                    line=node.lineno,
                    local=node in local,
                    typing_only=node in typing_only,
                )


def _inside(tree: ast.Module, holds: Callable[[ast.AST], bool]) -> set[ast.AST]:
    return {inner for node in ast.walk(tree) if holds(node) for inner in ast.walk(node)}


def _is_function(node: ast.AST) -> bool:
    return isinstance(node, Function)


def _is_typing_block(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)


def _targets(
    root: Path, path: Path, node: ast.Import | ast.ImportFrom
) -> Iterator[tuple[str, bool]]:
    package = f"{root.name}."
    if isinstance(node, ast.Import):
        names = [(alias.name, "") for alias in node.names]
    elif node.level:
        folder = path.relative_to(root).parts[: -node.level]
        base = ".".join([root.name, *folder, *(node.module or "").split(".")]).rstrip(".")
        names = [(base, alias.name) for alias in node.names]
    else:
        names = [(node.module or "", alias.name) for alias in node.names]
    for module, name in names:
        if f"{module}.".startswith(package):
            yield _own_module(root, module.split(".")[1:], name), True
        else:
            yield module, False


def _own_module(root: Path, parts: list[str], name: str) -> str:
    """Which file ``from parts import name`` reads: a module of that name, or the one it is in."""
    for candidate in ([*parts, name], parts) if name else (parts,):
        if root.joinpath(*candidate).with_suffix(".py").is_file():
            return "/".join(candidate)
        if root.joinpath(*candidate, "__init__.py").is_file():
            return "/".join([*candidate, "__init__"])
    raise AssertionError(f"{'.'.join(parts)} has no {name}")


# -- what the rules look for -------------------------------------------------------------------


def cycles(modules: Iterable[Module], *, with_local: bool) -> list[list[str]]:
    """Groups of modules that import each other at run time."""
    graph = {
        module.name: sorted(
            {
                one.target
                for one in module.imports
                if one.own and not one.typing_only and (with_local or not one.local)
            }
            - {module.name}
        )
        for module in modules
    }
    return [sorted(group) for group in _components(graph) if len(group) > 1]


def _components(graph: Mapping[str, list[str]]) -> list[list[str]]:
    """Strongly connected components (Kosaraju)."""
    finished: list[str] = []
    seen: set[str] = set()
    for start in graph:
        _visit(start, graph, seen, finished)
    backwards: dict[str, list[str]] = {name: [] for name in graph}
    for name, targets in graph.items():
        for target in targets:
            if target in backwards:
                backwards[target].append(name)
    seen.clear()
    found = []
    for start in reversed(finished):
        group: list[str] = []
        _visit(start, backwards, seen, group)
        if group:
            found.append(group)
    return found


def _visit(start: str, graph: Mapping[str, list[str]], seen: set[str], finished: list[str]) -> None:
    """Appends to ``finished`` what can be reached from ``start``, the farthest first."""
    if start in seen:
        return
    seen.add(start)
    for target in graph.get(start, ()):
        if target in graph:
            _visit(target, graph, seen, finished)
    finished.append(start)


def local_imports(module: Module) -> list[int]:
    """Lines of imports inside functions."""
    return sorted({one.line for one in module.imports if one.local})


def has_reason(module: Module, line: int) -> bool:
    """Whether a comment stands on the line, or on its own right above it and its neighbours."""
    while line - 1 in {one.line for one in module.imports}:
        if module.comments.get(line):
            return True
        line -= 1
    return line in module.comments or line - 1 in module.comments


def file_writes(module: Module) -> Iterator[tuple[int, str]]:
    """Calls that write, move or remove files, with their line."""
    for node in module.nodes:
        if isinstance(node, ast.Call):
            name = _written_by(node)
            if name:
                yield node.lineno, name


def _written_by(call: ast.Call) -> str:
    function = call.func
    if isinstance(function, ast.Name):
        if function.id == "open":
            return _opened(call, mode_at=1)
        return function.id if function.id in _WRITERS else ""
    if not isinstance(function, ast.Attribute):
        return ""
    if function.attr == "open":
        return _opened(call, mode_at=0)
    owner = ast.unparse(function.value)
    writes = function.attr in _WRITERS or function.attr in _WRITERS_OF_MODULES.get(owner, ())
    return f"{owner}.{function.attr}" if writes or _is_path_replace(call, function) else ""


def _is_path_replace(call: ast.Call, function: ast.Attribute) -> bool:
    """``Path.replace`` takes one argument, ``str.replace`` two, ``datetime.replace`` names."""
    return function.attr == "replace" and len(call.args) == 1 and not call.keywords


def _opened(call: ast.Call, *, mode_at: int) -> str:
    modes = [one.value for one in call.keywords if one.arg == "mode"] + call.args[mode_at:]
    if not modes or not isinstance(modes[0], ast.Constant):
        return ""
    mode = str(modes[0].value)
    is_mode = re.fullmatch("[rwaxbt+]+", mode)
    return f"open({mode!r})" if is_mode and set(mode) & set("wax+") else ""


def functions(module: Module) -> Iterator[tuple[Function, int]]:
    """Functions and how many lines each has."""
    for node in module.nodes:
        if isinstance(node, Function):
            yield node, (node.end_lineno or node.lineno) - node.lineno + 1


def nested_ternaries(module: Module) -> Iterator[ast.IfExp]:
    for node in module.nodes:
        if isinstance(node, ast.IfExp):
            parts = (node.test, node.body, node.orelse)
            if any(isinstance(part, ast.IfExp) for part in parts):
                yield node


def discarded_comprehensions(module: Module) -> Iterator[ast.Expr]:
    """Statements that run a comprehension or generator only for its side effects."""
    for node in module.nodes:
        if isinstance(node, ast.Expr) and _runs_a_loop(node.value):
            yield node


def _runs_a_loop(value: ast.expr) -> bool:
    if isinstance(value, Comprehension):
        return True
    if not isinstance(value, ast.Call) or not isinstance(value.func, ast.Name):
        return False
    consumed = any(isinstance(one, Comprehension | ast.Call) for one in value.args)
    return value.func.id in _CONSUMERS and consumed


def forbidden_names(module: Module) -> Iterator[tuple[int, str]]:
    """Module state, and ways to run text as code."""
    for node in module.nodes:
        if isinstance(node, ast.Global):
            yield node.lineno, "global"
        elif isinstance(node, ast.Call):
            name = ast.unparse(node.func)
            if name in ("eval", "exec", "__import__"):
                yield node.lineno, name


def stash_keys(module: Module) -> int:
    return len(re.findall(r"\bStashKey\[.*?\]\(\)", module.source))
