"""Brings what functions need to Spark's workers, and what a session needs into one that is started."""

from __future__ import annotations

import logging
import os
import sys
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from windrow.common.configuration import Configuration
from windrow.common.settings.table import setting_of, text_of
from windrow.errors import ConfigurationError
from windrow.runtime.dependencies.named import Archive, Dependencies, is_same_python
from windrow.runtime.dependencies.packed import packed, process_folder
from windrow.runtime.dependencies.packing import WORK, unpack
from windrow.runtime.dependencies.work import at_work
from windrow.runtime.spark.forked_pythons import asks_for_forks
from windrow.runtime.spark.session import session
from windrow.storage.local_path import local_path

_log = logging.getLogger("windrow")
_PYTHON = "spark.pyspark.python"
#: Where Spark finds classes, by the settings that name them.
_CLASSES = {
    "pipeline.jars": (("spark.jars",), ","),
    "pipeline.classpaths": (("spark.driver.extraClassPath", "spark.executor.extraClassPath"), os.pathsep),
}
_ELSEWHERE = "Spark reads jars where it runs: name a file that is there"
#: Archives that a Spark application was given, by its id and their names.
_GIVEN: set[tuple[str, str]] = set()


@dataclass(frozen=True)
class Shipped:
    """An archive of what a job's functions need, which Spark brings to all workers."""

    name: str

    def at_work(self, *, in_folder: bool = True) -> AbstractContextManager[None]:
        """Let functions find it, in this process."""
        from pyspark import SparkFiles

        root = _absolute(SparkFiles.getRootDirectory())
        return at_work(unpack(root / self.name, root), in_folder=in_folder)


@cache
def _absolute(root: str) -> Path:
    """Find where Spark puts files, as first asked for: an executor says ".", and functions work in another folder."""
    return Path(root).absolute()


def ship(spark: Any, configuration: Configuration) -> Shipped | None:
    """Give Spark what the configuration names for functions; None if it names nothing.

    Raises:
        ConfigurationError: something that is named cannot be had.
    """
    dependencies = Dependencies.of(configuration)
    if not dependencies:
        return None
    archive = packed(dependencies)
    context = spark.sparkContext
    given = (context.applicationId, archive.name)
    if given not in _GIVEN:
        context.addFile(str(archive))
        _GIVEN.add(given)
    return Shipped(archive.name)


def session_for(configuration: Configuration, spark: Any = None) -> Any:
    """The session to run a job on: the given one, the active one, or a new one with what the configuration names.

    Raises:
        ConfigurationError: it runs already, without the jars or with another Python than the job asks for.
    """
    if spark is None:
        spark = session(session_options(configuration))
    _check_python(spark, configuration)
    _check_classes(spark, configuration)
    _warn_of_settings(spark, configuration)
    return spark


def session_options(configuration: Configuration) -> dict[str, str]:
    """Spark's settings for a session that has to be started."""
    options = {name: value for name, value in configuration.to_dict().items() if name.startswith("spark.")}
    for key, (names, separator) in _CLASSES.items():
        for name in names if text_of(configuration, key) else ():
            known = [options[name]] if options.get(name) else []
            options[name] = separator.join([*known, *_places(configuration, key)])
    executable = text_of(configuration, "python.executable")
    if executable is not None:
        options |= _python_options(executable, configuration, options)
    return options


def _python_options(executable: str, configuration: Configuration, options: dict[str, str]) -> dict[str, str]:
    """A Python by its path, or one in an archive that goes along."""
    archive = _archive_of(executable, configuration)
    if archive is None:
        return {_PYTHON: executable}
    if options.get("spark.master", "local").startswith("local") and "PYSPARK_GATEWAY_PORT" not in os.environ:
        return {_PYTHON: _unpacked_python(executable, archive)}
    archives = [options["spark.archives"]] if options.get("spark.archives") else []
    return {_PYTHON: f"./{executable}", "spark.archives": ",".join([*archives, f"{archive.path}#{archive.target}"])}


def _archive_of(executable: str, configuration: Configuration) -> Archive | None:
    archives = Dependencies.of(configuration).archives
    return next((each for each in archives if executable.startswith(f"{each.target}/")), None)


def _unpacked_python(executable: str, archive: Archive) -> str:
    return str(unpack(packed(Dependencies(archives=(archive,))), process_folder()) / WORK / executable)


def _places(configuration: Configuration, key: str) -> list[str]:
    row, text = setting_of(key), text_of(configuration, key)
    assert row is not None
    return [_place(item, key) for item in row.kind.read(key, text)]


def _place(item: str, key: str) -> str:
    """A local path as Spark takes it; a URI of another file system as it is."""
    if "://" in item and not item.startswith("file:"):
        return item
    path = local_path(item, key, _ELSEWHERE)
    if not path.exists():
        msg = f"{key} names {item!r}, and there is nothing at {path}"
        raise ConfigurationError(msg)
    return str(path)


def _check_classes(spark: Any, configuration: Configuration) -> None:
    settings = spark.sparkContext.getConf()
    for key, (names, separator) in _CLASSES.items():
        if text_of(configuration, key) is None:
            continue
        running = {place.removeprefix("file://") for place in settings.get(names[0], "").split(separator)}
        for place in _places(configuration, key):
            if place not in running:
                msg = (
                    f"{key} names {place!r}, and the Spark session runs already without it; give it to the session "
                    f"when it is started ({names[0]}), or let Windrow start one"
                )
                raise ConfigurationError(msg)


def _check_python(spark: Any, configuration: Configuration) -> None:
    executable = text_of(configuration, "python.executable")
    if executable is None:
        return
    runs = spark.sparkContext.pythonExec
    if (runs == "python3" and spark.sparkContext.master.startswith("local")) or asks_for_forks(runs):
        runs = sys.executable  # what the workers of a local session are given
    archive = _archive_of(executable, configuration)
    wanted = [executable] if archive is None else [f"./{executable}", _unpacked_python(executable, archive)]
    if not any(is_same_python(runs, each) for each in wanted):
        msg = (
            f"python.executable is {executable!r}, and the workers of the Spark session run {runs!r}; name it in "
            "PYSPARK_PYTHON where the session is started, or let Windrow start one"
        )
        raise ConfigurationError(msg)


def _warn_of_settings(spark: Any, configuration: Configuration) -> None:
    """Say which settings of Spark's come too late: the session runs already, and with other ones."""
    wanted = {name: value for name, value in configuration.to_dict().items() if name.startswith("spark.")}
    late = [name for name, value in wanted.items() if spark.conf.get(name, None) != value]
    late = [name for name in late if name not in ("spark.jars", "spark.archives", *_CLASSES["pipeline.classpaths"][0])]
    if late:
        names = ", ".join(sorted(late))
        _log.warning("the Spark session runs already, so these settings of the program have no effect: %s", names)
