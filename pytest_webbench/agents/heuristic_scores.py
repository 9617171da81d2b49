"""How much an element or an option has to do with a goal, by its words alone. Pure."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from ..browser.actions import Action
from .goal_keywords import Goal, keywords, tokens
from .policy import Turn

# Factors for the weight of a word or for the score of an action.
USED: Final = 0.35
"""For each time that an action has used the word."""
AHEAD: Final = 0.6
"""For each part of the goal that is to be done before the action's own."""
OVER: Final = 0.5
"""For a word whose part of the goal is over."""
OFF_TOPIC: Final = 0.3
"""For words of the site's own name, which are everywhere, and for links to its front page."""


class ScoredAction(NamedTuple):
    """One action that could be taken."""

    score: float
    """How much it has to do with the goal."""
    rank: float
    """The score, reduced for what belongs to a later part of the goal."""
    label: str
    action: Action


@dataclass(frozen=True)
class GoalView:
    """A turn, seen from its goal."""

    turn: Turn
    goal: Goal
    reached: int
    """The part of the goal that was worked on last."""
    weights: dict[str, float]
    """How much each of the goal's keywords says now."""
    rarity: dict[str, float]
    """From 0 to 1, by word: how few elements of the page have it."""

    @classmethod
    def of(cls, turn: Turn) -> GoalView:
        """The turn with all weights."""
        goal = Goal(turn.brief.goal)
        labels = [past.label for past in turn.history if past.changed]
        clauses = [goal.clause_of(label) for label in labels]
        reached = max((clause for clause in clauses if clause is not None), default=0)
        weights = _weights(goal, reached, labels, site_words(turn))
        return cls(turn, goal, reached, weights, _rarity(turn))

    def score(self, name: str) -> float:
        """How much ``name`` has to do with the goal.

        That is what its words weigh, less for each word that says something else.
        """
        words = keywords(name) or tokens(name)
        found = [word for word in dict.fromkeys(words) if word in self.weights]
        if not found:
            return 0.0
        mean = sum(self.weights[word] * self.rarity.get(word, 1.0) for word in found) / len(found)
        bonus = min(1.6, 0.8 + 0.2 * len(found))
        share = len(found) / len(set(words))
        return mean * bonus * math.pow(share, 0.55)

    def scored(self, score: float, *, about: str, label: str, action: Action) -> ScoredAction:
        """An action, ranked by its place in the goal; ``about`` are the words in its favour."""
        clause = self.goal.clause_of(about, self.reached)
        ahead = 0 if clause is None else clause - self.reached
        return ScoredAction(score, score * math.pow(AHEAD, ahead), label, action)


def _weights(goal: Goal, reached: int, labels: list[str], site: set[str]) -> dict[str, float]:
    used: Counter[str] = Counter()
    for label in labels:
        used.update(set(tokens(label)))
    ahead = frozenset[str]().union(*goal.clauses[reached:])
    weights = {}
    for word, base in goal.weights.items():
        weights[word] = base * math.pow(USED, used[word])
        if word in site:
            weights[word] *= OFF_TOPIC
        if word not in ahead:
            weights[word] *= OVER
    return weights


def _rarity(turn: Turn) -> dict[str, float]:
    counts: Counter[str] = Counter()
    for element in turn.observation.elements:
        counts.update(set(tokens(element.name)))
    return {word: 1 / (1 + 0.1 * (count - 1)) for word, count in counts.items()}


def site_words(turn: Turn) -> set[str]:
    """The words of the host name that the task starts at."""
    host = urlsplit(turn.brief.start_url).hostname or ""
    return set(tokens(host.replace(".", " ").replace("-", " ")))
