"""The window operators."""
