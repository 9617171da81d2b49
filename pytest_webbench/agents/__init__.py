"""Agents: whatever acts in a browser."""

from .base import Agent, Budget, GaveUp

__all__ = ["Agent", "Budget", "GaveUp"]
