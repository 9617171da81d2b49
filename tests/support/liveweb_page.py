"""Writes ``docs/liveweb.md``: what is known of each task of the suite liveweb.

python -m tests.support.liveweb_page > docs/liveweb.md

What stands before the first heading of a list is kept: it is written by hand.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from pytest_webbench.task import Task
from pytest_webbench.task.native import read_task

ROOT: Final = Path(__file__).parents[2]
SUITE: Final = ROOT / "suites" / "liveweb"
PAGE: Final = ROOT / "docs" / "liveweb.md"
TASKS: Final = tuple(read_task(path) for path in sorted((SUITE / "tasks").glob("*.yaml")))
_LISTS: Final = "## All tasks\n"


def page() -> str:
    """The whole page."""
    head = PAGE.read_text(encoding="utf-8").partition(_LISTS)[0]
    return head + "\n".join([_LISTS, *_overview(), *_sections()])


def _overview() -> Iterator[str]:
    sites = len({task.site for task in TASKS})
    by = Counter(task.source.benchmark for task in TASKS if task.source)
    counted = ", ".join(f"{count} from {name}" for name, count in sorted(by.items()))
    yield f"{len(TASKS)} tasks on {sites} sites: {counted}.\n"
    tags = Counter(tag for task in TASKS for tag in task.tags)
    common = sorted(tags.items(), key=lambda counted: (-counted[1], counted[0]))
    yield "By tag: " + ", ".join(f"`{tag}` {count}" for tag, count in common) + ".\n"
    yield "| task | site | tags |"
    yield "|---|---|---|"
    for task in TASKS:
        yield f"| [{task.id}](#{task.id}) | {task.site} | {', '.join(task.tags)} |"
    yield "\n## What is known of each task"


def _sections() -> Iterator[str]:
    for task in TASKS:
        yield from _section(task)


def _section(task: Task) -> Iterator[str]:
    yield f"\n### {task.id}\n"
    yield f"> {_cell(task.goal)}\n"
    source = task.source
    if source is None:
        return
    yield f"From {source.benchmark}, {source.id}. {_sentence(source.note)}\n"
    if source.confirmed is None:
        return
    yield "| confirmed | by |"
    yield "|---|---|"
    for fact in source.confirmed.facts:
        yield f"| {_cell(fact.what)} | {_cell(fact.by)} |"
    if source.confirmed.unseen:
        yield "\nNot seen:\n"
        for unseen in source.confirmed.unseen:
            yield f"- {_cell(unseen)}"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")


def _sentence(note: str) -> str:
    text = _cell(note)
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith('.') else '.'}"


if __name__ == "__main__":
    sys.stdout.write(page())
