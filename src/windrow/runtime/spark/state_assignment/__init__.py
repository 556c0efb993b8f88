"""Assigns the state of a savepoint to a job with other operators or another parallelism (Flink's state assignment)."""
