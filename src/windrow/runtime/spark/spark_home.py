"""Looks at the Spark that PySpark will start: one of another version fails in the middle of a job.

And has it run the PySpark that is installed, not the one in its zip file.
"""

from __future__ import annotations

import os
import re
import shutil
import site
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

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


def without_zipped_pyspark(folder: Path) -> Path:
    """Make a home of PySpark's own Spark that lacks ``python/lib/pyspark.zip``; give back ``folder``.

    Spark puts that file in front of what is installed for each Python that it starts, and a Python compiles what it
    reads from a zip file every time: 0.6 s of processor time, for a few Pythons in each streaming query.

    Raises:
        OSError: the file system has no symbolic links.
    """
    import pyspark

    for name in ("bin", "jars", "sbin"):
        (folder / name).symlink_to(Path(pyspark.__file__).parent / name)
    return folder


@contextmanager
def installed_pyspark() -> Iterator[None]:
    """Let the Java that is started meanwhile have its Pythons run the PySpark that is installed, where that is sure.

    It is where workers run this program's own Python, which finds PySpark by itself, and nobody has named a Spark. The
    home that this Java has instead is a temporary folder of links, which Java removes when it ends. Where there can be
    no such folder, workers run the zipped one.
    """
    from pyspark import SparkContext

    is_needed = "SPARK_HOME" not in os.environ and SparkContext._gateway is None and _workers_find_pyspark()
    home = _temporary_home() if is_needed else None
    if home is None:
        yield
        return
    try:
        os.environ["SPARK_HOME"] = str(home)
        yield
        _removed_by_java(SparkContext._jvm, home)
    except BaseException:
        shutil.rmtree(home)
        raise
    finally:
        os.environ.pop("SPARK_HOME", None)


def _temporary_home() -> Path | None:
    """None: the file system has no symbolic links, or no room."""
    try:
        folder = Path(tempfile.mkdtemp(prefix="windrow-spark-"))
    except OSError:
        return None
    try:
        return without_zipped_pyspark(folder)
    except OSError:
        shutil.rmtree(folder)
        return None


def _workers_find_pyspark() -> bool:
    import pyspark

    if os.environ.get("PYSPARK_PYTHON", sys.executable) != sys.executable:
        return False
    places = [*site.getsitepackages(), *os.environ.get("PYTHONPATH", "").split(os.pathsep)]
    return str(Path(pyspark.__file__).parents[1]) in places


def _removed_by_java(jvm: Any, home: Path) -> None:
    for each in (home, *home.iterdir()):  # Java removes the last one first
        jvm.java.io.File(str(each)).deleteOnExit()
