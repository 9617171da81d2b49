"""The protocol of command agents and agent services: requests and replies."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import SecretStr, ValidationError

from pytest_webbench._usage import Usage
from pytest_webbench.agents.base import AgentContext, AgentCrashed, GaveUp
from pytest_webbench.agents.command import protocol
from pytest_webbench.agents.command.agent import request_variables
from pytest_webbench.agents.command.agent_type import CommandOptions, check, make
from pytest_webbench.agents.command.protocol import Transcript, agent_request, conclude, parse_reply
from pytest_webbench.agents.detached import LocalBackoff
from pytest_webbench.agents.registry import BuildContext
from pytest_webbench.errors import SettingsError
from pytest_webbench.task.models import TaskBrief

BRIEF = TaskBrief(
    task_id="t",
    goal='Open "Next".',
    start_url="https://mini.test/",
    wants_answer=False,
    max_actions=10,
    max_seconds=20.0,
    locale="en-US",
    timezone="UTC",
)


class Book:
    """A journal that keeps its notes, and a log."""

    def __init__(self) -> None:
        self.notes: list[Any] = []
        self.spent = Usage()
        self.lines: list[str] = []

    def note(self, kind: str, **facts: Any) -> None:
        self.notes.append({"kind": kind, **facts})

    def spend(self, usage: Usage) -> None:
        self.spent += usage


@pytest.fixture
def book() -> Book:
    return Book()


@pytest.fixture
def context(book: Book) -> AgentContext:
    return AgentContext(book, LocalBackoff(), "http://127.0.0.1:9", log=book.lines.append)


def test_request_holds_brief_browser_and_options_only() -> None:
    request = agent_request(BRIEF, "http://127.0.0.1:9", {"depth": 3})
    assert set(request) == {
        "version",
        "task_id",
        "goal",
        "start_url",
        "wants_answer",
        "answer_schema",
        "max_actions",
        "max_seconds",
        "locale",
        "timezone",
        "cdp_url",
        "options",
    }
    assert request_variables(request) == {
        "WEBBENCH_VERSION": "1",
        "WEBBENCH_TASK_ID": "t",
        "WEBBENCH_GOAL": 'Open "Next".',
        "WEBBENCH_START_URL": "https://mini.test/",
        "WEBBENCH_WANTS_ANSWER": "false",
        "WEBBENCH_ANSWER_SCHEMA": "null",
        "WEBBENCH_MAX_ACTIONS": "10",
        "WEBBENCH_MAX_SECONDS": "20.0",
        "WEBBENCH_LOCALE": "en-US",
        "WEBBENCH_TIMEZONE": "UTC",
        "WEBBENCH_CDP_URL": "http://127.0.0.1:9",
    }


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ({"status": "done"}, None),
        ({"status": "done", "answer": "11"}, "11"),
        ({"status": "done", "answer": 11}, "11"),
        ({"status": "done", "answer": {"price": "12 €"}}, '{"price": "12 €"}'),
    ],
)
def test_answers_are_texts(
    reply: dict[str, Any], answer: str | None, context: AgentContext
) -> None:
    assert conclude(parse_reply(reply), context) == answer


def test_blocked_and_infra_replies_still_count_usage(context: AgentContext, book: Book) -> None:
    usage = {"calls": 3, "input_tokens": 100, "output_tokens": 7, "cost": 0.25}
    with pytest.raises(GaveUp, match="^no way$"):
        conclude(parse_reply({"status": "blocked", "reason": "no way", "usage": usage}), context)
    with pytest.raises(GaveUp, match="^the agent reports trouble: quota$"):
        conclude(parse_reply({"status": "infra", "reason": "quota", "usage": usage}), context)
    assert book.spent == Usage(calls=6, input_tokens=200, output_tokens=14, cost=0.5)


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (
            {"status": "finished"},
            "status: Input should be 'done', 'blocked' or 'infra'.*found 'finished'",
        ),
        ({"status": "done", "answr": "x"}, "answr: Extra inputs are not permitted"),
        ({"status": "done", "usage": {"calls": -1}}, "usage.calls: .*greater than or equal to 0"),
        ({"status": "done", "usage": {"cost": float("inf")}}, "usage.cost: .*finite"),
        ({"status": "done", "reason": "x" * 1000, "extra": "y" * 1000}, r"found 'y{98}…"),
        (["done"], "it: Input should be a valid dictionary"),
    ],
)
def test_malformed_reply_is_explained(reply: object, said: str) -> None:
    with pytest.raises(AgentCrashed, match=said):
        parse_reply(reply)


def test_reply_lines_are_recognised(context: AgentContext, book: Book) -> None:
    transcript = Transcript(context)
    for line in (
        b'{"status": "done", "answer": "first"}\n',
        b"thinking\n",
        b'{"note": {"seen": 3}}\n',
        b'{"note": 1, "x": 2}\n',
        b'["status"]\n',
        b'{"status": "done", "answer": "last"}\n',
        b'{"status": "done"\n',
        b"\xff\n",
        b"{" * 9000 + b"\n",
    ):
        transcript.output(line)
    assert transcript.reply == {"status": "done", "answer": "last"}
    assert book.notes == [{"kind": "agent", "note": {"seen": 3}}]
    assert book.lines == [
        "thinking",
        '{"note": 1, "x": 2}',
        '["status"]',
        '{"status": "done"',
        "\ufffd",
        "{" * 9000,
    ]


def test_long_output_is_cut_off(
    context: AgentContext, book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(protocol, "MOST_LOGGED", 100)
    transcript = Transcript(context)
    for _ in range(50):
        transcript.log(b"x" * 29 + b"\n")
    assert len(book.lines) == 4
    assert "beyond 100 characters is left out" in book.lines[-1]


@given(
    st.binary(max_size=200)
    | st.builds(lambda found: json.dumps(found).encode(), st.dictionaries(st.text(), st.none()))
)
def test_any_line_is_read_without_an_error(line: bytes) -> None:
    book = Book()
    Transcript(AgentContext(book, LocalBackoff(), None, log=book.lines.append)).output(line)
    assert len(book.lines) + len(book.notes) <= 1


# -- options -----------------------------------------------------------------------------------


def build(root: Path, **variables: str) -> BuildContext:
    return BuildContext(
        name="mine",
        root=root,
        secret=lambda name: SecretStr(variables[name]) if name in variables else None,
    )


def test_command_is_a_list_or_a_quoted_text() -> None:
    assert CommandOptions(command="node 'my agent.js' --fast").command == (
        "node",
        "my agent.js",
        "--fast",
    )
    assert CommandOptions(command=["node", "my agent.js"]).command == ("node", "my agent.js")
    assert CommandOptions(**CommandOptions.inline("python a.py")).command == ("python", "a.py")
    with pytest.raises(ValidationError, match="at least 1 item"):
        CommandOptions(command="")


def test_variables_named_like_keys_are_secrets() -> None:
    assert list(
        CommandOptions(command="x", env=("MY_MODEL", "MY_API_KEY", "DB_PASSWORD")).secret_names()
    ) == [
        "MY_API_KEY",
        "DB_PASSWORD",
    ]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"command": "no-such-program x"}, "there is no program 'no-such-program' on PATH"),
        ({"command": "./agent.sh"}, r"there is no program './agent.sh' at .*/agent\.sh"),
        ({"command": "sh", "cwd": "nowhere"}, "cwd = 'nowhere': there is no folder"),
        (
            {"command": "sh", "env": ["MY_KEY"]},
            r"env: the variable MY_KEY is set neither in the environment nor in .*\.env",
        ),
    ],
)
def test_missing_program_is_reported_before_the_run(
    tmp_path: Path, options: dict[str, Any], said: str
) -> None:
    for call in (make, check):
        with pytest.raises(SettingsError, match=f"agent 'mine': .*{said}"):
            call(CommandOptions(**options), build(tmp_path))


def test_program_gets_a_minimal_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_TOKEN", "not for the agent")
    agent: Any = make(
        CommandOptions(command="sh", env=("MY_KEY",)), build(tmp_path, MY_KEY="secret-value")
    )
    assert agent._environment["MY_KEY"] == "secret-value"
    assert "PATH" in agent._environment
    assert "SOME_TOKEN" not in agent._environment
    assert "secret-value" not in repr(agent)
    assert check(CommandOptions(command="sh"), build(tmp_path)).endswith(f"sh in {tmp_path}")


def test_program_path_may_start_with_a_tilde(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    program = tmp_path / "bin" / "agent"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n", encoding="utf-8")
    program.chmod(0o755)
    assert (
        check(CommandOptions(command="~/bin/agent --fast", cwd="~/bin"), build(tmp_path))
        == f"{program} in {program.parent}"
    )
