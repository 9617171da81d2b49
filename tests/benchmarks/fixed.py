"""What the benchmarks of agents share: a policy that costs nothing, and a world of plain files."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import NamedTuple

from pytest_webbench.agents.loop import PolicyAgent, Tools
from pytest_webbench.agents.policy import Decision, Turn
from pytest_webbench.browser.actions import Action, Click, Done, SelectOption, TypeText
from pytest_webbench.browser.observation import Mode
from pytest_webbench.world import World, open_world

_SITE = "from pytest_webbench.world.kit import Site\n\nsite = Site(__file__)\n"


class Move(NamedTuple):
    """One action, its element by role and name as an agent sees it, and by a CSS selector."""

    role: str
    name: str
    css: str
    text: str = ""


class FixedPolicy:
    """Finds the elements of known moves in what it sees, then is done."""

    mode: Mode = "axtree"

    def __init__(self, moves: Sequence[Move]) -> None:
        self._moves = list(moves)

    def choose(self, turn: Turn) -> Decision:
        assert not any(past.error for past in turn.history), turn.history
        if not self._moves:
            return Decision(action=Done())
        move = self._moves.pop(0)
        seen = turn.observation.elements
        ref = next(one.ref for one in seen if one.role == move.role and one.name == move.name)
        return Decision(action=_action(move, ref))


def _action(move: Move, ref: str) -> Action:
    if move.role == "button":
        return Click(ref=ref)
    return (
        TypeText(ref=ref, text=move.text)
        if move.role == "textbox"
        else SelectOption(ref=ref, option=move.text)
    )


def fixed_agent(moves: Sequence[Move], tools: Tools | None = None) -> PolicyAgent:
    """The loop that every agent with a model runs in, around a `FixedPolicy`."""
    return PolicyAgent(lambda _context: nullcontext(FixedPolicy(moves)), tools=tools)


@contextmanager
def world_of_files(folder: Path, host: str, files: Path) -> Iterator[World]:
    """A replica world that serves ``files`` below ``https://<host>/static/``; made in
    ``folder``.
    """
    site = folder / "replica" / host
    shutil.copytree(files, site / "static")
    (site / "site.py").write_text(_SITE, encoding="utf-8")
    world = open_world("replica", folder)
    try:
        yield world
    finally:
        world.close()
