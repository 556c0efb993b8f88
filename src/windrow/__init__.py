"""Windrow: Apache Flink's DataStream model for Python, executed on Apache Spark."""

from windrow.absent.modules import explain_absent_modules

__version__ = "0.1.0"

explain_absent_modules()
