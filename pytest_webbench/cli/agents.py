"""``webbench agents``: which agents there are, and whether their endpoints answer."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .shared import as_text, progress

if TYPE_CHECKING:
    from ..agents.config import Configuration
    from ..agents.types import AgentOptions

app = typer.Typer()


@app.command()
def agents(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME]...", help="Only these; type:model@url works, too.")
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Ask each agent's endpoints one tiny question, and say how long it took.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List the agents that --webbench-agent knows: built-in ones and those of ./webbench.toml. With --check, ends with
    1 if one of them could not be used.

    Examples: webbench agents        webbench agents --check my-model
    """
    from ..agents.config import BUILT_IN, Configuration

    known = Configuration.read(Path.cwd())
    rows = [_row(name, known) for name in names or (*sorted(known.agents), *BUILT_IN)]
    if check:
        with progress("asking", len(rows)) as advance:
            for row in rows:
                row.update(_checked(row["agent"], known))
                advance(1)
    if as_json:
        typer.echo(as_text(rows))
    else:
        _print(rows, check=check)
    if any(row.get("problem") for row in rows):
        raise typer.Exit(1)


def _row(name: str, known: Configuration) -> dict[str, Any]:
    from ..agents.config import BUILT_IN
    from ..agents.load import require_agent

    require_agent(name, known)
    options = known.options(name)
    row: dict[str, Any] = {
        "agent": name,
        "type": options.type if options else "python",
        "model": "",
        "url": "",
        "keys": [],
    }
    if name in BUILT_IN:
        row["type"] = "built in"
    return row | (_services(options, known) if options is not None else {})


def _services(options: AgentOptions, known: Configuration) -> dict[str, Any]:
    """Model and address of the agent, and where its keys are; never a key."""
    from ..agents.config import services_of

    services = list(services_of(options))
    names = [name for service in services if (name := service.key_name)]
    keys = [{"name": name, "set": known.secret(name) is not None} for name in dict.fromkeys(names)]
    first = services[0] if services else None
    return {
        "model": first.model if first else "",
        "url": first.url if first else "",
        "keys": keys,
        "parallel": options.parallel,
    }


def _checked(name: str, known: Configuration) -> dict[str, Any]:
    from ..agents.preflight import check_agent

    checked = check_agent(name, known)
    return {"seconds": round(checked.seconds, 3), "said": checked.said, "problem": checked.problem}


def _print(rows: list[dict[str, Any]], *, check: bool) -> None:
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for title in ("agent", "type", "model", "url", "key", *(("answer", "seconds") if check else ())):
        table.add_column(title, overflow="fold")
    for row in rows:
        keys = ", ".join(f"{key['name']} ({'set' if key['set'] else 'missing'})" for key in row["keys"])
        cells = [row["agent"], row["type"], row["model"], row["url"], keys]
        if check:
            cells += [row["said"] or "see below", f"{row['seconds']:.2f}"]
        table.add_row(*map(escape, cells))
    Console().print(table)
    for row in rows:
        if row.get("problem"):
            typer.echo(f"\n{row['problem']}")
