"""Agents: labels, import paths, the baselines, and budgets."""

from __future__ import annotations

import functools
import sys
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import pytest
from playwright.sync_api import Page

from pytest_webbench.agents import Agent, Budget
from pytest_webbench.agents.asynchronous import AsyncAgent, harness_side
from pytest_webbench.agents.baselines import Noop, Random, Scripted
from pytest_webbench.agents.config import agent_label
from pytest_webbench.agents.dotted import load_agent
from pytest_webbench.agents.load import make_agent, require_agent
from pytest_webbench.agents.registry import BASELINES
from pytest_webbench.errors import SettingsError, StepError
from pytest_webbench.task import ScriptStep, Task, TaskBrief

TASK = Task.model_validate(
    {
        "id": "find-lamps",
        "goal": "Find the page about lamps.",
        "start_url": "https://shop.example/",
        "checks": [
            {"name": "open", "get": "page_title", "metric": "exact_match", "expected": "Lamps"}
        ],
        "solution": [
            {"do": "click", "role": "link", "name": "Lamps"},
            {"do": "done", "answer": "17"},
        ],
    }
)
BRIEF = TaskBrief(
    task_id="find-lamps",
    goal="Find the page",
    start_url="https://shop.example/",
    wants_answer=True,
    max_actions=10,
    max_seconds=60,
    locale="en-US",
    timezone="UTC",
)


def steps(*dos: str) -> list[ScriptStep]:
    """Steps of a script: ``click A`` clicks a link, ``done A`` ends with an answer."""
    script: list[Any] = []
    for do, _, what in (text.partition(" ") for text in dos):
        script.append(
            {"do": "done", "answer": what}
            if do == "done"
            else {"do": "click", "role": "link", "name": what}
        )
    return Task.model_validate({**TASK.model_dump(), "solution": script}).solution


class Elements:
    """Finds nothing to click."""

    def count(self) -> int:
        return 0


@dataclass
class FakeContext:
    pages: list[FakePage] = field(default_factory=list)


@dataclass
class FakePage:
    """A tab: knows its context, and how often it was searched."""

    name: str
    context: FakeContext
    searched: int = 0

    def locator(self, _selector: str) -> Elements:
        self.searched += 1
        return Elements()

    def as_page(self) -> Page:
        return cast(Page, self)


def tabs(*names: str) -> FakeContext:
    context = FakeContext()
    context.pages.extend(FakePage(name, context) for name in names)
    return context


def budget(actions: int = 10, used: int = 0) -> Budget:
    return Budget(actions, 60.0, lambda: used, lambda: 0.0)


# -- names -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "label"),
    [
        ("noop", "noop"),
        ("fixture", "fixture"),
        ("my_agents:MyAgent", "MyAgent"),
        ("my_pkg.my_mod:MyAgent", "MyAgent"),
        ("my_pkg.my_mod:Outer.Inner", "Inner"),
        ("gpt-4.1", "gpt-4.1"),
        ("chat:qwen/qwen3-8b@https://host.example/v1", "qwen-qwen3-8b"),
        ("decision:../up@http://127.0.0.1:8200", "up"),
        ('command:"python my_agent.py"', "python-my_agent.py"),
        ("python:my_pkg.my_mod:MyAgent", "MyAgent"),
        ("my_pkg:", "my_pkg:"),
        ("", ""),
    ],
)
def test_label_is_the_last_part_of_the_path(spec: str, label: str) -> None:
    assert agent_label(spec) == label


# -- loading -----------------------------------------------------------------------------------

AGENTS = """\
import os

class Good:
    def run(self, brief, page, budget):
        return "good"

class Other:
    def play(self): ...

class Configured:
    def __init__(self, model): ...
    def run(self, brief, page, budget): ...

def factory():
    return Good()

def wrong_factory():
    return Other()

NUMBER = 7
"""


