"""Agents of the observing loop in a browser: decision, heuristic and replay."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from pytest_webbench.run import RunDir
from tests.support.fake_http import Answer, Asked, Service, serving
from tests.support.mini_suite import RunMini

pytestmark = [pytest.mark.browser, pytest.mark.slow]

AGENTS = """
[agents.chooser]
type = "decision"
url = "{decisions}"
model = "d"
path = "/v1/systemone"
key = "DECISION_KEY"
timezone = "Asia/Tokyo"
text = {{ url = "{texts}/v1", model = "t", key = "TEXT_KEY" }}

[prices]
d = {{ input = 1.0, output = 0.0 }}
t = {{ input = 10.0, output = 10.0 }}
"""
KEYS = {"DECISION_KEY": "sk-planted-decision-1", "TEXT_KEY": "sk-planted-text-12345"}


def chosen(question: dict[str, Any], choice: str) -> dict[str, Any]:
    options = list(question["criteria"])
    rest = 0.2 / max(1, len(options) - 1)
    probabilities = dict.fromkeys(options, rest) | {choice: 0.8 if len(options) > 1 else 1.0}
    return {
        "type": "choice",
        "choice": choice,
        "confidence": probabilities[choice],
        "probabilities": probabilities,
    }


def decide(asked: Asked) -> Answer:
    """What a good model would choose in the two tasks of the small suite."""
    state, questions = asked.body["state"], asked.body["questions"]
    goal = questions["operation"]["instructions"]["goal"]
    links = {element["label"]: element["index"] for element in state["elements"]}
    click = "how many links" not in goal and "Next" in links
    answers = {"operation": chosen(questions["operation"], "CLICK" if click else "DONE")}
    if click:
        answers["click_target"] = chosen(questions["click_target"], links["Next"])
    return Answer(
        body={"model": "d", "answers": answers, "usage": {"input_tokens": 1000, "output_tokens": 0}}
    )


def write(_asked: Asked) -> Answer:
    """The text helper; it is asked by the check before the first episode, too."""
    message = {"role": "assistant", "content": '{"answer": "There are 11 such links."}'}
    return Answer(
        body={
            "choices": [{"message": message, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 100, "completion_tokens": 10},
        }
    )


@pytest.fixture
def services() -> Iterator[tuple[Service, Service]]:
    with serving(decide) as decisions, serving(write) as texts:
        yield decisions, texts


def test_loop_agents_do_tasks_and_replays_repeat_them(
    services: tuple[Service, Service],
    pytester: pytest.Pytester,
    run_mini: RunMini,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    decisions, texts = services
    for name, value in KEYS.items():
        monkeypatch.setenv(name, value)
    config = AGENTS.format(decisions=decisions.url, texts=texts.url)
    (pytester.path / "webbench.toml").write_text(config, encoding="utf-8")
    root = ("--rootdir", str(pytester.path))
    both = ("--webbench-agent=chooser", "--webbench-agent=heuristic")
    run_mini(*both, "-k", "open-next or say-number", *root).assert_outcomes(passed=3, failed=1)

    runs = RunDir(pytester.path / "runs" / "t")
    results = {key.folder(): entry for key, entry in runs.results().items()}
    opened, said = results["chooser/open-next"], results["chooser/say-number"]
    assert (opened.model_calls, opened.input_tokens, opened.cost) == (2, 2000, 0.002)
    assert (said.model_calls, said.ending) == (2, "done")
    assert results["heuristic/open-next"].outcome == "passed"
    assert results["heuristic/say-number"].outcome == "failed", "whoever cannot count does not pass"

    folder = runs.path / "episodes" / "chooser" / "open-next"
    first, last = (
        json.loads(line) for line in (folder / "agent.jsonl").read_text("utf-8").splitlines()
    )
    assert (first["kind"], first["label"], first["changed"]) == (
        "decision",
        'click link "Next"',
        True,
    )
    assert first["probability"] == pytest.approx(0.64)
    assert {"label": "CLICK", "probability": 0.8} in first["candidates"]
    assert last["label"] == "done"

    assert "=== Home <https://mini.test/>" in texts.asked[-1].body["messages"][-1]["content"]
    body = decisions.asked[-1].body
    assert re.search(r"Today is \w+day, \d{4}-\d\d-\d\d \(Asia/Tokyo\)", json.dumps(body))
    assert {asked.headers["authorization"] for asked in decisions.asked} == {
        f"Bearer {KEYS['DECISION_KEY']}"
    }
    for path in runs.path.rglob("*"):
        assert not path.is_file() or not any(
            key.encode() in path.read_bytes() for key in KEYS.values()
        ), path

    replay = f"replay:{folder}"
    run_mini(
        "--webbench-agent", replay, "-k", "open-next or say-number", *root, tag="again"
    ).assert_outcomes(passed=1, failed=1)
    again = {
        key.task: entry for key, entry in RunDir(pytester.path / "runs" / "again").results().items()
    }
    assert again["open-next"].steps == 1
    assert again["say-number"].ending == "gave_up", "the recording is of another task"
