"""Tables as a program describes them, in place of ``CREATE TABLE``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from windrow.common.checks import instance_of, text
from windrow.common.config_options import ConfigOption
from windrow.common.settings.values import show_value
from windrow.errors import ConfigurationError
from windrow.expressions.logical_types import name_of
from windrow.table.data_types import DataType
from windrow.table.schema import Schema

__all__ = ["FormatDescriptor", "TableDescriptor"]


@dataclass(frozen=True)
class FormatDescriptor:
    """A format and its options (PyFlink's class of the same name).

    Example:
        >>> json = FormatDescriptor.for_format("json").option("ignore-parse-errors", "true").build()
        >>> json.get_format(), json.get_options()
        ('json', {'ignore-parse-errors': 'true'})
    """

    _format: str
    _options: Mapping[str, str]

    @staticmethod
    def for_format(format: str) -> FormatDescriptor.Builder:  # noqa: A002
        """Begin to describe a format, as ``csv`` or ``json``."""
        return FormatDescriptor.Builder(text(format, "format"))

    def get_format(self) -> str:
        """The format's name."""
        return self._format

    def get_options(self) -> dict[str, str]:
        """Its options, without its name before them."""
        return dict(self._options)

    class Builder:
        """Describes a format step by step."""

        def __init__(self, format: str) -> None:  # noqa: A002
            self._format = format
            self._options: dict[str, str] = {}

        def option(self, key: str | ConfigOption[Any], value: Any) -> Self:
            """Set an option, without the format's name before it."""
            self._options[_key(key)] = show_value(value)
            return self

        def build(self) -> FormatDescriptor:
            """Make it."""
            return FormatDescriptor(self._format, dict(self._options))


@dataclass(frozen=True)
class TableDescriptor:
    """Describes a table as ``CREATE TABLE`` does (PyFlink's class of the same name).

    Example:
        >>> from windrow.table import DataTypes
        >>> numbers = Schema.new_builder().column("n", DataTypes.INT()).build()
        >>> described = TableDescriptor.for_connector("datagen").schema(numbers).option("number-of-rows", 3).build()
        >>> described.get_options()
        {'connector': 'datagen', 'number-of-rows': '3'}
    """

    _schema: Schema | None
    _options: Mapping[str, str]
    _partition_keys: Sequence[str] = field(default=())
    _comment: str | None = None

    @staticmethod
    def for_connector(connector: str) -> TableDescriptor.Builder:
        """Begin to describe a table of a connector, as ``filesystem`` or ``kafka``."""
        return TableDescriptor.Builder().option("connector", text(connector, "connector"))

    def get_schema(self) -> Schema | None:
        """Its columns; None: they were not said."""
        return self._schema

    def get_options(self) -> dict[str, str]:
        """The options that would stand in ``WITH``."""
        return dict(self._options)

    def get_partition_keys(self) -> list[str]:
        """The columns that would stand in ``PARTITIONED BY``."""
        return list(self._partition_keys)

    def get_comment(self) -> str | None:
        """The comment; None: there is none."""
        return self._comment

    class Builder:
        """Describes a table step by step."""

        def __init__(self) -> None:
            self._schema: Schema | None = None
            self._options: dict[str, str] = {}
            self._partition_keys: list[str] = []
            self._comment: str | None = None

        def schema(self, schema: Schema) -> Self:
            """Say which columns there are."""
            self._schema = instance_of(schema, Schema, "schema")
            return self

        def option(self, key: str | ConfigOption[Any], value: Any) -> Self:
            """Set an option, with its whole name."""
            self._options[_key(key)] = show_value(value)
            return self

        def format(self, format: str | FormatDescriptor, format_option: ConfigOption[str] | None = None) -> Self:  # noqa: A002
            """Set the format and its options.

            Args:
                format: The format, or what it is called.
                format_option: Which option names it, as ``value.format``; None: ``format``.
            """
            key = "format" if format_option is None else format_option.key
            described = FormatDescriptor(format, {}) if isinstance(format, str) else format
            before = key.removesuffix("format")  # key.format: key.json.ignore-parse-errors
            self._options[key] = described.get_format()
            for name, value in described.get_options().items():
                self._options[f"{before}{described.get_format()}.{name}"] = value
            return self

        def partitioned_by(self, *partition_keys: str) -> Self:
            """Say which columns' values are folders."""
            self._partition_keys += [text(each, "partition_keys") for each in partition_keys]
            return self

        def comment(self, comment: str) -> Self:
            """Say something about it."""
            self._comment = text(comment, "comment")
            return self

        def build(self) -> TableDescriptor:
            """Make it."""
            return TableDescriptor(self._schema, dict(self._options), tuple(self._partition_keys), self._comment)


def _key(key: str | ConfigOption[Any]) -> str:
    return key.key if isinstance(key, ConfigOption) else text(key, "key")


def statement_of_descriptor(name: str, described: TableDescriptor, *, temporary: bool = False) -> str:
    """The ``CREATE TABLE`` that a description stands for.

    Raises:
        ConfigurationError: it has no columns.

    Example:
        >>> from windrow.table import DataTypes
        >>> numbers = Schema.new_builder().column("n", DataTypes.INT()).column_by_expression("m", "n + 1").build()
        >>> print(statement_of_descriptor("t", TableDescriptor.for_connector("print").schema(numbers).build()))
        CREATE TABLE `t` (
          `n` INT,
          `m` AS n + 1
        )
        WITH (
          'connector' = 'print'
        )
    """
    schema = described.get_schema()
    if schema is None or not schema.columns:
        msg = f"the descriptor of table {name!r} has no columns: schema(Schema.new_builder().column(...).build())"
        raise ConfigurationError(msg)
    lines = [f"{_quoted(each)} {_column(schema, each, kind, written)}" for each, kind, written in schema.columns]
    if schema.watermark is not None:
        time, expression = schema.watermark
        lines.append(f"WATERMARK FOR {_quoted(time)} AS {expression}")
    if schema.primary_key:
        lines.append(f"PRIMARY KEY ({', '.join(_quoted(name) for name in schema.primary_key)}) NOT ENFORCED")
    head = f"CREATE {'TEMPORARY ' if temporary else ''}TABLE {_quoted(name)}"
    parts = [f"{head} (\n  " + ",\n  ".join(lines) + "\n)"]
    comment = described.get_comment()
    if comment:
        parts.append(f"COMMENT {_text(comment)}")
    if described.get_partition_keys():
        parts.append(f"PARTITIONED BY ({', '.join(_quoted(name) for name in described.get_partition_keys())})")
    options = [f"{_text(key)} = {_text(value)}" for key, value in described.get_options().items()]
    parts.append("WITH (\n  " + ",\n  ".join(options) + "\n)")
    return "\n".join(parts)


def _column(schema: Schema, name: str, kind: DataType | str | None, written: str | None) -> str:
    if kind is None:
        return f"AS {written}"
    shown = kind if isinstance(kind, str) else name_of(kind)
    if name not in schema.metadata:
        return shown
    key, virtual = schema.metadata[name]
    return f"{shown} METADATA FROM {_text(key)}{' VIRTUAL' if virtual else ''}"


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"
