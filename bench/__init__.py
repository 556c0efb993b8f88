"""Windrow's speed against Flink, PyFlink and Spark's own windows on the same job: ``python -m bench``."""
