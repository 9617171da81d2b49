"""Agents that are programs, in any language: one process per episode, with a browser of its own."""
