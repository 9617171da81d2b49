"""Replies on file: what is recorded, what is replayed, and what is missing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from pytest_webbench.agents.endpoint import open_endpoint
from pytest_webbench.agents.endpoint.stored import StoredReplies
from pytest_webbench.agents.options import Service as Described
from pytest_webbench.agents.registry import BuildContext
from pytest_webbench.errors import EndpointError, SettingsError
from tests.support.fake_http import Answer, Asked, Service, serving

KEY = "sk-of-nobody-0123456789"


class Numbered:
    """Answers each question with its text and with how many were asked before."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, asked: Asked) -> Answer:
        self.count += 1
        if asked.body.get("text") == "refuse":
            return Answer(status=400, body={"error": {"message": "unknown parameter"}})
        if asked.body.get("text") == "busy":
            return Answer(status=503, body={}, headers={"retry-after": "0"})
        return Answer(body={"said": asked.body.get("text"), "count": self.count})


@pytest.fixture
def service() -> Iterator[Service]:
    with serving(Numbered()) as started:
        yield started


def opened(
    service: Service, root: Path, mode: str | None, *, seed: int = 0, key: str | None = None
) -> Any:
    described = Described.model_validate(
        {"url": service.url, "model": "m", "replies": mode, "key": key}
    )
    return open_endpoint(described, BuildContext(name="x", root=root, seed=seed))


def ask(service: Any, *texts: str, model: str = "m") -> list[Any]:
    with service as endpoint:
        return [endpoint.post("/v1", {"model": model, "text": text}) for text in texts]


def test_replies_come_back_as_they_were_and_nothing_is_asked(
    service: Service, tmp_path: Path
) -> None:
    recorded = ask(opened(service, tmp_path, "record"), "a", "b", "a")
    assert [reply["count"] for reply in recorded] == [1, 2, 3]
    before = len(service.asked)
    assert ask(opened(service, tmp_path, "replay"), "a", "b", "a") == recorded
    assert ask(opened(service, tmp_path, "replay"), "b", "a", "a") == [
        recorded[1],
        recorded[0],
        recorded[2],
    ], "the same question a second time has its own reply"
    assert len(service.asked) == before


def test_repeats_with_other_seeds_have_their_own_replies(service: Service, tmp_path: Path) -> None:
    first = ask(opened(service, tmp_path, "record", seed=1), "a")
    second = ask(opened(service, tmp_path, "record", seed=2), "a")
    assert first != second
    assert ask(opened(service, tmp_path, "replay", seed=1), "a") == first
    assert ask(opened(service, tmp_path, "replay", seed=2), "a") == second


def test_replay_needs_no_key_and_no_key_is_on_file(service: Service, tmp_path: Path) -> None:
    described = Described(url=service.url, model="m", key="SOME_KEY", replies="record")
    build = BuildContext(name="x", root=tmp_path, secret=lambda _name: SecretStr(KEY))
    assert ask(open_endpoint(described, build), "a")
    assert service.asked[-1].headers["authorization"] == f"Bearer {KEY}"
    assert KEY not in "".join(path.read_text() for path in tmp_path.rglob("*.json"))
    assert ask(opened(service, tmp_path, "replay", key="SOME_KEY"), "a")


def test_refusal_that_a_client_learns_from_comes_back(service: Service, tmp_path: Path) -> None:
    for mode in ("record", "replay"):
        with pytest.raises(EndpointError, match="unknown parameter") as caught:
            ask(opened(service, tmp_path, mode), "refuse")
        assert caught.value.status == 400


def test_trouble_that_passes_is_not_kept(service: Service, tmp_path: Path) -> None:
    build = BuildContext(name="x", root=tmp_path, patient=False)
    described = Described(url=service.url, model="m", replies="record")
    with pytest.raises(EndpointError):
        ask(open_endpoint(described, build), "busy")
    assert list(tmp_path.rglob("*.json")) == []


@pytest.mark.parametrize(
    ("texts", "model", "told"),
    [
        (["new"], "m", "question 1 of this episode, to the model m"),
        (["a", "new"], "m", "question 2 of this episode"),
        (["a", "a"], "m", "question 2 of this episode"),
        (["a"], "other", "to the model other .*On file are replies of m\\."),
    ],
)
def test_question_without_a_reply_stops_the_session_and_is_named(
    service: Service, tmp_path: Path, texts: list[str], model: str, told: str
) -> None:
    ask(opened(service, tmp_path, "record"), "a")
    with pytest.raises(SettingsError, match=told) as caught:
        ask(opened(service, tmp_path, "replay"), *texts, model=model)
    assert 'replies = "record"' in str(caught.value)
    assert str(tmp_path / "replies" / "x") in str(caught.value)


def test_replay_before_any_recording_says_so(service: Service, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="no replies are on file in .*replies/x"):
        ask(opened(service, tmp_path, "replay"), "a")


@pytest.mark.parametrize("content", ["{", "[]", ""])
def test_damaged_file_is_an_error_that_names_it(
    service: Service, tmp_path: Path, content: str
) -> None:
    ask(opened(service, tmp_path, "record"), "a")
    (file,) = tmp_path.rglob("*.json")
    file.write_text(content)
    with pytest.raises(SettingsError, match=file.name):
        ask(opened(service, tmp_path, "replay"), "a")


def test_agents_name_never_leads_out_of_the_folder(service: Service, tmp_path: Path) -> None:
    stored = StoredReplies(service.url, tmp_path / "replies", name="../../x", seed=0, endpoint=None)
    with pytest.raises(SettingsError, match=str(tmp_path / "replies" / "..-..-x")):
        stored.post("/v1", {})


def test_files_say_what_model_replied(service: Service, tmp_path: Path) -> None:
    ask(opened(service, tmp_path, "record"), "a")
    (file,) = tmp_path.rglob("*.json")
    kept = json.loads(file.read_text())
    assert (kept["model"], kept["number"], kept["reply"]["said"]) == ("m", 1, "a")
    assert kept["seconds"] >= 0
