"""Agents that are services: whose fault it is when one does not answer as it should."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr, ValidationError

from pytest_webbench.agents import http
from pytest_webbench.agents.base import AgentCrashed
from pytest_webbench.agents.http import HttpAgent, HttpOptions, check, make
from pytest_webbench.agents.registry import BuildContext
from pytest_webbench.errors import EndpointError, SettingsError
from tests.support.fake_http import Answer, serving

BUILD = BuildContext(name="mine", root=Path("/nowhere"))
NOBODY = "http://127.0.0.1:9"


def post(url: str, token: str = "") -> Any:
    return HttpAgent(HttpOptions(url=url), SecretStr(token) if token else None)._post(
        {"task_id": "t"}
    )


def test_service_receives_the_task_and_the_token() -> None:
    with serving([Answer(body={"status": "done"})]) as service:
        assert post(f"{service.url}/", token="token-0123456789") == {"status": "done"}
    (asked,) = service.asked
    assert (asked.method, asked.path, asked.body) == ("POST", "/episodes", {"task_id": "t"})
    assert asked.headers["authorization"] == "Bearer token-0123456789"


@pytest.mark.parametrize(
    ("answer", "error", "said"),
    [
        (Answer(status=503, body="busy"), EndpointError, "HTTP status 503: busy"),
        (Answer(status=429), EndpointError, "HTTP status 429: null"),
        (Answer(status=500, body="Traceback"), AgentCrashed, "HTTP status 500: Traceback"),
        (
            Answer(status=404, body="no such path"),
            SettingsError,
            "HTTP status 404: no such path; see docs/",
        ),
        (Answer(status=302, headers={"location": "/elsewhere"}), SettingsError, "HTTP status 302"),
        (Answer(body="well done!"), AgentCrashed, "reply is not JSON: well done!"),
        (Answer(body=b""), AgentCrashed, "reply is not JSON: an empty reply"),
        (Answer(body="[" * 100_000), AgentCrashed, "reply is not JSON"),
        (Answer(trouble="reset"), AgentCrashed, "closed the connection without a reply"),
        (
            Answer(body={"status": "done"}, trouble="cut"),
            AgentCrashed,
            "closed the connection without a reply",
        ),
    ],
)
def test_each_kind_of_trouble_has_its_ending(
    answer: Answer, error: type[Exception], said: str
) -> None:
    with serving([answer]) as service, pytest.raises(error, match=re.escape(said)):
        post(service.url)


def test_huge_reply_is_not_read_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "MOST_BYTES", 1000)
    with (
        serving([Answer(body="x" * 5000)]) as service,
        pytest.raises(AgentCrashed, match="more than 1000 bytes"),
    ):
        post(service.url)


def test_refused_connection_is_infrastructure() -> None:
    for ask in (lambda: post(NOBODY), lambda: check(HttpOptions(url=NOBODY), BUILD)):
        with pytest.raises(EndpointError, match=f"no agent service answers at {NOBODY}"):
            ask()


def test_any_response_passes_the_preflight() -> None:
    with serving([Answer(status=404)]) as service:
        assert (
            check(HttpOptions(**HttpOptions.inline(service.url)), BUILD)
            == f"{service.url} answers (HTTP status 404)"
        )


def test_missing_token_is_reported_before_the_run() -> None:
    options = HttpOptions(url=NOBODY, key="MY_TOKEN")
    assert list(options.secret_names()) == ["MY_TOKEN"]
    with pytest.raises(SettingsError, match="agent 'mine': key: the variable MY_TOKEN is set"):
        make(options, BUILD)


@pytest.mark.parametrize(
    "url",
    ["localhost:8000", "ftp://host", "http://", "http://me:secret@host", "http://host/?key=1"],
)
def test_unusable_addresses_are_refused(url: str) -> None:
    with pytest.raises(ValidationError, match="must begin with http|must not contain a user"):
        HttpOptions(url=url)
