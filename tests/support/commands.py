"""Every command of ``webbench``, loaded."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import typer

from pytest_webbench.cli import app
from pytest_webbench.cli.lazy import LazyCommand


def all_commands() -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every command and group of commands, with the words that call it after ``webbench``."""
    yield from _below((), typer.main.get_command(app))


def _below(words: tuple[str, ...], command: Any) -> Iterator[tuple[tuple[str, ...], Any]]:
    loaded = command.load() if isinstance(command, LazyCommand) else command
    yield words, loaded
    for name, inner in getattr(loaded, "commands", {}).items():
        yield from _below((*words, name), inner)
