"""Looks at what Spark needs, with the checks that stand before its start; and starts it, if that is asked for."""

from __future__ import annotations

import os
import time
from collections.abc import Callable

from windrow.doctor.finding import Finding, fail, ok
from windrow.errors import WindrowError


def java() -> Finding:
    """The Java that Spark will start."""
    from windrow.runtime.spark.java import find_java

    def look() -> str:
        found = find_java()
        return f"{found.version}, {found.path} (from {found.named_by})"

    return _checked("Java", look)


def spark_home() -> Finding:
    """The Spark that PySpark will start."""
    from windrow.runtime.spark.spark_home import check_spark_home

    def look() -> str:
        found = check_spark_home()
        return f"{found.version}, {found.path}"

    return _checked("Spark", look)


def worker_python() -> Finding:
    """The Python that Spark's workers run on this machine."""
    from windrow.runtime.spark.worker_python import check_worker_python

    def look() -> str:
        found = check_worker_python()
        return f"{'.'.join(map(str, found.version))}, {found.path}"

    return _checked("Python of workers", look)


def small_job() -> Finding:
    """A job with an exchange, on a Spark of its own."""

    def look() -> str:
        from windrow.common import Configuration
        from windrow.datastream import StreamExecutionEnvironment

        started = time.monotonic()
        configuration = Configuration().set_string("windrow.runtime", "spark")
        env = StreamExecutionEnvironment.get_execution_environment(configuration).set_parallelism(2)
        sums = env.from_collection([("a", 1), ("b", 2), ("a", 3)]).key_by(lambda pair: pair[0]).sum(1)
        found = sorted(sums.execute_and_collect())
        expected = [("a", 1), ("a", 4), ("b", 2)]
        if found != expected:
            msg = f"a small job gave {found}, and not {expected}"
            raise WindrowError(msg)
        return f"Spark has started and run one, in {time.monotonic() - started:.0f} s"

    return _checked("a small job", look)


def variables() -> list[Finding]:
    """The environment variables that decide about Spark, of those that are set."""
    names = ("WINDROW_RUNTIME", "WINDROW_SPARK_LOG", "WINDROW_JAVA_STACK", "PYSPARK_SUBMIT_ARGS", "SPARK_CONF_DIR")
    findings = [ok(name, os.environ[name]) for name in names if name in os.environ]
    runtime = os.environ.get("WINDROW_RUNTIME")
    if runtime not in (None, "", "spark", "local"):
        findings[0] = fail("WINDROW_RUNTIME", f"it is {runtime!r}, and must be 'spark' or 'local'")
    return findings


def _checked(what: str, look: Callable[[], str]) -> Finding:
    try:
        return ok(what, look())
    except (WindrowError, ImportError) as error:
        return fail(what, str(error))
