"""Agents with an endpoint: configuration, preflight, and trouble that is never theirs."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from pytest_webbench.run import LedgerEntry
from tests.support.fake_http import Answer, Asked, serving
from tests.support.mini_suite import RunMini

KEY = "sk-planted-in-dotenv-0123456789"
USERS_KEY = "sk-planted-in-environment-98765"
PRICES = '[prices."org/good"]\ninput = 1.0\noutput = 2.0\n'


def configure(folder: Path, url: str, *models: str, more: str = "") -> None:
    """A chat agent per model, named like it."""
    tables = [
        f'[agents.{model}]\ntype = "chat"\nurl = "{url}/v1"\nmodel = "org/{model}"\nkey = '
        f'"PLANTED_KEY"\n{more}'
        for model in models
    ]
    (folder / "webbench.toml").write_text("\n".join([*tables, PRICES]), "utf-8")
    (folder / ".env").write_text(f"PLANTED_KEY={KEY}\n", "utf-8")


def reply(text: str) -> Answer:
    message = {"message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
    return Answer(
        body={"choices": [message], "usage": {"prompt_tokens": 1000, "completion_tokens": 500}}
    )


def refusal(status: int, message: str, code: str = "") -> Answer:
    return Answer(
        status=status,
        body={"error": {"message": message, "code": code}},
        headers={"retry-after": "0"},
    )


def everything_written(folder: Path) -> str:
    files = [path for path in folder.rglob("*") if path.is_file() and path.name != ".env"]
    return "\n".join(path.read_bytes().decode("utf-8", "replace") for path in files)


@pytest.mark.parametrize("workers", [(), ("-n", "1")], ids=["alone", "xdist"])
def test_broken_endpoints_stop_the_session_first(
    run_mini: RunMini, pytester: pytest.Pytester, workers: tuple[str, ...]
) -> None:
    def answer(asked: Asked) -> Answer:
        return {
            "org/wrong-key": refusal(401, f"Incorrect API key: {KEY}", "invalid_api_key"),
            "org/poor": refusal(429, "You exceeded your current quota", "insufficient_quota"),
            "org/gone": refusal(404, "The model does not exist", "model_not_found"),
            "org/page": Answer(body="<html>Welcome"),
        }[asked.body["model"]]

    with serving(answer) as service:
        names = ("wrong-key", "poor", "gone", "page")
        configure(pytester.path, service.url, *names)
        chosen = [word for name in names for word in ("--webbench-agent", name)]
        result = run_mini(*chosen, "--webbench-agent", "chat:m@http://127.0.0.1:9/v1", *workers)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    shown = result.stderr.str() + result.stdout.str()
    for words in (
        "agent 'wrong-key': the key is refused",
        "agent 'poor': the account has no credit left",
        "agent 'gone': the model is unknown there",
        "agent 'page': ",
        "not with JSON",
        "agent 'm': 127.0.0.1:9 cannot be reached",
        "webbench agents --check",
    ):
        assert words in shown
    assert KEY not in shown
    assert not (pytester.path / "runs").exists()


def test_collection_asks_no_endpoint_and_missing_key_is_reported(
    run_mini: RunMini, pytester: pytest.Pytester
) -> None:
    with serving([refusal(500, "must not be asked")]) as service:
        configure(pytester.path, service.url, "good")
        assert run_mini("--webbench-agent", "good", "--collect-only", "-q").ret == 0
        (pytester.path / ".env").unlink()
        result = run_mini("--webbench-agent", "good")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*agent 'good': key: the variable PLANTED_KEY is set neither*"])
    assert service.asked == []


AGENTS = """
import os
from pytest_webbench.errors import EndpointError

class Pretends:
    dedicated_browser = False

    def attach(self, context):
        self.context = context
        context.on_wait(1000)

    def run(self, brief, page, budget):
        key = os.environ["USERS_KEY"]
        page.goto("https://mini.test/form")
        page.get_by_label("Name").fill(key)
        assert budget.seconds_left <= brief.max_seconds, "nobody gives time back on such a word"
        self.context.journal.note("said", key=key, long="x" * 200_000)
        print("printed", key)
        raise EndpointError("the endpoint was it, I swear, with " + key)
