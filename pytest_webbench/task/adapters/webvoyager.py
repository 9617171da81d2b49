"""WebVoyager: one JSON object per line, no checks; reference answers, where there are any, in a file beside it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any, Literal

from ...errors import Problem, TaskFileError
from ..models import Model, mark_name
from ..problems import read_text, validate
from .convert import Draft, Reading, convert_rows, slug, suite_of
from .text import parse, parse_rows

ANSWERS_FILE = "reference_answer.json"


class Row(Model):
    """One line of a ``WebVoyager_data.jsonl``."""

    web_name: str
    id: str
    ques: str
    web: str


class Answer(Model):
    """One reference answer."""

    id: int
    type: Literal["golden", "possible"]
    ans: str


class SiteAnswers(Model):
    """The reference answers of one site."""

    notice: str = ""
    answers: list[Answer]


def read(path: Path, text: str) -> Reading:
    """All tasks of a WebVoyager file. They need a judge: nothing here can decide them."""
    answers = _answers(path.parent / ANSWERS_FILE)
    tasks, problems = convert_rows(list(parse_rows(text)), Row, partial(_draft, answers), "id")
    return Reading(suite_of(path, "WebVoyager"), tuple(tasks), tuple(problems))


def _answers(path: Path) -> dict[str, str]:
    """Reference answers by task id; none if there is no file."""
    if not path.is_file():
        return {}
    document = parse(read_text(path))
    problems = list(document.problems)
    found: dict[str, str] = {}
    for site, content in document.data.items() if isinstance(document.data, dict) else ():
        site_answers = validate(SiteAnswers, content, {(): document.lines[(site,)]}, problems)
        for one in site_answers.answers if site_answers else ():
            found[f"{site}--{one.id}"] = f"{one.ans} ({one.type})"
    if not isinstance(document.data, dict) and not problems:
        problems.append(Problem(line=1, field="", what="must be one object: {site: {answers: [...]}}"))
    if problems:
        raise TaskFileError(str(path), problems)
    return found


def _draft(answers: Mapping[str, str], row: dict[str, Any]) -> Draft:
    data = {
        "id": slug(row.get("id")),
        "goal": row.get("ques"),
        "start_url": row.get("web"),
        "tags": [mark_name(str(row.get("web_name")))],
        "source": {"benchmark": "WebVoyager", "id": str(row.get("id"))},
        "answer": "text",
        "needs_judge": True,
        "reference": answers.get(str(row.get("id")), ""),
    }
    return Draft(data, {("goal",): ("ques",), ("start_url",): ("web",), ("tags",): ("web_name",)})
