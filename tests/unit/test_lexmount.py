"""Lexmount's interface, against a loopback double that behaves and misbehaves."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pydantic import SecretStr

from pytest_webbench.browser.cloud.lexmount import Lexmount
from pytest_webbench.errors import InfraError, SettingsError, WebbenchError
from tests.support.fake_cloud import KEY, NO_BROWSER, PROJECT, FakeCloud, fake_cloud

CREATE, POLL, ADDRESS, DELETE = (
    "POST /instance/v2",
    "POST /instance/session",
    "GET /json/version",
    "DELETE /instance",
)


class Clock:
    """Time passes only by waiting."""

    def __init__(self) -> None:
        self.now = 0.0
        self.pace = 1
        self.waits: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.now += seconds * self.pace
        self.waits.append(seconds)

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def double() -> Iterator[FakeCloud]:
    with fake_cloud() as running:
        yield running


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def lexmount(double: FakeCloud, clock: Clock) -> Lexmount:
    return Lexmount(KEY, PROJECT, double.address, sleep=clock.sleep, clock=clock)


def failure(lexmount: Lexmount, kind: type[WebbenchError]) -> str:
    """What is said when no session can be had; neither key nor address may be in it."""
    with pytest.raises(kind) as caught:
        lexmount.acquire(lambda _session: None)
    assert caught.value.__cause__ is None
    assert not any(secret in str(caught.value) for secret in (KEY, PROJECT, "token-5150"))
    return str(caught.value)


# -- it behaves --------------------------------------------------------------------------------


def test_session_is_noted_before_it_starts_and_ended_by_id(
    double: FakeCloud, lexmount: Lexmount
) -> None:
    double.statuses = ["creating", "something new"]
    noted: list[tuple[str, list[str]]] = []
    url = lexmount.acquire(lambda session: noted.append((session, list(double.requests))))
    assert (url, noted) == (NO_BROWSER, [("session-1", [CREATE])])
    assert double.requests == [CREATE, POLL, POLL, POLL, ADDRESS]
    lexmount.release("session-1")
    assert (double.open, double.ended) == ([], ["session-1"])


def test_ending_a_vanished_session_is_no_error(double: FakeCloud, lexmount: Lexmount) -> None:
    lexmount.release("never-seen")
    assert double.requests == [DELETE]


# -- what the user has to fix ------------------------------------------------------------------


def test_wrong_key_is_a_settings_error(double: FakeCloud) -> None:
    with pytest.raises(SettingsError, match="the key or the project is not accepted") as caught:
        Lexmount("wrong-key-123", PROJECT, double.address).acquire(lambda _session: None)
    assert "wrong-key-123" not in str(caught.value)
    assert "LEXMOUNT_API_KEY" in str(caught.value)


@pytest.mark.parametrize(
    ("status", "said"),
    [(402, "there is no credit (HTTP 402: pay first)"), (403, "access is refused (HTTP 403: pay")],
)
def test_missing_credit_is_a_settings_error(
    double: FakeCloud, lexmount: Lexmount, status: int, said: str
) -> None:
    double.fail(CREATE, status, {"error": "pay  first"})
    assert said in failure(lexmount, SettingsError)


def test_base_url_without_the_service_is_a_settings_error(
    double: FakeCloud, lexmount: Lexmount
) -> None:
    double.fail(CREATE, 404, "<html>not here")
    assert failure(lexmount, SettingsError).endswith(f"at {double.address}; see LEXMOUNT_BASE_URL")


@pytest.mark.parametrize("value", [None, SecretStr(""), SecretStr("  ")])
def test_missing_variables_are_named(value: SecretStr | None) -> None:
    with pytest.raises(
        SettingsError, match="needs LEXMOUNT_API_KEY and LEXMOUNT_PROJECT_ID, in the"
    ):
        Lexmount.from_environment(lambda _name: value)


def test_base_url_must_be_an_address() -> None:
    values = {"API_KEY": KEY, "PROJECT_ID": PROJECT, "BASE_URL": "api.example.org"}
    with pytest.raises(SettingsError, match="LEXMOUNT_BASE_URL is not an http or https address"):
        Lexmount.from_environment(lambda name: SecretStr(values[name.removeprefix("LEXMOUNT_")]))


def test_account_name_is_unique_and_hides_the_project() -> None:
    accounts = {
        Lexmount("k", project, base).account
        for project in "ab"
        for base in ("https://x/v", "https://y")
    }
    assert len(accounts) == 4
    assert not any(PROJECT in Lexmount(KEY, PROJECT, "https://x").account for _ in accounts)


# -- trouble that passes -----------------------------------------------------------------------


def test_overloaded_service_is_retried_after_its_delay(
    double: FakeCloud, lexmount: Lexmount, clock: Clock
) -> None:
    double.fail(CREATE, 429, {"error": "limit"}, Retry_After="7")
    double.fail(CREATE, 429, {"error": "limit"}, Retry_After="Wed, 21 Oct 2026 07:28:00 GMT")
    assert lexmount.acquire(lambda _session: None) == NO_BROWSER
    assert clock.waits == [7.0, 5.0]


def test_service_that_stays_overloaded_is_infra(
    double: FakeCloud, lexmount: Lexmount, clock: Clock
) -> None:
    for seconds in ("0", "-3", "50", "nan", "1e9"):
        double.fail(CREATE, 429, {"error": "10 sessions are active"}, Retry_After=seconds)
    assert "no free session: 10 sessions are active" in failure(lexmount, InfraError)
    assert clock.waits == [5.0, 5.0, 50.0]


@pytest.mark.parametrize(
    ("request_", "status", "body", "said"),
    [
        (CREATE, 500, "<html>oops", "HTTP 500: no reason given"),
        (CREATE, 503, {"message": f"{KEY} waits"}, "HTTP 503: [redacted] waits"),
        (CREATE, 200, "{", "other than a JSON object"),
        (CREATE, 200, [], "other than a JSON object"),
        (CREATE, 200, {}, "without an id"),
        (POLL, 404, {"error": "no such session"}, "HTTP 404: no such session"),
        (
            POLL,
            200,
            {"status": "create_failed", "create_error": "out of\nmachines"},
            "create_failed: out of machines",
        ),
        (POLL, 200, {"status": "closed"}, "closed: no reason given"),
        (ADDRESS, 500, "", "HTTP 500"),
        (ADDRESS, 200, {"webSocketDebuggerUrl": "http://127.0.0.1/token-5150"}, "no address"),
    ],
)
def test_connection_errors_are_infra(
    double: FakeCloud, lexmount: Lexmount, request_: str, status: int, body: object, said: str
) -> None:
    double.fail(request_, status, body)
    assert said in failure(lexmount, InfraError)


def test_slow_session_start_is_infra(double: FakeCloud, lexmount: Lexmount, clock: Clock) -> None:
    clock.pace = 10
    double.statuses = ["creating"] * 20
    assert "did not start within 120 s" in failure(lexmount, InfraError)
    assert clock.waits == [1.0] * 12


def test_unreachable_service_is_infra() -> None:
    service = Lexmount(KEY, PROJECT, f"http://user:{KEY}@127.0.0.1:9/{PROJECT}")
    assert (
        failure(service, InfraError)
        == "lexmount at http://127.0.0.1:9 does not answer: ConnectError"
    )
