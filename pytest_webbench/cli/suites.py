"""Commands about suites: schema, validate, import, audit."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from ..errors import SettingsError, WebbenchError
from .shared import RUNS, as_text, progress, run_dir

app = typer.Typer()


class WorldChoice(StrEnum):
    """Worlds that a suite may run in."""

    LIVE = "live"
    REPLICA = "replica"


@app.command()
def schema(
    folder: Annotated[Path, typer.Argument(help="Folder that the schema files are written to.")] = Path("docs"),
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; fail if the files are not up to date.")
    ] = False,
) -> None:
    """Write the JSON Schemas of task files and suite.toml, for editors, and of evidence.json.

    Example: webbench schema docs
    """
    from ..task.schema import evidence_schema, suite_schema, task_schema

    for name, content in (
        ("task.schema.json", task_schema()),
        ("suite.schema.json", suite_schema()),
        ("evidence.schema.json", evidence_schema()),
    ):
        text = json.dumps(content, indent=1, sort_keys=True, ensure_ascii=False) + "\n"
        path = folder / name
        if check:
            if not path.is_file() or path.read_text(encoding="utf-8") != text:
                typer.echo(f"{path} is out of date: run  webbench schema {folder}", err=True)
                raise typer.Exit(1)
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        typer.echo(f"wrote {path}")


@app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def validate(
    context: typer.Context,
    suite: Annotated[Path, typer.Argument(help="Suite folder or task file.", exists=True)],
    workers: Annotated[int, typer.Option("-n", "--workers", min=1, help="Parallel workers.")] = os.cpu_count() or 1,
    world: Annotated[WorldChoice | None, typer.Option(help="Where the web comes from (default: the suite's).")] = None,
    repeats: Annotated[int, typer.Option(min=1, help="How often the solution has to pass.")] = 3,
) -> None:
    """Prove that tasks are sound: the solution passes every time; start page, empty answer, echo of the goal and
    every counterexample fail. Further options are handed to pytest.

    Examples: webbench validate suites/suite_c        webbench validate suites/suite_c --world live -k wp-cache
    """
    command = [sys.executable, "-m", "pytest", str(suite), "--webbench-validate", str(repeats), "--tb=short"]
    command += ["-n", str(workers)] if workers > 1 else []
    command += ["--webbench-world", world.value] if world else []
    raise typer.Exit(subprocess.run([*command, *context.args], check=False).returncode)


@app.command("import")
def import_(
    foreign: Annotated[
        Path, typer.Argument(help="Task file of another benchmark, or the folder that holds them.", exists=True)
    ],
    folder: Annotated[Path, typer.Argument(help="Folder of the native suite to be written.")],
    force: Annotated[bool, typer.Option("--force", help="Write over files that exist.")] = False,
) -> None:
    """Turn tasks in another benchmark's format into a native suite that collects and judges the same. Says what could
    not be converted and why, and fails then.

    Examples: webbench import liveweb/tasks suites/liveweb        webbench import tasks.jsonl suites/mine
    """
    from ..task.adapters.importing import native_files

    conversion = native_files(foreign)
    existing = [name for name in conversion.files if (folder / name).exists()]
    if existing and not force:
        raise SettingsError(f"{folder / existing[0]} exists; choose another folder or give --force to write over it")
    for name, text in conversion.files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    for failure in conversion.failures:
        typer.echo(f"not converted: {failure}", err=True)
    typer.echo(f"wrote {max(len(conversion.files) - 1, 0)} tasks to {folder}")
    if conversion.failures:
        raise typer.Exit(1)


@app.command()
def audit(
    suite: Annotated[Path, typer.Argument(help="Suite folder.", exists=True, file_okay=False)],
    run: Annotated[
        str | None,
        typer.Option(help="Take the episodes of agents scripted and noop from this run (default: they are run now)."),
    ] = None,
    task: Annotated[list[str] | None, typer.Option(help="Only this task; may be given several times.")] = None,
    workers: Annotated[int, typer.Option("-n", "--workers", min=1, help="Parallel workers.")] = os.cpu_count() or 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print what was found as JSON.")] = False,
) -> None:
    """Prove that checks are tight: evidence of each task's solution is changed in some hundred ways that make it
    wrong, and judged. Exit code 1 if such a mutant passes and audit.toml in the suite's folder does not say why.

    Examples: webbench audit suites/suite_c        webbench audit suites/suite_c --run validated --json
    """
    from ..judge.audit import audit as audit_task
    from ..judge.audit import read_reasons
    from ..report.audit import audit_data, audit_lines
    from ..run import ItemKey
    from ..task.folder import read_folder

    folder = read_folder(suite, task or [])
    reasons = read_reasons(folder.path, list(read_folder(suite).tasks))
    if run is None:
        run = _audit_tag(folder.path)
        _play_solutions(suite, list(folder.tasks) if task else [], run, workers)
    source = run_dir(run, whole=True)
    found = []
    with progress("auditing", len(folder.tasks)) as advance:
        for one in folder.tasks.values():
            passing, start = (
                source.read_evidence(ItemKey(folder.suite.name, one.id, agent, 1)) for agent in ("scripted", "noop")
            )
            found.append(audit_task(one, passing, start, reasons.get(one.id, {})))
            advance(1)
    text = as_text(audit_data(found)) if as_json else None
    typer.echo(text or "\n".join(audit_lines(found)))
    raise typer.Exit(any(one.open for one in found))


def _audit_tag(suite: Path) -> str:
    """One run per state of ``suite.toml``: a run is not gone on with under other limits."""
    from ..task.native import SUITE_FILE

    return f"audit-{hashlib.sha256((suite / SUITE_FILE).read_bytes()).hexdigest()[:8]}"


def _play_solutions(suite: Path, tasks: list[str], run: str, workers: int) -> None:
    """Has pytest run what an audit needs and is not stored yet; its output is of interest only if it fails."""
    from ..report.gate import UNSCORED_EXIT

    paths = [str(suite / "tasks" / f"{task}.yaml") for task in tasks] or [str(suite)]
    command = [sys.executable, "-m", "pytest", *paths, "--webbench-agent", "scripted", "--webbench-agent", "noop"]
    command += ["--webbench-run", run, "--webbench-runs-dir", str(RUNS.absolute())]
    command += ["-n", str(workers)] if workers > 1 else []
    result = subprocess.run(command, check=False, capture_output=True, text=True)
    if result.returncode not in (0, 1, UNSCORED_EXIT):
        raise WebbenchError(f"pytest could not run the solutions:\n{result.stdout}\n{result.stderr}")
