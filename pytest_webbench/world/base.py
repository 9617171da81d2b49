"""The World protocol, the live world, and how a world is opened."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Protocol

from .. import _entry_points
from .._worlds import BUILT_IN, LIVE, LOCAL, REPLICA, SITES, require_world
from ..errors import SettingsError
from ..task.params import filled_task
from .facts import NoState, Stay

if TYPE_CHECKING:
    from ..task import Task


class World(Protocol):
    """Where pages come from. A browser is started for one world and serves no other.

    Another distribution adds a world by an entry point of the group ``pytest_webbench.worlds``:
    a callable that takes a suite's folder (a `pathlib.Path`) and returns a World that is ready to
    serve. The entry point's name is what ``--webbench-world`` and ``suite.toml`` call it.

    A world may also have:

    - a method ``begin(task, seed)``, called before every episode. It may return a `Stay`, whose
      ``end`` is called when the episode's evidence is taken;
    - an attribute ``has_editions``, True if it shows another edition of its pages for every
      ``seed`` that ``begin`` is called with. It is asked of what the entry point names, which then
      has to be the class;
    - a method ``broken_since_last``, if its own pages can fail: a list of where and why that has
      happened since the last call. Such an episode is unscored.
    """

    name: str
    """What the ledger calls this world."""

    def launch_args(self) -> list[str]:
        """Command-line arguments for a browser in this world."""

    def context_args(self) -> dict[str, Any]:
        """Arguments of Playwright's ``new_context`` for each browser context in this world."""

    def outside_since_last(self) -> list[str]:
        """URLs outside this world that were requested since the last call."""

    def delivered_since_last(self) -> frozenset[str] | None:
        """Addresses of the documents that this world's server sent since the last call.

        They have no fragment. None if the world has no server of its own, such as the internet.
        """

    def close(self) -> None:
        """Free ports and threads."""


class Live:
    """The internet."""

    name = LIVE
    has_editions = False

    def begin(self, task: Task, seed: int) -> None:
        """Nothing is to be done."""

    def launch_args(self) -> list[str]:
        """None are needed."""
        return []

    def context_args(self) -> dict[str, Any]:
        """None are needed."""
        return {}

    def outside_since_last(self) -> list[str]:
        """Nothing is outside."""
        return []

    def delivered_since_last(self) -> None:
        """Unknown: the servers are not ours."""

    def broken_since_last(self) -> list[str]:
        """No page here is ours to mend."""
        return []

    def close(self) -> None:
        """There is nothing to free."""


def open_world(name: str, suite_folder: Path) -> World:
    """Open the world ``name`` for a suite; ``replica`` and ``local`` serve what its folders hold.

    `SettingsError` if there is no such world, or if it cannot be opened for this suite.
    """
    require_world(name)
    if name == LIVE:
        return Live()
    if name == REPLICA:
        replica: World = _replica().Replica(suite_folder / SITES[REPLICA])
        return replica
    if name == LOCAL:
        local: World = _local().Local(suite_folder / SITES[LOCAL])
        return local
    return _open_offered(name, suite_folder)


def has_editions(name: str) -> bool:
    """Whether the world ``name`` can show its pages in more than one edition."""
    if name in BUILT_IN:
        return name in SITES
    return getattr(_entry_points.load(_entry_points.WORLDS, name), "has_editions", False) is True


def require_editions(name: str) -> None:
    """`SettingsError` if the world ``name`` has only one edition."""
    if not has_editions(name):
        raise SettingsError(
            f"--webbench-seeds: the {name} world has one edition only; "
            "leave the option out, or choose another world with --webbench-world"
        )


def begin_episode(world: World, task: Task, seed: int) -> Stay:
    """Let ``world`` show the edition ``seed``; a world without `begin` has one edition, 0."""
    begin = getattr(world, "begin", None)
    if begin is None:
        if seed:
            raise SettingsError(f"the {world.name} world has one edition only, and this is {seed}")
        return NoState()
    stay: Stay | None = begin(task, seed)
    return stay or NoState()


def task_in_edition(task: Task, suite_folder: Path, seed: int) -> Task:
    """``task`` with what it draws for a seed; as it is if it has no parameters."""
    if not task.params:
        return task
    return filled_task(task, _local().draw(task, suite_folder / SITES[LOCAL], seed))


def has_double(folder: Path, host: str) -> bool:
    """Whether a site under ``folder`` answers at ``host``; no site is loaded to tell."""
    # Most are found by their folder's name, without a word about hosts being read.
    name = host.removeprefix("www.")
    if any((folder / one / "site.py").is_file() for one in (host, name, f"www.{name}")):
        return True
    return host in _replica().site_files(folder)


def _replica() -> ModuleType:
    # The servers' libraries take a tenth of a second to import; a live session needs none.
    from . import replica

    return replica


def _local() -> ModuleType:
    # As with the replica.
    from . import local

    return local


def _open_offered(name: str, suite_folder: Path) -> World:
    opener = _entry_points.load(_entry_points.WORLDS, name)
    if not callable(opener):
        raise SettingsError(
            f"{_entry_points.WORLDS}: {name!r} names {opener!r}, which cannot be called; "
            "it must be a callable that takes the suite's folder and returns a World"
        )
    world: World = opener(suite_folder)
    missing = [part for part in _PARTS if not hasattr(world, part)]
    if missing:
        raise SettingsError(
            f"{_entry_points.WORLDS}: {name!r} opened a {type(world).__name__}, which is not a "
            f"World: it lacks {', '.join(missing)}"
        )
    return world


_PARTS = (
    "name",
    "launch_args",
    "context_args",
    "outside_since_last",
    "delivered_since_last",
    "close",
)
