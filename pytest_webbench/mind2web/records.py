"""One recorded step, and the JSONL files that hold steps.

The first ten keys are those of the reference's files, in its order, so that either program reads
what the other wrote. The reference ignores the keys after them.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError, ValidationInfo, field_validator

from ..errors import SettingsError
from .values import Operation

Box = tuple[float, float, float, float]


class Node(BaseModel):
    """A candidate of the dataset: an element that was not the target."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str = Field(description="backend_node_id")
    tag: str = ""
    clickable: bool | None = Field(None, description="null: the dataset does not say")
    box: Box | None = Field(
        None, description="x, y, width, height of the recorded page; null if it was not laid out"
    )


class RecordedStep(BaseModel):
    """One step of a recorded task: a page, what was done before, and what was done next."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    task_id: str = ""
    goal: str = ""
    step_index: int = Field(0, description="index into the task's original list of actions, from 0")
    num_steps: int = Field(0, description="length of that list")
    prev_action_reprs: tuple[str, ...] = ()
    cleaned_html: str = ""
    gold_backend_node_id: str = Field("", description="the one target that the reference looks for")
    op: str = "CLICK"
    value: str = ""
    gold_repr: str = ""

    split: str = ""
    website: str = ""
    domain: str = ""
    subdomain: str = ""
    original_op: str = Field("", description="before HOVER and ENTER were made CLICK")
    gold_backend_node_ids: tuple[str, ...] = Field((), description="every target that is right")
    role: str = Field("", description="role of the target, as the recording names it")
    candidates: tuple[Node, ...] = Field((), description="the page's other candidates, where known")
    boxes: dict[str, Box] = Field(
        {}, description="by backend_node_id, boxes of targets and clickable nodes"
    )
    hidden: tuple[str, ...] = Field(
        (), description="backend_node_ids that the raw page did not lay out"
    )
    clickable: tuple[str, ...] = Field(
        (), description="backend_node_ids that the raw page holds clickable"
    )

    @field_validator("*", mode="before")
    @classmethod
    def _absent(cls, value: object, info: ValidationInfo) -> object:
        """The reference writes null for what it does not know: take the field's default."""
        if value is not None:
            return value
        assert info.field_name is not None, "a field's validator knows its field"
        return cls.model_fields[info.field_name].get_default()

    @property
    def name(self) -> str:
        """``<task>-<i>``, the item's name."""
        return f"{self.task_id}-{self.step_index}"

    @property
    def operation(self) -> Operation:
        """The operation that was done, with its value."""
        return Operation(self.op, self.value)

    @property
    def targets(self) -> tuple[str, ...]:
        """Every right target; empty if cleaning the recording removed them."""
        if self.gold_backend_node_ids or not self.gold_backend_node_id:
            return self.gold_backend_node_ids
        return (self.gold_backend_node_id,)


def to_line(step: RecordedStep) -> str:
    """The step as one line of JSONL, without the line's end."""
    return json.dumps(step.model_dump(mode="json"), ensure_ascii=False)


def read_lines(lines: Iterable[str], where: str) -> Iterator[RecordedStep]:
    """Steps from lines of JSONL, without blank ones; `SettingsError` names a bad line.

    ``where`` names the file in messages.
    """
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            yield RecordedStep.model_validate_json(line)
        except ValidationError as error:
            first = error.errors()[0]
            field = ".".join(str(part) for part in first["loc"])
            raise SettingsError(
                f"{where}, line {number}: not a recorded step: {field}: {first['msg']}"
            ) from error


def read_jsonl(path: Path) -> Iterator[RecordedStep]:
    """Steps of a JSONL file, gzipped if its name ends in ``.gz``, read as they are asked for.

    `SettingsError` if the file or a line cannot be read.
    """
    opener = gzip.open if path.suffix == ".gz" else open
    try:
        with opener(path, "rt", encoding="utf-8", errors="replace", newline="\n") as file:
            yield from read_lines(file, str(path))
    except (OSError, EOFError, zlib.error) as error:
        raise SettingsError(f"{path} cannot be read: {error}") from error
