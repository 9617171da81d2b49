"""The offline probe on Mind2Web: single recorded steps, one page and one right action each."""
