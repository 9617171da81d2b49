"""Mutants of passing evidence: each is wrong in one way that a check should notice."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from ..checks.comparison import score_of
from ..errors import GetterError
from ..evidence.models import Evidence, HowOpened, PageSeen
from ..task import Check, Task
from .address_mutations import Change, address_changes, extra_parameters, spelling_changes
from .answer_mutations import answer_mutants
from .fact_mutations import other_rows, unseen_facts
from .page_mutations import empty_pages, expectation, page_values, stale_pages, stored_values

FAMILIES: Final = (
    "dropped-parameter",
    "changed-parameter",
    "extra-parameter",
    "look-alike-host",
    "sibling-page",
    "letter-case",
    "fragment",
    "stale-page",
    "empty-page",
    "page-values",
    "value-of-another-row",
    "fact-page-never-open",
    "storage",
    "history",
    "actions",
    "tabs",
    "neighbour-number",
    "other-answer",
    "hedged-answer",
    "shotgun-answer",
    "negated-answer",
    "contradicting-json",
    "values-swapped",
    "no-answer",
)
_URL_GETTERS: Final = ("final_url", "url_parse", "url_path_parse")


class Mutant(NamedTuple):
    """Evidence that is wrong in one way; ``what`` says in which."""

    family: str
    what: str
    evidence: Evidence


def mutants(task: Task, passing: Evidence, start: Evidence | None) -> Iterator[Mutant]:
    """Every mutant that changes something a check of the task reads.

    ``start`` is evidence of the start page.
    """
    reads = _values_read(task, passing)
    for change in _changes(task, passing, start):
        mutant = passing.model_copy(update=change.update)
        if mutant != passing and _values_read(task, mutant) != reads:
            yield Mutant(change.family, change.what, mutant)


def _values_read(task: Task, evidence: Evidence) -> list[Any]:
    """What the checks get to see; a getter that finds nothing counts as seeing its complaint."""
    found: list[Any] = []
    for check in task.checks:
        for getter in (check.getter, check.expected_getter):
            try:
                found.append(None if getter is None else getter.read(evidence))
            except GetterError as error:
                found.append(str(error))
    return found


def _changes(task: Task, passing: Evidence, start: Evidence | None) -> Iterator[Change]:
    yield from _final_address(task, passing)
    for check in task.checks:
        yield from _lists(check, passing)
    if start is not None:
        yield from stale_pages(passing, start)
    yield from empty_pages(passing)
    yield from page_values(task, passing)
    yield from other_rows(task, passing)
    yield from unseen_facts(task, passing, start)
    yield from stored_values(task, passing)
    if any(_kind(check) == "open_tabs" for check in task.checks):
        yield Change("tabs", "only the final tab", {"tabs": passing.tabs[-1:]})
    for check in task.checks:
        if _kind(check) == "agent_answer" and passing.answer:
            expected = expectation(check, passing)
            for family, answer in answer_mutants(task.goal, passing.answer, expected):
                yield Change(family, f"answer {answer!r}", {"answer": answer})


def _kind(check: Check) -> str:
    return str(type(check.getter).model_fields["type"].default)


def _spec(checks: Sequence[Check], evidence: Evidence) -> str:
    """All that these checks say, without the escapes of regular expressions."""
    said = [[check.get, _looked_at(expectation(check, evidence))] for check in checks]
    text = json.dumps(said, ensure_ascii=False)
    return text.replace("\\", "")


def _looked_at(expected: Any) -> Any:
    """Address patterns without the names of parameters that they ignore."""
    if isinstance(expected, list):
        return [_looked_at(one) for one in expected]
    if isinstance(expected, dict):
        return {name: _looked_at(one) for name, one in expected.items() if name != "ignoring"}
    return expected


def _final_address(task: Task, passing: Evidence) -> Iterator[Change]:
    checks = [check for check in task.checks if _kind(check) in _URL_GETTERS]
    if not checks:
        return
    final = {passing.page.url} if passing.page else set()
    yield from spelling_changes(final, passing)
    yield from address_changes("the final address", _spec(checks, passing), passing, final)
    for check in checks:
        if _kind(check) == "url_parse":
            yield from extra_parameters(expectation(check, passing), final, passing)


def _lists(check: Check, evidence: Evidence) -> Iterator[Change]:
    """Changes of the pages or actions that satisfy the check by themselves."""
    kind = _kind(check)
    if kind == "nav_history":
        yield from _history(check, evidence)
    elif kind == "pages_seen":
        yield from _pages_seen(check, evidence)
    elif kind == "actions":
        yield from _actions(check, evidence)


def _history(check: Check, evidence: Evidence) -> Iterator[Change]:
    entries = evidence.history
    decisive = [one for one in entries if _satisfies(check, evidence, history=(one,))]
    # If none satisfies the check by itself, several do so together.
    urls = {one.url for one in decisive or entries}
    where = f"pages for {check.name!r}"
    yield from address_changes(where, _spec([check], evidence), evidence, urls)
    others = tuple(one for one in entries if one.url not in urls)
    yield Change("history", f"never on the {where}", {"history": others})
    yield Change("history", "the final page opened at once", {"history": entries[-1:]})


def _pages_seen(check: Check, evidence: Evidence) -> Iterator[Change]:
    pages = evidence.pages_seen
    final = {one.url for one in pages if one.final}
    urls = {one.url for one in pages if not one.final and _is_needed(check, evidence, one)} - final
    where = f"pages for {check.name!r}"
    spec = _spec([check], evidence)
    # Address patterns leave parameters without a value out, as forms send them for empty fields.
    yield from address_changes(where, spec, evidence, urls, blanks=False)
    others = tuple(one for one in pages if one.url not in urls)
    yield Change("history", f"never on the {where}", {"pages_seen": others})
    typed = tuple(
        one.model_copy(update={"how": HowOpened.TYPED}) if one.opened_from else one for one in pages
    )
    yield Change("history", f"every address typed: {where}", {"pages_seen": typed})


def _is_needed(check: Check, evidence: Evidence, page: PageSeen) -> bool:
    others = tuple(one for one in evidence.pages_seen if one is not page)
    return not _satisfies(check, evidence, pages_seen=others)


def _actions(check: Check, evidence: Evidence) -> Iterator[Change]:
    decisive = [one for one in evidence.actions if _satisfies(check, evidence, actions=(one,))]
    others = tuple(one for one in evidence.actions if one not in decisive)
    yield Change("actions", f"without the actions for {check.name!r}", {"actions": others})
    for action in decisive:
        altered = action.model_copy(update={"value": f"{action.value or ''}x"})
        what = f"{action.kind} {altered.value}"
        yield Change("actions", what, {"actions": (*others, altered)})


def _satisfies(check: Check, evidence: Evidence, **changes: Any) -> bool:
    changed = evidence.model_copy(update=changes)
    value = check.getter.read(changed)
    return score_of(check.rule, value, expectation(check, evidence), changed) >= 1.0
