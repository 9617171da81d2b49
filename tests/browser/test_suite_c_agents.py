"""Agents of each make do tasks of Suite C honestly: their passes have no flag."""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from pytest_webbench.task import Task
from pytest_webbench.task.native import read_task
from tests.browser.test_suite_c import SUITE
from tests.support.fake_http import Answer, Asked, serving

pytestmark = [pytest.mark.browser, pytest.mark.slow]

NAMES = ("pypi-django-redis-release", "rfc-smtp-draft-successor", "wp-cache-commercial-redis")
SCRIPTED = Path(__file__).parents[1] / "support" / "scripted_over_cdp.py"
AGENTS = """
[agents.chat]
type = "chat"
url = "{url}/v1"
model = "policy"

[agents.program]
type = "command"
command = {command}
"""
# Moves about on each page as a person who looks around, and then does what has to be done.
RESTLESS = """
from pathlib import Path
from pytest_webbench.browser.script import StepPerformer
from pytest_webbench.task.native import read_task
from pytest_webbench.task.script import Done

SUITE = Path({suite!r})

class Restless:
    def run(self, brief, page, budget):
        performer, seen = StepPerformer(), set()
        for step in read_task(SUITE / "tasks" / f"{{brief.task_id}}.yaml").solution:
            if isinstance(step, Done):
                return step.answer
            front = page.context.pages[-1]
            if front.url not in seen:
                seen.add(front.url)
                self.look_around(front, brief.start_url)
            performer.perform(front, step)

    def look_around(self, page, start):
        assert page.evaluate("document.body.innerText + document.body.innerHTML")
        for link in page.get_by_role("link").all()[:2]:
            link.hover()
        page.mouse.move(900, 40)
        page.mouse.down()
        page.mouse.move(700, 60, steps=4)  # chooses text
        page.mouse.up()
        other = page.context.new_page()
        other.goto(start)
        other.evaluate("document.title")
        other.close()
"""


class Policy:
    """A model that knows what to do, and finds out from the page where."""

    def __init__(self, tasks: list[Task]) -> None:
        self._tasks = tasks
        self._done = Counter[str]()

    def __call__(self, asked: Asked) -> Answer:
        text = asked.body["messages"][-1]["content"]
        reply = json.dumps(self._reply(" ".join(text.split()), text))
        usage = {"prompt_tokens": 200, "completion_tokens": 10}
        return Answer(body={"choices": [{"message": {"content": reply}}], "usage": usage})

    def _reply(self, words: str, text: str) -> dict[str, Any]:
        task = next((one for one in self._tasks if " ".join(one.goal.split()) in words), None)
        if task is None:
            return {"do": "wait"}  # it is only asked whether it is there
        if self._done[task.id] == len(task.solution):
            return {"do": "done", "value": ""}
        step = task.solution[self._done[task.id]].model_dump()
        if step["do"] == "done":
            return {"do": "done", "value": step["answer"]}
        reply = {
            "do": step["do"],
            "ref": "",
            "value": step.get("text") or step.get("key") or step.get("option"),
        }
        if step.get("role"):
            name = re.escape(step["name"]) + ('"' if step["exact"] else "")
            found = re.search(rf'\[(\w+)\] {step["role"]} "{name}', text)
            if found is None:
                return {"do": "wait"}
            reply["ref"] = found[1]
        self._done[task.id] += 1
        return reply


def test_honest_agents_of_each_make_are_not_flagged(pytester: pytest.Pytester) -> None:
    tasks = [SUITE / "tasks" / f"{name}.yaml" for name in NAMES]
    Path("restless.py").write_text(RESTLESS.format(suite=str(SUITE)), encoding="utf-8")
    pytester.syspathinsert()
    command = json.dumps([sys.executable, str(SCRIPTED), str(SUITE)])
    chosen = [
        f"--webbench-agent={name}" for name in ("chat", "program", "heuristic", "restless:Restless")
    ]
    with serving(Policy([read_task(path) for path in tasks])) as model:
        Path("webbench.toml").write_text(AGENTS.format(url=model.url, command=command), "utf-8")
        result = pytester.runpytest_subprocess(
            *map(str, tasks), "--rootdir", str(pytester.path), "--tb=short", *chosen
        )
    # The heuristic agent does some of them only.
    for agent in ("chat", "program", "Restless"):
        result.stdout.fnmatch_lines(f"suite_c (replica world), agent {agent}: 3 of 3 passed = *")
    assert "of them flagged" not in result.stdout.str()
