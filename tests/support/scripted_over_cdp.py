"""A command agent for tests: plays a task's solution in the browser given over CDP.

    python scripted_over_cdp.py SUITE_FOLDER

It looks the solution up by the task's id, which no honest agent could do: it is told nothing of it.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

from pytest_webbench.browser.script import StepPerformer
from pytest_webbench.errors import StepError
from pytest_webbench.task.native import read_task
from pytest_webbench.task.script import Done


def main(folder: Path, request: dict[str, str]) -> dict[str, str | None]:
    """The reply."""
    with sync_playwright() as playwright:
        context = playwright.chromium.connect_over_cdp(request["cdp_url"]).contexts[0]
        performer = StepPerformer()
        try:
            for step in read_task(folder / "tasks" / f"{request['task_id']}.yaml").solution:
                if isinstance(step, Done):
                    return {"status": "done", "answer": step.answer}
                performer.perform(context.pages[-1], step)
        except StepError as error:
            return {"status": "blocked", "reason": str(error)}
    return {"status": "done", "answer": None}


if __name__ == "__main__":
    sys.stdout.write(json.dumps(main(Path(sys.argv[1]), json.load(sys.stdin))) + "\n")
