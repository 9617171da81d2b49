"""Agent types: built in, or offered by other distributions."""

from __future__ import annotations

import ast
import re
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from pytest_webbench.agents import AgentContext, AgentType, GaveUp, TaskBrief
from pytest_webbench.agents.config import BUILT_IN, Configuration, agent_label
from pytest_webbench.agents.detached import detached_context
from pytest_webbench.agents.load import is_trusted, make_agent
from pytest_webbench.agents.preflight import check_agent
from pytest_webbench.agents.registry import (
    BASELINES,
    BUILT_IN_TYPES,
    agent_type_names,
    list_agent_types,
    load_agent_type,
)
from pytest_webbench.cli import app
from pytest_webbench.errors import SettingsError
from tests.support.distributions import offer
from tests.support.fake_http import Answer, serving
from tests.unit.test_agents import TASK

PACKAGE = Path(__file__).parents[2] / "pytest_webbench"
GROUP = "pytest_webbench.agents"
ACME = """
from typing import Literal

from pytest_webbench.agents import AgentOptions, AgentType


class AcmeOptions(AgentOptions):
    type: Literal["acme"] = "acme"
    depth: int = 1

    @classmethod
    def inline(cls, rest):
        return {"depth": rest}


class AcmeAgent:
    def __init__(self, depth, name):
        self.depth, self.name = depth, name

    def run(self, brief, page, budget):
        return "acme"


AGENT_TYPE = AgentType(
    summary="an agent of Acme's",
    options=AcmeOptions,
    make=lambda options, build: AcmeAgent(options.depth, build.name),
    bare=True,
)
"""
BRIEF = TaskBrief(
    task_id="t",
    goal="Open the next page.",
    start_url="http://site.test/",
    wants_answer=True,
    max_actions=5,
    max_seconds=60.0,
    locale="en-US",
    timezone="UTC",
)


class FakePage:
    """A page of links, which notes those that are clicked."""

    def __init__(self) -> None:
        self.clicked: list[str] = []
        self._name = ""

    def title(self) -> str:
        return "Page 1"

    def get_by_role(self, role: str, *, name: str) -> FakePage:
        assert role == "link"
        self._name = name
        return self

    def click(self) -> None:
        self.clicked.append(self._name)


