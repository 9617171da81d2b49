"""OpenAI-compatible chat completions: ``/v1/chat/completions``."""

from __future__ import annotations

import base64
from collections.abc import Collection
from typing import Any, Final

from pydantic import JsonValue

from ..base import Usage
from .messages import ChatReply, Feature, Finish, Message, Request
from .schemas import without_bounds

_FINISH: Final = {"length": Finish.CUT_OFF, "content_filter": Finish.REFUSED}


class OpenAI:
    """Speaks to OpenAI and to the many services and servers that imitate it."""

    path = "/chat/completions"

    def body(self, request: Request, without: Collection[Feature]) -> dict[str, JsonValue]:
        """A body for ``/v1/chat/completions``."""
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
        form = _response_format(request, without)
        if form is not None:
            body["response_format"] = form
        return body | request.extra

    def read(self, body: dict[str, Any]) -> ChatReply:
        """A chat completion."""
        choices = body.get("choices")
        if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
            raise ValueError("it holds no choices")
        message = choices[0].get("message")
        if not isinstance(message, dict):
            raise ValueError("its choice holds no message")
        finish = _FINISH.get(str(choices[0].get("finish_reason")), Finish.DONE)
        text = _text(message.get("content"))
        if not text and isinstance(message.get("refusal"), str):
            text, finish = message["refusal"], Finish.REFUSED
        return ChatReply(text=text, data=None, usage=_usage(body), model=str(body.get("model") or ""), finish=finish)


def _message(message: Message) -> dict[str, JsonValue]:
    if message.picture is None:
        return {"role": message.role, "content": message.text}
    address = "data:image/jpeg;base64," + base64.b64encode(message.picture).decode("ascii")
    return {
        "role": message.role,
        "content": [{"type": "text", "text": message.text}, {"type": "image_url", "image_url": {"url": address}}],
    }


def _response_format(request: Request, without: Collection[Feature]) -> dict[str, JsonValue] | None:
    if request.schema is None:
        return None
    if Feature.SCHEMA not in without:
        schema = without_bounds(request.schema) if Feature.BOUNDS in without else request.schema
        return {"type": "json_schema", "json_schema": {"name": request.name, "strict": True, "schema": schema}}
    return None if Feature.JSON in without else {"type": "json_object"}


def _text(content: object) -> str:
    """Content is a string, or a list of parts, or null."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    return "".join(str(part["text"]) for part in content if isinstance(part, dict) and part.get("type") == "text")


def _usage(body: dict[str, Any]) -> Usage:
    given = body.get("usage")
    usage: dict[str, Any] = given if isinstance(given, dict) else {}
    cost = usage.get("cost")
    return Usage(
        calls=1,
        input_tokens=whole(usage.get("prompt_tokens")),
        output_tokens=whole(usage.get("completion_tokens")),
        cost=float(cost) if isinstance(cost, int | float) and 0 <= cost < float("inf") else None,
    )


def whole(value: object) -> int:
    """A count of tokens; 0 where there is none."""
    return value if isinstance(value, int) and value > 0 else 0
