"""A turn to ask a chat model about, and replies of the two kinds of services."""

from __future__ import annotations

from typing import Any

from pytest_webbench.agents.policy import PastAction, Turn
from pytest_webbench.browser.actions import Click, TypeText
from pytest_webbench.browser.observation import Element, Observation
from pytest_webbench.task.models import TaskBrief

SEEN = Observation(
    url="http://shop.test/?q=tea",
    title="Tea",
    text="Tea\nGreen tea 3.20\nBlack tea 2.80",
    elements=(
        Element(
            ref="e1",
            role="searchbox",
            name="Search",
            tag="input",
            operations=("click", "type"),
            value="tea",
        ),
        Element(ref="e2", role="link", name="Green tea", tag="a", operations=("click",)),
        Element(
            ref="e3", role="link", name="Black tea", tag="a", operations=("click",), in_view=False
        ),
    ),
    scrolled=(0, 400),
    viewport=(1280, 720),
    tabs=("Tea",),
    can_go_back=True,
)
BRIEF = TaskBrief(
    task_id="tea",
    goal="Open the page of the cheapest tea and tell its price.",
    start_url="http://shop.test/",
    wants_answer=True,
    max_actions=10,
    max_seconds=60.0,
    locale="en-US",
    timezone="UTC",
)
TURN = Turn(
    brief=BRIEF,
    observation=SEEN,
    history=(
        PastAction(
            action=Click(ref="e9"),
            label='click button "Accept"',
            changed=False,
            error="e9 is covered by a dialog",
        ),
        PastAction(
            action=TypeText(ref="e1", text="tea"),
            label="type 'tea' into searchbox \"Search\"",
            changed=True,
        ),
    ),
    actions_left=8,
    seconds_left=50.0,
)


def completion(content: Any, *, finish: str = "stop", **more: Any) -> dict[str, Any]:
    """A chat completion."""
    return {
        "model": "small-1",
        "choices": [
            {
                "index": 0,
                "finish_reason": finish,
                "message": {"role": "assistant", "content": content, **more},
            }
        ],
        "usage": {"prompt_tokens": 100, "completion_tokens": 20},
    }


def tool_call(given: Any, *, stop: str = "tool_use") -> dict[str, Any]:
    """A message of Anthropic's with a tool call."""
    return {
        "model": "large-1",
        "stop_reason": stop,
        "content": [{"type": "tool_use", "id": "1", "name": "action", "input": given}],
        "usage": {"input_tokens": 70, "cache_read_input_tokens": 30, "output_tokens": 20},
    }
