"""Runs on disk: many episodes under one tag."""

from .directory import EpisodeFolder, RunDir
from .ledger import ItemKey, LedgerEntry, PlannedItem

__all__ = ["EpisodeFolder", "ItemKey", "LedgerEntry", "PlannedItem", "RunDir"]
