"""Chat models behind loopback services that behave and misbehave."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from pytest_webbench._usage import Usage
from pytest_webbench.agents.chat.client import Api, ChatClient, api_of, path_at
from pytest_webbench.agents.chat.messages import (
    ChatMessage,
    ChatRequest,
    Feature,
    Finish,
    PromptTooLong,
)
from pytest_webbench.agents.endpoint.transport import Endpoint
from pytest_webbench.agents.options import Price
from pytest_webbench.errors import EndpointError, SettingsError
from tests.support.chat_samples import completion, tool_call
from tests.support.fake_http import Answer, Asked, Script, Service, serving

ASK = [ChatMessage(role="system", text="Be short."), ChatMessage(role="user", text="Which?")]
SCHEMA = {
    "type": "object",
    "properties": {"do": {"type": "string", "maxLength": 9}},
    "required": ["do"],
    "additionalProperties": False,
}


@contextmanager
def client_of(
    answers: Script | list[Answer],
    *,
    api: Api = "openai",
    price: Price | None = None,
    **settings: Any,
) -> Iterator[tuple[ChatClient, Service]]:
    given: dict[str, Any] = {
        "model": "m",
        "messages": (),
        "max_tokens": 50,
        "temperature": 0.0,
        "seed": 7,
    } | settings
    with (
        serving(answers) as service,
        Endpoint(service.url, key="a-long-secret", tries=1, timeout=5) as endpoint,
    ):
        yield (
            ChatClient(endpoint, "m", api=api, settings=ChatRequest(**given), price=price),
            service,
        )


def test_openai_request_carries_the_schema() -> None:
    with client_of([Answer(body=completion('{"do": "click"}'))]) as (client, service):
        reply = client.complete(ASK, schema=SCHEMA, name="action")
    assert service.asked[0].path == "/v1/chat/completions"
    assert service.asked[0].headers["authorization"] == "Bearer a-long-secret"
    assert service.asked[0].body == {
        "model": "m",
        "messages": [
            {"role": "system", "content": "Be short."},
            {"role": "user", "content": "Which?"},
        ],
        "max_tokens": 50,
        "temperature": 0.0,
        "seed": 7,
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "action", "strict": True, "schema": SCHEMA},
        },
    }
    assert (reply.text, reply.data, reply.model) == ('{"do": "click"}', {"do": "click"}, "small-1")
    assert reply.finish is Finish.DONE
    assert (reply.usage.calls, reply.usage.input_tokens, reply.usage.output_tokens) == (1, 100, 20)
    assert reply.usage.seconds > 0


def test_anthropic_request_forces_a_tool_call() -> None:
    with client_of([Answer(body=tool_call({"do": "click"}))], api="anthropic") as (client, service):
        reply = client.complete(ASK, schema=SCHEMA, name="action", max_tokens=9)
    assert service.asked[0].path == "/v1/messages"
    assert service.asked[0].body == {
        "model": "m",
        "max_tokens": 9,
        "system": "Be short.",
        "messages": [{"role": "user", "content": "Which?"}],
        "temperature": 0.0,
        "tools": [{"name": "action", "description": "Give your reply.", "input_schema": SCHEMA}],
        "tool_choice": {"type": "tool", "name": "action", "disable_parallel_tool_use": True},
    }
    assert reply.data == {"do": "click"}
    assert (reply.usage.input_tokens, reply.usage.output_tokens) == (100, 20)


def test_pictures_are_sent_along() -> None:
    ask = [ChatMessage(role="user", text="Which?", picture=b"jpeg")]
    with client_of([Answer(body=completion("this"))]) as (client, service):
        client.complete(ask)
    assert service.asked[0].body["messages"][0]["content"] == [
        {"type": "text", "text": "Which?"},
        {"type": "image_url", "image_url": {"url": "data:image/jpeg;base64,anBlZw=="}},
    ]
    with client_of([Answer(body=tool_call({}))], api="anthropic") as (client, service):
        client.complete(ask)
    assert service.asked[0].body["messages"][0]["content"] == [
        {
            "type": "image",
            "source": {"type": "base64", "media_type": "image/jpeg", "data": "anBlZw=="},
        },
        {"type": "text", "text": "Which?"},
    ]
    assert "jpeg" not in repr(ask)


def refusing(*refusals: str, status: int = 400) -> Script:
    """Answers a refusal for each of the messages in turn, then well."""
    left = list(refusals)

    def answer(_asked: Asked) -> Answer:
        if left:
            return Answer(status=status, body={"error": {"message": left.pop(0)}})
        return Answer(body=completion('```json\n{"do": "click"}\n```'))

    return answer


@pytest.mark.parametrize(
    ("refusals", "without", "gone"),
    [
        (["'maxLength' is not permitted"], {Feature.BOUNDS}, []),
        (["Unknown field response_format.json_schema"] * 2, {Feature.BOUNDS, Feature.SCHEMA}, []),
        (
            ["This response_format type is unavailable now"] * 3,
            set(list(Feature)[:3]),
            ["response_format"],
        ),
        (
            ["Unsupported value: 'temperature' does not support 0"],
            {Feature.TEMPERATURE},
            ["temperature"],
        ),
        (["seed: Extra inputs are not permitted"], {Feature.SEED}, ["seed"]),
        (
            [
                "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens'.",
                "Unsupported value: 'temperature'",
            ],
            {Feature.MAX_TOKENS, Feature.TEMPERATURE},
            ["max_tokens", "temperature"],
        ),
    ],
)
@pytest.mark.parametrize("status", [400, 422])
def test_refused_option_is_left_out_from_then_on(
    refusals: list[str], without: set[Feature], gone: list[str], status: int
) -> None:
    with client_of(refusing(*refusals, status=status)) as (client, service):
        assert client.complete(ASK, schema=SCHEMA).data == {"do": "click"}
        assert client.without == without
        client.complete(ASK, schema=SCHEMA)
    assert len(service.asked) == len(refusals) + 2, (
        "asked again without, and the second time at once"
    )
    assert not set(gone) & service.asked[-1].body.keys()
    forms = [asked.body.get("response_format", {}).get("type") for asked in service.asked]
    if Feature.SCHEMA in without and Feature.JSON not in without:
        assert forms[-1] == "json_object"
    if Feature.MAX_TOKENS in without:
        assert service.asked[-1].body["max_completion_tokens"] == 50


def test_refused_tool_is_replaced_by_instructions() -> None:
    refusals = ["Thinking may not be enabled when tool_choice forces tool use."] * 2

    def answer(asked: Asked) -> Answer:
        if refusals:
            return Answer(status=400, body={"type": "error", "error": {"message": refusals.pop()}})
        return Answer(
            body={
                "content": [{"type": "text", "text": 'So: {"do": "wait"}'}],
                "stop_reason": "end_turn",
            }
        )

    with client_of(answer, api="anthropic") as (client, service):
        reply = client.complete(ASK, schema=SCHEMA)
    assert reply.data == {"do": "wait"}
    assert (reply.usage.calls, reply.usage.input_tokens) == (1, 0), (
        "what is not told counts as none"
    )
    assert "tools" not in service.asked[-1].body


def test_refusal_of_a_required_field_is_an_error() -> None:
    refused = pytest.raises(EndpointError, match="messages must not be empty")
    with client_of(refusing("messages must not be empty")) as (client, service), refused as caught:
        client.complete(ASK, schema=SCHEMA)
    assert caught.value.status == 400
    assert len(service.asked) == 1


def test_repeated_refusals_end_in_an_error() -> None:
    every = "response_format json_object maxLength temperature seed max_tokens"
    with (
        client_of([Answer(status=400, body={"error": every})]) as (client, service),
        pytest.raises(EndpointError),
    ):
        client.complete(ASK, schema=SCHEMA)
    assert len(service.asked) == len(Feature) + 1


@pytest.mark.parametrize(
    "message",
    [
        "request (6024 tokens) exceeds the available context size (4096 tokens), try increasing it",
        "This model's maximum context length is 8192 tokens.",
        "prompt is too long: 210000 tokens > 200000 maximum",
    ],
)
def test_too_long_prompt_is_recognised(message: str) -> None:
    with (
        client_of(refusing(message)) as (client, _service),
        pytest.raises(PromptTooLong, match="tokens"),
    ):
        client.complete(ASK)


@pytest.mark.parametrize(
    ("body", "text", "finish"),
    [
        (completion(None), "", Finish.DONE),
        (completion("", finish="length"), "", Finish.CUT_OFF),
        (completion('{"do": "cli', finish="length"), '{"do": "cli', Finish.CUT_OFF),
        (completion(None, refusal="I cannot help."), "I cannot help.", Finish.REFUSED),
        (completion("", finish="content_filter"), "", Finish.REFUSED),
        (
            completion([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]),
            "ab",
            Finish.DONE,
        ),
        (completion("words only"), "words only", Finish.DONE),
    ],
)
def test_reply_without_json_is_kept_as_text(
    body: dict[str, Any], text: str, finish: Finish
) -> None:
    with client_of([Answer(body=body)]) as (client, _service):
        reply = client.complete(ASK, schema=SCHEMA)
    assert (reply.text, reply.data, reply.finish) == (text, None, finish)


@pytest.mark.parametrize(
    ("body", "text", "finish"),
    [
        (tool_call({"do": "type", "value": "half"}, stop="max_tokens"), "", Finish.CUT_OFF),
        (tool_call({}), "", Finish.DONE),
        ({"content": [], "stop_reason": "refusal"}, "", Finish.REFUSED),
        ({"content": [{"type": "text", "text": "no"}], "usage": None}, "no", Finish.DONE),
    ],
)
def test_incomplete_tool_call_is_ignored(body: dict[str, Any], text: str, finish: Finish) -> None:
    with client_of([Answer(body=body)], api="anthropic") as (client, _service):
        reply = client.complete(ASK, schema=SCHEMA)
    assert (reply.text, reply.data, reply.finish) == (text, None, finish)


@pytest.mark.parametrize(
    ("answer", "error", "says"),
    [
        (
            Answer(body={"error": {"message": "out of order"}}),
            EndpointError,
            "answered with an error: out of order",
        ),
        (Answer(body={"object": "list", "data": []}), EndpointError, "has no choices"),
        (Answer(body={"choices": [{}]}), EndpointError, "has no message"),
        (Answer(body=["x"]), EndpointError, "not a JSON object"),
        (Answer(body=b'{"choices": [{"mess'), EndpointError, "broken JSON"),
        (Answer(body="<html>login</html>"), EndpointError, "not with JSON"),
        (Answer(body=b"9" * 21_000_000), EndpointError, "more than 20000000 bytes"),
        (Answer(trouble="reset"), EndpointError, "broke the connection off"),
        (Answer(trouble="cut", body=completion("x")), EndpointError, "broke the connection off"),
        (Answer(status=500, body={"error": "oops"}), EndpointError, "HTTP 500 .*oops"),
        (
            Answer(status=401, body={"error": "bad key a-long-secret"}),
            SettingsError,
            r"key is refused.*bad key \*\*\*",
        ),
    ],
)
def test_malformed_response_is_an_endpoint_error(
    answer: Answer, error: type[Exception], says: str
) -> None:
    with client_of([answer]) as (client, _service), pytest.raises(error, match=says):
        client.complete(ASK, schema=SCHEMA)


def test_retry_after_is_honoured() -> None:
    pauses: list[float] = []
    answers = [Answer(status=429, headers={"retry-after": "0.01"}), Answer(body=completion("now"))]
    with serving(answers) as service, Endpoint(service.url, on_wait=pauses.append) as endpoint:
        assert ChatClient(endpoint, "m").complete(ASK).text == "now"
    assert len(service.asked) == 2


def test_stalled_service_times_out() -> None:
    given_up = pytest.raises(EndpointError, match=r"no answer within 0\.2 s")
    with (
        serving([Answer(trouble="stall")]) as service,
        Endpoint(service.url, timeout=0.2, tries=1) as endpoint,
        given_up,
    ):
        ChatClient(endpoint, "m").complete(ASK)


@pytest.mark.parametrize(
    ("usage", "price", "cost"),
    [
        ({"prompt_tokens": 1_000_000, "completion_tokens": 500_000}, Price(input=2, output=4), 4.0),
        (
            {"prompt_tokens": 1_000_000, "completion_tokens": 0, "cost": 0.5},
            Price(input=2, output=4),
            0.5,
        ),
        ({"prompt_tokens": 10, "completion_tokens": 1}, None, None),
        ({"prompt_tokens": -4, "completion_tokens": "many", "cost": "free"}, None, None),
        (None, Price(input=2, output=4), 0.0),
    ],
)
def test_tokens_and_costs_are_counted(usage: Any, price: Price | None, cost: float | None) -> None:
    with client_of([Answer(body=completion("x") | {"usage": usage})], price=price) as (
        client,
        _service,
    ):
        found: Usage = client.complete(ASK).usage
    assert found.calls == 1
    assert found.cost == cost
    assert found.input_tokens >= 0
    assert found.output_tokens >= 0


def test_broken_characters_of_a_reply_are_replaced() -> None:
    answer = Answer(body='{"choices": [{"message": {"content": "{\\"do\\": \\"\\ud83d\\"}"}}]}')
    with client_of([answer]) as (client, _service):
        reply = client.complete(ASK, schema=SCHEMA)
    assert reply.data == {"do": "\N{REPLACEMENT CHARACTER}"}
    reply.text.encode()


def test_vendor_options_go_into_the_body() -> None:
    extra = {"reasoning_effort": "low", "temperature": 1}
    with client_of([Answer(body=completion("x"))], extra=extra) as (client, service):
        client.complete(ASK)
    assert service.asked[0].body["reasoning_effort"] == "low"
    assert service.asked[0].body["temperature"] == 1


@pytest.mark.parametrize(
    ("url", "path"),
    [
        ("http://127.0.0.1:8080", "/v1/chat/completions"),
        ("http://127.0.0.1:8080/v1", "/chat/completions"),
        ("https://openrouter.ai/api/v1", "/chat/completions"),
        ("https://host.test/v1beta/openai", "/chat/completions"),
        ("https://host.test/api/paas/v4", "/chat/completions"),
        ("https://host.test/gateway", "/v1/chat/completions"),
        ("https://host.test/v1/chat/completions", ""),
    ],
)
def test_address_may_hold_the_version(url: str, path: str) -> None:
    assert path_at(url, "/chat/completions") == path


@pytest.mark.parametrize(
    ("url", "api"),
    [
        ("https://api.anthropic.com", "anthropic"),
        ("https://api.anthropic.com/v1", "anthropic"),
        ("https://notanthropic.com", "openai"),
        ("https://anthropic.com.evil.test", "openai"),
        ("http://127.0.0.1:1", "openai"),
    ],
)
def test_host_decides_the_api(url: str, api: str) -> None:
    assert api_of(url) == api
