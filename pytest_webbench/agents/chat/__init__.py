"""The chat agent: a language model that answers in words and JSON chooses each action."""
