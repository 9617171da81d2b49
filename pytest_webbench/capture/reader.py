"""Reads values from an open page for the steps of a script; nothing of it becomes evidence."""

from __future__ import annotations

import json
import time
from contextlib import suppress
from typing import Any, Final

from playwright.sync_api import Error, Page

from ..browser.cdp_session import CdpSession
from ..browser.playwright_errors import reason_of
from ..checks import MISSING, Getter, Value
from ..errors import GetterError, StepError
from ..evidence.models import Evidence
from ..evidence.models import Read as Answered
from ..task.script import Read
from .capture import page_state
from .final_page import MOST_CHARACTERS
from .probe_script import questions, script
from .probes import frame_answer

_SECONDS: Final = 10.0
"""How long values may take to appear, as long as an element may."""
_PAUSE_MILLISECONDS: Final = 100
_NOTHING: Final[tuple[Value, ...]] = (MISSING, "", [])


def read_values(page: Page, step: Read) -> Value:
    """What the step's getter reads from ``page``, once it is there; `StepError` if it never is.

    Single fields may stay missing.
    """
    end = time.monotonic() + _SECONDS
    cdp = CdpSession(page)
    try:
        while True:
            value: Value = MISSING
            problem = "nothing is there"
            try:
                value = step.getter.read(_evidence(cdp, step.getter))
            except GetterError as error:
                problem = str(error)
            except Error as error:  # the page may be on its way to another document
                problem = reason_of(error)
            if not _lacks(value) or time.monotonic() >= end:
                break
            page.wait_for_timeout(_PAUSE_MILLISECONDS)
    finally:
        with suppress(Error):
            cdp.session.detach()
    if value is MISSING:
        raise StepError(f"read {step.into}: {problem}, within {_SECONDS:g} s at {page.url}")
    return value


def _lacks(value: Value) -> bool:
    if isinstance(value, dict):
        return any(_lacks(one) for one in value.values())
    return value in _NOTHING


def _evidence(cdp: CdpSession, getter: Getter) -> Evidence:
    """The page as evidence, with the answer to the getter's question."""
    probe = getter.probe()
    asked = [probe] if probe is not None else []
    state: dict[str, Any] = json.loads(
        cdp.world.evaluate(f"{script()}.collect({questions(asked)}, {MOST_CHARACTERS})")
    )
    reads: dict[str, Answered] = {}
    for one, found in zip(asked, state["reads"], strict=True):
        answer = frame_answer(cdp, one, MOST_CHARACTERS) if "foreign" in found else found
        reads[one.key()] = Answered(**answer)
    return Evidence(page=page_state(state), reads=reads)
