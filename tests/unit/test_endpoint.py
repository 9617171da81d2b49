"""Endpoints: retries, error messages, and that the key stays out of sight."""

from __future__ import annotations

import json
import socket
import traceback
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_webbench.agents.detached import LocalBackoff
from pytest_webbench.agents.endpoint import transport
from pytest_webbench.agents.endpoint.replies import HttpReply, error_of, message_in, pause_of
from pytest_webbench.agents.endpoint.transport import Endpoint
from pytest_webbench.errors import EndpointError, SettingsError
from tests.support.fake_http import Answer, serving

KEY = "sk-planted-0123456789"
FINE = Answer(body={"fine": True})


class Clock:
    """Time that passes only when somebody sleeps."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


@pytest.fixture
def clock() -> Clock:
    return Clock()


def endpoint(url: str, clock: Clock, **more: Any) -> Endpoint:
    return Endpoint(
        url,
        backoff=LocalBackoff(clock),
        sleep=clock.sleep,
        **{"key": KEY, "name": "mine", "timeout": 5, **more},
    )


def ask(url: str, clock: Clock, **more: Any) -> Any:
    with endpoint(url, clock, **more) as asking:
        return asking.post("ask", {})


def test_request_is_json_with_a_bearer_key(clock: Clock) -> None:
    with serving([FINE]) as service, endpoint(service.url + "/v1/", clock) as asking:
        assert asking.post("/chat", {"text": "ünï \ud800"}) == {"fine": True}
        assert asking.get("models") == {"fine": True}
        assert asking.seconds > 0
    first, second = service.asked
    assert (first.method, first.path, first.body) == ("POST", "/v1/chat", {"text": "ünï ?"})
    assert first.headers["authorization"] == f"Bearer {KEY}"
    assert first.headers["content-type"] == "application/json"
    assert (second.method, second.path, second.body) == ("GET", "/v1/models", None)


def test_key_header_is_configurable_and_optional(clock: Clock) -> None:
    with serving([FINE]) as service:
        with endpoint(
            service.url, clock, key_header="x-api-key", headers={"version": "1"}
        ) as asking:
            asking.post("", {})
        with endpoint(service.url, clock, key=None) as asking:
            asking.post("", {})
    assert service.asked[0].headers["x-api-key"] == KEY
    assert service.asked[0].headers["version"] == "1"
    assert not {"authorization", "x-api-key"} & service.asked[1].headers.keys()


@pytest.mark.parametrize(
    ("trouble", "pauses"),
    [
        (Answer(status=429, headers={"retry-after": "7"}), [(7, 7.7)]),
        (Answer(status=503), [(0.75, 1.4)]),
        (Answer(status=529, headers={"retry-after": "later"}), [(0.75, 1.4)]),
        (Answer(status=500), [(0.75, 1.4)]),
        (Answer(trouble="reset"), [(0.75, 1.4)]),
        (Answer(body={"cut": "off"}, trouble="cut"), [(0.75, 1.4)]),
        (Answer(body='{"broken": tr'), [(0.75, 1.4)]),
    ],
    ids=["429", "503", "529", "500", "reset", "cut", "broken"],
)
def test_transient_errors_are_retried(
    clock: Clock, trouble: Answer, pauses: list[tuple[float, float]]
) -> None:
    waits: list[float] = []
    with (
        serving([trouble, FINE]) as service,
        endpoint(service.url, clock, on_wait=waits.append) as asking,
    ):
        assert asking.post("", {}) == {"fine": True}
    assert len(clock.slept) == len(pauses)
    for slept, (least, most) in zip(clock.slept, pauses, strict=True):
        assert least <= slept <= most
        assert slept in waits
    assert len(waits) == 2, "the time of the failed try is given back as well"


def test_backoff_grows_until_an_endpoint_error(clock: Clock) -> None:
    broken = Answer(status=503, body={"error": {"message": "overloaded", "code": "busy"}})
    with (
        serving([broken]) as service,
        pytest.raises(
            EndpointError, match=r"agent 'mine': HTTP 503 .*overloaded \(busy\) \(tried 4 times\)"
        ) as raised,
    ):
        ask(service.url, clock, tries=4)
    assert raised.value.status == 503
    assert len(service.asked) == 4
    assert len(clock.slept) == 3
    assert clock.slept[2] > clock.slept[0] * 1.5


def test_pause_holds_for_all_that_share_the_backoff(clock: Clock) -> None:
    backoff = LocalBackoff(clock)
    limited = Answer(status=429, headers={"retry-after": "30"})
    with serving([limited, FINE]) as service:
        first, second = (
            Endpoint(service.url, backoff=backoff, sleep=clock.sleep, tries=tries)
            for tries in (2, 1)
        )
        with first, second:
            assert first.post("", {}) == {"fine": True}
            backoff.start(service.url, 30)
            assert second.post("", {}) == {"fine": True}
    assert sum(clock.slept) >= 60


def test_long_retry_after_gives_up_at_once(clock: Clock) -> None:
    limited = Answer(status=429, headers={"retry-after": "3600"})
    with (
        serving([limited]) as service,
        pytest.raises(EndpointError, match="wants to be left alone for 3600 s"),
    ):
        ask(service.url, clock)
    assert clock.slept == []


def test_waiting_ends_even_if_the_backoff_never_clears(clock: Clock) -> None:
    backoff = LocalBackoff(clock)
    with serving([FINE]) as service, pytest.raises(EndpointError, match="kept us waiting"):
        backoff.start(service.url, 100)
        time_stands_still = clock.slept.append
        with Endpoint(service.url, backoff=backoff, sleep=time_stands_still) as asking:
            asking.post("", {})
    assert service.asked == []
    assert sum(clock.slept) <= 600


def error(message: str, code: str = "", status: int = 400) -> Answer:
    return Answer(status=status, body={"error": {"message": message, "code": code}})


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (error(f"Incorrect API key provided: {KEY}", "invalid_api_key", 401), "the key is refused"),
        (Answer(status=403, body="<h1>Forbidden</h1>"), "access is denied.*Forbidden"),
        (error("Insufficient credits", "402", 402), "no credit"),
        (error("You exceeded your current quota", "insufficient_quota", 429), "no credit"),
        (error("Your credit balance is too low to access the API"), "no credit"),
        (
            error("The model `gtp-5` does not exist", "model_not_found", 404),
            "model is unknown.*gtp-5",
        ),
        (error("nope/nope is not a valid model ID"), "model is unknown"),
        (
            Answer(status=404, body={"error": {"type": "not_found_error", "message": "model: x"}}),
            "model is unknown",
        ),
        (Answer(status=404, body="Not Found"), "nothing is found at this address; check `url`"),
        (Answer(status=405), "check `url` and `type`"),
        (Answer(status=308, headers={"location": "https://evil.example/"}), "redirects elsewhere"),
    ],
    ids=[
        "key",
        "forbidden",
        "402",
        "quota",
        "balance",
        "model",
        "model-400",
        "anthropic",
        "404",
        "405",
        "redirect",
    ],
)
def test_configuration_errors_are_not_retried(clock: Clock, answer: Answer, words: str) -> None:
    with (
        serving([answer]) as service,
        pytest.raises(SettingsError, match=f"agent 'mine': .*{words}") as raised,
    ):
        ask(service.url, clock)
    assert len(service.asked) == 1
    assert KEY not in str(raised.value)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (error("response_format is not supported", "unsupported"), "response_format"),
        (
            error("maximum context length is 8192 tokens", "context_length_exceeded"),
            "context length",
        ),
        (error("No endpoints found that support tool use", "404", 404), "No endpoints found"),
        (error("Your input was flagged", "moderation", 403), "flagged"),
    ],
    ids=["format", "context", "route", "moderation"],
)
def test_refused_request_is_not_retried(clock: Clock, answer: Answer, words: str) -> None:
    with serving([answer]) as service, pytest.raises(EndpointError, match=words) as raised:
        ask(service.url, clock)
    assert raised.value.status == answer.status
    assert len(service.asked) == 1


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (Answer(trouble="stall"), r"gave no answer within 0\.2 s"),
        (Answer(body={"a": 1}, trouble="drip"), r"gave no answer within 0\.2 s"),
        (Answer(trouble="reset"), "broke the connection off"),
        (Answer(body={"a": 1}, trouble="cut"), "broke the connection off"),
        (Answer(body="<!doctype html><p>Welcome"), "not with JSON .*begins with '<!doctype html>"),
        (Answer(body=""), "with nothing"),
        (Answer(body='{"a": [1, 2'), "with broken JSON"),
        (Answer(body='{"a": NaN}'), "NaN is not a number in JSON"),
        (Answer(body="[" * 100_000), "with broken JSON"),
        (
            Answer(body=b"\x1f\x8bnot zipped", headers={"content-encoding": "gzip"}),
            "broke the connection off",
        ),
    ],
    ids=["stall", "drip", "reset", "cut", "html", "empty", "truncated", "nan", "deep", "gzip"],
)
def test_malformed_response_is_an_endpoint_error(clock: Clock, answer: Answer, words: str) -> None:
    with serving([answer]) as service, pytest.raises(EndpointError, match=words) as raised:
        ask(service.url, clock, timeout=0.2, tries=1)
    assert "agent 'mine'" in str(raised.value)


def test_huge_response_is_cut_off(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "LARGEST_REPLY", 1_000_000)
    with (
        serving([Answer(body=b" " * 3_000_000)]) as service,
        pytest.raises(EndpointError, match="more than 1000000 bytes"),
    ):
        ask(service.url, clock)
    assert len(service.asked) == 1


def test_refused_connection_unknown_host_and_tls_error_differ(clock: Clock) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
        with pytest.raises(EndpointError, match=f"127.0.0.1:{port} cannot be reached"):
            ask(f"http://127.0.0.1:{port}", clock, tries=1)
    with pytest.raises(EndpointError, match="no-such-host.invalid is unknown"):
        ask("http://no-such-host.invalid", clock, tries=1)
    with (
        serving([FINE]) as service,
        pytest.raises(EndpointError, match="cannot be trusted or speaks no TLS"),
    ):
        ask(service.url.replace("http:", "https:"), clock, tries=1)


@pytest.mark.parametrize(
    "answer",
    [
        Answer(status=401, body={"error": f"bad key {KEY}"}),
        Answer(status=500, body="x" * 480 + KEY),
        Answer(status=400, body=f"you sent Bearer {KEY} with x"),
        Answer(body="oops " + "." * 60 + KEY),
        Answer(status=401, body='{"error": "sk-planted\\u002d0123456789"}'),
    ],
    ids=["401", "at-the-cut", "400", "no-json", "escaped"],
)
def test_key_never_appears_in_messages_or_tracebacks(clock: Clock, answer: Answer) -> None:
    with serving([answer]) as service, pytest.raises((EndpointError, SettingsError)) as raised:
        ask(service.url, clock, tries=2)
    trace = traceback.TracebackException.from_exception(raised.value, capture_locals=True)
    trace.stack.pop(0)  # this test's own frame, which knows the key
    shown = "".join(trace.format(chain=True))
    assert "agent 'mine'" in shown
    assert "_ask" in shown
    assert KEY[:12] not in shown


@pytest.mark.parametrize("key", ["sk-1\nx: y", "sk-\x00"])
def test_key_unfit_for_a_header_is_refused_without_being_shown(key: str) -> None:
    with pytest.raises(SettingsError, match="no key has") as raised:
        Endpoint("http://127.0.0.1:1", key=key)
    assert "sk-" not in str(raised.value)


NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("5", 5.0),
        (" 0.5 ", 0.5),
        (format_datetime(NOW + timedelta(seconds=90), usegmt=True), 90.0),
        (format_datetime(NOW - timedelta(seconds=90), usegmt=True), 0.0),
        ("", None),
        (None, None),
        ("soon", None),
        ("-3", None),
        ("1e9", None),
    ],
)
def test_retry_after_holds_seconds_or_a_date(header: str | None, seconds: float | None) -> None:
    assert pause_of(header, lambda: NOW) == seconds


@given(st.text() | st.from_regex(r"[\w, :+-]{0,40}", fullmatch=True))
def test_any_retry_after_is_read_without_an_error(header: str) -> None:
    seconds = pause_of(header, lambda: NOW)
    assert seconds is None or seconds >= 0


BODIES = st.recursive(
    st.none() | st.text(max_size=20) | st.integers(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["error", "message", "code", "detail"]), inner, max_size=3
        )
    ),
)


@given(st.integers(300, 599), st.text(max_size=200) | BODIES.map(json.dumps))
def test_every_error_status_becomes_one_of_two_errors(status: int, body: str) -> None:
    reply = HttpReply(status, body + KEY, None)
    found = error_of(
        reply,
        "agent 'x'",
        "https://h/v1",
        keyed=True,
        clean=lambda text: text.replace(KEY, "***"),
    )
    assert isinstance(found, EndpointError | SettingsError)
    assert KEY not in str(found)
    assert len(str(found)) < 900


def test_html_error_page_is_reduced_to_its_text() -> None:
    assert message_in("<html><h1>502 Bad\n Gateway</h1><hr>nginx</html>") == "502 Bad Gateway nginx"
    assert len(message_in("x " * 5000)) == 500
