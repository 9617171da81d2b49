"""Whatever an agent returns or raises, it is the agent's: a failure that is never repeated."""

from __future__ import annotations

import os
import signal
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest

from pytest_webbench.agents import AgentCrashed, GaveUp
from pytest_webbench.browser.session import Session
from pytest_webbench.capture.capture import Finished
from pytest_webbench.episode import agent_run
from pytest_webbench.episode.agent_run import ActionLimit, AgentRun
from pytest_webbench.episode.watchdog import Interrupted, Watchdog
from pytest_webbench.errors import BadReply, InfraError, SettingsError, StepError
from pytest_webbench.evidence.models import Ending
from pytest_webbench.task import TaskBrief


class FakeSession:
    """A session on no browser."""

    page = None
    cdp_url = None

    def __init__(self) -> None:
        self.actions: list[Any] = []

    def begin(self) -> None: ...
    def flush(self) -> None: ...
    def end(self) -> None: ...
    def require_connection(self) -> None: ...

    def alive(self) -> bool:
        return True


class Log:
    """Takes what an episode says of itself."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def log(self, text: str) -> None:
        self.lines.append(text)

    def will(self) -> None: ...

    def unstoppable(self) -> None:
        raise AssertionError("all of these can be interrupted")


@pytest.fixture(scope="module")
def watchdog() -> Watchdog:
    return Watchdog()


Play = Callable[..., tuple[Finished, str]]


@pytest.fixture
def play(watchdog: Watchdog, monkeypatch: pytest.MonkeyPatch) -> Play:
    """Runs an agent that does ``act``; how it ended and its log."""

    def run(
        act: Callable[[], object], *, tell: float = 0.2, seconds: float = 1.0
    ) -> tuple[Finished, str]:
        monkeypatch.setattr(agent_run, "_TELL_SECONDS", tell)

        class Agent:
            def run(self, _brief: TaskBrief, _page: object, _budget: object) -> object:
                return act()

        brief = TaskBrief(
            task_id="t",
            goal="goal",
            start_url="https://a.example/",
            wants_answer=True,
            max_actions=9,
            max_seconds=seconds,
            locale="en",
            timezone="UTC",
        )
        session: Any = FakeSession()
        sink: Any = Log()
        agent: Any = Agent()
        finished = AgentRun(
            agent=agent,
            brief=brief,
            session=session,
            sink=sink,
            watchdog=watchdog,
            action_limit=ActionLimit(session, 9, watchdog),
        ).run()
        return finished, "\n".join(sink.lines)

    return run


def raising(error: BaseException) -> object:
    raise error


def raises_infra(_self: object) -> str:
    raise InfraError("the network, honestly")


def hangs(_self: object) -> str:
    while True:
        pass


def interrupts(_self: object) -> str:
    raise KeyboardInterrupt


def saying(say: Callable[[Any], object], *bases: type) -> Any:
    """An object of a class of the agent's own."""
    return type("Own", bases, {"__str__": say, "__repr__": say})()


class Text(str):
    """A text whose own methods are the agent's."""

    __slots__ = ()

    def strip(self, _characters: str | None = None) -> str:
        raise InfraError("the network, honestly")

    def __str__(self) -> str:
        return self


