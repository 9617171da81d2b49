"""The getter behind Suite C's checks."""

from __future__ import annotations

from typing import Literal

from ..evidence.models import Evidence
from .agent import Actions
from .base import Getter, Value


class SuiteCView(Getter):
    """What Suite C's checks look at.

    ``u`` is the final URL, ``t`` its title, ``x`` its visible text, ``a`` what `actions` reads.
    """

    type: Literal["suite_c_view"] = "suite_c_view"

    def read(self, evidence: Evidence) -> Value:
        page = evidence.final_page()
        return {
            "u": page.url,
            "t": page.title,
            "x": page.visible_text,
            "a": Actions().read(evidence),
        }
