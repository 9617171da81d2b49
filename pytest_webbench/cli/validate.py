"""``webbench validate``: pytest with the options that prove tasks sound."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from .._suite_files import SUITE_FILE
from .._worlds import LIVE
from ..errors import SettingsError
from ..report.episode_notes import not_audited
from ..task.folder import read_folder
from ..task.native import read_suite
from .shared import PROCESSORS, Workers, known_world

app = typer.Typer(add_completion=False)
_World: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="WORLD",
        help="live, replica, local or an installed one (default: replica if the suite has one).",
        callback=known_world,
    ),
]
_Repeats: TypeAlias = Annotated[
    int | None,
    typer.Option(min=1, help="How often the solution has to pass (default: 3; live: 1)."),
]
_Sample: TypeAlias = Annotated[
    int | None,
    typer.Option(
        min=1, help="Only so many tasks, spread over the sites; --webbench-seed draws others."
    ),
]
_Quarantine: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--quarantine",
        help="In the live world: write the tasks that have drifted to the suite's "
        "quarantine.toml, and take out those that are solved.",
    ),
]


@app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def validate(
    context: typer.Context,
    suite: Annotated[Path, typer.Argument(help="Suite folder or task file.", exists=True)],
    workers: Workers = PROCESSORS,
    world: _World = None,
    repeats: _Repeats = None,
    sample: _Sample = None,
    quarantine: _Quarantine = False,
) -> None:
    """Prove that tasks are sound: their solutions pass, and wrong answers fail.

    The solution has to pass every time. The start page, an empty answer, the
    goal as answer, and every counterexample have to fail. In the live world,
    only solutions are played, to tell which sites have changed or block.
    Other options are passed on to pytest.

    Examples:
      webbench validate suites/suite_c
      webbench validate suites/suite_c --world live --sample 10 --quarantine
    """
    live = (world or _default_world(suite)) == LIVE
    if quarantine and not live:
        raise SettingsError("--quarantine is for --world live: no other world drifts")
    times = repeats or (1 if live else 3)
    command = [sys.executable, "-m", "pytest", str(suite)]
    command += ["--webbench-validate", str(times), "--tb=short"]
    if sample is not None:
        command += ["--webbench-sample", str(sample)]
    if quarantine:
        command += ["--webbench-quarantine"]
    if workers > 1:
        command += ["-n", str(workers)]
    if world:
        command += ["--webbench-world", world]
    code = subprocess.run([*command, *context.args], check=False).returncode
    for line in _audit_lines(suite) if not live else ():
        typer.echo(line)
    raise typer.Exit(code)


def _default_world(suite: Path) -> str:
    """Where a suite is proven, or the suite of a task file; empty for anything else."""
    for folder in (suite, suite.parent.parent):
        if (folder / SUITE_FILE).is_file():
            return read_suite(folder / SUITE_FILE).proof_world
    return ""


def _audit_lines(suite: Path) -> list[str]:
    """Which tasks were not audited with episodes; nothing is said of a single file."""
    if not (suite / SUITE_FILE).is_file():
        return []
    names = not_audited(read_folder(suite))
    if not names:
        return []
    return [
        f"not audited with episodes as they are now: {', '.join(names)}",
        f"to do so: webbench audit {suite} --episodes --write",
    ]
