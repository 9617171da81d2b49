"""Browser sessions of a cloud service: one per episode, noted before use, given back afterwards."""

from .browser import CloudBrowser
from .service import BrowserService, LeftBehind, Reaped, Secret, SessionNotes, load_service, reap

__all__ = [
    "BrowserService",
    "CloudBrowser",
    "LeftBehind",
    "Reaped",
    "Secret",
    "SessionNotes",
    "load_service",
    "reap",
]
