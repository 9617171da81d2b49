"""The recipes for CI parse, call what exists, and exit as they should."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.main import get_command

from pytest_webbench.cli import app
from pytest_webbench.plugin.options import OPTIONS
from pytest_webbench.run.shards import Shard

DOCS = Path(__file__).parents[2] / "docs"
PAGES = {name: (DOCS / name).read_text(encoding="utf-8") for name in ("ci.md", "sharding.md")}


def blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGES[page], re.DOTALL | re.MULTILINE)


def recipes() -> tuple[dict[str, Any], dict[str, Any]]:
    github, kubernetes = map(yaml.safe_load, blocks("ci.md", "yaml"))
    return github, kubernetes


def call(
    script: str, folder: Path, code: int, flag: str = "-c", **environment: str
) -> tuple[int, list[str]]:
    """Exit code of a script, and what it called ``pytest`` with; its first call ends with
    ``code``, others with 0.
    """
    fake = folder / "pytest"
    fake.write_text(
        f'#!/bin/sh\necho "$*" >> {folder}/calls\n[ -e {folder}/again ] && exit 0\n: > '
        f"{folder}/again\nexit {code}\n"
    )
    fake.chmod(0o755)
    path = f"{folder}:{os.environ['PATH']}"
    done = subprocess.run(
        ["sh", flag, script],
        env={**os.environ, "PATH": path, **environment},
        cwd=folder,
        check=False,
    )
    return done.returncode, (folder / "calls").read_text().splitlines()


@pytest.mark.parametrize("page", PAGES)
def test_commands_and_options_in_recipes_exist(page: str) -> None:
    code = "\n".join([*blocks(page, "yaml"), *blocks(page, "sh")])
    known = set(getattr(get_command(app), "commands", {}))
    assert set(re.findall(r"\bwebbench ([a-z-]+)", code)) <= known
    options = {f"--webbench-{option.name}" for option in OPTIONS.options}
    assert set(re.findall(r"--webbench-[a-z-]+", PAGES[page])) <= options
    for script in blocks(page, "sh"):
        subprocess.run(["sh", "-n", "-c", script], check=True)


def test_github_matrix_covers_every_shard_and_merges_artifacts() -> None:
    github, _ = recipes()
    shard, merge = github["jobs"]["shard"], github["jobs"]["merge"]
    indexes = shard["strategy"]["matrix"]["index"]
    (run,) = [step["run"] for step in shard["steps"] if step.get("name") == "Run"]
    count = int(re.search(r"matrix\.index }}/(\d+)", run)[1])  # type: ignore[index]
    assert indexes == list(range(1, count + 1))
    assert merge["needs"] == "shard"
    (upload,) = [step["with"] for step in shard["steps"] if "upload" in step.get("uses", "")]
    (download,) = [step["with"] for step in merge["steps"] if "download" in step.get("uses", "")]
    assert (upload["path"].rstrip("/"), download["path"]) == ("runs", "runs")


@pytest.mark.parametrize(("code", "ends"), [(0, 0), (1, 0), (10, 0), (2, 1), (4, 1)])
def test_github_shard_fails_only_if_it_is_broken(tmp_path: Path, code: int, ends: int) -> None:
    github, _ = recipes()
    (run,) = [step["run"] for step in github["jobs"]["shard"]["steps"] if step.get("name") == "Run"]
    ended, (arguments,) = call(run.replace("${{ matrix.index }}", "3"), tmp_path, code, "-ec")
    assert ended == ends
    assert "--webbench-run shard-3 --webbench-shard 3/4" in arguments


@pytest.mark.parametrize(("code", "ends"), [(0, 0), (1, 0), (10, 10), (4, 4)])
def test_kubernetes_pod_restarts_for_infrastructure_only(
    tmp_path: Path, code: int, ends: int
) -> None:
    _, job = recipes()
    spec = job["spec"]
    assert spec["completionMode"] == "Indexed"
    assert spec["parallelism"] <= spec["completions"]
    (container,) = spec["template"]["spec"]["containers"]
    (script,) = container["args"]
    for index in range(spec["completions"]):
        (tmp_path / "again").unlink(missing_ok=True)
        (tmp_path / "calls").unlink(missing_ok=True)
        ended, (arguments,) = call(script, tmp_path, code, JOB_COMPLETION_INDEX=str(index))
        shard = Shard.parse(arguments.rpartition("--webbench-shard ")[2])
        assert (ended, shard) == (ends, Shard(index + 1, spec["completions"]))
        assert f"--webbench-run shard-{index + 1} " in arguments
    (mount,) = container["volumeMounts"]
    assert mount["mountPath"] in arguments
    codes = [
        code for rule in spec["podFailurePolicy"]["rules"] for code in rule["onExitCodes"]["values"]
    ]
    assert 10 not in codes


@pytest.mark.parametrize(("code", "ends", "calls"), [(0, 0, 1), (1, 1, 1), (10, 0, 2), (11, 11, 1)])
def test_only_infrastructure_errors_are_rerun(
    tmp_path: Path, code: int, ends: int, calls: int
) -> None:
    ended, made = call(blocks("ci.md", "sh")[0], tmp_path, code)
    assert (ended, len(made)) == (ends, calls)
