"""``webbench report``: a run as a folder of web pages."""

from __future__ import annotations

import socket
import webbrowser
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .shared import complete_run, progress, run_dir

if TYPE_CHECKING:
    from ..run import RunDir

app = typer.Typer()


@app.command()
def report(
    run: Annotated[
        str,
        typer.Argument(
            metavar="RUN", help="Run directory, or its tag if it lies in ./runs.", autocompletion=complete_run
        ),
    ],
    compare: Annotated[
        str | None,
        typer.Option(
            metavar="RUN", help="Show this run beside it: what differs, task by task.", autocompletion=complete_run
        ),
    ] = None,
    open_: Annotated[bool, typer.Option("--open", help="Open the report in your web browser.")] = False,
    serve: Annotated[
        bool, typer.Option("--serve", help="Serve it on this machine, so that notes and disputes can be written.")
    ] = False,
    port: Annotated[int, typer.Option(min=0, max=65_535, help="Port for --serve (default: any that is free).")] = 0,
) -> None:
    """Write a report that opens from disk, without a server: every task and agent, every episode step by step.

    Examples: webbench report runs/demo --open        webbench report demo --compare base --serve
    """
    from ..errors import UsageError
    from ..report.html import write_report

    dirs = [run_dir(one, whole=True) for one in (run, compare) if one is not None]
    for one in dirs:
        if not one.exists():
            raise UsageError(f"{one.path} is no run: it has no run.json")
    with progress("writing", sum(len(one.planned()) for one in dirs)) as advance:
        index = write_report(*dirs, on_episode=advance)
    typer.echo(f"wrote {index}")
    if serve:
        _serve(index, dirs, port, open_)
    elif open_:
        webbrowser.open(index.absolute().as_uri())


def _serve(index: Path, dirs: Sequence[RunDir], port: int, open_: bool) -> None:
    """Until Ctrl+C."""
    import uvicorn

    from ..errors import UsageError
    from ..report.html.serve import report_app

    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind(("127.0.0.1", port))
            listener.listen()  # so that a browser that asks before the server is up waits
        except OSError as error:
            raise UsageError(f"port {port} cannot be used: {error.strerror}; choose another with --port") from error
        address = f"http://127.0.0.1:{listener.getsockname()[1]}/"
        typer.echo(f"serving {address}  (Ctrl+C ends it)")
        if open_:
            webbrowser.open(address)
        uvicorn.Server(uvicorn.Config(report_app(index, dirs), log_level="warning")).run(sockets=[listener])
