"""Does an agent's observed actions again, in a clean context and without the agent.

In a world that answers the same every time, what an agent really did leads to the same end again.
What it faked does not: pages filled by its scripts, answers put in place of a server's, links that
it added. So nothing has to be known of how it was faked.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from ..browser.action_log import NoSink
from ..browser.repeatable import Hovered
from ..browser.replayer import Replayer
from ..browser.settle import TO_GO_ON, TO_LOOK, Patience
from ..errors import InfraError, StepError
from ..evidence.models import Evidence, HowOpened, Integrity, ObservedAction, PageSeen, Repeated
from ..judge import CheckState, Outcome, Verdict, judge
from ..judge.integrity import bare
from ..task import Task, TaskBrief

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from ..agents import Budget
    from .runner import EpisodeResult, EpisodeRunner, EpisodeSettings, OpenSession

NOT_ASKED: Final = "passes are not tested: --webbench-test-passes never"
"""Why the actions of a pass were not done again, where the user does not want that."""
_FIND_SECONDS: Final = 3.0
_SAME_MOMENT_SECONDS: Final = 0.02
_LEAST_SECONDS: Final = 30.0
_SECONDS_PER_ACTION: Final = 5.0
_MOST_ACTIONS: Final = 100_000
_MOST_RESTS: Final = 6
_MOVES: Final = (HowOpened.TYPED, HowOpened.BACK_FORWARD, HowOpened.RELOAD)


class Repeats(Protocol):
    """Does single actions again; see `Replayer`."""

    def do(self, page: Page, action: ObservedAction) -> None: ...
    def hover(self, page: Page, hovered: Hovered) -> None: ...
    def traverse(self, page: Page, *, tab: int, url: str, reload: bool) -> None: ...
    def bring_to_front(self, page: Page, *, tab: int) -> None: ...
    def has_link(self, page: Page, *, tab: int, url: str) -> bool: ...


class Step(NamedTuple):
    """One thing to do again.

    ``how`` is set where the agent moved in a tab's history instead of opening an address.
    """

    action: ObservedAction
    how: HowOpened | None = None


def with_hovers(steps: Sequence[Step], hovers: Sequence[Hovered]) -> list[Step | Hovered]:
    """Steps, and before each the places where the pointer rested, if it does not go there anyway.

    A pointer that is led a long way crosses many elements: of each way, its end counts.
    """
    found: list[Step | Hovered] = []
    newest = 0
    for step in steps:
        number = step.action.number
        if number:
            rests = _rests(hovers, after=number - 1)
            if rests and rests[-1].is_part_of(step.action):
                rests.pop()
            found += rests[-_MOST_RESTS:]
            newest = number
        found.append(step)
    return found + _rests(hovers, after=newest)[-_MOST_RESTS:]


def _rests(hovers: Sequence[Hovered], *, after: int) -> list[Hovered]:
    """Where the pointer rested between two actions, each element once in a row."""
    rests: list[Hovered] = []
    for hovered in hovers:
        if hovered.after != after:
            continue
        if rests and rests[-1].target == hovered.target:
            rests.pop()
        rests.append(hovered)
    return rests


def steps_of(actions: Sequence[ObservedAction], pages: Sequence[PageSeen]) -> list[Step]:
    """Actions in their order, with the moves in a tab's history that no action stands for."""
    moves = [page for page in pages if page.how in _MOVES]
    steps = []
    for action in actions:
        move = next((page for page in moves if _is_move(action, page)), None)
        if move is not None:
            moves.remove(move)
        steps.append(_step(action, move))
    for page in moves:
        action = ObservedAction(
            number=0, kind="navigate", value=page.url, tab=page.tab, seconds=page.seconds
        )
        steps.append(_step(action, page))
    return sorted(steps, key=attrgetter("action.seconds"))


def _step(action: ObservedAction, move: PageSeen | None) -> Step:
    if move is None or move.how is HowOpened.TYPED:
        return Step(action)
    return Step(action, move.how)


def _is_move(action: ObservedAction, page: PageSeen) -> bool:
    # Both come from the same event, so that their times differ by less than any two events'.
    is_same_moment = abs(action.seconds - page.seconds) < _SAME_MOMENT_SECONDS
    return action.kind == "navigate" and action.tab == page.tab and is_same_moment


class Repetition:
    """An agent that does what was observed of another; what cannot be done again is left out."""

    def __init__(self, steps: Sequence[Step | Hovered], final_tab: int, repeater: Repeats) -> None:
        self._steps, self._final_tab, self._repeater = steps, final_tab, repeater
        self.linked: list[str] = []
        """Addresses opened that the page before had a link to."""
        self._opened: set[str] = set()

    def run(self, brief: TaskBrief, page: Page, budget: Budget) -> None:
        """Do all steps, then show the tab that the agent ended on."""
        del brief, budget
        context = page.context
        for step in self._steps:
            with suppress(StepError):
                self._do(_any_tab(context.pages, page), step)
        with suppress(StepError):
            self._repeater.bring_to_front(_any_tab(context.pages, page), tab=self._final_tab)

    def _do(self, page: Page, step: Step | Hovered) -> None:
        if isinstance(step, Hovered):
            self._repeater.hover(page, step)
            return
        action = step.action
        if step.how is not None:
            reload = step.how is HowOpened.RELOAD
            self._repeater.traverse(page, tab=action.tab, url=action.value or "", reload=reload)
            return
        if action.kind == "navigate":
            self._note_link(page, action.tab, action.value or "")
        self._repeater.do(page, action)

    def _note_link(self, page: Page, tab: int, url: str) -> None:
        if bare(url) in self._opened:
            return  # the page itself may link to it, and so may pages that it led to
        self._opened.add(bare(url))
        if self._repeater.has_link(page, tab=tab, url=url):
            self.linked.append(url)


