"""Elements in batches: rows, or columns, with timestamps and keys."""