"""


@pytest.mark.browser
def test_endpoint_errors_are_unscored_counted_and_leak_no_key(
    run_mini: RunMini,
    pytester: pytest.Pytester,
    agents: Callable[[str], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked_of: dict[str, int] = {}

    def answer(asked: Asked) -> Answer:
        model = asked.body["model"]
        asked_of[model] = asked_of.get(model, 0) + 1
        if asked_of[model] == 1:
            return reply("ready")
        return {
            "org/good": reply(json.dumps({"do": "done", "answer": f"it is {KEY}"})),
            "org/busy": refusal(503, f"overloaded, {KEY}"),
            "org/babbles": reply(f"I would rather talk about {KEY}."),
            "org/revoked": refusal(401, f"no longer valid: {KEY}"),
        }[model]

    monkeypatch.setenv("USERS_KEY", USERS_KEY)
    agents(AGENTS)
    names = ("good", "busy", "babbles", "revoked")
    with serving(answer) as service:
        configure(pytester.path, service.url, *names, more="parallel = 1\n")
        specs = ("good", "busy", "babbles", "agents:Pretends", "revoked", "noop")
        result = run_mini(
            *[word for spec in specs for word in ("--webbench-agent", spec)],
            *(
                "--webbench-secrets",
                "USERS_KEY",
                "--webbench-infra-retries",
                "1",
                "--webbench-infra-retry-delay",
                "0",
            ),
            *("-k", "open-next", "-l", "--junitxml", "junit.xml"),
        )
    entries = ledger(pytester.path / "runs" / "t")
    endings = [(one.agent, one.outcome, one.reason or one.ending) for one in entries]
    assert endings == [
        ("good", "failed", "done"),
        ("busy", "unscored", "infra"),
        ("busy", "unscored", "infra"),
        ("babbles", "failed", "gave_up"),
        ("Pretends", "failed", "agent_crashed"),
    ], "the revoked key stops the session, so that noop has no turn"
    good = entries[0]
    assert (good.model_calls, good.input_tokens, good.output_tokens) == (1, 1000, 500)
    assert good.cost == pytest.approx(0.002)
    assert good.model_seconds > 0
    assert entries[3].model_calls >= 3, "replies that cannot be used cost as well"
    recorded = json.loads((pytester.path / "runs" / "t" / "run.json").read_text("utf-8"))["agents"]
    assert recorded["good"] == {
        "type": "chat",
        "url": f"{service.url}/v1",
        "model": "org/good",
        "key": "PLANTED_KEY",
        "parallel": 1,
    }
    shown = result.stdout.str() + result.stderr.str()
    assert "agent 'revoked': the key is refused" in shown
    folder = pytester.path / "runs" / "t" / "episodes" / "Pretends" / "open-next"
    assert "EndpointError: the endpoint was it, I swear, with [redacted]" in (
        folder / "agent.log"
    ).read_text("utf-8")
    (line,) = [
        json.loads(text) for text in (folder / "agent.jsonl").read_text("utf-8").splitlines()
    ]
    assert line["kind"] == "said"
    assert len(line["cut"]) < 60_000
    written = everything_written(pytester.path / "runs") + (pytester.path / "junit.xml").read_text(
        "utf-8"
    )
    assert "[redacted]" in written
    for key in (KEY, USERS_KEY):
        assert key not in written
        assert key not in shown


@pytest.mark.browser
@pytest.mark.slow
def test_retry_after_does_not_use_up_the_time_budget(
    run_mini: RunMini, pytester: pytest.Pytester
) -> None:
    done = reply(json.dumps({"do": "done", "answer": ""}))
    limited = Answer(status=429, headers={"retry-after": "11"})
    with serving([reply("ready"), limited, done]) as service:
        configure(pytester.path, service.url, "good")
        run_mini("--webbench-agent", "good", "--webbench-max-seconds", "10", "-k", "open-next")
    (entry,) = ledger(pytester.path / "runs" / "t")
    assert (entry.ending, entry.model_calls) == ("done", 1)
    assert entry.seconds > 11 > entry.agent_seconds


@pytest.mark.browser
@pytest.mark.slow
def test_recorded_run_is_repeated_without_the_service_and_without_its_key(
    run_mini: RunMini, pytester: pytest.Pytester
) -> None:
    folder = pytester.path
    done = reply(json.dumps({"do": "done", "answer": "7"}))
    with serving([reply("ready"), done]) as service:
        configure(folder, service.url, "good", more='replies = "record"\n')
        run_mini("--webbench-agent", "good", "-k", "say-number", tag="recorded")
    (folder / ".env").unlink()
    table = (folder / "webbench.toml").read_text()
    (folder / "webbench.toml").write_text(table.replace("record", "replay"))
    run_mini("--webbench-agent", "good", "-k", "say-number", tag="replayed")
    (first,), (second,) = (ledger(folder / "runs" / tag) for tag in ("recorded", "replayed"))
    same = ("outcome", "ending", "steps", "model_calls", "input_tokens", "model_seconds")
    assert [getattr(first, name) for name in same] == [getattr(second, name) for name in same]
    assert first.model_calls == 1

    lost = run_mini("--webbench-agent", "good", "-k", "open-next", tag="lost")
    assert lost.ret == pytest.ExitCode.USAGE_ERROR
    lost.stdout.fnmatch_lines(["*no reply is on file for question 1 of this episode*"])


def ledger(run: Path) -> list[LedgerEntry]:
    lines = (run / "ledger" / "main.jsonl").read_text("utf-8").splitlines()
    return [LedgerEntry.model_validate_json(line) for line in lines]
