"""What the suites of this repository share: see CONTRIBUTING.md, "Add a task and its replica"."""

# Pages and data of replica sites, which would only be looked through.
collect_ignore_glob = ["suites/*/replica/*", "suites/*/sites/*"]
