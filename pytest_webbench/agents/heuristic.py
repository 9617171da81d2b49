"""The type ``heuristic``: no model, only the words of the goal. Knows no task and no site.

The policy acts on whatever element's name shares most with the goal; words that have served before
count less and less. It types quoted phrases and names into search boxes. When nothing scores any
more it is done, and answers with the line of the page that shares most with the goal. The same
turn always gives the same decision.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import nullcontext
from typing import Any, Final, Literal
from urllib.parse import urldefrag, urlsplit

from ..browser.actions import Action, Click, Done, Scroll, SelectOption, TypeText
from ..browser.observation import Element, Mode, Observation
from .base import Agent
from .goal_keywords import Goal, keywords, tokens
from .heuristic_scores import OFF_TOPIC, GoalView, ScoredAction, site_words
from .loop import PolicyAgent
from .options import AgentOptions
from .policy import Candidate, Decision, PastAction, Turn
from .registry import AgentType, BuildContext

ENOUGH: Final = 0.5
"""Least score of an action that is worth doing."""
MOST_ACTIONS: Final = 25
MOST_CANDIDATES: Final = 10
_SEARCHING: Final = frozenset({"search", "look", "type", "enter", "filter"})
_SUBMITS: Final = re.compile(
    r"(?:apply|go|submit|search|filter|update|show results|ok)\b", re.IGNORECASE
)
_SEARCH: Final = ("searchbox", "search")
_NUMERIC: Final = re.compile(r"how many|how much|how long|number|digits|length", re.IGNORECASE)
_DIGITS: Final = re.compile(r"(?<![\w.])\d+(?:[.,]\d+)*")


class HeuristicOptions(AgentOptions):
    """Keys of ``[agents.<name>]`` with ``type = "heuristic"``."""

    type: Literal["heuristic"] = "heuristic"

    @classmethod
    def inline(cls, rest: str) -> dict[str, Any]:
        """There is nothing to say after ``heuristic:``."""
        if rest:
            return super().inline(rest)
        return {}


def make(options: HeuristicOptions, build: BuildContext) -> Agent:
    """A fresh agent."""
    del options, build
    return PolicyAgent(lambda _context: nullcontext(HeuristicPolicy()))


AGENT_TYPE: Final = AgentType(
    summary="no model: follows the words of the goal",
    options=HeuristicOptions,
    make=make,
    bare=True,
)


class HeuristicPolicy:
    """Chooses what the words of the goal point to; depends on the turn alone."""

    mode: Mode = "axtree"

    def choose(self, turn: Turn) -> Decision:
        """The best action that scores enough; `Done` if there is none."""
        view = GoalView.of(turn)
        ranked = sorted(_possible_actions(view), key=lambda scored: -scored.rank)
        candidates = tuple(
            Candidate(label=f"{scored.label} ({scored.score:.2f})")
            for scored in ranked[:MOST_CANDIDATES]
        )
        good = [scored for scored in ranked if scored.score >= ENOUGH]
        if turn.last or len(turn.history) >= MOST_ACTIONS or not good:
            answer = best_line(view.goal, turn.observation) if turn.brief.wants_answer else None
            return Decision(action=Done(answer=answer), candidates=candidates)
        best = good[0]
        return Decision(
            action=best.action, thought=f"score {best.score:.2f}", candidates=candidates
        )


def _possible_actions(view: GoalView) -> Iterator[ScoredAction]:
    """All actions that make sense, except what was done on this page before."""
    seen, history = view.turn.observation, view.turn.history
    # Without this the best action would be repeated for ever: the policy has no memory.
    done_here = {
        _identity(past.action, past.label) for past in history if _same_document(past.url, seen.url)
    }
    times = Counter(past.label for past in history)
    for element in seen.elements:
        if element.disabled or element.kind in ("password", "file"):
            continue
        for scored in _actions_on(view, element):
            if _identity(scored.action, scored.label) not in done_here and times[scored.label] < 2:
                yield scored
    scrolled_lately = any(isinstance(past.action, Scroll) for past in history[-2:])
    if seen.scrolled[1] > 0 and not scrolled_lately:
        yield ScoredAction(ENOUGH, 0.0, "scroll down", Scroll(direction="down"))


def _same_document(one: str, other: str) -> bool:
    return urldefrag(one)[0] == urldefrag(other)[0]


def _identity(action: Action, label: str) -> str:
    """Equal for the same action: refs change with each document, labels do not."""
    return "scroll" if isinstance(action, Scroll) else f"{action.do} {label}"


def _actions_on(view: GoalView, element: Element) -> Iterator[ScoredAction]:
    if "type" in element.operations:
        yield from _type_actions(view, element)
    elif "select" in element.operations:
        yield from _select_actions(view, element)
    elif "click" in element.operations and not element.checked and not element.selected:
        yield _click_action(view, element)


def _click_action(view: GoalView, element: Element) -> ScoredAction:
    name = element.name or element.context[:60]
    score = view.score(name)
    if score:
        score += 0.1 * view.score(element.context) + 0.3 * (element.name in view.goal.quoted)
    if not element.in_view:
        score *= 0.95
    if _leads_home(element, view.turn):
        score *= OFF_TOPIC
    # The goal seldom says "Apply", but a filled form is worth nothing before it is sent.
    if _SUBMITS.match(name) and _is_form_open(view.turn.history):
        score = max(score, ENOUGH)
    label = f'click {element.role} "{element.name}"'
    return view.scored(score, about=name, label=label, action=Click(ref=element.ref))


def _leads_home(element: Element, turn: Turn) -> bool:
    """Whether a link leads to the front page of the site that the page belongs to."""
    if not element.href:
        return False
    link = urlsplit(element.href)
    same_site = link.netloc == urlsplit(turn.observation.url).netloc
    return same_site and link.path in ("", "/") and not link.query


def _is_form_open(history: tuple[PastAction, ...]) -> bool:
    """Whether the last action filled a field or ticked a box, and the form is not sent yet."""
    if not history or not history[-1].changed:
        return False
    last = history[-1]
    if isinstance(last.action, Click):
        return "checkbox" in last.label or "radio" in last.label
    if isinstance(last.action, TypeText):
        return not last.action.submit
    return isinstance(last.action, SelectOption)


def _type_actions(view: GoalView, element: Element) -> Iterator[ScoredAction]:
    """What could be typed into a field.

    Each field is filled once, and no phrase is typed into two fields.
    """
    where = f'{element.role} "{element.name}"'
    typed_before = [past for past in view.turn.history if isinstance(past.action, TypeText)]
    if any(where in past.label for past in typed_before):
        return
    used = {
        past.action.text
        for past in typed_before
        if past.changed and isinstance(past.action, TypeText)
    }
    goal = view.goal
    about = keywords(f"{element.name} {element.hint} {element.context}")
    number = element.kind == "number" or element.role == "spinbutton"
    search = element.role in _SEARCH or element.kind in _SEARCH or "search" in about
    site = site_words(view.turn)
    phrases = goal.numbers if number else (*goal.phrases, *goal.numbers)
    for place, phrase in enumerate(phrases):
        if phrase in used or element.value == phrase or site.issuperset(tokens(phrase)):
            continue
        score = 0.6 * min(2, goal.count_near(phrase, about))
        if search and not number:
            clause = goal.clauses[goal.clause_of(phrase) or 0]
            score = 1.6 - 0.2 * place if not used or clause & _SEARCHING else 0.0
        yield view.scored(
            score,
            about=phrase,
            label=f"type {phrase!r} into {where}",
            action=TypeText(ref=element.ref, text=phrase, submit=search),
        )


def _select_actions(view: GoalView, element: Element) -> Iterator[ScoredAction]:
    """What could be chosen from a list; each list is used once."""
    where = f'{element.role} "{element.name}"'
    selected_before = [past for past in view.turn.history if isinstance(past.action, SelectOption)]
    if any(where in past.label for past in selected_before):
        return
    about = keywords(element.name)
    for choice in element.choices:
        score = view.score(choice.label)
        if choice.selected or not score:
            continue
        score += 0.3 * min(1, view.goal.count_near(choice.label, about))
        yield view.scored(
            score,
            about=choice.label,
            label=f"select {choice.label!r} in {where}",
            action=SelectOption(ref=element.ref, option=choice.label),
        )


def best_line(goal: Goal, seen: Observation) -> str:
    """The line of the page that shares most with the goal; its title if no line does.

    Where the goal asks for a number, only the number of the best line that has a new one.
    """
    wants_number = bool(_NUMERIC.search(goal.text))
    best = ""
    best_score = 0.0
    for line in seen.text.splitlines():
        if len(line) > 500 or (wants_number and not _new_numbers(goal, line)):
            continue
        words = set(tokens(line))
        score = sum(weight for word, weight in goal.weights.items() if word in words)
        if score > best_score:
            best, best_score = line, score
    if wants_number and best:
        return _new_numbers(goal, best)[0]
    return best or seen.title


def _new_numbers(goal: Goal, line: str) -> list[str]:
    """Numbers of a line that the goal does not mention itself."""
    return [number for number in _DIGITS.findall(line) if number not in goal.numbers]
