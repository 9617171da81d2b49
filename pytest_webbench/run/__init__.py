"""Runs on disk: many episodes under one tag."""

from .directory import RunDir
from .episode import StoredEpisode
from .episode_folder import EpisodeFolder
from .ledger import ItemKey, LedgerEntry, PlannedItem

__all__ = ["EpisodeFolder", "ItemKey", "LedgerEntry", "PlannedItem", "RunDir", "StoredEpisode"]
