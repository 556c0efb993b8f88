"""Which Spark PySpark will start."""

from pathlib import Path

import pyspark
import pytest

from windrow.errors import JobExecutionError
from windrow.runtime.spark.spark_home import check_spark_home


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
