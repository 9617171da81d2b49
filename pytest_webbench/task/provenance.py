"""Where a task comes from, and what is known of the real site that it names."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, SerializerFunctionWrapHandler, model_serializer

from .fields import Model


class Fact(Model):
    """One thing a task relies on, and what speaks for it."""

    what: Annotated[str, Field(min_length=1)]
    by: Annotated[str, Field(min_length=1, description="where it can be read, and as of when")]


class Confirmed(Model):
    """What is known of the real site that a task names. Nothing of it is judged by."""

    on: str = Field(pattern=r"^\d{4}-\d{2}-\d{2}$", description="day of the last look")
    how: Literal["copies", "live"] = Field(
        description=(
            "copies: public copies of the site, its source code or its data; live: the site itself"
        )
    )
    facts: Annotated[list[Fact], Field(min_length=1)]
    unseen: list[str] = Field([], description="what the task relies on and nobody has seen yet")


class Source(Model):
    """Where a task comes from."""

    benchmark: str
    id: str = ""
    note: str = ""
    confirmed: Confirmed | None = Field(None, description="what is known of the real site")

    @model_serializer(mode="wrap")
    def _without_absent(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        # The task.json of a task that confirms nothing stays what it was before this field existed.
        data: dict[str, Any] = handler(self)
        if data.get("confirmed") is None:
            data.pop("confirmed", None)
        return data
