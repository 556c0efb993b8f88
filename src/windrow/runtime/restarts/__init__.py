"""Starts jobs that have failed again, as their restart strategies say."""
