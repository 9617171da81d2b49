"""Reads the ``task.json`` of an episode."""

from __future__ import annotations

from pydantic import ValidationError

from .models import Task
from .problems import field_name

_HINT = "install the distribution that offers this check, or judge where it is installed"


def parse_stored_task(content: str | bytes) -> Task:
    """The task in a ``task.json``; `ValueError` with everything that is wrong with it.

    A task that was stored elsewhere may use checks of a distribution that is not installed here:
    the message then says so.
    """
    try:
        return Task.model_validate_json(content)
    except ValidationError as error:
        raise ValueError("; ".join(_problems(error))) from error


def _problems(error: ValidationError) -> list[str]:
    found = []
    for details in error.errors(include_url=False, include_input=False):
        where = field_name(details["loc"])
        text = details["msg"]
        if where:
            text = f"{where}: {text}"
        if details["msg"].startswith(("unknown getter", "unknown metric")):
            text = f"{text}; {_HINT}"
        found.append(text)
    return found
