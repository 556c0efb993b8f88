"""Finds what paths point to, and writes files that are there as a whole or not at all."""
