"""Lets a job begin from a savepoint with another parallelism: its state is dealt out anew in the first batch."""
