"""The chat agent: a language model that answers in words and JSON, and what it needs."""

from __future__ import annotations

from .kind import Options, check, make

__all__ = ["Options", "check", "make"]
