"""A command agent in Python: clicks the first link whose text stands in quotes in the goal.

    pytest suites/suite_c --webbench-agent "command:python docs/examples/python_agent.py"

It needs `pip install playwright`, but no browser: it drives the one that it is given.
"""

import json
import sys

from playwright.sync_api import sync_playwright


def act(task, page):
    """Do the task; what is returned is the reply."""
    for link in page.get_by_role("link").all():
        text = link.inner_text().strip()
        if text and f'"{text}"' in task["goal"]:
            link.click()
            page.wait_for_load_state()
            return {"status": "done", "answer": text if task["wants_answer"] else None}
    return {"status": "blocked", "reason": f"nothing on {page.url} has a name that the goal quotes"}


task = json.load(sys.stdin)
with sync_playwright() as playwright:
    browser = playwright.chromium.connect_over_cdp(task["cdp_url"])
    page = browser.contexts[0].pages[0]  # on the start page already
    print("looking at", page.url, file=sys.stderr)  # goes to agent.log
    print(json.dumps(act(task, page)))  # the last line is the reply
