"""Where paths point to, and files that are there as a whole or not at all."""
