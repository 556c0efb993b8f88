"""The parts of Flink's and PyFlink's API that are deliberately not here, and why: for errors and the table."""
