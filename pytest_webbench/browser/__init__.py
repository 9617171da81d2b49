"""Browsers: finding, starting and driving them. The only place, capture aside, that imports Playwright."""
