"""The policy of the chat agent: one question to the model for each turn, with the page in words, HTML or a picture."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from ...browser.observation import Mode
from ..dates import utc_now, with_dates
from ..policy import Decision, Turn
from .actions import Kind, action_schema, offered
from .client import ChatClient
from .json_text import without_thinking
from .messages import BadChatReply, ChatReply, Failure, Finish, PromptTooLong
from .prompt import Prompt, make_prompt, system_text
from .reading import Reading, read_action

SMALLEST_PROMPT: Final = 3_000
"""Characters below which a prompt is not shortened further."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """How the model is asked."""

    mode: Mode = "axtree"
    marks: bool = True
    """Whether pictures have numbered marks; without, points of the picture can be clicked."""
    thought: bool = True
    """Whether the reply begins with a sentence of reasoning."""
    history: int = 10
    """Past actions that are told."""
    max_prompt_chars: int = 24_000
    max_tokens: int = 1024


class ChatPolicy:
    """Asks a chat model. One object serves one episode."""

    def __init__(self, client: ChatClient, style: Style, *, now: Callable[[], datetime] = utc_now) -> None:
        self._client, self._style, self._now = client, style, now
        self._pixels = style.mode == "visual" and not style.marks
        self._system = system_text(thought=style.thought, pixels=self._pixels)
        self._most = style.max_prompt_chars

    @property
    def mode(self) -> Mode:
        """What it wants to see of a page."""
        return self._style.mode

    def choose(self, turn: Turn) -> Decision:
        """The model's next action; `BadChatReply` if its reply is none."""
        kinds = offered(turn.observation, pixels=self._pixels, last=turn.last)
        prompt, reply = self._ask(turn, kinds)
        try:
            reading = self._read(reply, turn, kinds)
        except BadChatReply as error:
            error.usage, error.text = reply.usage, reply.text
            raise
        return Decision(
            action=reading.action,
            thought=reading.thought,
            usage=reply.usage,
            facts={
                "model": reply.model or self._client.model,
                "prompt_chars": prompt.characters,
                "elements_left_out": prompt.page.elements_left_out,
                "chars_left_out": prompt.page.chars_left_out,
                "not_sent": [feature.value for feature in sorted(self._client.without)],
            },
        )

    def _ask(self, turn: Turn, kinds: tuple[Kind, ...]) -> tuple[Prompt, ChatReply]:
        """Ask, with half as many characters if the prompt is too long for the model."""
        while True:
            prompt = self._prompt(turn, kinds)
            schema = action_schema(
                kinds,
                prompt.page.refs,
                thought=self._style.thought,
                max_tokens=self._style.max_tokens,
            )
            try:
                return prompt, self._client.complete(prompt.messages, schema=schema, name="action")
            except PromptTooLong:
                if prompt.characters <= SMALLEST_PROMPT:
                    raise
                self._most = max(min(self._most, prompt.characters) // 2, SMALLEST_PROMPT)

    def _prompt(self, turn: Turn, kinds: tuple[Kind, ...]) -> Prompt:
        return make_prompt(
            turn,
            with_dates(turn.brief.goal, turn.brief.timezone, self._now),
            kinds,
            system=self._system,
            history=self._style.history,
            most=self._most,
        )

    def _read(self, reply: ChatReply, turn: Turn, kinds: tuple[Kind, ...]) -> Reading:
        if reply.data is None and reply.finish is Finish.REFUSED:
            raise BadChatReply("the model refused to answer", Failure.REFUSED)
        if reply.data is None and reply.finish is Finish.CUT_OFF:
            most = self._style.max_tokens
            raise BadChatReply(f"it was cut off after {most} tokens; give the JSON object at once", Failure.CUT_OFF)
        if reply.data is None:
            begins = " ".join(without_thinking(reply.text[:2000]).split())[:100]
            what = f"it holds no JSON object; it begins with {begins!r}" if begins else "it is empty"
            raise BadChatReply(what, Failure.NO_JSON)
        return read_action(reply.data, turn.observation, kinds)
