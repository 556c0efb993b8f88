"""Brings functions what they need besides their own code: files and packages to import, archives to read."""