def _any_tab(tabs: Sequence[Page], other: Page) -> Page:
    return next((tab for tab in tabs if not tab.is_closed()), other)


def repeat(
    runner: EpisodeRunner,
    task: Task,
    result: EpisodeResult,
    *,
    settings: EpisodeSettings,
    open_session: OpenSession,
) -> Integrity | None:
    """What the evidence of a passed episode says of its ground once its actions were done again.

    None if there is nothing to say: it did not pass, or the world may answer otherwise.
    """
    if _ground_to_test(runner, task, result) is None:
        return None
    return _Repeater(runner, task, result, settings, open_session).integrity()


def spare(runner: EpisodeRunner, task: Task, result: EpisodeResult) -> Integrity | None:
    """The same, where the user does not want passes to be tested."""
    ground = _ground_to_test(runner, task, result)
    return ground and ground.model_copy(update={"repeated_detail": NOT_ASKED})


def _ground_to_test(runner: EpisodeRunner, task: Task, result: EpisodeResult) -> Integrity | None:
    evidence = result.captured.evidence
    if judge(task, evidence).outcome is not Outcome.PASSED or not runner.world_is_repeatable():
        return None
    return evidence.integrity


@dataclass(frozen=True, slots=True)
class _Repeater:
    runner: EpisodeRunner
    task: Task
    result: EpisodeResult
    settings: EpisodeSettings
    open_session: OpenSession

    def integrity(self) -> Integrity:
        """The section of the episode's evidence, with what came of the repetition.

        A page may need more time than a script gives it, so what fails is tried once more slowly.
        """
        found = self._try(TO_GO_ON)
        if found.repeated is Repeated.OTHER:
            found = self._try(TO_LOOK)
        return found

    def _try(self, patience: Patience) -> Integrity:
        evidence = self.result.captured.evidence
        assert evidence.integrity is not None, "only evidence with a ground is tried again"
        final_tab = next((page.tab for page in evidence.pages_seen if page.final), 0)
        actions = steps_of(self.result.actions, evidence.pages_seen)
        steps = with_hovers(actions, self.result.hovers)
        replayer = Replayer(find_seconds=_FIND_SECONDS, patience=patience)
        again = Repetition(steps, final_tab, replayer)
        try:
            repeated = self.runner.run(
                self.task,
                again,
                settings=self._settings(len(steps)),
                sink=Unlogged(),
                open_session=self.open_session,
            )
        except InfraError as error:
            changes: dict[str, object] = {"repeated_detail": str(error)}
        else:
            changes = _compared(self.task, evidence, repeated.captured.evidence)
        linked = tuple(dict.fromkeys(again.linked))
        return evidence.integrity.model_copy(update={"linked": linked, **changes})

    def _settings(self, steps: int) -> EpisodeSettings:
        return replace(
            self.settings,
            max_actions=_MOST_ACTIONS,
            max_seconds=_LEAST_SECONDS + _SECONDS_PER_ACTION * steps,
            archive=False,
            context_provider=None,
        )


def _compared(task: Task, evidence: Evidence, repeated: Evidence) -> dict[str, object]:
    """How the repetition comes out with the answer and the ending of the episode."""
    said = {name: getattr(evidence, name) for name in ("answer", "ending", "ending_detail")}
    again = repeated.model_copy(update=said)
    verdict = judge(task, again)
    if verdict.outcome is Outcome.PASSED:
        return _not_faked_again(repeated.integrity)
    # Other reasons for no score are the page's that it ended on, and the episode had none.
    if verdict.outcome is Outcome.UNSCORED and verdict.reason == InfraError.reason:
        return {"repeated": Repeated.UNTRIED, "repeated_detail": verdict.detail}
    return {"repeated": Repeated.OTHER, "repeated_detail": _first_failed(verdict)}


def _not_faked_again(ground: Integrity | None) -> dict[str, object]:
    """A pass, unless somebody answers in place of servers in the whole browser."""
    faked = (*ground.undelivered, *ground.intercepted) if ground is not None else ()
    if faked:
        detail = f"answered within the browser the second time as well: {faked[0]}"
        return {"repeated": Repeated.OTHER, "repeated_detail": detail}
    return {"repeated": Repeated.SAME}


def _first_failed(verdict: Verdict) -> str:
    for check in verdict.checks:
        if check.state is not CheckState.HOLDS:
            return f"{check.name}: {check.why or f'found {check.found}'}"
    return verdict.detail


class Unlogged(NoSink):
    """Of a repetition only the end is looked at."""

    def log(self, text: str) -> None: ...
    def unstoppable(self) -> None: ...
    def will(self) -> None: ...
