"""WebVoyager: one JSON object per line, without checks; reference answers in a file beside it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any, Literal

from ...errors import TaskFileError
from ..fields import Model, mark_name
from ..problems import Location, file_error, read_text, validate
from .convert import Draft, Reading, convert_rows, slug, suite_of
from .text import parse, parse_rows

ANSWERS_FILE = "reference_answer.json"


class WebVoyagerRow(Model):
    """One line of a ``WebVoyager_data.jsonl``."""

    web_name: str
    id: str
    ques: str
    web: str


class ReferenceAnswer(Model):
    """One reference answer."""

    id: int
    type: Literal["golden", "possible"]
    ans: str


class SiteAnswers(Model):
    """The reference answers of one site."""

    notice: str = ""
    answers: list[ReferenceAnswer]


def read(path: Path, text: str) -> Reading:
    """All tasks of a WebVoyager file. They need a judge: nothing here can decide them."""
    answers = _answers(path.parent / ANSWERS_FILE)
    tasks, problems = convert_rows(
        list(parse_rows(text)), WebVoyagerRow, partial(_draft, answers), "id"
    )
    return Reading(suite_of(path, "WebVoyager"), tuple(tasks), tuple(problems))


def _answers(path: Path) -> dict[str, str]:
    """Reference answers by task id; none if there is no file."""
    if not path.is_file():
        return {}
    document = parse(read_text(path))
    problems = list(document.problems)
    sites = document.data
    if not isinstance(sites, dict):
        if problems:
            raise TaskFileError(str(path), problems)
        raise file_error(str(path), "must be one object: {site: {answers: [...]}}", line=1)
    found: dict[str, str] = {}
    for site, content in sites.items():
        lines: dict[Location, int] = {(): document.lines[(site,)]}
        site_answers = validate(SiteAnswers, content, lines, problems)
        if site_answers is not None:
            for one in site_answers.answers:
                found[f"{site}--{one.id}"] = f"{one.ans} ({one.type})"
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
