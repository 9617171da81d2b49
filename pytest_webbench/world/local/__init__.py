"""The local world: sites that exist only here, with a database that is new in every episode."""

from .draws import draw
from .site import LocalSite, Visit
from .world import Local

__all__ = ["Local", "LocalSite", "Visit", "draw"]
