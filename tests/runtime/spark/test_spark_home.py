"""Which Spark PySpark will start."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pyspark
import pytest

from windrow.errors import JobExecutionError
from windrow.runtime.spark.spark_home import check_spark_home, installed_pyspark, without_zipped_pyspark

PROGRAM = """
import os
from windrow.runtime.spark.session import session
spark = session({"spark.master": "local[1]"})
def where(_):
    import pyspark
    return pyspark.__file__
print(spark.sparkContext.parallelize([1]).map(where).first())
print(spark._jvm.java.lang.System.getenv("SPARK_HOME"))
print("SPARK_HOME" in os.environ)
"""


def spark(folder, version):
    for name in ("bin/spark-submit", f"jars/spark-core_2.13-{version}.jar"):
        (folder / name).parent.mkdir(parents=True)
        (folder / name).touch()
    return {"SPARK_HOME": str(folder)}


def test_pysparks_own_spark():
    """It is started where SPARK_HOME is not set."""
    assert check_spark_home({}) == (str(Path(pyspark.__file__).parent), pyspark.__version__)


def test_another_spark_of_the_same_version(tmp_path):
    """A patch release more or less does not matter."""
    version = pyspark.__version__.rpartition(".")[0] + ".99"
    assert check_spark_home(spark(tmp_path, version)) == (str(tmp_path), version)


def test_a_spark_of_another_version_is_refused(tmp_path):
    """Found, needed, what to do."""
    with pytest.raises(JobExecutionError) as raised:
        check_spark_home(spark(tmp_path, "2.4.8"))
    assert str(raised.value) == (
        f"SPARK_HOME is {str(tmp_path)!r}, which is Spark 2.4.8, and PySpark is {pyspark.__version__}: both must be of "
        "the same version; unset SPARK_HOME, and the Spark that came with PySpark is started"
    )


def test_a_folder_without_spark_is_refused(tmp_path):
    """As it would be a FileNotFoundError for a script."""
    with pytest.raises(JobExecutionError, match=r"SPARK_HOME is .*, and there is no bin/spark-submit in it; unset"):
        check_spark_home({"SPARK_HOME": str(tmp_path)})


def test_a_home_without_pysparks_zip_file(tmp_path):
    """It has what Java needs, and passes for the Spark that it is."""
    home = without_zipped_pyspark(tmp_path)
    assert sorted(each.name for each in home.iterdir()) == ["bin", "jars", "sbin"]
    assert check_spark_home({"SPARK_HOME": str(home)}) == (str(home), pyspark.__version__)


@pytest.mark.parametrize("name", ["SPARK_HOME", "PYSPARK_PYTHON"])
def test_a_spark_or_a_python_that_is_named_is_taken_as_it_is(name, monkeypatch):
    """The other Python may have no PySpark, and a Spark that somebody names is his."""
    monkeypatch.delenv("SPARK_HOME", raising=False)
    monkeypatch.setattr("pyspark.SparkContext._gateway", None)
    monkeypatch.setenv(name, "/nowhere")
    before = os.environ.get("SPARK_HOME")
    with installed_pyspark():
        assert os.environ.get("SPARK_HOME") == before


def test_without_symbolic_links_spark_has_its_own_home(tmp_path, monkeypatch):
    """It starts as it would, only slower; nothing is left of the attempt."""

    def refuse(*_):
        raise OSError("no links here")

    monkeypatch.delenv("SPARK_HOME", raising=False)
    monkeypatch.setattr("pyspark.SparkContext._gateway", None)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(Path, "symlink_to", refuse)
    with installed_pyspark():
        assert "SPARK_HOME" not in os.environ
    assert list(tmp_path.iterdir()) == []


@pytest.mark.spark
def test_workers_run_the_pyspark_that_is_installed(tmp_path):
    """They compile it once for all; nothing is left of the home that Java has instead."""
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    environment.pop("SPARK_HOME", None)  # where tests start Java fast, they have one
    done = subprocess.run([sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, check=True)
    used, home, seen = done.stdout.split()
    assert used == pyspark.__file__
    assert Path(home).parent == tmp_path
    assert seen == "False"
    for _ in range(600):  # Java ends a moment later
        if not any(tmp_path.glob("windrow-spark-*")):
            break
        time.sleep(0.1)
    assert not list(tmp_path.glob("windrow-spark-*"))
