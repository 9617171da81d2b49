"""A small suite with its own replica site, and how tests run pytest on it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

MINI: Final = Path(__file__).parent / "mini"
HOME: Final = "https://mini.test/"
STRICT: Final = ("-W", "error", "-p", "no:hypothesispytest")
"""That plugin loads the whole of Hypothesis in each session, which takes longer than the rest."""

RunMini = Callable[..., pytest.RunResult]