@pytest.fixture(autouse=True)
def _forget_modules(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("acme_agents", "broken_agents"):
        monkeypatch.delitem(sys.modules, name, raising=False)


@pytest.fixture
def acme(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    points = {GROUP: {"acme": "acme_agents:AGENT_TYPE"}}
    offer(tmp_path / "acme", monkeypatch, points, acme_agents=ACME)


@pytest.fixture
def broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    points = {GROUP: {"broken": "broken_agents:AGENT_TYPE", "other": "json:dumps"}}
    source = "import nothing_like_this\n"
    offer(tmp_path / "broken", monkeypatch, points, name="broken-kit", broken_agents=source)


def configured(folder: Path, text: str) -> Configuration:
    (folder / "webbench.toml").write_text(text, "utf-8")
    return Configuration.read(folder)


@pytest.mark.usefixtures("acme")
def test_offered_type_can_be_configured_and_chosen(tmp_path: Path) -> None:
    known = configured(tmp_path, '[agents.deep]\ntype = "acme"\ndepth = 7\n')
    depths = {
        spec: vars(make_agent(spec, TASK, seed=0, configuration=known))
        for spec in ("deep", "acme", "acme:3")
    }
    assert depths == {
        "deep": {"depth": 7, "name": "deep"},
        "acme": {"depth": 1, "name": "acme"},
        "acme:3": {"depth": 3, "name": "3"},
    }
    assert is_trusted("deep", known)


@pytest.mark.usefixtures("acme")
def test_type_is_imported_only_when_it_is_needed(tmp_path: Path) -> None:
    known = configured(tmp_path, '[agents.mine]\ntype = "heuristic"\n')
    known.options("mine")
    assert agent_label("acme:3") == "3"
    assert "acme" in agent_type_names()
    assert "acme_agents" not in sys.modules
    load_agent_type("acme")
    assert "acme_agents" in sys.modules


@pytest.mark.usefixtures("broken")
def test_broken_type_is_an_error_only_if_it_is_chosen(tmp_path: Path) -> None:
    known = configured(
        tmp_path, '[agents.bad]\ntype = "broken"\nx = 1\n[agents.good]\ntype = "heuristic"\n'
    )
    assert known.options("good") is not None
    for spec in ("bad", "broken", "broken:x"):
        with pytest.raises(SettingsError) as raised:
            known.options(spec)
        text = str(raised.value)
        assert "broken-kit offers 'broken' in pytest_webbench.agents" in text
        assert "broken_agents:AGENT_TYPE cannot be imported: ModuleNotFoundError" in text


@pytest.mark.usefixtures("broken")
def test_what_is_offered_must_be_an_agent_type() -> None:
    with pytest.raises(SettingsError, match=r"broken-kit offers 'other' .* of type function, not"):
        load_agent_type("other")


@pytest.mark.usefixtures("acme", "broken")
def test_list_of_types_shows_broken_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    listed = {one.name: one for one in list_agent_types()}
    assert set(listed) >= {*BUILT_IN_TYPES, "acme", "broken", "other", "decision"}
    assert listed["acme"].summary == "an agent of Acme's"
    assert listed["broken"].summary == ""
    assert "ModuleNotFoundError" in listed["broken"].problem
    configured(tmp_path, '[agents.bad]\ntype = "broken"\n')
    monkeypatch.chdir(tmp_path)
    command = CliRunner()
    result = command.invoke(app, ["agents"])
    assert result.exit_code == 0
    assert "an agent of Acme's" in result.stdout
    assert "broken: broken-kit offers 'broken'" in " ".join(result.stdout.split())
    assert command.invoke(app, ["agents", "--check"]).exit_code == 1


@pytest.mark.parametrize("name", ["chat", "random"])
def test_built_in_name_cannot_be_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    points = {GROUP: {name: "acme_agents:AGENT_TYPE"}}
    offer(tmp_path / "rival", monkeypatch, points, name="rival", acme_agents=ACME)
    with pytest.raises(SettingsError, match=f"rival offers an agent type '{name}'.* is built in"):
        load_agent_type(name)
    assert any(one.name == name and "rival" in one.problem for one in list_agent_types())


def test_two_distributions_cannot_offer_the_same_type(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    points = {GROUP: {"acme": "acme_agents:AGENT_TYPE"}}
    for name in ("one", "two"):
        offer(tmp_path / name, monkeypatch, points, name=name, acme_agents=ACME)
    with pytest.raises(SettingsError, match="'acme' is offered by one and two; uninstall one"):
        load_agent_type("acme")


def test_type_of_the_docs_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (PACKAGE.parent / "docs" / "agent-types.md").read_text("utf-8")
    (source,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    ((name, value),) = re.findall(r'^(\w+) = "(acme_agents:\w+)"$', text, re.MULTILINE)
    offer(tmp_path / "acme", monkeypatch, {GROUP: {name: value}}, acme_agents=source)
    replies = [
        Answer(body={"status": "fine"}),
        Answer(body={"click": "Next", "answer": "done"}),
        Answer(body={}),
    ]
    known = Configuration.read(tmp_path)
    with serving(replies) as service:
        spec = f"acme:planner-2@{service.url}/v1"
        assert check_agent(spec, known).said == f"{service.url}/v1 is healthy"
        agent: Any = make_agent(spec, TASK, seed=0, configuration=known)
        agent.attach(detached_context())
        page = FakePage()
        assert agent.run(BRIEF, page, None) == "done"
        assert page.clicked == ["Next"]
        with pytest.raises(GaveUp, match="no idea"):
            agent.run(BRIEF, page, None)
    assert [asked.path for asked in service.asked] == ["/v1/health", "/v1/next", "/v1/next"]


def test_docs_list_all_fields_of_a_type_and_of_a_context() -> None:
    docs = PACKAGE.parent / "docs"
    types = (docs / "agent-types.md").read_text("utf-8")
    listed = re.findall(r"^\| `(\w+)(?:\(.*?\))?` \|", types, re.MULTILINE)
    assert set(listed) == {field.name for field in fields(AgentType)}
    section = (docs / "agents.md").read_text("utf-8").partition("## More than a page")[2]
    listed = re.findall(r"^\| `(\w+)` \|", section.partition("\n## ")[0], re.MULTILINE)
    assert set(listed) == set(AgentContext._fields)


def test_built_in_names_are_those_that_need_no_options() -> None:
    bare = [name for name in BUILT_IN_TYPES if load_agent_type(name).bare]
    assert sorted((*BASELINES, *bare)) == list(BUILT_IN)


def test_decision_agent_is_reached_by_its_entry_point_alone() -> None:
    assert "decision" not in BUILT_IN_TYPES
    assert "decision" in agent_type_names()
    folder = PACKAGE / "agents" / "decision"
    for path in PACKAGE.rglob("*.py"):
        if folder in path.parents:
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom):
                assert "decision" not in (node.module or "").split("."), path
