"""All checks of the doctor's, in the order of its lines."""

from __future__ import annotations

from collections.abc import Iterator

from windrow.doctor import machine, packages, spark
from windrow.doctor.finding import Finding, State, note


def examine(*, run: bool = False) -> Iterator[Finding]:
    """Give what each check finds, one after the other.

    Args:
        run: Start Spark at the end, and run a small job, if nothing that it needs is missing.
    """
    failed = False
    for finding in _findings():
        failed = failed or finding.state is State.FAIL
        yield finding
    if run and failed:
        yield note("a small job", "not run: mend the above first")
    elif run:
        yield spark.small_job()


def _findings() -> Iterator[Finding]:
    yield packages.python()
    yield packages.pyspark()
    yield spark.java()
    yield spark.spark_home()
    yield spark.worker_python()
    yield from packages.needed()
    yield machine.temporary_folder()
    yield machine.working_directory()
    yield machine.memory()
    yield machine.loopback()
    yield machine.time_zone()
    yield from spark.variables()
    yield from packages.extras()
