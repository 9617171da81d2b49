"""Recorded steps as pytest items: one item per step, one browser per worker, one ledger as for every run."""
