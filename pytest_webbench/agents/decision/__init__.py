"""The decision agent: one model chooses among typed options, another writes where needed."""
