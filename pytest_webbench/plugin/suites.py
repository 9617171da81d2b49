"""Which files are ours, told without reading them; and mistakes that should stop a session before it starts."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from ..foreign import SUFFIXES, format_of

SUITE_FILE: Final = "suite.toml"
NAMED_KEY: Final = pytest.StashKey[frozenset[Path]]()


def suite_folder_of(path: Path) -> Path | None:
    """The suite that a task file belongs to; None if the file is none of ours."""
    if path.suffix != ".yaml" or path.parent.name != "tasks":
        return None
    folder = path.parent.parent
    return folder if (folder / SUITE_FILE).is_file() else None


def is_foreign(path: Path, config: pytest.Config) -> bool:
    """Whether ``path`` is a task file of another benchmark, and the command line names it or its very folder.

    Files that are not named are not even looked at, and within a suite there are none.
    """
    if path.suffix not in SUFFIXES or not {path, path.parent} & _named(config):
        return False
    in_a_suite = any((folder / SUITE_FILE).is_file() for folder in path.parents)
    return not in_a_suite and format_of(path) is not None


def _named(config: pytest.Config) -> frozenset[Path]:
    """The paths that the user wrote on the command line."""
    if NAMED_KEY not in config.stash:
        written = config.args if config.args_source is config.ArgsSource.ARGS else []
        base = config.invocation_params.dir
        config.stash[NAMED_KEY] = frozenset(Path(os.path.abspath(base / one.partition("::")[0])) for one in written)
    return config.stash[NAMED_KEY]


def usage_problems(config: pytest.Config) -> Iterator[str]:
    """What is wrong with the command line, as far as it concerns us."""
    from .options import given, redactor, settings

    # Both raise a usage error where a value cannot be used.
    if settings(config).secrets:
        redactor(config)
    world, agents = given(config, "world"), given(config, "agent")
    tag, browser = given(config, "run"), given(config, "browser")
    if tag or browser:
        yield from _wrong_names(tag, browser)
    if world:
        yield from _wrong_world(config, str(world))
    if agents:
        yield from _wrong_agents(config, list(agents))
    if config.getoption("dist", "no") == "loadgroup" and _uses_suites(config):
        yield "--dist loadgroup hangs when a worker dies (xdist 3.8.0 and earlier): use --dist load or --dist worksteal"


def _wrong_names(tag: str | None, browser: str | None) -> Iterator[str]:
    from ..browser.find import parse_choice
    from ..errors import SettingsError
    from ..run import RunDir

    try:
        RunDir.for_tag(Path(), tag or "unnamed")
        parse_choice(browser or "local")
    except SettingsError as error:
        yield str(error)


def _wrong_world(config: pytest.Config, world: str) -> Iterator[str]:
    for file in _suites_named(config):
        try:
            worlds: Any = tomllib.loads(file.read_text(encoding="utf-8")).get("worlds", ["live"])
        except (OSError, tomllib.TOMLDecodeError):
            continue  # a broken suite.toml is reported where its tasks are collected
        if isinstance(worlds, list) and world not in worlds:
            yield f"suite {file.parent.name} has no {world} world; it runs in: {', '.join(map(str, worlds))}"


def _wrong_agents(config: pytest.Config, specs: list[str]) -> Iterator[str]:
    from ..agents.config import agent_label
    from ..agents.load import require_agent
    from ..errors import SettingsError
    from .agents import configuration

    known = configuration(config)
    labels: dict[str, str] = {}
    for spec in specs:
        label = agent_label(spec)
        if label in labels:
            yield f"agents {labels[label]!r} and {spec!r} would both be called {label!r}; rename one of them"
        labels[label] = spec
        try:
            require_agent(spec, known)
        except SettingsError as error:
            yield str(error)


def sends_items_away(config: pytest.Config) -> bool:
    """Whether this process hands tasks with chosen agents to xdist's workers and will collect none itself."""
    away = config.getoption("dist", "no") != "no" and not hasattr(config, "workerinput")
    if not away:
        return False
    from .options import given

    # Who names an agent on the command line means to run it; one from the ini file may have to do with other tests.
    return bool(config.getoption("webbench_agent", None)) or bool(given(config, "agent") and _uses_suites(config))


def _uses_suites(config: pytest.Config) -> bool:
    files = (file for path in _named(config) for file in ([path] if path.is_file() else path.glob("*.json*")))
    return any(True for _ in _suites_named(config)) or any(is_foreign(file, config) for file in files)


def _suites_named(config: pytest.Config) -> Iterator[Path]:
    """``suite.toml`` files at, above or one level below the paths on the command line."""
    seen: set[Path] = set()
    for argument in config.args:
        start = Path(argument.partition("::")[0]).absolute()
        near = [start / SUITE_FILE, *(folder / SUITE_FILE for folder in list(start.parents)[:2])]
        for file in (*near, *(start.glob(f"*/{SUITE_FILE}") if start.is_dir() else ())):
            if file not in seen and file.is_file():
                seen.add(file)
                yield file
