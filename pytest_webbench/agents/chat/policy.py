"""The policy of the chat agent: one question to the model for each turn, with the page in it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from ...browser.observation import Mode
from ..dates import utc_now, with_dates
from ..policy import Decision, Turn
from .action_parser import ParsedReply, parse_action
from .actions import ActionType, action_schema, possible_actions
from .client import ChatClient
from .json_repair import without_thinking
from .messages import BadChatReply, ChatReply, Failure, Finish, PromptTooLong
from .prompt import Prompt, make_prompt, system_text

SMALLEST_PROMPT: Final = 3_000
"""Characters below which a prompt is not shortened further."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptStyle:
    """How the model is asked."""

    mode: Mode = "axtree"
    marks: bool = True
    """Whether pictures have numbered marks; without, points of the picture can be clicked."""
    thought: bool = True
    """Whether the reply begins with a sentence of reasoning."""
    history: int = 10
    """Past actions that are shown."""
    max_prompt_chars: int = 24_000
    max_tokens: int = 1024
    """Greatest length of a reply."""


class ChatPolicy:
    """Asks a chat model. A new object is made for every episode."""

    def __init__(
        self, client: ChatClient, style: PromptStyle, *, now: Callable[[], datetime] = utc_now
    ) -> None:
        self._client = client
        self._style = style
        self._now = now
        self._pixels = style.mode == "visual" and not style.marks
        self._system = system_text(thought=style.thought, pixels=self._pixels)
        self._most = style.max_prompt_chars

    @property
    def mode(self) -> Mode:
        """How it wants to see pages."""
        return self._style.mode

    def choose(self, turn: Turn) -> Decision:
        """The model's next action; `BadChatReply` if its reply is none."""
        action_types = possible_actions(turn.observation, pixels=self._pixels, last=turn.last)
        prompt, reply = self._ask(turn, action_types)
        try:
            parsed = self._parse(reply, turn, action_types)
        except BadChatReply as error:
            # The parser knows neither the cost nor the text, and both are noted.
            error.usage, error.text = reply.usage, reply.text
            raise
        return Decision(
            action=parsed.action,
            thought=parsed.thought,
            usage=reply.usage,
            facts={
                "model": reply.model or self._client.model,
                "prompt_chars": prompt.characters,
                "elements_left_out": prompt.page.elements_left_out,
                "chars_left_out": prompt.page.chars_left_out,
                "not_sent": [feature.value for feature in sorted(self._client.without)],
            },
        )

    def _ask(self, turn: Turn, action_types: tuple[ActionType, ...]) -> tuple[Prompt, ChatReply]:
        """Ask; with half as many characters, if the prompt is too long for the model."""
        while True:
            prompt = self._prompt(turn, action_types)
            schema = action_schema(
                action_types,
                prompt.page.refs,
                thought=self._style.thought,
                max_tokens=self._style.max_tokens,
            )
            try:
                return prompt, self._client.complete(prompt.messages, schema=schema, name="action")
            except PromptTooLong:
                # Services do not say how much would fit. What did is kept for later turns.
                if prompt.characters <= SMALLEST_PROMPT:
                    raise
                self._most = max(min(self._most, prompt.characters) // 2, SMALLEST_PROMPT)

    def _prompt(self, turn: Turn, action_types: tuple[ActionType, ...]) -> Prompt:
        return make_prompt(
            turn,
            with_dates(turn.brief.goal, turn.brief.timezone, self._now),
            action_types,
            system=self._system,
            history=self._style.history,
            most=self._most,
        )

    def _parse(
        self, reply: ChatReply, turn: Turn, action_types: tuple[ActionType, ...]
    ) -> ParsedReply:
        if reply.data is not None:
            return parse_action(reply.data, turn.observation, action_types)
        if reply.finish is Finish.REFUSED:
            raise BadChatReply("the model refused to answer", Failure.REFUSED)
        if reply.finish is Finish.CUT_OFF:
            raise BadChatReply(
                f"it was cut off after {self._style.max_tokens} tokens; "
                "give the JSON object at once",
                Failure.CUT_OFF,
            )
        start = " ".join(without_thinking(reply.text[:2000]).split())[:100]
        if not start:
            raise BadChatReply("it is empty", Failure.NO_JSON)
        raise BadChatReply(f"it holds no JSON object; it begins with {start!r}", Failure.NO_JSON)
