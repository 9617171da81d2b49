"""The kind ``chat`` of agents: its options, and how one is made. See `agents.types`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, Literal

from pydantic import Field, JsonValue, field_validator

from ...browser.observation import Mode
from ..base import Agent, Equipment
from ..types import Kit, ModelOptions, Service

if TYPE_CHECKING:
    from ..policy import Policy
    from .client import Api, ChatClient
    from .policy import Style

_OURS: Final = frozenset({"model", "messages", "stream", "response_format", "tools", "tool_choice"})


class Options(ModelOptions):
    """Keys of ``[agents.<name>]`` with ``type = "chat"``."""

    type: Literal["chat"] = "chat"
    api: Literal["openai", "anthropic"] | None = Field(
        None, description="which API the service speaks; by default anthropic at Anthropic's own address, else openai"
    )
    mode: Mode = Field("axtree", description="the page as text and elements, as HTML, or as a picture besides")
    marks: bool = Field(True, description="pictures have numbered marks; without, points can be clicked")
    temperature: float = Field(0.0, ge=0, le=2, description="0 always takes the most probable word")
    seed: int | None = Field(None, description="by default the run's seed, plus the number of the repeat")
    max_tokens: int = Field(1024, ge=32, le=100_000, description="greatest length of a reply")
    thought: bool = Field(True, description="the reply begins with a sentence of reasoning")
    history: int = Field(10, ge=0, le=200, description="past actions that the model is told of")
    max_prompt_chars: int = Field(24_000, ge=3_000, le=2_000_000, description="greatest length of a prompt")
    timeout: float = Field(120.0, gt=0, le=3600, description="seconds for one reply")
    extra_body: dict[str, JsonValue] = Field(default_factory=dict, description="put into each request as it is")

    @field_validator("extra_body")
    @classmethod
    def _leaves_ours_alone(cls, extra: dict[str, JsonValue]) -> dict[str, JsonValue]:
        if taken := sorted(_OURS & extra.keys()):
            raise ValueError(f"must not hold {', '.join(taken)}: the agent sets this itself")
        return extra

    def style(self) -> Style:
        """How the model is asked."""
        from .policy import Style

        return Style(
            mode=self.mode,
            marks=self.marks,
            thought=self.thought,
            history=self.history,
            max_prompt_chars=self.max_prompt_chars,
            max_tokens=self.max_tokens,
        )


def make(options: Options, kit: Kit) -> Agent:
    """A fresh agent for one episode."""
    from ...browser.observe import Observer
    from ..loop import PolicyAgent, browser_tools

    kit.key(options)  # a missing key is told before the episode

    @contextmanager
    def open_policy(equipment: Equipment) -> Iterator[Policy]:
        from .policy import ChatPolicy

        with open_client(options, kit, equipment) as client:
            yield ChatPolicy(client, options.style())

    return PolicyAgent(open_policy, tools=browser_tools(Observer(marks=options.mode == "visual" and options.marks)))


def check(options: Options, kit: Kit) -> str:
    """Asks for one word; what answered."""
    from .messages import Message

    with open_client(options, kit, None) as client:
        reply = client.complete([Message(role="user", text="Reply with the word: ready")], max_tokens=32)
    return f"{reply.model or options.model} answers"


@contextmanager
def open_client(options: Options, kit: Kit, equipment: Equipment | None) -> Iterator[ChatClient]:
    """A client for the options' service."""
    from .messages import Request

    settings = Request(
        model=options.model,
        messages=(),
        max_tokens=options.max_tokens,
        temperature=options.temperature,
        seed=kit.seed if options.seed is None else options.seed,
        extra=options.extra_body,
    )
    with open_service(options, kit, equipment, settings, api=options.api, timeout=options.timeout) as client:
        yield client


@contextmanager
def open_service(
    service: Service,
    kit: Kit,
    equipment: Equipment | None,
    settings: object = None,
    *,
    api: Api | None = None,
    timeout: float = 120.0,
) -> Iterator[ChatClient]:
    """A client for any chat model, such as a text helper."""
    from .anthropic import VERSION
    from .client import ChatClient, api_of
    from .messages import Request

    api = api or api_of(service.url)
    headers = {"anthropic-version": VERSION} if api == "anthropic" else {}
    header = "x-api-key" if api == "anthropic" else "authorization"
    with kit.endpoint(service, equipment, timeout=timeout, headers=headers, key_header=header) as endpoint:
        yield ChatClient(
            endpoint,
            service.model,
            api=api,
            settings=settings if isinstance(settings, Request) else None,
            price=kit.price(service),
        )
