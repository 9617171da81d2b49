"""Playwright's errors in words that fit into ours."""

from __future__ import annotations

from typing import Final

from playwright.sync_api import Error

from .._text import first_line, sanitize

SCRIPT_FAILED: Final = "in-page script failed"
"""How the error of a script in an isolated world begins."""


def reason_of(error: Error) -> str:
    """What a Playwright error says, without its call log."""
    return sanitize(first_line(error.message)) or type(error).__name__


def is_from_script(error: Error) -> bool:
    """Whether a script of ours threw it, so that asking again gives the same."""
    return error.message.startswith(SCRIPT_FAILED)
