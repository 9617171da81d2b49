"""browser-use as a command agent; see README.md beside this file.

Options (in webbench.toml): model, url (an OpenAI-compatible endpoint, by default that of OpenAI),
steps, vision.
"""

import asyncio
import json
import os
import sys

# stdout is for the reply, so browser-use's own log goes to stderr, and so to agent.log.
os.environ.setdefault("BROWSER_USE_SETUP_LOGGING", "false")
os.environ.setdefault("ANONYMIZED_TELEMETRY", "false")
os.environ.setdefault("BROWSER_USE_CLOUD_SYNC", "false")
os.environ.setdefault("BROWSER_USE_VERSION_CHECK", "false")

import logging

logging.basicConfig(level=logging.INFO, stream=sys.stderr)

from browser_use import Agent, Browser, ChatOpenAI


async def run(task):
    options = task["options"]
    browser = Browser(
        cdp_url=task["cdp_url"], keep_alive=True
    )  # keep_alive: the final page has to stay open
    llm = ChatOpenAI(
        model=options.get("model", "gpt-5-mini"),
        base_url=options.get("url"),
        api_key=os.environ.get("OPENAI_API_KEY", "none"),
    )
    goal = task["goal"]
    if task["wants_answer"]:
        goal += "\nGive the answer, and nothing else, as the text of the `done` action."
    agent = Agent(
        task=f"The browser shows {task['start_url']} already. Go on there. {goal}",
        llm=llm,
        browser=browser,
        use_vision=options.get("vision", False),
        use_judge=False,
        calculate_cost=False,
        directly_open_url=False,
    )
    history = await agent.run(max_steps=options.get("steps", task["max_actions"]))
    usage = history.usage
    reply = {"status": "done", "answer": history.final_result()}
    if not history.is_done():
        reply = {
            "status": "blocked",
            "reason": "; ".join(filter(None, history.errors()))[:500] or "out of steps",
        }
    if usage is not None:
        reply["usage"] = {
            "calls": usage.entry_count,
            "input_tokens": usage.total_prompt_tokens,
            "output_tokens": usage.total_completion_tokens,
        }
    return reply


print(json.dumps(asyncio.run(run(json.load(sys.stdin)))))
