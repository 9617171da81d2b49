"""Browsers: where they come from, what is observed in them, and how one acts in them."""
