"""The threads that fetch."""
