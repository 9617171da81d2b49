"""Our own cheats, as agents: what a benchmark must not pass without a word."""
