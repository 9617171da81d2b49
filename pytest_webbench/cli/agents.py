"""``webbench agents``: which agents there are, and whether their endpoints answer."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from ..agents.config import BUILT_IN, Configuration, services_of
from ..agents.load import require_agent
from ..agents.options import AgentOptions
from ..agents.preflight import check_agent
from ..agents.registry import list_agent_types
from .shared import AsJson, as_text, progress

app = typer.Typer(add_completion=False)


@app.command()
def agents(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[NAME]...", help="Only these; type:model@url is possible, too."),
    ] = None,
    check: Annotated[
        bool,
        typer.Option("--check", help="Ask each endpoint a tiny question and measure the time."),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """List the agents that --webbench-agent knows, and the types that others can be made of.

    Agents are built in or described in ./webbench.toml. With --check, the exit
    code is 1 if one of them cannot be used.

    Examples:
      webbench agents
      webbench agents --check my-model
    """
    known = Configuration.read(Path.cwd())
    listed = names or [*sorted({*known.agents, *known.broken}), *BUILT_IN]
    rows = [_row(name, known, listing=not names) for name in listed]
    if check:
        with progress("asking", len(rows)) as advance:
            for row in rows:
                row.update(_checked(row["agent"], known))
                advance(1)
    if as_json:
        typer.echo(as_text(rows))
    else:
        _print(rows, checked=check)
        if not names and not check:
            _print_types()
    if check and any(row.get("problem") for row in rows):
        raise typer.Exit(1)


def _row(name: str, known: Configuration, *, listing: bool) -> dict[str, Any]:
    row: dict[str, Any] = {"agent": name, "type": "python", "model": "", "url": "", "keys": []}
    if listing and name in known.broken:  # an error only where this agent is asked for
        return row | {"type": "broken", "problem": known.broken[name]}
    require_agent(name, known)
    options = known.options(name)
    if options is not None:
        row |= {"type": options.type, **_services(options, known)}
    if name in BUILT_IN:
        row["type"] = "built in"
    return row


def _services(options: AgentOptions, known: Configuration) -> dict[str, Any]:
    """Model and URL of the agent, and which keys are set; never a key."""
    services = list(services_of(options))
    names = dict.fromkeys(service.key_name for service in services if service.key_name)
    model, url = (services[0].model, services[0].url) if services else ("", "")
    return {
        "model": model,
        "url": url,
        "keys": [{"name": name, "set": known.secret(name) is not None} for name in names],
        "parallel": options.parallel,
    }


def _checked(name: str, known: Configuration) -> dict[str, Any]:
    checked = check_agent(name, known)
    return {"seconds": round(checked.seconds, 3), "said": checked.said, "problem": checked.problem}


def _print(rows: list[dict[str, Any]], *, checked: bool) -> None:
    titles = ["agent", "type", "model", "url", "key"]
    if checked:
        titles += ["answer", "seconds"]
    table = Table(box=None, pad_edge=False)
    for title in titles:
        table.add_column(title, overflow="fold")
    for row in rows:
        cells = [row["agent"], row["type"], row["model"], row["url"], _keys(row)]
        if checked:
            cells += [row["said"] or "see below", f"{row['seconds']:.2f}"]
        table.add_row(*map(escape, cells))
    Console().print(table)
    for row in rows:
        if row.get("problem"):
            typer.echo(f"\n{row['problem']}")


def _print_types() -> None:
    table = Table(box=None, pad_edge=False)
    table.add_column("type", overflow="fold")
    table.add_column("what it is", overflow="fold")
    for listed in list_agent_types():
        what = f"broken: {listed.problem}" if listed.problem else listed.summary
        table.add_row(escape(listed.name), escape(what))
    typer.echo()
    Console().print(table)


def _keys(row: dict[str, Any]) -> str:
    return ", ".join(f"{key['name']} ({'set' if key['set'] else 'missing'})" for key in row["keys"])
