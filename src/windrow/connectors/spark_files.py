"""Files read by Spark's readers."""

from __future__ import annotations

import os
from typing import Any

from windrow.connectors.dataframe import FILE_COLUMN, DataFrameSource
from windrow.datastream.output_tag import OutputTag
from windrow.errors import ConfigurationError, ConfigurationTypeError
from windrow.storage.local_path import local_path

#: The column in which the readers put a line that they cannot parse.
CORRUPT_COLUMN = "_windrow_corrupt"

#: Options that the source sets itself, in lower case.
_OWN_OPTIONS = frozenset({"mode", "columnnameofcorruptrecord", "header"})


class SparkFileSource(DataFrameSource):
    """CSV, JSON, Parquet or text files wherever Spark can read; every row is a ``Row`` with the columns' names.

    The source is bounded: it ends when the files are read that are there when the job starts. It has one channel, and
    so one watermark. Rows keep their order within a file; which file comes first is up to Spark. In a streaming query
    (a job with a checkpoint) Spark remembers which files it has read, and the job ends when all are read
    (``windrow.trigger.available-now``, which is set for such a job); the option ``maxFilesPerTrigger`` says how many
    files a batch reads. Processing-time timers do not fire in between, for nothing ticks.

    A line that does not fit the schema (too few or too many values, a word for a number, broken JSON) ends the job
    with a ``MalformedInputError`` that names the file and the line's text, or goes to a side output as
    ``(file, text)`` if ``dead_letter`` names one.

    Example:
        >>> from windrow.datastream import OutputTag
        >>> bad = OutputTag("bad lines")
        >>> source = SparkFileSource.csv("readings", "sensor string, second long", header=True, dead_letter=bad)
        >>> source.bounded, source.dead_letter
        (True, 'bad lines')
    """

    def __init__(
        self, file_format: str, path: Any, schema: Any, dead_letter: OutputTag | None, options: dict[str, Any]
    ) -> None:
        call = f"SparkFileSource.{file_format}"
        if not isinstance(path, str | os.PathLike) or not os.fspath(path):
            msg = f"path of {call} takes a path or URI that Spark can read; got {path!r} ({type(path).__name__})"
            raise ConfigurationTypeError(msg)
        if not isinstance(schema, str) or not schema.strip():
            msg = f"schema of {call} takes DDL text such as 'sensor string, second long'; got {schema!r}"
            raise ConfigurationTypeError(msg)
        if dead_letter is not None and not isinstance(dead_letter, OutputTag):
            msg = f"dead_letter of {call} takes an OutputTag; got {dead_letter!r} ({type(dead_letter).__name__})"
            raise ConfigurationTypeError(msg)
        self._format = file_format
        self._path = _for_spark(os.fspath(path), f"path of {call}")
        self._schema = schema
        self._options = options
        self.dataframe = None
        self.split = None
        self.splits = 1
        self.bounded = True
        self.streamable = True
        self.corrupt_column = CORRUPT_COLUMN if file_format in ("csv", "json") else None
        self.dead_letter = None if dead_letter is None else dead_letter.tag_id

    @staticmethod
    def csv(
        path: str | os.PathLike[str],
        schema: str,
        header: bool = False,
        dead_letter: OutputTag | None = None,
        **options: Any,
    ) -> SparkFileSource:
        """CSV files.

        Args:
            path: A file, folder or glob, in any file system that Spark can read; one without a scheme is in the file
                system that Spark's ``fs.defaultFS`` names, as everywhere in Spark.
            schema: The columns as Spark's DDL text, such as ``"sensor string, second long"``.
            header: Whether each file begins with a line of the columns' names; they must be the schema's.
            dead_letter: The side output for malformed lines, of ``(file, text)``; None makes one an error.
            options: More options of Spark's CSV reader, such as ``sep=";"``, or ``escape='"'`` for files in which a
                quote within quotes is doubled and not preceded by a backslash, as RFC 4180 has it.

        Raises:
            ConfigurationTypeError: an argument is of another type.
            ConfigurationError: an option is one that the source sets itself.
        """
        own = {"header": bool(header), "enforceSchema": not header}
        return SparkFileSource("csv", path, schema, dead_letter, {**own, **_checked("csv", options)})

    @staticmethod
    def json(
        path: str | os.PathLike[str], schema: str, dead_letter: OutputTag | None = None, **options: Any
    ) -> SparkFileSource:
        """Files with a JSON object in each line; arguments and errors as for :meth:`csv`."""
        return SparkFileSource("json", path, schema, dead_letter, _checked("json", options))

    @staticmethod
    def parquet(path: str | os.PathLike[str], schema: str, **options: Any) -> SparkFileSource:
        """Parquet files; arguments and errors as for :meth:`csv`. Columns that the schema leaves out are not read."""
        return SparkFileSource("parquet", path, schema, None, _checked("parquet", options))

    @staticmethod
    def text(path: str | os.PathLike[str], schema: str = "value string", **options: Any) -> SparkFileSource:
        """Lines of text, each a Row with one string; arguments and errors as for :meth:`csv`."""
        return SparkFileSource("text", path, schema, None, _checked("text", options))

    def frame(self, spark: Any, *, streaming: bool) -> Any:
        """The files as a DataFrame; malformed lines are in the corrupt column, with their file in another."""
        reader = (spark.readStream if streaming else spark.read).format(self._format).options(**self._options)
        if self.corrupt_column is None:
            return reader.schema(self._schema).load(self._path)
        reader = reader.options(mode="PERMISSIVE", columnNameOfCorruptRecord=self.corrupt_column)
        rows = reader.schema(f"{self._schema}, {self.corrupt_column} string").load(self._path)
        return rows.withColumn(FILE_COLUMN, rows["_metadata.file_path"])

    def __repr__(self) -> str:
        return f"SparkFileSource.{self._format}({self._path!r}, {self._schema!r})"


def _for_spark(path: str, parameter: str) -> str:
    """The path as Spark takes it: of a ``file:`` URI it would read neither escapes nor the host."""
    if not path.lower().startswith("file:"):
        return path
    return f"file:{local_path(path, parameter, 'give a path that all machines see')}"


def _checked(file_format: str, options: dict[str, Any]) -> dict[str, Any]:
    for name in options:
        if name.lower() in _OWN_OPTIONS:
            msg = f"SparkFileSource.{file_format} sets the option {name!r} itself; leave it out"
            raise ConfigurationError(msg)
    return options
