"""The demo of windows."""
