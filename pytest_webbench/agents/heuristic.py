"""The heuristic agent: no model, only the words of the goal. Deterministic; knows no task and no site.

It uses whatever element's name has most of the goal's words in it, words that served already counting less and less. It
types quoted phrases and names into search boxes. When nothing scores any more it is done, and answers with the line of
the page that has most of the goal's words.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple
from urllib.parse import urldefrag, urlsplit

from ..browser.actions import Action, Click, Done, Scroll, SelectOption, TypeText
from ..browser.observation import Element, Mode, Observation
from .base import Agent
from .policy import Candidate, Decision, Past, Turn
from .types import AgentOptions, Kit
from .words import Goal, content, tokens

ENOUGH: Final = 0.5
"""Least score of an action that is worth doing."""
WORN: Final = 0.35
"""What is left of a word's weight each time that an action has used it."""
AHEAD: Final = 0.6
"""By how much an action falls back for each part of the goal that is to be done before its own."""
OVER: Final = 0.5
"""What is left of a word's weight when its part of the goal is over."""
SITE: Final = 0.3
"""What is left of words of the site's own name, which stand everywhere, and of links to its front page."""
MOST_ACTIONS: Final = 25
_SEARCHING: Final = frozenset({"search", "look", "type", "enter", "filter"})
_SUBMITS: Final = re.compile(r"(?:apply|go|submit|search|filter|update|show results|ok)\b", re.IGNORECASE)
_SEARCH: Final = ("searchbox", "search")
_NUMERIC: Final = re.compile(r"how many|how much|how long|number|digits|length", re.IGNORECASE)
_DIGITS: Final = re.compile(r"(?<![\w.])\d+(?:[.,]\d+)*")


class Options(AgentOptions):
    """Keys of ``[agents.<name>]`` with ``type = "heuristic"``."""

    type: Literal["heuristic"] = "heuristic"

    @classmethod
    def inline(cls, rest: str) -> dict[str, Any]:
        """Nothing is to be said of it."""
        return {} if not rest else super().inline(rest)


def make(options: Options, kit: Kit) -> Agent:
    """A fresh agent."""
    from .loop import PolicyAgent

    del options, kit
    return PolicyAgent(lambda _equipment: nullcontext(HeuristicPolicy()))


class Move(NamedTuple):
    """One action that could be taken."""

    score: float
    """How much of the goal it is about."""
    rank: float
    """The same, less for what comes later in the goal."""
    label: str
    action: Action


class HeuristicPolicy:
    """Chooses what the words of the goal point to; what it does depends on the turn alone."""

    mode: Mode = "axtree"

    def choose(self, turn: Turn) -> Decision:
        """The first of the actions that are good enough; `Done` if none is."""
        view = View.of(turn)
        moves = sorted(_moves(view), key=lambda move: -move.rank)
        candidates = tuple(Candidate(label=f"{move.label} ({move.score:.2f})") for move in moves[:10])
        good = [move for move in moves if move.score >= ENOUGH]
        if turn.last or len(turn.history) >= MOST_ACTIONS or not good:
            answer = best_line(view.goal, turn.observation) if turn.brief.wants_answer else None
            return Decision(action=Done(answer=answer), candidates=candidates)
        return Decision(action=good[0].action, thought=f"score {good[0].score:.2f}", candidates=candidates)


@dataclass(frozen=True)
class View:
    """A turn as its goal sees it."""

    turn: Turn
    goal: Goal
    reached: int
    """The part of the goal that was worked on last."""
    weights: dict[str, float]
    """What the goal's words weigh now: less if they were used, if their part is over, or if they name the site."""
    rarity: dict[str, float]
    """From 0 to 1: whether few elements of the page have a word."""

    @classmethod
    def of(cls, turn: Turn) -> View:
        """The turn with all weights."""
        goal = Goal(turn.brief.goal)
        labels = [past.label for past in turn.history if past.changed]
        used = Counter(word for label in labels for word in set(tokens(label)))
        reached = max((clause for label in labels if (clause := goal.clause_of(label)) is not None), default=0)
        site = _site_words(turn)
        ahead = frozenset[str]().union(*goal.clauses[reached:])
        weights = {
            word: weight * math.pow(WORN, used[word]) * (SITE if word in site else 1) * (1 if word in ahead else OVER)
            for word, weight in goal.weights.items()
        }
        counts = Counter(word for element in turn.observation.elements for word in set(tokens(element.name)))
        rarity = {word: 1 / (1 + 0.1 * (count - 1)) for word, count in counts.items()}
        return cls(turn, goal, reached, weights, rarity)

    def score(self, name: str) -> float:
        """How much of the goal a name is about: what its words weigh, less for each word that says something else."""
        words = content(name) or tokens(name)
        found = [word for word in dict.fromkeys(words) if word in self.weights]
        if not found:
            return 0.0
        mean = sum(self.weights[word] * self.rarity.get(word, 1.0) for word in found) / len(found)
        return mean * min(1.6, 0.8 + 0.2 * len(found)) * math.pow(len(found) / len(set(words)), 0.55)

    def move(self, score: float, about: str, label: str, action: Action) -> Move:
        """An action with its place in the goal; ``about`` are the words that speak for it."""
        clause = self.goal.clause_of(about, self.reached)
        ahead = 0 if clause is None else clause - self.reached
        return Move(score, score * math.pow(AHEAD, ahead), label, action)


