"""Looks at the Spark that PySpark will start: one of another version fails in the middle of a job."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from windrow.errors import JobExecutionError

_JAR = re.compile(r"spark-core_[\d.]+-(.+)\.jar$")
_REMEDY = "unset SPARK_HOME, and the Spark that came with PySpark is started"


class SparkHome(NamedTuple):
    """The Spark that PySpark will start."""

    path: str
    version: str


def check_spark_home(environment: Mapping[str, str] = os.environ) -> SparkHome:
    """PySpark's own Spark, or the one that ``SPARK_HOME`` names.

    Raises:
        JobExecutionError: that one is not there, or not of PySpark's version.
    """
    import pyspark

    named = environment.get("SPARK_HOME")
    if not named:
        return SparkHome(str(Path(pyspark.__file__).parent), pyspark.__version__)
    if not (Path(named) / "bin" / "spark-submit").exists():
        msg = f"SPARK_HOME is {named!r}, and there is no bin/spark-submit in it; {_REMEDY}"
        raise JobExecutionError(msg)
    found = [match.group(1) for jar in Path(named).glob("jars/spark-core_*.jar") if (match := _JAR.match(jar.name))]
    if found and found[0].split(".")[:2] != pyspark.__version__.split(".")[:2]:
        msg = (
            f"SPARK_HOME is {named!r}, which is Spark {found[0]}, and PySpark is {pyspark.__version__}: both must be "
            f"of the same version; {_REMEDY}"
        )
        raise JobExecutionError(msg)
    return SparkHome(named, found[0] if found else "unknown")
