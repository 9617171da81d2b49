"""One attempt at a task, from an empty browser context to evidence."""
