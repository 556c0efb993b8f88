"""What a Spark session needs: given to one that is started, looked for in one that runs."""

import importlib
import sys
from pathlib import Path

import pytest

from tests.runtime.dependencies.packages import zipped
from windrow.common import Configuration
from windrow.errors import ConfigurationError
from windrow.runtime.dependencies.named import Archive, Dependencies
from windrow.runtime.dependencies.packing import pack
from windrow.runtime.spark.dependencies import Shipped, _absolute, session_for, session_options


class Context:
    """A Spark context that runs already."""

    def __init__(self, settings, python=sys.executable):
        self._settings = settings
        self.pythonExec = python
        self.master = "local[1]"

    def getConf(self):
        return self._settings


class Session:
    """A Spark session that runs already, with some settings."""

    def __init__(self, python=sys.executable, **settings):
        self.conf = {name.replace("_", "."): value for name, value in settings.items()}
        self.sparkContext = Context(self.conf, python)


def _configured(**settings):
    return Configuration.from_dict({name.replace("_", "."): value for name, value in settings.items()})


def test_a_session_that_is_started_gets_jars_and_class_paths(tmp_path):
    """Those of the configuration come behind those that Spark's own settings name; a file:// URI is a path."""
    jars = [zipped(tmp_path / f"{name}.jar", {}) for name in "ab"]
    configuration = _configured(
        spark_jars="c.jar", pipeline_jars=f"{jars[0]};file://{jars[1]}", pipeline_classpaths=str(tmp_path)
    )
    assert session_options(configuration) == {
        "spark.jars": f"c.jar,{jars[0]},{jars[1]}",
        "spark.driver.extraClassPath": str(tmp_path),
        "spark.executor.extraClassPath": str(tmp_path),
    }


def test_a_jar_that_is_not_there_is_named():
    """Spark would say so in its log alone."""
    with pytest.raises(ConfigurationError, match=r"pipeline.jars names '/nowhere/a.jar', and there is nothing at"):
        session_options(_configured(pipeline_jars="/nowhere/a.jar"))


def test_the_python_of_the_workers(tmp_path):
    """By its path; or in an archive, unpacked here for workers on this machine, brought along for those elsewhere."""
    assert session_options(_configured(python_executable="/usr/bin/python3")) == {
        "spark.pyspark.python": "/usr/bin/python3"
    }
    archive = zipped(tmp_path / "venv.zip", {"bin/python": "#!"})
    in_archive = {"python.archives": f"{archive}#venv", "python.executable": "venv/bin/python"}
    (local,) = session_options(Configuration.from_dict(in_archive)).values()
    with open(local) as python:
        assert python.read() == "#!"
    elsewhere = Configuration.from_dict({**in_archive, "spark.master": "yarn"})
    assert session_options(elsewhere) == {
        "spark.master": "yarn",
        "spark.pyspark.python": "./venv/bin/python",
        "spark.archives": f"{archive}#venv",
    }


def test_a_session_that_runs_without_a_jar_is_refused(tmp_path):
    """One that has it is taken."""
    jar = zipped(tmp_path / "a.jar", {})
    configuration = _configured(pipeline_jars=str(jar))
    with pytest.raises(ConfigurationError, match=f"names '{jar}', and the Spark session runs already without it"):
        session_for(configuration, Session())
    running = Session(spark_jars=f"file://{jar}")
    assert session_for(configuration, running) is running


def test_a_session_that_runs_with_another_python_is_refused():
    """The one that is asked for is taken, by whatever name leads to it."""
    configuration = _configured(python_executable=sys.executable)
    with pytest.raises(ConfigurationError, match=r"python.executable is .* of the Spark session run '/other'"):
        session_for(configuration, Session(python="/other"))
    for python in (sys.executable, "python3"):  # PySpark's default is this program's in a local session
        running = Session(python=python)
        assert session_for(configuration, running) is running


def test_settings_of_sparks_that_come_too_late_are_named(caplog):
    """A session that runs already is not changed; what it has as wanted is not worth a word."""
    session_for(_configured(spark_ui_port="4050", spark_app_name="a"), Session(spark_app_name="a"))
    assert caplog.messages == [
        "the Spark session runs already, so these settings of the program have no effect: spark.ui.port"
    ]


def test_functions_find_their_files_on_an_executor(tmp_path, monkeypatch):
    """An executor's folder of files is ".", and stays where it was when functions work in a folder of their own."""
    from pyspark import SparkFiles

    archive = zipped(tmp_path / "data.zip", {"data.txt": "1"})
    (tmp_path / "windrow_on_executor.py").write_text("x = 1")
    needed = Dependencies((tmp_path / "windrow_on_executor.py",), (Archive(archive, "data"),))
    shipped = Shipped(pack(needed, tmp_path).name)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(SparkFiles, "_is_running_on_worker", True)
    monkeypatch.setattr(SparkFiles, "_root_directory", ".")
    for _ in range(2):
        with shipped.at_work(), shipped.at_work():
            assert importlib.import_module("windrow_on_executor").x == 1
            assert Path("data/data.txt").read_text() == "1"
    _absolute.cache_clear()
