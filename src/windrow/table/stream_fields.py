"""Fields of a stream as PyFlink's older programs choose them: by expressions in place of a schema."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from windrow.common.checks import described, text
from windrow.datastream.streams.data_stream import DataStream
from windrow.errors import ConfigurationError, ConfigurationTypeError
from windrow.expressions.logical_types import name_of
from windrow.sql.errors import nearest
from windrow.table.data_types import DataType
from windrow.table.expression import Expression
from windrow.table.schema import Schema
from windrow.table.streams import ROWTIME, fields_of

Given = tuple[Schema | None, list[str] | None]


def schema_of_fields(stream: DataStream, given: Sequence[Any]) -> Given:
    """The schema that fields ask for, and what its columns are called in the end; None: as in the schema.

    Args:
        stream: The stream.
        given: A schema alone; or ``col("a")``, ``col("a").alias("b")``, ``col("t").rowtime`` and ``col("p").proctime``:
            names of the stream's fields, or if none of them is, new names in the order of the fields.

    Raises:
        ConfigurationError: there is no such field.
        ConfigurationTypeError: it is something else.

    Example:
        >>> from windrow.common import Types
        >>> from windrow.datastream import StreamExecutionEnvironment
        >>> from windrow.table.expressions import col
        >>> stream = StreamExecutionEnvironment.create_local_environment().from_collection(
        ...     [("a", 1)], Types.ROW_NAMED(["word", "n"], [Types.STRING(), Types.LONG()])
        ... )
        >>> schema, names = schema_of_fields(stream, [col("n"), col("word").alias("w"), col("p").proctime])
        >>> schema.names, names
        (['n', 'word', 'p'], ['n', 'w', 'p'])
    """
    fields = [each for each in given if each is not None]
    if not fields or (len(fields) == 1 and isinstance(fields[0], Schema)):
        return (fields[0] if fields else None), None
    chosen = [_parts(each) for each in fields]
    known = dict(fields_of(stream.get_type()) or [])
    if not known:
        msg = f"fields are those of a declared type; the stream has {stream.get_type()}: give a Schema"
        raise ConfigurationError(msg)
    plain = [name for name, _, kind in chosen if kind is None]
    by_place = not any(name in known for name in plain)
    if by_place and len(plain) > len(known):
        msg = f"there are {len(plain)} fields for the {len(known)} of the stream: {', '.join(known)}"
        raise ConfigurationError(msg)
    builder, names, places = Schema.new_builder(), [], iter(known)
    for name, called, kind in chosen:
        alias = called
        if kind == "ROWTIME":
            builder.column_by_metadata(name, "TIMESTAMP_LTZ(3)", ROWTIME).watermark(name, "SOURCE_WATERMARK()")
        elif kind == "PROCTIME":
            builder.column_by_expression(name, "PROCTIME()")
        else:
            field = next(places) if by_place else name
            builder.column(field, _type(field, known))
            alias = name if by_place else alias
        names.append(alias)
    return builder.build(), names


def _parts(given: Any) -> tuple[str, str, str | None]:
    """The name of a field, what it is called in the end, and whether it is a time."""
    alias, kind, inner = None, None, given
    if isinstance(inner, Expression) and inner._kind == "alias":
        inner, alias = inner._parts[:2]
    if isinstance(inner, Expression) and inner._kind == "property" and inner._parts[0] in ("ROWTIME", "PROCTIME"):
        kind, inner = inner._parts
    if not isinstance(inner, Expression) or inner._kind != "col":
        msg = f"a field of a stream is col('a'), with alias, rowtime or proctime behind it; got {described(given)}"
        raise ConfigurationTypeError(msg)
    name = text(inner._parts[0], "field")
    return name, alias or name, kind


def _type(name: str, known: dict[str, DataType]) -> str:
    if name not in known:
        msg = f"the stream has no field {name!r}: {nearest(name, known)}"
        raise ConfigurationError(msg)
    return name_of(known[name])
