"""Where a task's web comes from."""

from .base import Live, World, open_world

__all__ = ["Live", "World", "open_world"]