def _site_words(turn: Turn) -> set[str]:
    return set(tokens((urlsplit(turn.brief.start_url).hostname or "").replace(".", " ").replace("-", " ")))


def _moves(view: View) -> Iterator[Move]:
    """All that could be done; what was done on this page already is left out."""
    seen, history = view.turn.observation, view.turn.history
    done = {_mark(past.action, past.label) for past in history if _here(past.url) == _here(seen.url)}
    twice = Counter(past.label for past in history)
    for element in seen.elements:
        if element.disabled or element.kind in ("password", "file"):
            continue
        for move in _uses(view, element):
            if _mark(move.action, move.label) not in done and twice[move.label] < 2:
                yield move
    if seen.scrolled[1] > 0 and not any(isinstance(past.action, Scroll) for past in history[-2:]):
        yield Move(ENOUGH, 0.0, "scroll down", Scroll(direction="down"))


def _here(url: str) -> str:
    return urldefrag(url)[0]


def _mark(action: Action, label: str) -> str:
    """What counts as the same action: refs change with each document, names do not."""
    return "scroll" if isinstance(action, Scroll) else f"{action.do} {label}"


def _uses(view: View, element: Element) -> Iterator[Move]:
    if "type" in element.operations:
        yield from _typing(view, element)
    elif "select" in element.operations:
        yield from _choosing(view, element)
    elif "click" in element.operations and not (element.checked or element.selected):
        name = element.name or element.context[:60]
        score = view.score(name)
        if score:
            score += 0.1 * view.score(element.context) + 0.3 * (element.name in view.goal.quoted)
        score *= (1.0 if element.in_view else 0.95) * (SITE if _leads_home(element, view.turn) else 1.0)
        if _SUBMITS.match(name) and _is_form_open(view.turn.history):
            score = max(score, ENOUGH)
        yield view.move(score, name, f'click {element.role} "{element.name}"', Click(ref=element.ref))


def _leads_home(element: Element, turn: Turn) -> bool:
    """Whether a link leads to the front page of the site, where all began or could have."""
    link, here = urlsplit(element.href or ""), urlsplit(turn.observation.url)
    return bool(element.href) and link.netloc == here.netloc and link.path in ("", "/") and not link.query


def _is_form_open(history: tuple[Past, ...]) -> bool:
    """Whether the last thing done was to fill a field or tick a box, and nothing has been sent since."""
    if not history or not history[-1].changed:
        return False
    last = history[-1].action
    box = isinstance(last, Click) and ("checkbox" in history[-1].label or "radio" in history[-1].label)
    return box or isinstance(last, SelectOption) or (isinstance(last, TypeText) and not last.submit)


def _typing(view: View, element: Element) -> Iterator[Move]:
    """What could be typed into a field; each field is filled once, and nothing is typed into two fields."""
    goal, history = view.goal, view.turn.history
    about = content(f"{element.name} {element.hint} {element.context}")
    search = element.role in _SEARCH or element.kind in _SEARCH or "search" in about
    number = element.kind == "number" or element.role == "spinbutton"
    typed = {past.action.text for past in history if isinstance(past.action, TypeText) and past.changed}
    if any(isinstance(past.action, TypeText) and f'{element.role} "{element.name}"' in past.label for past in history):
        return
    site = _site_words(view.turn)
    for place, phrase in enumerate(goal.numbers if number else (*goal.phrases, *goal.numbers)):
        if phrase in typed or element.value == phrase or set(tokens(phrase)) <= site:
            continue
        near = goal.near(phrase, about)
        score = 0.6 * min(2, near)
        if search and not number:
            clause = goal.clauses[goal.clause_of(phrase) or 0]
            score = 1.6 - 0.2 * place if not typed or clause & _SEARCHING else 0.0
        label = f'type {phrase!r} into {element.role} "{element.name}"'
        yield view.move(score, phrase, label, TypeText(ref=element.ref, text=phrase, submit=search))


def _choosing(view: View, element: Element) -> Iterator[Move]:
    """What could be chosen from a list; each list is used once."""
    where = f'{element.role} "{element.name}"'
    if any(isinstance(past.action, SelectOption) and where in past.label for past in view.turn.history):
        return
    for choice in element.choices:
        score = 0.0 if choice.selected else view.score(choice.label)
        if score:
            score += 0.3 * min(1, view.goal.near(choice.label, content(element.name)))
            label = f"select {choice.label!r} in {where}"
            yield view.move(score, choice.label, label, SelectOption(ref=element.ref, option=choice.label))


def best_line(goal: Goal, seen: Observation) -> str:
    """The line of the page that says most of the goal; only its number where the goal asks for one."""
    wants_number = bool(_NUMERIC.search(goal.text))
    best, best_score = "", 0.0
    for line in seen.text.splitlines():
        words = set(tokens(line))
        score = sum(weight for word, weight in goal.weights.items() if word in words)
        if wants_number and not _new_numbers(goal, line):
            score = 0.0
        if score > best_score and len(line) <= 500:
            best, best_score = line, score
    if wants_number and best:
        return _new_numbers(goal, best)[0]
    return best or seen.title


def _new_numbers(goal: Goal, line: str) -> list[str]:
    """Numbers of a line that the goal does not name itself."""
    return [number for number in _DIGITS.findall(line) if number not in goal.numbers]
