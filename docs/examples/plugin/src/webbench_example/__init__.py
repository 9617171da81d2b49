"""An example of a plugin for pytest-webbench."""
