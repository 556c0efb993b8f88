"""Files read by Spark's readers."""

from windrow.connectors.spark_files import SparkFileSource

__all__ = ["SparkFileSource"]
