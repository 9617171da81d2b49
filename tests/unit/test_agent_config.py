"""``webbench.toml`` and ``.env``: what is read, what is refused, and who hears of a key."""

from __future__ import annotations

import json
import os
import re
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from pytest_webbench.agents.chat.agent_type import ChatOptions
from pytest_webbench.agents.config import BUILT_IN, Configuration, agent_label
from pytest_webbench.agents.load import is_trusted, make_agent, require_agent
from pytest_webbench.agents.options import KEY_OF_HOST, Price
from pytest_webbench.agents.preflight import NOTHING_TO_ASK, check_agent
from pytest_webbench.agents.registry import agent_type_names, load_agent_type
from pytest_webbench.cli import app
from pytest_webbench.errors import SettingsError, TaskFileError
from tests.support.fake_http import Answer, serving
from tests.unit.test_agents import TASK

MINE = """\
[agents.mine]
type = "chat"
url = "https://models.example/v1/"
model = "org/m-1"
key = "MINE_KEY"
parallel = 4

[agents."gpt-4.1"]
type = "decision"
url = "http://127.0.0.1:8200"
model = "jev"

[agents."gpt-4.1".text]
url = "https://api.openai.com/v1"
model = "writer"

[agents.own]
type = "python"
path = "json:JSONDecoder"

[prices."org/m-1"]
input = 1
output = 2.5
"""

CONFIGURATION = Path(__file__).parents[2] / "docs" / "configuration.md"


@pytest.fixture(autouse=True)
def _no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("MINE_KEY", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)


def configured(folder: Path, text: str = MINE) -> Configuration:
    (folder / "webbench.toml").write_text(text, "utf-8")
    return Configuration.read(folder)


def test_without_a_file_nothing_is_configured(tmp_path: Path) -> None:
    known = Configuration.read(tmp_path)
    assert known.agents == {}
    assert known.options("noop") is None
    assert known.options("my_pkg.my_mod:Mine") is None


def test_agents_and_prices_are_read(tmp_path: Path) -> None:
    known = configured(tmp_path)
    mine = known.options("mine")
    assert isinstance(mine, ChatOptions)
    assert (mine.url, mine.model, mine.key_name, mine.parallel) == (
        "https://models.example/v1",
        "org/m-1",
        "MINE_KEY",
        4,
    )
    assert known.prices == {"org/m-1": Price(input=1, output=2.5)}
    assert known.build_context("mine").price(mine) == Price(input=1, output=2.5)
    assert set(known.agents) == {"mine", "gpt-4.1", "own"}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "[agents.a]\nurl = 'x'\n",
            ["line 1, agents.a: has no type; allowed: chat, command, decision"],
        ),
        (
            "[agents.a]\ntype = 'chit'\n",
            ["line 2, agents.a.type: unknown type 'chit'; did you mean 'chat'?"],
        ),
        ("[agents.a]\ntype = 'chat'\nmodel = 'm'\n", ["agents.a.url: is missing"]),
        (
            "[agents.a]\ntype = 'chat'\nmodell = 'm'\nurl = 'http://h'\n",
            [
                "line 3, agents.a.modell: unknown key 'modell'; did you mean 'model'?",
                "agents.a.model: is missing",
            ],
        ),
        (
            "[agents.a]\ntype = 'chat'\nmodel = 'm'\nurl = 'ftp://h'\n",
            ["line 4, agents.a.url: must begin with http://"],
        ),
        (
            "[agents.a]\ntype = 'chat'\nmodel = 'm'\nurl = 'http://u:p@h'\n",
            ["not contain a user, password"],
        ),
        (
            "[agents.a]\ntype = 'chat'\nmodel = 'm'\nurl = 'http://h:x'\n",
            ["agents.a.url: is not a valid address"],
        ),
        (
            "[agents.a]\ntype = 'chat'\nmodel = 'm'\nurl = 'http://h'\nkey = 'sk-123'\n",
            ["line 5, agents.a.key"],
        ),
        (
            "[agents.a]\ntype = 'chat'\nmodel = 'm'\nurl = 'http://h'\nparallel = '3'\n",
            ["line 5, agents.a.parallel"],
        ),
        (
            "[agents.a]\ntype = 'chat'\nmodel = 'm'\nurl = 'http://h'\nparallel = 0\n",
            ["line 5, agents.a.parallel"],
        ),
        (
            "[agents.noop]\ntype = 'chat'\nmodel = 'm'\nurl = 'http://h'\n",
            ["is a built-in agent's name"],
        ),
        (
            "[agents.'a/b']\ntype = 'chat'\nmodel = 'm'\nurl = 'http://h'\n",
            ["is not a valid agent name; found 'a/b'"],
        ),
        (
            "[agent.a]\ntype = 'chat'\n",
            ["line 1, agent: unknown key 'agent'; did you mean 'agents'?"],
        ),
        (
            "[prices.m]\ninput = 'much'\noutput = -1\n",
            ["line 2, prices.m.input", "line 3, prices.m.output"],
        ),
        ("agents = 3\n", ["line 1, agents"]),
        ("[agents.a\n", ["line 1: broken TOML"]),
    ],
)
def test_mistakes_are_reported_with_line_and_field(
    tmp_path: Path, text: str, words: list[str]
) -> None:
    with pytest.raises(TaskFileError) as raised:
        configured(tmp_path, text)
    for word in words:
        assert word in str(raised.value)


