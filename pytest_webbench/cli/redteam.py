"""``webbench redteam``: whether our own cheats pass a suite without a word."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from ..redteam.cheats import CHEATS
from ..redteam.guessers import GUESSERS
from ..redteam.honest import HONEST
from ..redteam.loot import TAG
from ..report.redteam import RedTeam, redteam_data, redteam_lines
from ..report.results import read_results
from ..task.folder import read_folder
from .playing import play, selection_of, tag_for
from .shared import PROCESSORS, AsJson, Tasks, Workers, print_either, run_dir

app = typer.Typer(add_completion=False)
_HONEST: Final = "pytest_webbench.redteam.honest"


@app.command()
def redteam(
    suite: Annotated[Path, typer.Argument(help="Suite folder.", exists=True, file_okay=False)],
    task: Tasks = None,
    workers: Workers = PROCESSORS,
    as_json: AsJson = False,
) -> None:
    """Attack a suite: no cheat may pass without being flagged.

    Cheats of this package play each task: they open addresses, fake pages and
    answers of servers, forge actions, or stuff answers. Most know the
    solution. Honest agents of unusual habits play as well, and must not be
    flagged. The exit code is 1 if a cheat passes silently, or if an honest
    pass is flagged. Episodes are stored in the run redteam-..., and are not
    played again.

    Examples:
      webbench redteam suites/suite_c
      webbench redteam suites/suite_c --task wp-cache-commercial-redis --json
    """
    folder = read_folder(suite, task or [])
    tag = tag_for(TAG, folder.path)
    selection = selection_of(folder, chosen=bool(task))
    honest = ["scripted", *(f"{_HONEST}:{name}" for name in HONEST)]
    every = (*CHEATS, *GUESSERS)
    cheats = [f"{cheat.__module__}:{cheat.__name__}" for cheat in every]
    tasks = len(folder.tasks)
    _play(selection, ["--webbench-mutants", "references"], "solutions", tag, workers, tasks)
    agents = [*honest, *cheats]
    chosen = [word for agent in agents for word in ("--webbench-agent", agent)]
    _play(selection, chosen, "cheats", tag, workers, tasks * len(agents))
    found = RedTeam.of(
        read_results(run_dir(tag, whole=True)).results,
        tasks=[(folder.suite.name, name) for name in folder.tasks],
        cheats={cheat.__name__: cheat.attacker for cheat in every},
        honest=["scripted", *HONEST],
    )
    print_either(as_json, data=lambda: redteam_data(found), lines=lambda: redteam_lines(found))
    raise typer.Exit(not found.holds)


def _play(
    selection: list[str], options: list[str], what: str, tag: str, workers: int, expected: int
) -> None:
    kept = ["--webbench-artifacts", "none"]
    play(selection, [*options, *kept], what=what, tag=tag, workers=workers, expected=expected)
