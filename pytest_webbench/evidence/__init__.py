"""What the harness recorded of an episode, over its own channel."""
