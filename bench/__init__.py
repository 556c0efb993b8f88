"""Windrow's speed beside Flink, PyFlink and Spark: ``python -m bench``, and README.md here."""
