"""``webbench doctor``: what it looks at, and what it says to do."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from typer.testing import CliRunner

from pytest_webbench.browser import find, install
from pytest_webbench.cli import app, doctor
from pytest_webbench.errors import WebbenchError

Look = Callable[..., tuple[int, dict[str, dict[str, str]]]]


@pytest.fixture
def look(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Look:
    """Runs the command in an empty folder: its exit code, and its findings by what they are of."""
    monkeypatch.chdir(tmp_path)
    # Playwright's driver takes a second to start, and cannot where browser tests have begun.
    monkeypatch.setattr(doctor, "_driver", lambda: iter(()))
    monkeypatch.setattr(install, "bundled_chromium", lambda: None)

    def run(toml: str = "") -> tuple[int, dict[str, dict[str, str]]]:
        if toml:
            (tmp_path / "webbench.toml").write_text(toml)
        done = CliRunner().invoke(app, ["doctor", "--json"])
        return done.exit_code, by_subject(done.output)

    return run


def by_subject(output: str) -> dict[str, dict[str, str]]:
    return {one["what"]: one for one in json.loads(output)}


class Usage(NamedTuple):
    total: int
    used: int
    free: int


def use(monkeypatch: pytest.MonkeyPatch, folder: Path, script: str) -> None:
    """Make a shell script the browser."""
    path = folder / "browser"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    browser = find.FoundBrowser(path=str(path), why="told", headless_only=True)
    monkeypatch.setattr(find, "find_browser", lambda **_: browser)


@pytest.mark.browser
def test_fit_machine_has_nothing_to_mend(tmp_path: Path) -> None:
    command = [str(Path(sys.executable).with_name("webbench")), "doctor", "--json"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    found = by_subject(done.stdout)
    assert {"python", "browser", "driver", "disk", "clock"} <= set(found)
    assert "starts in" in found["browser"]["found"]
    assert found["browser"]["state"] == found["disk"]["state"] == "ok"


def test_missing_browser_is_a_problem_with_the_command_that_helps(
    look: Look, monkeypatch: pytest.MonkeyPatch
) -> None:
    def nowhere(**_: Any) -> find.FoundBrowser:
        raise WebbenchError("no Chromium was found")

    monkeypatch.setattr(find, "find_browser", nowhere)
    code, found = look()
    assert code == 1
    assert found["browser"]["state"] == "problem"
    assert "webbench browser install" in found["browser"]["advice"]


@pytest.mark.parametrize(
    ("script", "why"),
    [
        ("echo libnss3.so: cannot open shared object file >&2; exit 127", "libnss3.so"),
        ("exit 3", "exit status 3"),
        ("echo nothing of the kind", "it shows nothing"),
    ],
)
def test_browser_that_does_not_start_says_why(
    look: Look, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, script: str, why: str
) -> None:
    use(monkeypatch, tmp_path, script)
    code, found = look()
    assert code == 1
    assert f"does not start: {why}" in found["browser"]["found"]
    assert "install-deps" in found["browser"]["advice"]


@pytest.mark.parametrize(("size", "state"), [(67_108_864, "warning"), (1_000_000_000, "ok")])
def test_small_shared_memory_is_warned_of(
    look: Look, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, size: int, state: str
) -> None:
    use(monkeypatch, tmp_path, "echo shown")
    monkeypatch.setattr(shutil, "disk_usage", lambda _folder: Usage(size, 0, size))
    code, found = look()
    assert (code, found["memory"]["state"]) == (0, state)
    assert ("--shm-size" in found["memory"]["advice"]) == (state == "warning")
    assert found["disk"]["state"] == state


def test_folder_that_cannot_be_written_to_is_a_problem(
    look: Look, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    use(monkeypatch, tmp_path, "echo shown")
    monkeypatch.setattr(os, "access", lambda *_: False)
    code, found = look()
    assert code == 1
    assert "--webbench-runs-dir" in found["disk"]["advice"]


def test_keys_and_endpoints_of_configured_agents_are_looked_at(
    look: Look, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    use(monkeypatch, tmp_path, "echo shown")
    monkeypatch.delenv("ABSENT_KEY", raising=False)
    for name in ("https_proxy", "http_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        agent = '[agents.x]\ntype = "chat"\nmodel = "m"\nkey = "ABSENT_KEY"\n'
        code, found = look(f'{agent}url = "http://127.0.0.1:{port}/v1"\n')
        assert (code, found["endpoint"]["state"]) == (0, "ok")
    assert found["key"]["state"] == "warning"
    assert "ABSENT_KEY" in found["key"]["advice"]
    monkeypatch.setenv("ABSENT_KEY", "s3cret-value-of-the-key")
    _, found = look()
    assert found["key"]["state"] == "ok"
    assert "s3cret" not in json.dumps(found)
    assert found["endpoint"]["state"] == "warning", "its server has gone"


def test_broken_configuration_is_a_problem(
    look: Look, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    use(monkeypatch, tmp_path, "echo shown")
    code, found = look('[agents.x]\ntype = "no such type"\n')
    assert code == 1
    assert "no such type" in found["agents"]["found"]
    assert "webbench.toml" in found["agents"]["advice"]
