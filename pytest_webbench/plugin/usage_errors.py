"""Our errors as pytest's, where the user chose something that cannot be used."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from ..errors import WebbenchError


@contextmanager
def usage_errors() -> Iterator[None]:
    """A block whose `WebbenchError` becomes a `pytest.UsageError`: one line and exit code 4."""
    try:
        yield
    except WebbenchError as error:
        raise pytest.UsageError(str(error)) from error
