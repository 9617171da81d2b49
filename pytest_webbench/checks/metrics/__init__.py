"""Metrics: one comparison each."""
