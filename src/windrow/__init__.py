"""Windrow: Apache Flink's DataStream model for Python, executed on Apache Spark."""

__version__ = "0.1.0"
