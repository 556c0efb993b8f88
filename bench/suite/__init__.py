"""The benchmark beside Flink's Java runtime: its rows, how they are measured, and what is kept."""