def nested(depth: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("act", "ending"),
    [
        (lambda: saying(raises_infra), Ending.AGENT_CRASHED),
        (lambda: saying(lambda _self: 7), Ending.AGENT_CRASHED),
        (lambda: saying(hangs), Ending.AGENT_CRASHED),
        (lambda: [saying(hangs)], Ending.TIME_BUDGET),
        (lambda: nested(20_000), Ending.AGENT_CRASHED),
        (lambda: 10**5_000, Ending.AGENT_CRASHED),
        (lambda: Text("eleven"), Ending.DONE),
        (lambda: "  ", Ending.NO_ANSWER),
        (lambda: raising(saying(hangs, Exception)), Ending.AGENT_CRASHED),
        (lambda: raising(saying(interrupts, Exception)), Ending.AGENT_CRASHED),
        (lambda: raising(saying(hangs, GaveUp)), Ending.GAVE_UP),
        (lambda: raising(KeyboardInterrupt()), Ending.AGENT_CRASHED),
        (lambda: raising(Interrupted("done")), Ending.AGENT_CRASHED),
        (lambda: raising(InfraError("the network, honestly")), Ending.AGENT_CRASHED),
        (lambda: raising(SettingsError("not my fault")), Ending.AGENT_CRASHED),
        (lambda: raising(SystemExit(70)), Ending.AGENT_CRASHED),
    ],
    ids=[
        "str-raises",
        "str-is-no-text",
        "str-hangs",
        "repr-of-a-member-hangs",
        "nested-lists",
        "5000-digits",
        "class-of-its-own",
        "blank",
        "error-hangs",
        "error-interrupts",
        "giving-up-hangs",
        "keyboard-interrupt",
        "false-interruption",
        "infra-error",
        "settings-error",
        "exit",
    ],
)
def test_what_an_agent_returns_or_raises_is_its_own(
    play: Play, act: Callable[[], object], ending: Ending
) -> None:
    # What takes long must be ended soon; all else gets time on a busy machine.
    seconds = 1.0 if ending is Ending.TIME_BUDGET else 30.0
    assert play(act, seconds=seconds)[0].ending is ending


async def later() -> str:
    return "never"


async def pieces() -> AsyncIterator[str]:
    yield "never"


def words() -> Iterator[str]:
    yield "never"


@pytest.mark.parametrize(
    ("act", "told"),
    [
        (later, "coroutine;"),
        (pieces, "async_generator"),
        (words, "generator;"),
        (lambda: 7, "int (7)"),
        (lambda: False, "bool (False)"),
        (lambda: {"answer": "x"}, "dict ({'answer': 'x'})"),
        (lambda: ["a", "b"], "list (['a', 'b'])"),
        (lambda: b"x", "bytes (b'x')"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_answer_that_is_no_text_is_named(play: Play, act: Callable[[], object], told: str) -> None:
    finished, log = play(act)
    assert (finished.ending, finished.answer) == (Ending.AGENT_CRASHED, None)
    assert finished.detail.startswith(f"run returned a value of type {told}")
    assert finished.detail.endswith("; it has to return text or None")
    assert finished.detail in log


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (ValueError("my own mistake\nin two lines"), "ValueError: my own mistake"),
        (KeyError("key"), "KeyError: 'key'"),
        (AssertionError(), "AssertionError"),
        (SystemExit(70), "SystemExit: 70"),
        (GaveUp("there is no\nsuch plugin"), "there is no such plugin"),
        (AgentCrashed("the program ended with 3"), "the program ended with 3"),
        (StepError("no button 'Buy'"), "no button 'Buy'"),
        (BadReply("no JSON in the reply"), "no JSON in the reply"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_why_the_agent_ended_is_told_in_one_line(
    play: Play, error: BaseException, told: str
) -> None:
    assert play(lambda: raising(error))[0].detail == told


def test_answer_is_a_plain_text(play: Play) -> None:
    assert type(play(lambda: Text("eleven"))[0].answer) is str


def test_log_of_an_exception_is_bounded(play: Play) -> None:
    _, log = play(lambda: raising(ValueError("x" * 5_000_000)), tell=60.0)
    assert log.startswith("Traceback")
    assert len(log) < 110_000
    assert "characters left out" in log


def test_ctrl_c_of_the_user_ends_the_session(play: Play) -> None:
    # Started in the background of a shell, as in CI, a process ignores interrupts.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            play(lambda: os.kill(os.getpid(), signal.SIGINT))
    finally:
        signal.signal(signal.SIGINT, before)


def test_session_protocol_is_what_the_fake_has() -> None:
    assert all(hasattr(Session, name) for name in ("begin", "flush", "end", "alive"))
