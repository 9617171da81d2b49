"""Values that are written into a task although the site changes them.

A check that compares a fixed answer with a fixed value holds in every edition. Only the pages tell
that the answer is true in one edition and not in another.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..checks.agent import AgentAnswer
from ..evidence.models import Evidence
from ..task import Task
from .answer_mutations import spans_of
from .fact_mutations import facts_of, is_in_text


def frozen_answer(task: Task, editions: Mapping[int, Evidence]) -> str | None:
    """What speaks against a task whose solution passes in several editions, or None.

    It does if a value that a check demands of the answer is on the pages that the solution opens in
    edition 0, and on none of those in another edition.
    """
    first = editions.get(0)
    for check in task.checks:
        read_from_page = check.expected_getter is not None
        if first is None or read_from_page or not isinstance(check.getter, AgentAnswer):
            continue
        for fact in facts_of(check, first):
            for number, evidence in sorted(editions.items()):
                if _is_there(fact, first) and _is_accepted_unseen(fact, evidence):
                    return (
                        f"{check.name}: the pages show {fact!r} in edition 0 and not in edition "
                        f"{number}, where the answer {evidence.answer!r} passes all the same; "
                        "let the check read it from the page"
                    )
    return None


def _is_there(fact: object, evidence: Evidence) -> bool:
    return any(is_in_text(fact, text) for text in _texts(evidence))


def _texts(evidence: Evidence) -> Iterator[str]:
    """All that the pages showed, also those that were left before they had come to rest."""
    if evidence.page is not None:
        yield evidence.page.text
        yield evidence.page.visible_text
    for page in evidence.pages_seen:
        yield from (page.title, page.text_early, page.text, page.text_left or "")


def _is_accepted_unseen(fact: object, evidence: Evidence) -> bool:
    given = any(spans_of(evidence.answer or "", fact))
    return given and not _is_there(fact, evidence)
