"""Where recorded steps come from: local files, and the dataset's hub."""
