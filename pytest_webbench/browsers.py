"""What a browser service of your own implements; see ``docs/browsers.md``."""

from .browser.cloud.service import BrowserService, Note

__all__ = ["BrowserService", "Note"]
