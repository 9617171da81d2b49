"""Commands that other distributions offer to ``webbench`` by an entry point."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from pytest_webbench import cli
from pytest_webbench._entry_points import COMMANDS
from pytest_webbench.errors import SettingsError
from tests.support.distributions import offer

MOON = '''
"""Fly to the moon.

At your own risk.
"""
import typer

app = typer.Typer(no_args_is_help=True)
not_an_app = 5


@app.command()
def land(place: str) -> None:
    """Land there."""
    typer.echo(f"landed in {place}")


@app.command()
def leave() -> None:
    """Fly home."""
'''

Offer = Callable[..., None]


@pytest.fixture
def offer_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Offer:
    def offered(target: str, *, name: str = "moon", source: str = MOON) -> None:
        offer(tmp_path, monkeypatch, {COMMANDS: {name: target}}, acme_moon=source)

    return offered


def webbench(*arguments: str) -> Result:
    wide = CliRunner(env={"COLUMNS": "200", "TERM": "dumb", "NO_COLOR": "1"})
    return wide.invoke(cli.app, list(arguments))


def test_offered_command_runs(offer_command: Offer) -> None:
    offer_command("acme_moon:app")
    assert webbench("moon", "land", "a crater").output == "landed in a crater\n"
    assert "Land there." in webbench("moon", "--help").output


def test_help_shows_its_docstring_without_importing_it(offer_command: Offer) -> None:
    offer_command("acme_moon:app", source=MOON + "\nraise RuntimeError('imported')\n")
    result = webbench("--help")
    assert result.exit_code == 0
    assert "Fly to the moon." in result.output
    assert "At your own risk" not in result.output


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("acme_nowhere:app", "acme offers 'moon' in pytest_webbench.commands, but acme_nowhere"),
        ("acme_moon:not_an_app", "'moon' names a int; it must be a typer.Typer"),
    ],
)
def test_broken_command_fails_only_when_called(
    offer_command: Offer, target: str, message: str
) -> None:
    offer_command(target)
    assert webbench("--help").exit_code == 0
    assert message in str(webbench("moon", "leave").exception)


def test_built_in_command_names_cannot_be_taken(offer_command: Offer) -> None:
    offer_command("acme_moon:app", name="summary")
    with pytest.raises(SettingsError, match="'summary' is a built-in command"):
        webbench("--help")


def test_help_imports_no_offered_command() -> None:
    script = (
        "import json, sys; from pytest_webbench.cli import app\n"
        "try:\n    app(['--help'])\n"
        "finally:\n    json.dump(sorted(sys.modules), sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert " m2w " in done.stdout
    heavy = {"pydantic", "playwright", "httpx", "yaml", "pytest_webbench.mind2web"}
    assert heavy & set(json.loads(done.stderr)) == set()
