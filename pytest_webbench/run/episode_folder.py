"""Writes one episode's folder while the episode runs."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from .._files import storing
from .._json import json_line, parse_object
from .._text import sanitize
from ..episode.oversight import Will
from ..errors import StoreError
from ..evidence.models import Evidence, ObservedAction
from ..evidence.redact import Redactor

_LINES: Final = ("steps.jsonl", "shots.jsonl", "agent.jsonl", "agent.log")


def _addresses(evidence: Evidence) -> Iterator[str]:
    if evidence.page is not None:
        yield evidence.page.url
    for group in (evidence.tabs, evidence.history, evidence.requests, evidence.downloads):
        yield from (one.url for one in group)
    for action in evidence.actions:
        yield from (action.url, action.url_after)


class EpisodeFolder:
    """Takes what one attempt leaves, as it happens; all that is written goes through its redactor.

    It is written under ``path`` and has its ``final`` name only when it is complete (`commit`).
    Every method that writes raises `StoreError` if the file cannot be written.
    """

    def __init__(
        self,
        partial: Path,
        final: Path,
        redactor: Redactor,
        *,
        on_unstoppable: Callable[[], None] = lambda: None,
    ) -> None:
        self.path, self.final = partial, final
        self._redactor, self._on_unstoppable = redactor, on_unstoppable
        self._trouble: StoreError | None = None
        self.will: Callable[[], Will | None] = lambda: None
        """What another process is to do if it has to end this one while the agent acts."""

    def step(self, action: ObservedAction) -> None:
        """A new action; or, with a number that exists, all that is known of it now."""
        self._redactor.learn_address(action.url)
        self._redactor.learn_address(action.url_after)
        self._append(
            "steps.jsonl", json_line(self._redactor.record(action).model_dump(mode="json"))
        )

    step_changed = step

    def shot(self, number: int, jpeg: bytes, url: str = "", width: int = 0) -> None:
        """A picture of the page at ``url``, ``width`` CSS pixels wide, as an action took effect."""
        self._store(f"shots/{number:03d}.jpg", jpeg)
        facts = {"number": number, "url": self._redactor.text(url), "width": width}
        self._append("shots.jsonl", json_line(facts))

    def secret(self, value: str, field: str) -> None:
        """The content of a password field: from now on it is taken out of all that is written."""
        self._redactor.learn(value, field)

    def shown(self, value: str) -> None:
        """The content of another field."""
        self._redactor.seen_in_the_open(value)

    def log(self, text: str) -> None:
        """A line for ``agent.log``."""
        self._append("agent.log", self._redactor.text(sanitize(text)).rstrip())

    def redacted(self, text: str) -> str:
        """``text`` without what is known to be secret by now."""
        return self._redactor.text(text)

    def note(self, line: str) -> None:
        """A line for ``agent.jsonl``, redacted already."""
        self._append("agent.jsonl", line)

    def unstoppable(self) -> None:
        """The agent's code cannot be interrupted: whoever began this episode decides what to do."""
        self.log("the agent's code went on after its time and could not be interrupted")
        self._on_unstoppable()

    def write(self, name: str, content: str | bytes) -> None:
        """A whole file of this attempt; bytes are written as they are."""
        if isinstance(content, bytes):
            self._store(name, content)
            return
        redact = self._redactor.mhtml if name.endswith(".mhtml") else self._redactor.text
        # Texts of pages and agents may hold lone surrogates, which UTF-8 cannot encode.
        self._store(name, redact(content).encode("utf-8", "replace"))

    def write_evidence(self, evidence: Evidence) -> Evidence:
        """Write the evidence and return what was read back: that, and nothing else, is judged."""
        for url in _addresses(evidence):
            self._redactor.learn_address(url)
        text = self._redactor.record(evidence).to_json()
        self._store("evidence.json", text.encode("utf-8", "replace"))
        return Evidence.model_validate_json((self.path / "evidence.json").read_bytes())

    def commit(self) -> Path:
        """Give the complete attempt its final name.

        `StoreError` if that fails, or if any file of the attempt could not be written.
        """
        if self._trouble is not None:
            raise self._trouble
        self._hide_what_was_learned_late()
        with storing(self.final):
            os.replace(self.path, self.final)
        return self.final

    def _hide_what_was_learned_late(self) -> None:
        """Lines that were written before a secret was known lose it."""
        if not self._redactor.has_learned:
            return
        for name in _LINES:
            path = self.path / name
            if path.is_file():
                before = path.read_text("utf-8", "replace").split("\n")
                after = list(map(self._hidden, before))
                if after != before:
                    self._store(name, "\n".join(after).encode("utf-8", "replace"))

    def _hidden(self, line: str) -> str:
        data = parse_object(line)
        if data is None:
            return self._redactor.text(line)
        # Not in the JSON text: a password such as 1234 may be part of a number.
        hidden = self._redactor.data(data)
        return line if hidden == data else json_line(hidden)

    def _append(self, name: str, line: str) -> None:
        with (
            self._writing(name) as path,
            path.open("a", encoding="utf-8", errors="replace") as file,
        ):
            # Closed after every line, so that a kill loses nothing that was noted before.
            file.write(line + "\n")

    def _store(self, name: str, data: bytes) -> None:
        with self._writing(name) as path:
            path.write_bytes(data)

    @contextmanager
    def _writing(self, name: str) -> Iterator[Path]:
        # Remembered, because an agent may swallow the error that its log could not be written;
        # `commit` must not.
        try:
            with storing(self.path / name):
                yield self.path / name
        except StoreError as error:
            self._trouble = error
            raise