@given(st.text(max_size=100))
def test_any_text_as_a_file_raises_settings_errors_only(
    tmp_path_factory: pytest.TempPathFactory, text: str
) -> None:
    folder = tmp_path_factory.mktemp("any")
    (folder / "webbench.toml").write_text(text, "utf-8", errors="replace")
    with suppress(TaskFileError):
        assert isinstance(Configuration.read(folder), Configuration)


def test_unknown_name_lists_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(SettingsError) as raised:
        configured(tmp_path).options("mien")
    text = str(raised.value)
    assert text.startswith(
        "unknown agent 'mien'; did you mean 'mine'?; built in: heuristic, noop, random, scripted;"
    )
    assert f"in {tmp_path / 'webbench.toml'}: gpt-4.1, mine, own" in text
    assert "type:model@url" in text


def test_agent_can_be_configured_on_the_command_line(tmp_path: Path) -> None:
    known = Configuration.read(tmp_path)
    chosen = known.options("chat:org/m@https://api.openai.com/v1")
    assert isinstance(chosen, ChatOptions)
    assert (chosen.model, chosen.url, chosen.key_name) == (
        "org/m",
        "https://api.openai.com/v1",
        "OPENAI_API_KEY",
    )
    for spec, words in (
        ("chat:m", "write model@url"),
        ("chat:m@ftp://h", "write model@url"),
        ("chat:m@http://u:p@h/v1", "not contain a user, password"),
        ("decision:m@http://h/", "needs a table in webbench.toml"),
    ):
        with pytest.raises(SettingsError, match=f"agent '{spec}': .*{words}"):
            known.options(spec)


def test_agents_of_a_type_are_trusted_and_import_paths_are_not(tmp_path: Path) -> None:
    known = configured(tmp_path)
    ours = {
        spec: is_trusted(spec, known)
        for spec in ("mine", "gpt-4.1", "heuristic", "own", "json:JSONDecoder", "fixture")
    }
    assert ours == {
        "mine": True,
        "gpt-4.1": True,
        "heuristic": True,
        "own": False,
        "json:JSONDecoder": False,
        "fixture": False,
    }
    with pytest.raises(SettingsError, match="has no method run"):
        make_agent("own", TASK, seed=0, configuration=known)


def test_environment_beats_the_file_and_nothing_is_exported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".env").write_text(
        "MINE_KEY='from-the-file'\nOTHER=${HOME}/x\nEMPTY_KEY=\n# a comment\n", "utf-8"
    )
    known = configured(tmp_path)
    before = dict(os.environ)
    found = known.secret("MINE_KEY")
    assert found is not None
    assert found.get_secret_value() == "from-the-file"
    assert "from-the-file" not in repr((known, known.build_context("mine"), found))
    other = known.secret("OTHER")
    assert other is not None
    assert other.get_secret_value() == "${HOME}/x"
    assert known.secret("EMPTY_KEY") is None
    assert known.secret("MISSING_KEY") is None
    assert dict(os.environ) == before
    monkeypatch.setenv("MINE_KEY", "from-the-environment ")
    assert known.secrets((), ()) == {"MINE_KEY": "from-the-environment"}


