"""The settings of a program: which of Flink's and Windrow's there are, and what becomes of each."""
