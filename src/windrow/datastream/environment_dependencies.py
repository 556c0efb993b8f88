"""What a job needs besides its own code: files, archives, packages, a Python, jars."""

from __future__ import annotations

from typing import Any

from windrow.common.configuration import Configuration
from windrow.datastream.streams.checks import text


class DependencySettings:
    """An environment's methods that name what functions need; it is in the configuration, under Flink's names."""

    _configuration: Configuration

    def add_jars(self, *jars_path: str) -> None:
        """Remember jars; they are of use to Spark only if it is started with them."""
        self._append("pipeline.jars", jars_path, ";")

    def add_classpaths(self, *classpaths: str) -> None:
        """Remember class paths, as :meth:`add_jars`."""
        self._append("pipeline.classpaths", classpaths, ";")

    def add_python_file(self, file_path: str) -> None:
        """Remember a Python file that functions need."""
        self._append("python.files", (file_path,), ",")

    def add_python_archive(self, archive_path: str, target_dir: str | None = None) -> None:
        """Remember an archive of files that functions need."""
        self._append("python.archives", (archive_path if target_dir is None else f"{archive_path}#{target_dir}",), ",")

    def set_python_requirements(self, requirements_file_path: str, requirements_cache_dir: str | None = None) -> None:
        """Remember a requirements file."""
        cache = "" if requirements_cache_dir is None else f"#{requirements_cache_dir}"
        self._configuration.set_string("python.requirements", text(requirements_file_path, "path") + cache)

    def set_python_executable(self, python_exec: str) -> None:
        """Remember which Python runs the functions."""
        self._configuration.set_string("python.executable", text(python_exec, "python_exec"))

    def _append(self, key: str, values: tuple[Any, ...], separator: str) -> None:
        known = self._configuration.get_string(key, None)
        added = [text(value, key) for value in values]
        self._configuration.set_string(key, separator.join([*([known] if known else []), *added]))
