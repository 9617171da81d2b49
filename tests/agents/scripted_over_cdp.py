"""A command agent for tests only: plays a task's reference solution in the browser that it is given over CDP.

    python scripted_over_cdp.py SUITE_FOLDER

It looks the solution up by the task's id, which no honest agent could do: it is told nothing of it.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

from pytest_webbench.browser.script import perform
from pytest_webbench.errors import StepError
from pytest_webbench.task.models import Done
from pytest_webbench.task.native import read_task


def main(folder: Path, request: dict[str, str]) -> dict[str, str | None]:
    """The reply."""
    with sync_playwright() as playwright:
        context = playwright.chromium.connect_over_cdp(request["cdp_url"]).contexts[0]
        try:
            for step in read_task(folder / "tasks" / f"{request['task_id']}.yaml").solution:
                if isinstance(step, Done):
                    return {"status": "done", "answer": step.answer}
                perform(context.pages[-1], step)
        except StepError as error:
            return {"status": "blocked", "reason": str(error)}
    return {"status": "done", "answer": None}


if __name__ == "__main__":
    sys.stdout.write(json.dumps(main(Path(sys.argv[1]), json.load(sys.stdin))) + "\n")
