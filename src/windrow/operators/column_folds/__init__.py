"""Folds of elements by key, over columns: what windows of panes, sessions and the running reduce share."""
