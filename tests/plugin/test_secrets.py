"""Secrets do not reach any file of a run, however they get about."""

from __future__ import annotations

import quopri
from collections.abc import Callable
from pathlib import Path

import pytest

from pytest_webbench.run import LedgerEntry
from tests.support.mini_suite import RunMini

pytestmark = pytest.mark.browser

PASSWORD = "correct horse+battery"
KEY = "sk-ünïcode/0123456789"
FORMS = (
    PASSWORD,
    "correct+horse%2Bbattery",
    "correct%20horse%2Bbattery",
    KEY,
    "0123456789",
    "tok-987654",
)

AGENT = f"""
import os

class Leaky:
    name = "leaky"

    def run(self, task, page, budget):
        page.goto("https://mini.test/form")
        page.get_by_label("Secret").press_sequentially("{PASSWORD}")
        page.get_by_label("Name").fill(os.environ["MODEL_KEY"])
        page.get_by_role("button", name="Send").click()
        page.wait_for_url("**/next?**")
        page.evaluate(
            '''([password, key]) => {{
                 document.title = key;
                 document.body.append(password + ' and ' + 'x'.repeat(70) + password + key);
                 localStorage[password] = key;
                 console.error(password);
                 alert(key);
                 const body = JSON.stringify({{ note: password, token: 'tok-987654' }});
                 return fetch("/slow?access_token=tok-987654", {{ method: 'POST', body }});
               }}''',
            ["{PASSWORD}", os.environ["MODEL_KEY"]],
        )
        RAISE
        return f"the password is {PASSWORD}, the key " + os.environ["MODEL_KEY"]
"""


@pytest.mark.parametrize("crash", [False, True], ids=["answers", "crashes"])
def test_planted_secrets_reach_no_file(
    run_mini: RunMini,
    pytester: pytest.Pytester,
    agents: Callable[[str], None],
    results: Callable[[], dict[str, LedgerEntry]],
    monkeypatch: pytest.MonkeyPatch,
    crash: bool,
) -> None:
    monkeypatch.setenv("MODEL_KEY", KEY)
    raising = 'raise ValueError("sent " + os.environ["MODEL_KEY"] + " and {PASSWORD}")'.replace(
        "{PASSWORD}", PASSWORD
    )
    agents(AGENT.replace("RAISE", raising if crash else ""))
    run_mini(
        "--webbench-agent", "agents:Leaky", "--webbench-secrets", "MODEL_KEY", "-k", "open-next"
    )
    (entry,) = results().values()
    assert entry.ending == ("agent_crashed" if crash else "done"), entry
    files = [path for path in (pytester.path / "runs").rglob("*") if path.is_file()]
    assert {"evidence.json", "steps.jsonl", "final.mhtml", "verdict.json", "main.jsonl"} <= {
        path.name for path in files
    }
    for path in files:
        assert leaks(path) == [], path
    evidence = next(path for path in files if path.name == "evidence.json").read_text("utf-8")
    assert evidence.count("[redacted]") >= 8


def leaks(path: Path) -> list[str]:
    content = path.read_bytes()
    texts = [content.decode("utf-8", "replace")]
    if path.suffix == ".mhtml":
        texts.append(quopri.decodestring(content).decode("utf-8", "replace"))
    return [form for form in FORMS for text in texts if form in text]


def test_too_short_secret_variable_stops_the_session(
    run_mini: RunMini, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHORT", "abc")
    result = run_mini("--webbench-agent", "noop", "--webbench-secrets", "SHORT")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert "SHORT has fewer than 4 characters" in result.stderr.str() + result.stdout.str()
