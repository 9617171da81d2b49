"""Wrong episodes about facts: another row's value, or a value that was never looked at."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from ..checks import numbers
from ..checks.agent import AgentAnswer
from ..checks.rows import DomRows
from ..errors import GetterError
from ..evidence.models import Evidence, PageSeen
from ..task import Check, Task
from .address_mutations import Change
from .answer_mutations import leaves_of, spans_of
from .page_mutations import expectation

_MOST_ROWS: Final = 20


def other_rows(task: Task, passing: Evidence) -> Iterator[Change]:
    """The answer with what another row of the list says."""
    for check in task.checks:
        getter = check.expected_getter
        if not isinstance(getter, DomRows) or not passing.answer:
            continue
        right = expectation(check, passing)
        if isinstance(right, dict):
            yield from _of_other_rows(passing, getter, right)


def _of_other_rows(passing: Evidence, getter: DomRows, right: dict[str, Any]) -> Iterator[Change]:
    answer = passing.answer or ""
    try:
        # Rows that `where` leaves out are the likeliest to be taken for the right one.
        rows = getter.model_copy(update={"where": {}, "pick": None}).read(passing)
    except GetterError:
        return
    for number, row in enumerate(rows[:_MOST_ROWS], start=1):
        other = _with_values(answer, right, row)
        if other != answer:
            what = f"what row {number} says: answer {other!r}"
            yield Change("value-of-another-row", what, {"answer": other})


def _with_values(answer: str, right: dict[str, Any], row: dict[str, Any]) -> str:
    """The answer with one row's values in place of another's."""
    edits: list[tuple[int, int, str]] = []
    for name, value in right.items():
        other = row.get(name)
        if not isinstance(value, str) or not isinstance(other, str) or value == other:
            continue
        for span in spans_of(answer, value):
            written = answer[span.start : span.end]
            edits.append((span.start, span.end, _written(other, like=written)))
    for start, end, text in sorted(edits, reverse=True):
        answer = answer[:start] + text + answer[end:]
    return answer


def _written(value: str, *, like: str) -> str:
    """A value as the answer has the right one: as a bare number, if that is one."""
    held = numbers.in_text(value)
    if numbers.number(like) is None or len(held) != 1:
        return value
    return f"{held[0].value.normalize():f}"


def unseen_facts(task: Task, passing: Evidence, start: Evidence | None) -> Iterator[Change]:
    """The right answer, although no page that shows it was ever open."""
    facts = _fact_pages(task, passing)
    shown = [page for page in passing.pages_seen if page in facts]
    # On the start page, it was open for everybody.
    if not shown or passing.pages_seen[0] in shown or start is None:
        return
    urls = {page.url for page in shown}
    update: dict[str, Any] = {
        "pages_seen": tuple(page for page in passing.pages_seen if page not in shown),
        "history": tuple(entry for entry in passing.history if entry.url not in urls),
        "tabs": tuple(tab for tab in passing.tabs if tab.url not in urls),
    }
    if passing.page is not None and passing.page.url in urls:
        # What the harness read by itself is there whatever the agent has seen.
        update |= {"page": start.page, "tabs": start.tabs, "history": start.history}
        update["reads"] = {**passing.reads, **start.reads}
    yield Change("fact-page-never-open", "the page with the fact was never open", update)


def _fact_pages(task: Task, passing: Evidence) -> list[PageSeen]:
    """The pages that show what the answer is judged by."""
    facts: list[Any] = []
    for check in task.checks:
        if isinstance(check.getter, AgentAnswer) and passing.answer:
            facts += facts_of(check, passing)
    if not facts:
        return []
    return [page for page in passing.pages_seen if all(_shows(page, fact) for fact in facts)]


def facts_of(check: Check, passing: Evidence) -> list[Any]:
    """The values of an expectation that the answer gives."""
    answer = passing.answer or ""
    return [one for one in leaves_of(expectation(check, passing)) if any(spans_of(answer, one))]


def _shows(page: PageSeen, fact: Any) -> bool:
    return is_in_text(fact, f"{page.title}\n{page.text}\n{page.text_left or ''}")


def is_in_text(fact: Any, text: str) -> bool:
    """Whether a text says a fact: its words, or the same number."""
    wanted = numbers.number(fact)
    if wanted is None:
        return isinstance(fact, str) and fact.casefold() in text.casefold()
    return any(one.value == wanted for one in numbers.quantities(numbers.prepare(text)))
