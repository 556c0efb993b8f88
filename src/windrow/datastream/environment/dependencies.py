"""Takes what a job needs besides its own code: files, archives, packages, a Python, jars."""

from __future__ import annotations

from typing import Any

from windrow.common.checks import text
from windrow.common.configuration import Configuration


class DependencySettings:
    """An environment's methods that name what functions need; it is in the configuration, under Flink's names."""

    _configuration: Configuration

    def add_jars(self, *jars_path: str) -> None:
        """Name jars for the Spark session that Windrow starts: local paths, or URIs that Spark reads.

        A session that runs already without them is refused when a job starts. The local runtime has no use for them.
        """
        self._append("pipeline.jars", jars_path, ";")

    def add_classpaths(self, *classpaths: str) -> None:
        """Name class paths, which are there on every machine, as :meth:`add_jars`."""
        self._append("pipeline.classpaths", classpaths, ";")

    def add_python_file(self, file_path: str) -> None:
        """Let functions import from a Python file, a folder, or a package as zip, egg or wheel.

        It is sent to the workers when a job starts, and is on the path of the program's process while the job runs. A
        folder is on the path itself; if it is a package, so is what it is in.

        Args:
            file_path: A local path, or a ``file:`` URI.
        """
        self._append("python.files", (file_path,), ",")

    def add_python_archive(self, archive_path: str, target_dir: str | None = None) -> None:
        """Let functions open files of a zip or tar archive, by paths relative to their working directory.

        In the local runtime that is the directory of the whole process while the job runs.

        Args:
            archive_path: A local path, or a ``file:`` URI.
            target_dir: The folder in the working directory that it is extracted to; None: one of the archive's name.
        """
        self._append("python.archives", (archive_path if target_dir is None else f"{archive_path}#{target_dir}",), ",")

    def set_python_requirements(self, requirements_file_path: str, requirements_cache_dir: str | None = None) -> None:
        """Let functions import the packages of a requirements file.

        They are installed with pip, on the program's machine, into a folder that is sent to the workers: their Python
        and system must be the same. A package that cannot be installed is an error that names it.

        Args:
            requirements_file_path: The file.
            requirements_cache_dir: A folder with packages; pip looks nowhere else. None: pip looks where it does.
        """
        cache = "" if requirements_cache_dir is None else f"#{requirements_cache_dir}"
        self._configuration.set_string("python.requirements", text(requirements_file_path, "path") + cache)

    def set_python_executable(self, python_exec: str) -> None:
        """Say which Python the workers of a Spark session run that Windrow starts.

        A session that runs already with another one is refused when a job starts, and so is another one than the
        program's in the local runtime.

        Args:
            python_exec: A path, or one that begins with the folder of an archive: ``venv.zip/bin/python``.
        """
        self._configuration.set_string("python.executable", text(python_exec, "python_exec"))

    def _append(self, key: str, values: tuple[Any, ...], separator: str) -> None:
        known = self._configuration.get_string(key, None)
        added = [text(value, key) for value in values]
        self._configuration.set_string(key, separator.join([*([known] if known else []), *added]))
