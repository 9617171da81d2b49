"""What a session does with ``--webbench-held-out``."""

from __future__ import annotations

from collections.abc import Iterable

from ..errors import SettingsError
from ..run.held_out import Overlap, overlap_of
from ..run.work_item import WorkItem
from .invocation import Invocation


def overlap_with_training(works: Iterable[WorkItem], invocation: Invocation) -> Overlap | None:
    """What of the plan a model may know; None if nobody has said what it was trained on.

    `SettingsError` if the file cannot be used, or if there is an overlap that is not wanted.
    """
    given, strict = invocation.settings.held_out, invocation.settings.held_out_strict
    if not given:
        if strict:
            raise SettingsError(
                "--webbench-held-out-strict needs the domains: --webbench-held-out FILE"
            )
        return None
    overlap = overlap_of(works, invocation.folder / given, given)
    if strict and overlap.known:
        raise SettingsError(
            f"{overlap}; leave these tasks out by -k or -m, or do without "
            "--webbench-held-out-strict"
        )
    return overlap
