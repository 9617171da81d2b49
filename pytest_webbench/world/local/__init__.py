"""The local world: sites that exist only here, with a database that is new in every episode."""

from .site import LocalSite, Visit

__all__ = ["LocalSite", "Visit"]
