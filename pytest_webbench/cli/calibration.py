"""``webbench calibration``: whether agents are right as often as they say."""

from __future__ import annotations

import typer

from ..errors import SettingsError
from ..report.calibration import calibration_data, calibration_lines, calibration_of
from .shared import AsJson, Run, as_text, run_dir

app = typer.Typer(add_completion=False)


@app.command()
def calibration(run: Run, as_json: AsJson = False) -> None:
    """Compare the probabilities that agents give with how often they are right.

    The probability of each episode's last decision is set against its outcome,
    in ten bins. Decision models give probabilities; your own agents can, in
    their journal.

    Example:
      webbench calibration demo
    """
    folder = run_dir(run, whole=True)
    found = calibration_of(folder)
    if not found:
        raise SettingsError(
            f"no graded episode in {folder.path} has a decision with a probability in its "
            "agent.jsonl"
        )
    if as_json:
        typer.echo(as_text(calibration_data(found)))
        return
    for agent, one in found.items():
        typer.echo("\n".join(calibration_lines(agent, one)))
