"""OpenAI-compatible chat completions: ``/v1/chat/completions``."""

from __future__ import annotations

import base64
from collections.abc import Collection
from typing import Any, Final

from pydantic import JsonValue

from ..._json import object_in
from ..._usage import Usage, believed
from .messages import ChatMessage, ChatReply, ChatRequest, Feature, Finish
from .schemas import schema_for

_FINISH: Final = {"length": Finish.CUT_OFF, "content_filter": Finish.REFUSED}


class OpenAI:
    """The API of OpenAI and of the many services and servers that imitate it."""

    path = "/chat/completions"

    def body(self, request: ChatRequest, without: Collection[Feature]) -> dict[str, JsonValue]:
        """A body for ``/v1/chat/completions``."""
        # OpenAI's reasoning models refuse `max_tokens`; most other servers know no other name.
        length = "max_completion_tokens" if Feature.MAX_TOKENS in without else "max_tokens"
        body: dict[str, JsonValue] = {
            "model": request.model,
            "messages": [_message(message) for message in request.messages],
            length: request.max_tokens,
        }
        if request.temperature is not None and Feature.TEMPERATURE not in without:
            body["temperature"] = request.temperature
        if request.seed is not None and Feature.SEED not in without:
            body["seed"] = request.seed
        response_format = _response_format(request, without)
        if response_format is not None:
            body["response_format"] = response_format
        return body | request.extra

    def read(self, body: dict[str, Any]) -> ChatReply:
        """The reply in a chat completion; `ValueError` if there is none."""
        choices = body.get("choices")
        if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
            raise ValueError("it has no choices")
        message = choices[0].get("message")
        if not isinstance(message, dict):
            raise ValueError("its choice has no message")
        finish = _FINISH.get(str(choices[0].get("finish_reason")), Finish.DONE)
        text = _text(message.get("content"))
        # With a schema, OpenAI sends a refusal in a field of its own and leaves the content empty.
        if not text and isinstance(message.get("refusal"), str):
            text, finish = message["refusal"], Finish.REFUSED
        return ChatReply(
            text=text,
            data=None,
            usage=_usage(body),
            model=str(body.get("model") or ""),
            finish=finish,
        )


def _message(message: ChatMessage) -> dict[str, JsonValue]:
    if message.picture is None:
        return {"role": message.role, "content": message.text}
    address = "data:image/jpeg;base64," + base64.b64encode(message.picture).decode("ascii")
    return {
        "role": message.role,
        "content": [
            {"type": "text", "text": message.text},
            {"type": "image_url", "image_url": {"url": address}},
        ],
    }


def _response_format(
    request: ChatRequest, without: Collection[Feature]
) -> dict[str, JsonValue] | None:
    schema = schema_for(request, without)
    if schema is not None:
        return {
            "type": "json_schema",
            "json_schema": {"name": request.name, "strict": True, "schema": schema},
        }
    if request.schema is None or Feature.JSON in without:
        return None
    return {"type": "json_object"}


def _text(content: object) -> str:
    """Content is a string, a list of parts, or null."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    return "".join(
        str(part["text"])
        for part in content
        if isinstance(part, dict) and part.get("type") == "text"
    )


def _usage(body: dict[str, Any]) -> Usage:
    usage = object_in(body, "usage")
    return Usage(
        calls=1,
        input_tokens=token_count(usage.get("prompt_tokens")),
        output_tokens=token_count(usage.get("completion_tokens")),
        cost=believed(usage.get("cost")),  # OpenRouter's, in US dollars
    )


def token_count(value: object) -> int:
    """A number of tokens; 0 where there is none."""
    return int(believed(value) or 0) if isinstance(value, int) else 0
