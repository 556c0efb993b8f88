"""The watch over a job: its graph, its batches, its time and its failures as plain data, shown live and afterwards."""