@pytest.fixture
def agents_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Name of an importable module with agents in it."""
    return importable(tmp_path, monkeypatch, "webbench_test_agents", AGENTS)


def importable(folder: Path, monkeypatch: pytest.MonkeyPatch, name: str, source: str) -> str:
    (folder / f"{name}.py").write_text(source, "utf-8")
    monkeypatch.syspath_prepend(folder)
    monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    return name


def error_of(spec: str) -> str:
    with pytest.raises(SettingsError) as caught:
        load_agent(spec)
    return str(caught.value)


@pytest.mark.parametrize("name", ["Good", "factory"])
def test_dotted_path_may_name_a_class_or_a_factory(agents_module: str, name: str) -> None:
    agent = make_agent(f"{agents_module}:{name}", TASK, seed=0)
    assert agent.run(BRIEF, tabs("only").pages[0].as_page(), budget()) == "good"


def test_each_episode_gets_a_new_agent(agents_module: str) -> None:
    first, second = (make_agent(f"{agents_module}:Good", TASK, seed=0) for _ in range(2))
    assert first is not second


@pytest.mark.parametrize("spec", ["", "nop", "my_agents"])
def test_unknown_agent_is_an_error_that_lists_the_known_ones(spec: str) -> None:
    with pytest.raises(
        SettingsError, match=f"unknown agent '{spec}'.* noop, random, scripted; .* package.module"
    ):
        require_agent(spec)


def test_dotted_path_without_a_name_is_an_error() -> None:
    assert (
        error_of("my_agents:")
        == "agent 'my_agents:' is not an import path: write package.module:Class"
    )


def test_missing_module_is_an_error_with_advice() -> None:
    assert error_of("no_such_module_here:Agent") == (
        "agent 'no_such_module_here:Agent': module 'no_such_module_here' cannot be imported; "
        "is its folder on "
        "PYTHONPATH (or in the ini option `pythonpath`)?"
    )


def test_error_names_the_module_that_the_agents_module_lacks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = importable(tmp_path, monkeypatch, "webbench_test_needy", "import no_such_dependency\n")
    assert "module 'no_such_dependency' cannot be imported" in error_of(f"{name}:Agent")


def test_missing_name_is_an_error_that_names_module_and_name(agents_module: str) -> None:
    spec = f"{agents_module}:Goood"
    assert error_of(spec) == f"agent {spec!r}: module {agents_module!r} has no 'Goood'"


def test_object_that_cannot_be_called_is_refused(agents_module: str) -> None:
    spec = f"{agents_module}:NUMBER"
    assert error_of(spec) == f"agent {spec!r} is a int, not a class or factory function"


def test_class_without_run_is_refused(agents_module: str) -> None:
    spec = f"{agents_module}:Other"
    assert error_of(spec) == f"agent {spec!r} has no method run(brief, page, budget)"


def test_factory_that_returns_no_agent_is_an_error_when_called(agents_module: str) -> None:
    spec = f"{agents_module}:wrong_factory"
    with pytest.raises(SettingsError, match=r"has no method run\(brief, page, budget\)$"):
        make_agent(spec, TASK, seed=0)


@pytest.mark.parametrize("spec", [".agents:Mine", "..agents:Mine", ":Mine"])
def test_relative_path_is_a_settings_error(spec: str) -> None:
    error_of(spec)


@pytest.mark.parametrize("source", ["def broken(:\n", "from os import no_such_name\n", "1 / 0\n"])
def test_module_that_fails_on_import_is_a_settings_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str
) -> None:
    error_of(f"{importable(tmp_path, monkeypatch, 'webbench_test_broken', source)}:Agent")


def test_attribute_error_on_import_is_no_missing_agent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = "import os\nos.no_such_name\nclass Agent: ...\n"
    with pytest.raises(Exception, match="no_such_name"):
        load_agent(f"{importable(tmp_path, monkeypatch, 'webbench_test_faulty', source)}:Agent")


# -- built-in agents ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", BASELINES)
def test_every_baseline_makes_an_agent(name: str) -> None:
    assert isinstance(make_agent(name, TASK, seed=0), Agent)


@pytest.mark.parametrize(("agent", "answer"), [(Noop(), None), (Noop(""), ""), (Noop("17"), "17")])
def test_noop_answers_only_with_its_option(agent: Noop, answer: str | None) -> None:
    assert agent.run(BRIEF, tabs("only").pages[0].as_page(), budget()) == answer


def play(
    script: list[ScriptStep], context: FakeContext, opens: dict[str, str] | None = None
) -> tuple[str | None, list[str]]:
    """Answer of a script, and where it clicked what; ``opens`` says which clicks open a new tab."""
    done: list[str] = []

    def perform(page: Page, step: ScriptStep) -> None:
        name = getattr(step, "name", "")
        done.append(f"{cast(Any, page).name}: {name}")
        if name in (opens or {}):
            context.pages.append(FakePage((opens or {})[name], context))

    first = context.pages[0] if context.pages else FakePage("closed", context)
    return Scripted(script, perform).run(BRIEF, first.as_page(), budget()), done


def test_script_is_played_in_order() -> None:
    assert play(steps("click A", "click B"), tabs("only")) == (None, ["only: A", "only: B"])


def test_script_continues_in_the_newest_tab() -> None:
    _, done = play(
        steps("click A", "click B", "click C"), tabs("first"), opens={"A": "second", "B": "third"}
    )
    assert done == ["first: A", "second: B", "third: C"]


def test_script_prefers_the_newest_tab_to_the_one_given() -> None:
    assert play(steps("click A"), tabs("first", "popup"))[1] == ["popup: A"]


def test_script_stops_at_its_answer() -> None:
    assert play(steps("click A", "done 17", "click B"), tabs("only")) == ("17", ["only: A"])


def test_script_of_no_steps_does_nothing() -> None:
    assert play([], tabs("only")) == (None, [])


def test_script_fails_once_every_tab_is_closed() -> None:
    with pytest.raises(StepError, match="^every tab is closed$"):
        play(steps("click A"), tabs())


def test_script_can_answer_once_every_tab_is_closed() -> None:
    assert play(steps("done 17"), tabs()) == ("17", [])


def test_step_that_cannot_be_done_ends_the_script() -> None:
    def perform(_page: Page, _step: ScriptStep) -> None:
        raise StepError("covered")

    with pytest.raises(StepError, match="^covered$"):
        Scripted(steps("click A"), perform).run(BRIEF, tabs("only").pages[0].as_page(), budget())


# -- random ------------------------------------------------------------------------------------


def test_random_agent_answers_with_a_word_of_the_goal() -> None:
    assert Random(1).run(BRIEF, tabs("only").pages[0].as_page(), budget()) in (
        "Find",
        "the",
        "page",
    )


def test_random_agent_answers_the_same_for_the_same_seed() -> None:
    answers = {Random(7).run(BRIEF, tabs("only").pages[0].as_page(), budget()) for _ in range(5)}
    assert len(answers) == 1


def test_random_agent_answers_only_if_asked() -> None:
    brief = TaskBrief(
        **{**{name: getattr(BRIEF, name) for name in BRIEF.__slots__}, "wants_answer": False}
    )
    assert Random(1).run(brief, tabs("only").pages[0].as_page(), budget()) is None


@pytest.mark.parametrize(
    ("most", "actions", "used", "acts"), [(20, 10, 0, 10), (5, 10, 0, 5), (20, 10, 10, 0)]
)
def test_random_agent_keeps_within_its_budget(
    most: int, actions: int, used: int, acts: int
) -> None:
    page = tabs("only").pages[0]
    Random(1, most_actions=most).run(BRIEF, page.as_page(), budget(actions, used))
    assert page.searched == acts


def test_random_agent_acts_in_the_newest_tab() -> None:
    context = tabs("first", "popup")
    Random(1).run(BRIEF, context.pages[0].as_page(), budget(actions=3))
    assert [page.searched for page in context.pages] == [0, 3]


def test_random_agent_stops_once_every_tab_is_closed() -> None:
    Random(1).run(BRIEF, FakePage("closed", tabs()).as_page(), budget())


# -- budget ------------------------------------------------------------------------------------


class Clock:
    """Shows the time that a test sets."""

    def __init__(self, now: float) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize(("used", "left"), [(0, 10), (4, 6), (10, 0), (13, 0)])
def test_actions_left_are_those_not_yet_observed(used: int, left: int) -> None:
    assert budget(actions=10, used=used).actions_left == left


def test_actions_are_counted_during_the_episode() -> None:
    actions: list[str] = []
    left = Budget(2, 60.0, lambda: len(actions), Clock(0.0))
    seen = [left.actions_left]
    actions.append("click")
    assert [*seen, left.actions_left] == [2, 1]


@pytest.mark.parametrize(
    ("now", "left"), [(100.0, 60.0), (101.5, 58.5), (160.0, 0.0), (200.0, 0.0)]
)
def test_seconds_left_count_from_the_start(now: float, left: float) -> None:
    clock = Clock(100.0)
    budget = Budget(10, 60.0, lambda: 0, clock)
    clock.now = now
    assert budget.seconds_left == left


def test_whole_budget_can_be_read_at_any_time() -> None:
    clock = Clock(0.0)
    budget = Budget(10, 60.0, lambda: 3, clock)
    clock.now = 30.0
    assert (budget.actions, budget.seconds) == (10, 60.0)


class Later:
    async def run(self, _brief: object, _page: object, _budget: object) -> str:
        return "later"


class Pieces:
    async def run(self, _brief: object, _page: object, _budget: object) -> AsyncIterator[str]:
        yield "never"


class Words:
    def run(self, _brief: object, _page: object, _budget: object) -> Iterator[str]:
        yield "never"


class CallsWords:
    run = type("Callable", (), {"__call__": Words.run})()


class Partly:
    run = functools.partialmethod(Later.run)


class Bound:
    def __init__(self) -> None:
        self.run = functools.partial(Later().run)


class Calls:
    run = type("Callable", (), {"__call__": Later.run})()


class Awaited:
    @functools.wraps(Words.run)
    async def run(self, *_given: object) -> str:
        return "later"


class Decorated:
    @functools.wraps(Later.run)
    def run(self, brief: object, page: object, budget: object) -> Any:
        return Later().run(brief, page, budget)


class Joined:
    @functools.wraps(Words.run)
    def run(self, *given: object) -> str:
        return "".join(Words().run(*given))


@pytest.mark.parametrize("agent", [Pieces, Words, CallsWords])
def test_agent_whose_run_is_a_generator_is_refused(agent: type[Any]) -> None:
    with pytest.raises(SettingsError, match=r"the method run of agent 'mine' is a generator.*`def"):
        harness_side(agent(), "mine")


@pytest.mark.parametrize("agent", [Later, Partly, Bound, Calls, Awaited, Decorated])
def test_asynchronous_agent_is_recognised(agent: type[Any]) -> None:
    assert isinstance(harness_side(agent(), "mine"), AsyncAgent)


@pytest.mark.parametrize("agent", [Noop, Joined])
def test_agent_that_is_called_stays_as_it_is(agent: type[Any]) -> None:
    made = agent()
    assert harness_side(made, "mine") is made