def test_keys_are_secrets_and_placeholders_are_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = configured(tmp_path)
    monkeypatch.setenv("MINE_KEY", "EMPTY")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-text-helper")
    monkeypatch.setenv("NAMED", "short")
    assert known.secrets((), ()) == {"OPENAI_API_KEY": "sk-text-helper"}
    assert known.secrets((), ("NAMED",)) == {"OPENAI_API_KEY": "sk-text-helper", "NAMED": "short"}
    bare = Configuration.read(tmp_path / "elsewhere")
    assert bare.secrets(("chat:m@https://api.openai.com/v1", "noop"), ()) == {
        "OPENAI_API_KEY": "sk-text-helper"
    }


def test_check_reports_which_endpoints_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MINE_KEY", "sk-planted-0123456789")
    said = {
        "choices": [
            {"message": {"role": "assistant", "content": "ready"}, "finish_reason": "stop"}
        ],
        "model": "m-1",
    }
    with serving(
        [Answer(body=said), Answer(status=402, body={"error": "pay sk-planted-0123456789"})]
    ) as service:
        known = configured(tmp_path, MINE.replace("https://models.example", service.url))
        fine, poor = check_agent("mine", known), check_agent("mine", known)
    assert (fine.agent, fine.said, fine.problem) == ("mine", "m-1 answers", "")
    assert fine.seconds > 0
    assert poor.problem.startswith("agent 'mine': the account has no credit left")
    assert poor.problem.endswith("pay ***")
    assert [asked.headers["authorization"] for asked in service.asked] == [
        "Bearer sk-planted-0123456789"
    ] * 2
    assert check_agent("noop", known).said == NOTHING_TO_ASK
    assert "has no method run" in check_agent("own", known).problem
    monkeypatch.delenv("MINE_KEY")
    assert (
        "the variable MINE_KEY is set neither in the environment nor"
        in check_agent("mine", known).problem
    )


def test_command_lists_agents_and_which_are_unusable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MINE_KEY", "sk-planted-0123456789")
    with serving([Answer(status=401, body={"error": "what is sk-planted-0123456789?"})]) as service:
        configured(tmp_path, MINE.replace("https://models.example", service.url))
        command = CliRunner(env={"COLUMNS": "200", "TERM": "dumb", "NO_COLOR": "1"})
        listed = command.invoke(app, ["agents"])
        as_json = command.invoke(app, ["agents", "mine", "--json"])
        assert service.asked == []
        checked = command.invoke(app, ["agents", "mine", "noop", "--check"])
    agents, _, types = listed.stdout.partition("\n\n")
    first_words = [line.split()[0] for line in agents.splitlines()]
    assert first_words == ["agent", "gpt-4.1", "mine", "own", *BUILT_IN]
    assert [line.split()[0] for line in types.splitlines()] == ["type", *agent_type_names()]
    assert "MINE_KEY (set)" in listed.stdout
    assert "OPENAI_API_KEY (missing)" in listed.stdout
    (row,) = json.loads(as_json.stdout)
    assert (row["agent"], row["parallel"], row["keys"]) == (
        "mine",
        4,
        [{"name": "MINE_KEY", "set": True}],
    )
    assert (listed.exit_code, as_json.exit_code, checked.exit_code) == (0, 0, 1)
    assert "nothing to ask" in checked.stdout
    assert "agent 'mine': the key is refused" in checked.stdout
    for result in (listed, as_json, checked):
        assert "sk-planted" not in result.output


def test_documentation_lists_kinds_and_hosts() -> None:
    rows = re.findall(
        r"^\| `([^`]+)` \| (?:`([^`]+)`)?", CONFIGURATION.read_text("utf-8"), re.MULTILINE
    )
    assert {first for first, _ in rows} >= set(agent_type_names())
    assert {first: second for first, second in rows if second} == KEY_OF_HOST


@pytest.mark.parametrize("name", agent_type_names())
def test_every_type_has_options_and_a_summary(name: str) -> None:
    agent_type = load_agent_type(name)
    assert agent_type.options.model_fields["type"].default == name
    assert agent_type.summary


@pytest.mark.parametrize("name", BUILT_IN)
def test_every_built_in_name_is_known(name: str) -> None:
    require_agent(name)
    assert agent_label(name) == name
