"""Where a task's web comes from."""

from .base import Live, World, WorldName, open_world

__all__ = ["Live", "World", "WorldName", "open_world"]
