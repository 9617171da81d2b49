"""What agents in programs and services of their own are told, and how what they answer is read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import SecretStr, ValidationError

from pytest_webbench.agents.base import AgentCrashed, Equipment, GaveUp, Usage
from pytest_webbench.agents.command import Options, check, make, protocol, variables_of
from pytest_webbench.agents.command.protocol import Transcript, conclude, read_reply, request_of
from pytest_webbench.agents.endpoint.gate import LocalGate
from pytest_webbench.agents.types import Kit
from pytest_webbench.errors import InfraError, SettingsError
from pytest_webbench.task.models import TaskBrief

BRIEF = TaskBrief(
    task_id="t", goal='Open "Next".', start_url="https://mini.test/", wants_answer=False, max_actions=10,
    max_seconds=20.0, locale="en-US", timezone="UTC",
)  # fmt: skip


class Book:
    """A journal that keeps what it is told, and a log."""

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
def equipment(book: Book) -> Equipment:
    return Equipment(book, LocalGate(), "http://127.0.0.1:9", log=book.lines.append)


def test_the_agent_is_told_the_brief_the_browser_and_its_options_and_nothing_else() -> None:
    request = request_of(BRIEF, "http://127.0.0.1:9", {"depth": 3})
    assert set(request) == {
        "version", "task_id", "goal", "start_url", "wants_answer", "max_actions", "max_seconds", "locale", "timezone",
        "cdp_url", "options",
    }  # fmt: skip
    assert variables_of(request) == {
        "WEBBENCH_VERSION": "1",
        "WEBBENCH_TASK_ID": "t",
        "WEBBENCH_GOAL": 'Open "Next".',
        "WEBBENCH_START_URL": "https://mini.test/",
        "WEBBENCH_WANTS_ANSWER": "false",
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
def test_answers_come_as_text(reply: dict[str, Any], answer: str | None, equipment: Equipment) -> None:
    assert conclude(read_reply(reply), equipment) == answer


def test_blocked_and_infra_are_ends_of_their_own_and_what_was_spent_is_booked_all_the_same(
    equipment: Equipment, book: Book
) -> None:
    usage = {"calls": 3, "input_tokens": 100, "output_tokens": 7, "cost": 0.25}
    with pytest.raises(GaveUp, match="^no way$"):
        conclude(read_reply({"status": "blocked", "reason": "no way", "usage": usage}), equipment)
    with pytest.raises(InfraError, match="^reported by the agent: quota$"):
        conclude(read_reply({"status": "infra", "reason": "quota", "usage": usage}), equipment)
    assert book.spent == Usage(calls=6, input_tokens=200, output_tokens=14, cost=0.5)


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        ({"status": "finished"}, "status: Input should be 'done', 'blocked' or 'infra'.*found 'finished'"),
        ({"status": "done", "answr": "x"}, "answr: Extra inputs are not permitted"),
        ({"status": "done", "usage": {"calls": -1}}, "usage.calls: .*greater than or equal to 0"),
        ({"status": "done", "usage": {"cost": float("inf")}}, "usage.cost: .*finite"),
        ({"status": "done", "reason": "x" * 1000, "extra": "y" * 1000}, r"found 'y{99}\.\.\."),
        (["done"], "it: Input should be a valid dictionary"),
    ],
)
def test_a_reply_that_is_not_as_agreed_says_what_is_wrong(reply: object, said: str) -> None:
    with pytest.raises(AgentCrashed, match=said):
        read_reply(reply)


def test_lines_are_told_apart(equipment: Equipment, book: Book) -> None:
    transcript = Transcript(equipment)
    for line in (
        b'{"status": "done", "answer": "first"}\n', b"thinking\n", b'{"note": {"seen": 3}}\n', b'{"note": 1, "x": 2}\n',
        b'["status"]\n', b'{"status": "done", "answer": "last"}\n', b'{"status": "done"\n', b"\xff\n",
        b"{" * 9000 + b"\n",
    ):  # fmt: skip
        transcript.output(line)
    assert transcript.reply == {"status": "done", "answer": "last"}
    assert book.notes == [{"kind": "agent", "note": {"seen": 3}}]
    assert book.lines == ["thinking", '{"note": 1, "x": 2}', '["status"]', '{"status": "done"', "\ufffd", "{" * 9000]


def test_a_talkative_program_is_cut_short(equipment: Equipment, book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "MOST_LOGGED", 100)
    transcript = Transcript(equipment)
    for _ in range(50):
        transcript.log(b"x" * 29 + b"\n")
    assert len(book.lines) == 4
    assert "beyond 100 characters is left out" in book.lines[-1]


@given(
    st.binary(max_size=200) | st.builds(lambda found: json.dumps(found).encode(), st.dictionaries(st.text(), st.none()))
)
def test_no_line_harms_the_reader(line: bytes) -> None:
    book = Book()
    Transcript(Equipment(book, LocalGate(), None, log=book.lines.append)).output(line)
    assert len(book.lines) + len(book.notes) <= 1


# -- options -----------------------------------------------------------------------------------------------------------


def kit(root: Path, **variables: str) -> Kit:
    return Kit(name="mine", root=root, secret=lambda name: SecretStr(variables[name]) if name in variables else None)


def test_a_command_is_a_list_or_a_text_with_quotes() -> None:
    assert Options(command="node 'my agent.js' --fast").command == ("node", "my agent.js", "--fast")
    assert Options(command=["node", "my agent.js"]).command == ("node", "my agent.js")
    assert Options(**Options.inline("python a.py")).command == ("python", "a.py")
    with pytest.raises(ValidationError, match="at least 1 item"):
        Options(command="")


def test_only_variables_that_are_called_like_keys_are_secrets() -> None:
    assert list(Options(command="x", env=("MY_MODEL", "MY_API_KEY", "DB_PASSWORD")).secret_names()) == [
        "MY_API_KEY", "DB_PASSWORD",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"command": "no-such-program x"}, "there is no program 'no-such-program' on PATH"),
        ({"command": "./agent.sh"}, r"there is no program './agent.sh' at .*/agent\.sh"),
        ({"command": "sh", "cwd": "nowhere"}, "cwd = 'nowhere': there is no folder"),
        ({"command": "sh", "env": ["MY_KEY"]}, r"env: MY_KEY is neither an environment variable nor in .*\.env"),
    ],
)
def test_what_is_missing_is_told_before_anything_runs(tmp_path: Path, options: dict[str, Any], said: str) -> None:
    for call in (make, check):
        with pytest.raises(SettingsError, match=f"agent 'mine': .*{said}"):
            call(Options(**options), kit(tmp_path))


def test_a_program_gets_few_variables_and_those_that_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_TOKEN", "not for the agent")
    agent: Any = make(Options(command="sh", env=("MY_KEY",)), kit(tmp_path, MY_KEY="secret-value"))
    assert agent._environment["MY_KEY"] == "secret-value"
    assert "PATH" in agent._environment
    assert "SOME_TOKEN" not in agent._environment
    assert "secret-value" not in repr(agent)
    assert check(Options(command="sh"), kit(tmp_path)).endswith(f"sh in {tmp_path}")


def test_a_program_may_lie_below_the_home_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    program = tmp_path / "bin" / "agent"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n", encoding="utf-8")
    program.chmod(0o755)
    assert check(Options(command="~/bin/agent --fast", cwd="~/bin"), kit(tmp_path)) == f"{program} in {program.parent}"
