"""What a job shows while it runs and afterwards, as plain data: its graph, its batches, its time, what went wrong."""
