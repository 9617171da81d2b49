"""Where recorded steps come from: files on this machine, and the dataset's hub."""
