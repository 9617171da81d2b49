"""Commands that are imported when they run, not when they are listed.

Another distribution adds a command by an entry point of the group ``pytest_webbench.commands``. Its
name is the command's, and it names a `typer.Typer`. The first line of its module's docstring is
shown by ``webbench --help``, which reads the module without importing it.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from functools import partial
from typing import Any

import typer
from typer.core import TyperCommand

from .. import _entry_points
from ..errors import SettingsError


class LazyCommand(TyperCommand):
    """Stands in lists for the command that ``load`` returns; ``summary`` is its line there."""

    def __init__(self, name: str, summary: str, load: Callable[[], Any]) -> None:
        super().__init__(name=name, callback=None, help=summary)
        self.load = load

    def make_context(self, *args: Any, **extra: Any) -> Any:
        """Let the command itself parse its arguments; it is also what the context invokes then."""
        return self.load().make_context(*args, **extra)


def offered_commands(*, taken: Container[str]) -> Iterator[LazyCommand]:
    """The commands that installed distributions offer.

    `SettingsError` if one has a name that is ``taken``, and, once it runs, if it cannot be loaded.
    """
    for name, summary in _entry_points.summaries(_entry_points.COMMANDS).items():
        if name in taken:
            raise SettingsError(
                f"{_entry_points.COMMANDS}: {name!r} is a built-in command, but an installed "
                "distribution offers another; uninstall that distribution"
            )
        yield LazyCommand(name, summary, partial(_load, name))


def _load(name: str) -> Any:
    app = _entry_points.load(_entry_points.COMMANDS, name)
    if not isinstance(app, typer.Typer):
        raise SettingsError(
            f"{_entry_points.COMMANDS}: {name!r} names a {type(app).__name__}; "
            "it must be a typer.Typer"
        )
    # A group even if it has one command, as `Typer.add_typer` makes it, and without options of its
    # own for shell completion.
    return typer.main.get_group(app)
