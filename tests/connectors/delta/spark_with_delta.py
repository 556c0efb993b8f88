"""Delta Lake, and the newest Spark that it has jars for: fetched once, into a folder outside the project."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from scripts.maven_artifacts import UnavailableError, resolve, user_cache

POM = Path(__file__).with_name("delta_lake") / "pom.xml"
REQUIREMENTS = Path(__file__).with_name("requirements.txt")
TIMEOUT_SECONDS = 900


class SparkWithDelta(NamedTuple):
    """Where they are."""

    #: For PYTHONPATH: a PySpark.
    python: Path
    jars: Path


def spark_with_delta() -> SparkWithDelta:
    """Fetch what is not there.

    Raises:
        UnavailableError: Maven does not get the jars, or pip the Spark.
    """
    jars = resolve(POM)
    cache = user_cache()
    folder = cache / f"delta-spark-{hashlib.sha256(REQUIREMENTS.read_bytes()).hexdigest()[:12]}"
    if not folder.is_dir():
        with tempfile.TemporaryDirectory(dir=cache, prefix=".delta-spark-") as partial:
            made = Path(partial) / "python"
            # PySpark is published as source; the project's lock file for builds has what builds it.
            pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--no-deps"]
            pip += ["--require-hashes", "--no-build-isolation", "--target", str(made), "-r", str(REQUIREMENTS)]
            try:
                done = subprocess.run(pip, capture_output=True, text=True, timeout=TIMEOUT_SECONDS, check=False)
            except subprocess.TimeoutExpired:
                msg = f"pip has not fetched {REQUIREMENTS} within {TIMEOUT_SECONDS} s"
                raise UnavailableError(msg) from None
            if done.returncode:
                msg = f"pip does not fetch {REQUIREMENTS}:\n{done.stderr[-2000:]}"
                raise UnavailableError(msg)
            try:
                made.rename(folder)
            except OSError:
                if not folder.is_dir():
                    raise
    return SparkWithDelta(folder, jars)
