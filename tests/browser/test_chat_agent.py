"""The chat agent in a browser: whole episodes with a double in the model's place."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pytest_webbench.run import RunDir
from tests.support.fake_http import Answer, Asked, Service, serving
from tests.support.mini_suite import RunMini

pytestmark = [pytest.mark.browser, pytest.mark.slow]

AGENTS = """
[agents.words]
type = "chat"
url = "{url}/v1"
model = "words"
key = "WORDS_KEY"

[agents.html]
type = "chat"
url = "{url}"
model = "html"
api = "anthropic"
mode = "html"
thought = false

[agents.pictures]
type = "chat"
url = "{url}"
model = "pictures"
mode = "visual"

[prices]
words = {{ input = 1.0, output = 10.0 }}
"""
KEY = "sk-planted-key-123456"


def reply_of(text: str) -> dict[str, str]:
    """What a model that does the two tasks of the small suite would do."""
    if "how many links" in text:
        return {"do": "done", "ref": "", "value": "There are 11 such links."}
    if "Title: Next" in text:
        return {"do": "done", "ref": "", "value": ""}
    ref = re.search(r'\[(e\d+)\] link "Next"|<a ref="?(e\d+)"?[^>]*>\s*Next', text)
    return (
        {"do": "click", "ref": next(found for found in ref.groups() if found), "value": ""}
        if ref
        else {"do": "wait"}
    )


def model(asked: Asked) -> Answer:
    """Both APIs. The model called ``words`` is a chatty one whose service knows no schemas."""
    body = asked.body
    content = body["messages"][-1]["content"]
    text = (
        content if isinstance(content, str) else "".join(part.get("text", "") for part in content)
    )
    reply = json.dumps(reply_of(text))
    if "schema" in str(body.get("response_format")) and body["model"] == "words":
        return Answer(
            status=400, body={"error": {"message": "response_format: json_schema is not supported"}}
        )
    if body["model"] == "words" and "could not be used" not in text and "Title: Home" in text:
        reply = "Let me think about that."
    if asked.path == "/v1/messages":
        part: dict[str, Any] = {"type": "text", "text": "ready"}
        if "tools" in body:
            part = {"type": "tool_use", "id": "1", "name": "action", "input": json.loads(reply)}
        return Answer(body={"content": [part], "usage": {"input_tokens": 200, "output_tokens": 10}})
    message = {"content": f"Sure:\n```json\n{reply}\n```"}
    return Answer(
        body={
            "choices": [{"message": message}],
            "usage": {"prompt_tokens": 200, "completion_tokens": 10},
        }
    )


@pytest.fixture
def service() -> Iterator[Service]:
    with serving(model) as double:
        yield double


def journal(folder: Path) -> list[dict[str, Any]]:
    return [
        json.loads(line)
        for line in (folder / "agent.jsonl").read_text(encoding="utf-8").splitlines()
    ]


def test_chat_model_does_tasks_in_each_mode(
    service: Service, pytester: pytest.Pytester, run_mini: RunMini, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WORDS_KEY", KEY)
    (pytester.path / "webbench.toml").write_text(AGENTS.format(url=service.url))
    chosen = [f"--webbench-agent={name}" for name in ("words", "html", "pictures")]
    run = run_mini(
        *chosen,
        "-k",
        "open-next or say-number",
        "--webbench-seed",
        "5",
        "--rootdir",
        str(pytester.path),
    )
    run.assert_outcomes(passed=6)

    runs = pytester.path / "runs" / "t"
    words = next(
        entry for key, entry in RunDir(runs).results().items() if key.folder() == "words/open-next"
    )
    # Asked twice on the home page, for the first reply held no JSON, and once more on the next
    # page.
    assert (words.model_calls, words.input_tokens, words.output_tokens, words.cost) == (
        3,
        600,
        30,
        0.0009,
    )

    notes = journal(runs / "episodes" / "words" / "open-next")
    assert [note["kind"] for note in notes] == ["bad_reply", "decision", "decision"]
    assert notes[0]["failures"] == ["no_json"]
    assert notes[1]["label"] == 'click link "Next"'
    assert notes[1]["not_sent"] == ["bounds", "json_schema"]

    pictures = [
        asked
        for asked in service.asked
        if asked.body["model"] == "pictures" and len(asked.body["messages"]) > 1
    ]
    parts = pictures[0].body["messages"][1]["content"]
    assert parts[1]["image_url"]["url"].startswith("data:image/jpeg;base64,/9j/")
    assert pictures[0].body["seed"] == 5 + 1, "the number of the repeat is added"

    assert {asked.headers.get("authorization") for asked in service.asked} == {
        f"Bearer {KEY}",
        None,
    }
    for path in runs.rglob("*"):
        assert not path.is_file() or KEY.encode() not in path.read_bytes(), path
