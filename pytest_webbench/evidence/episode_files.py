"""Reads the files that an episode left in its folder, whatever has happened to them.

One rule for what is damaged holds for everything that shows, judges, replays or calibrates:

- A file that is missing is no damage; the caller gets None, or nothing.
- No link is followed, nothing but a regular file of bounded size is read, and nothing outside the
  run: a run directory may be a stranger's. All else is a whole file that cannot be read.
- A whole file that cannot be read, or does not hold what it should, gives None as well, and a
  sentence about it joins ``problems``. Callers that must not go on call `refuse_damage`.
- In a file of lines, a line that cannot be read is left out: a kill can cut the last one off.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Final, TypeVar

from .._files import read_within, within
from .._json import parse_object
from .._text import clip
from ..errors import StoreError
from .models import Evidence, ObservedAction

T = TypeVar("T")
_LONGEST_PROBLEM: Final = 500
RECORDED_PAGE: Final = "recorded.html"
"""A recorded step's page, in which each recorded node has the id ``node-`` and its own."""


class EpisodeFiles:
    """One episode's folder, which need not exist.

    ``root`` is that folder or, with the episode's ``place`` in it, that of its run.
    """

    def __init__(self, root: Path, place: str = "") -> None:
        self._root, self._place = root, place
        self.path = root / place
        self.problems: list[str] = []
        """What was found damaged so far, a sentence each."""

    @cached_property
    def names(self) -> frozenset[str]:
        """Names of the files and folders in it; empty if there is no such folder."""
        try:
            folder = within(self._root, self._place) if self._place else self._root
            return frozenset(entry.name for entry in folder.iterdir())
        except (OSError, StoreError):
            return frozenset()

    def content(self, name: str) -> bytes | None:
        """A file's bytes; None if it is missing or cannot be read."""
        try:
            return read_within(self._root, self._name(name))
        except StoreError as error:
            self.problems.append(str(error))
            return None

    def file(self, name: str) -> Path:
        """Where a file of this episode is written. `StoreError` if that is not within the run."""
        return within(self._root, self._name(name))

    def _name(self, name: str) -> str:
        return f"{self._place}/{name}" if self._place else name

    def parse(self, name: str, parser: Callable[[bytes], T]) -> T | None:
        """What ``parser`` makes of a file; None if it is missing or the parser refuses it."""
        content = self.content(name)
        if content is None:
            return None
        try:
            return parser(content)
        except ValueError as error:
            self._damaged(name, error)
            return None

    def lines(self, name: str, parser: Callable[[str], T | None]) -> Iterator[T]:
        """What ``parser`` makes of each line of a file.

        Lines that it refuses, by a `ValueError` or None, are left out.
        """
        content = self.content(name) or b""
        # Not splitlines(), which also splits at characters that JSON allows inside a text.
        for line in content.decode("utf-8", "replace").split("\n"):
            try:
                value = parser(line)
            except ValueError:
                continue
            if value is not None:
                yield value

    def refuse_damage(self) -> None:
        """`StoreError` if anything that was read so far is damaged."""
        if self.problems:
            raise StoreError(f"{self.path}: {'; '.join(self.problems)}")

    def steps(self) -> list[ObservedAction]:
        """The actions of the episode, each with the last that was known of it."""
        found: dict[int, ObservedAction] = {}
        for action in self.lines("steps.jsonl", ObservedAction.model_validate_json):
            found[action.number] = action
        return list(found.values())

    def evidence(self) -> Evidence | None:
        """What the episode is judged by."""
        return self.parse("evidence.json", Evidence.model_validate_json)

    def task_id(self) -> str | None:
        """Id of the task that was played, also of a task that this version cannot read."""
        return self._text_member("task.json", "id")

    def answer(self) -> str | None:
        """The agent's answer, also of evidence that this version cannot read."""
        return self._text_member("evidence.json", "answer")

    def _text_member(self, name: str, member: str) -> str | None:
        data = parse_object(self.content(name) or b"") or {}
        value = data.get(member)
        return value if isinstance(value, str) else None

    def _damaged(self, name: str, error: Exception) -> None:
        self.problems.append(f"{name} cannot be read: {clip(str(error), _LONGEST_PROBLEM)}")
