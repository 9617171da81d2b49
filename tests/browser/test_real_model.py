"""A real language model drives a task of Suite C: llama.cpp's server with Gemma 3 270M, both from
packages.

The model is far too small to do the task. What counts is that everything between it and the
browser works: each of its replies is an action, and the episode comes to an end of its own.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pytest_webbench.run import RunDir

from .test_suite_c import SUITE

pytestmark = [pytest.mark.browser, pytest.mark.model]

SERVER = Path(__file__).parents[1] / "support" / "model_server.py"
TASK = SUITE / "tasks" / "debian-nginx-geoip-filelist.yaml"
AGENT = """
[agents.gemma]
type = "chat"
url = "{url}/v1"
model = "gemma-3-270m"
thought = false
max_tokens = 96
max_prompt_chars = 4000
history = 3

[prices]
"gemma-3-270m" = {{ input = 1.0, output = 1.0 }}
"""


@pytest.fixture
def model_url(tmp_path: Path) -> Iterator[str]:
    """The address of a server of its own process, ended with the test."""
    weights = tmp_path / "model.gguf"
    with (tmp_path / "server.log").open("wb") as log:
        command = [sys.executable, str(SERVER), str(weights)]
        server = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True
        )
        assert server.stdin is not None
        assert server.stdout is not None
        try:
            url = server.stdout.readline().strip()
            assert url, (
                f"needs: pip install 'pytest-webbench[model-test]'; "
                f"{(tmp_path / 'server.log').read_text()[-2000:]}"
            )
            yield url
        finally:
            server.stdin.close()
            server.wait(20)
            server.stdout.close()
            weights.unlink(missing_ok=True)  # 240 MB


def test_real_model_completes_a_task_within_the_schema(
    model_url: str, pytester: pytest.Pytester
) -> None:
    (pytester.path / "webbench.toml").write_text(AGENT.format(url=model_url))
    run = pytester.runpytest_subprocess(
        str(TASK),
        "--rootdir",
        str(pytester.path),
        "--webbench-agent",
        "gemma",
        "--webbench-run",
        "t",
        "--webbench-max-actions",
        "3",
        "--webbench-max-seconds",
        "100",
        timeout=150,
    )
    passed, failed = (run.parseoutcomes().get(name, 0) for name in ("passed", "failed"))
    assert passed + failed == 1, "it was scored"

    folder = RunDir(pytester.path / "runs" / "t")
    (entry,) = folder.results().values()
    assert entry.ending in ("done", "no_answer", "gave_up", "step_budget", "time_budget")
    lines = (folder.path / entry.folder / "agent.jsonl").read_text(encoding="utf-8").splitlines()
    notes = [json.loads(line) for line in lines]
    decisions = [note for note in notes if note["kind"] == "decision"]
    assert decisions
    assert not [note for note in notes if note["kind"] == "bad_reply"], "each reply was an action"
    assert all(note["asks"] == 1 and note["not_sent"] == [] for note in decisions), (
        "the schema was heeded"
    )
    assert entry.model_calls >= len(decisions)
    assert entry.input_tokens > 500 * len(decisions)
    assert entry.output_tokens > 5 * len(decisions)
    assert entry.cost == pytest.approx((entry.input_tokens + entry.output_tokens) / 1e6)
    sys.stdout.write("\n".join(note["label"] for note in decisions) + f"\n{entry}\n")
