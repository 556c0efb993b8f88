"""What of Flink's and PyFlink's API is deliberately not here, and why: for errors and for the table of what is."""
