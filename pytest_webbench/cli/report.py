"""``webbench report``: a run as a folder of web pages."""

from __future__ import annotations

import socket
import webbrowser
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from ..errors import UsageError
from ..report.html import write_report
from ..run import RunDir
from .shared import Run, complete_run, progress, run_dir

app = typer.Typer(add_completion=False)


@app.command()
def report(
    run: Run,
    compare: Annotated[
        str | None,
        typer.Option(
            metavar="RUN",
            help="Compare with this run, task by task.",
            autocompletion=complete_run,
        ),
    ] = None,
    open_: Annotated[bool, typer.Option("--open", help="Open the report in your browser.")] = False,
    serve: Annotated[
        bool,
        typer.Option(
            "--serve", help="Serve it on this machine: notes and disputes can be written."
        ),
    ] = False,
    port: Annotated[
        int, typer.Option(min=0, max=65_535, help="Port for --serve (0: any that is free).")
    ] = 0,
) -> None:
    """Write a report of a run: web pages that open without a server.

    They show every task and agent, and every episode step by step.

    Examples:
      webbench report runs/demo --open
      webbench report demo --compare base --serve
    """
    dirs = [run_dir(one, whole=True) for one in (run, compare) if one is not None]
    for one in dirs:
        one.must_exist()
    with progress("writing", sum(len(one.planned()) for one in dirs)) as advance:
        index = write_report(*dirs, on_episode=advance)
    typer.echo(f"wrote {index}")
    if serve:
        _serve(index, dirs, port=port, open_browser=open_)
    elif open_:
        webbrowser.open(index.absolute().as_uri())


def _serve(index: Path, dirs: Sequence[RunDir], *, port: int, open_browser: bool) -> None:
    """Serve the report until Ctrl+C."""
    # A server is imported for --serve alone: it takes longer than most reports.
    import uvicorn

    # So is what it serves, which imports Starlette.
    from ..report.html.serve import report_app

    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            # Loopback only: the report shows everything that was recorded.
            listener.bind(("127.0.0.1", port))
            listener.listen()  # a browser that connects before the server is up waits
        except OSError as error:
            raise UsageError(
                f"port {port} cannot be used: {error.strerror}; choose another with --port"
            ) from error
        address = f"http://127.0.0.1:{listener.getsockname()[1]}/"
        typer.echo(f"serving {address}  (Ctrl+C stops it)")
        if open_browser:
            webbrowser.open(address)
        config = uvicorn.Config(report_app(index, dirs), log_level="warning")
        uvicorn.Server(config).run(sockets=[listener])
