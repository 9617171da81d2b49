"""From a live page to evidence."""
