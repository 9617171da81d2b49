"""``webbench m2w``: makes recorded steps for the suite mind2web of a suite of ours, and counts what a file holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..errors import SettingsError
from .shared import as_text, progress
from .suites import WorldChoice

if TYPE_CHECKING:
    from ..mind2web.recorder import Script
    from ..mind2web.records import RecordedStep
    from ..world import World

app = typer.Typer(help="Recorded single steps: make them of a suite, look into a file of them.", no_args_is_help=True)


@app.command()
def record(
    suite: Annotated[Path, typer.Argument(help="Suite whose scripts are played.", exists=True, file_okay=False)],
    out: Annotated[Path, typer.Argument(help="File to write: .jsonl or .jsonl.gz.")],
    task: Annotated[
        list[str] | None, typer.Option("--task", metavar="ID", help="Only this task; may be given several times.")
    ] = None,
    most_per_site: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="So many steps of a site; those of solutions come first.")
    ] = None,
    world: Annotated[WorldChoice, typer.Option(help="Where the scripts are played.")] = WorldChoice.REPLICA,
    append: Annotated[
        list[Path] | None, typer.Option("--append", metavar="FILE", help="Steps to put behind the recorded ones.")
    ] = None,
) -> None:
    """Play the solutions and counterexamples of a suite's tasks, and keep of each step the page with its right target.
    Each page with the same target is kept once.

    Example: webbench m2w record suites/suite_c steps.jsonl.gz --most-per-site 14
    """
    from ..mind2web.recorder import by_site
    from ..mind2web.store import write_steps
    from ..task.folder import read_folder
    from ..world import open_world

    if not out.name.endswith((".jsonl", ".jsonl.gz")):
        raise SettingsError(f"{out}: use a file that ends in .jsonl or .jsonl.gz")
    tasks = read_folder(suite).tasks
    if missing := set(task or ()) - set(tasks):
        raise SettingsError(f"{suite} has no task {', '.join(sorted(missing))}; it has: {', '.join(sorted(tasks))}")
    chosen = [one for name, one in tasks.items() if not task or name in task]
    told: list[str] = []
    opened = open_world(world.value, suite)
    try:
        steps = _kept_in(told, _recorded(opened, by_site(chosen), most_per_site, append or []))
        write_steps(out, steps)
    finally:
        opened.close()
    failures = [line for line in told if line]
    typer.echo(f"{len(told) - len(failures)} steps, {out.stat().st_size / 1e6:.2f} MB, written to {out}")
    for line in failures:
        typer.echo(f"not recorded: {line}", err=True)


def _kept_in(told: list[str], steps: Iterator[RecordedStep | str]) -> Iterator[RecordedStep]:
    """The steps; of what comes with them, the failures, is kept an account."""
    for one in steps:
        told.append(one if isinstance(one, str) else "")
        if not isinstance(one, str):
            yield one


def _recorded(
    world: World, sites: dict[str, list[Script]], most: int | None, append: list[Path]
) -> Iterator[RecordedStep | str]:
    from ..browser.played import local_browser
    from ..mind2web.recorder import Recorder
    from ..mind2web.sources.local import steps_in

    failures: list[str] = []
    with progress("recording", sum(map(len, sites.values()))) as advance, local_browser(world) as browser:
        recorder = Recorder(browser, world.context_args(), split=world.name)
        yield from recorder.record_all(
            sites,
            most=most,
            failed=lambda name, why: failures.append(f"{name}: {why.splitlines()[0]}"),
            played=lambda: advance(1),
        )
    for path in append:
        yield from steps_in(path, [])
    yield from failures


@app.command()
def show(
    file: Annotated[Path, typer.Argument(help="Steps as .jsonl, .jsonl.gz, task .json or .parquet.", exists=True)],
    as_json: Annotated[bool, typer.Option("--json", help="Print it as JSON.")] = False,
) -> None:
    """Count the steps of a file: by split, site, operation and role, with the sizes of their pages.

    Example: webbench m2w show suites/mind2web/steps.jsonl.gz
    """
    from ..mind2web.sources.local import steps_in

    steps = list(steps_in(file, []))
    sizes = sorted(len(step.cleaned_html) for step in steps)
    counts = {
        name: dict(Counter(str(getattr(step, name)) or "(unknown)" for step in steps).most_common())
        for name in ("split", "website", "op", "role")
    }
    told = {
        "steps": len(steps),
        "tasks": len({step.task_id for step in steps}),
        "without_target": sum(not step.targets for step in steps),
        "characters": {"least": sizes[0], "median": sizes[len(sizes) // 2], "most": sizes[-1]} if sizes else None,
        "by": counts,
    }
    if as_json:
        typer.echo(as_text(told))
        return
    typer.echo(f"{told['steps']} steps of {told['tasks']} tasks, {told['without_target']} of them without a target")
    if sizes:
        typer.echo(f"pages: {sizes[0]:,} to {sizes[-1]:,} characters, median {sizes[len(sizes) // 2]:,}")
    for name, groups in counts.items():
        typer.echo(f"by {name}: " + ", ".join(f"{group} {count}" for group, count in groups.items()))
