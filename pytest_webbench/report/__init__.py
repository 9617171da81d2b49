"""What people and machines read of a run; made from the ledger."""
