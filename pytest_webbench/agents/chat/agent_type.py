"""The type ``chat``: its options, and how an agent is made from them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, Literal

from pydantic import Field, JsonValue, field_validator

from ...browser.observation import Mode
from ...browser.observer import Observer
from ..base import Agent, AgentContext
from ..endpoint import open_endpoint
from ..loop import PolicyAgent, browser_tools
from ..options import ModelOptions, Service
from ..policy import Policy
from ..registry import AgentType, BuildContext
from .anthropic import VERSION
from .client import Api, ChatClient, api_of
from .messages import ChatMessage, ChatRequest
from .policy import ChatPolicy, PromptStyle

_SET_BY_AGENT: Final = frozenset(
    {"model", "messages", "stream", "response_format", "tools", "tool_choice"}
)


class ChatOptions(ModelOptions):
    """Keys of ``[agents.<name>]`` with ``type = "chat"``."""

    type: Literal["chat"] = "chat"
    api: Api | None = Field(
        None,
        description="which API the service speaks; by default anthropic at Anthropic's own "
        "address, else openai",
    )
    mode: Mode = Field(
        "axtree",
        description="the page as text and elements, as HTML, or with a picture as well",
    )
    marks: bool = Field(
        True, description="pictures have numbered marks; without, points can be clicked"
    )
    temperature: float = Field(0.0, ge=0, le=2, description="0 always takes the likeliest token")
    seed: int | None = Field(
        None, description="by default the run's seed plus the number of the repeat"
    )
    max_tokens: int = Field(1024, ge=32, le=100_000, description="greatest length of a reply")
    thought: bool = Field(True, description="the reply begins with a sentence of reasoning")
    history: int = Field(10, ge=0, le=200, description="past actions that the model is shown")
    max_prompt_chars: int = Field(
        24_000, ge=3_000, le=2_000_000, description="greatest length of a prompt"
    )
    timeout: float = Field(120.0, gt=0, le=3600, description="seconds for one reply")
    extra_body: dict[str, JsonValue] = Field(
        default_factory=dict, description="added to each request unchanged"
    )

    @field_validator("extra_body")
    @classmethod
    def _check_extra_body(cls, extra: dict[str, JsonValue]) -> dict[str, JsonValue]:
        if taken := sorted(_SET_BY_AGENT & extra.keys()):
            raise ValueError(f"must not contain {', '.join(taken)}: the agent sets this itself")
        return extra

    def style(self) -> PromptStyle:
        """How the model is asked."""
        return PromptStyle(
            mode=self.mode,
            marks=self.marks,
            thought=self.thought,
            history=self.history,
            max_prompt_chars=self.max_prompt_chars,
            max_tokens=self.max_tokens,
        )


def make(options: ChatOptions, build: BuildContext) -> Agent:
    """A fresh agent for one episode; `SettingsError` if its key is missing."""
    build.key(options)  # a missing key is reported before the episode

    @contextmanager
    def open_policy(context: AgentContext) -> Iterator[Policy]:
        with open_client(options, build, context) as client:
            yield ChatPolicy(client, options.style())

    observer = Observer(marks=options.mode == "visual" and options.marks)
    return PolicyAgent(open_policy, tools=browser_tools(observer))


def check(options: ChatOptions, build: BuildContext) -> str:
    """Ask for one word; says which model has answered."""
    message = ChatMessage(role="user", text="Reply with the word: ready")
    with open_client(options, build) as client:
        reply = client.complete([message], max_tokens=32)
    return f"{reply.model or options.model} answers"


AGENT_TYPE: Final = AgentType(
    summary="a chat model (OpenAI-compatible or Anthropic) chooses each action",
    options=ChatOptions,
    make=make,
    check=check,
)


@contextmanager
def open_client(
    options: ChatOptions, build: BuildContext, context: AgentContext | None = None
) -> Iterator[ChatClient]:
    """A client for the options' service, closed when the block is left."""
    settings = ChatRequest(
        model=options.model,
        messages=(),
        max_tokens=options.max_tokens,
        temperature=options.temperature,
        seed=build.seed if options.seed is None else options.seed,
        extra=options.extra_body,
    )
    with open_service(
        options, build, context, settings=settings, api=options.api, timeout=options.timeout
    ) as client:
        yield client


@contextmanager
def open_service(
    service: Service,
    build: BuildContext,
    context: AgentContext | None = None,
    *,
    settings: ChatRequest | None = None,
    api: Api | None = None,
    timeout: float = 120.0,
) -> Iterator[ChatClient]:
    """A client for any chat model, such as a text helper, closed when the block is left.

    ``timeout`` is for one reply, in seconds.
    """
    api = api or api_of(service.url)
    headers: dict[str, str] = {}
    key_header = "authorization"
    if api == "anthropic":
        headers["anthropic-version"] = VERSION
        key_header = "x-api-key"
    with open_endpoint(
        service, build, context, timeout=timeout, headers=headers, key_header=key_header
    ) as endpoint:
        price = build.price(service)
        yield ChatClient(endpoint, service.model, api=api, settings=settings, price=price)
