"""The rows of a table as those of a schema that a program wants."""

from __future__ import annotations

from collections.abc import Mapping

from windrow.datastream.streams.data_stream import DataStream
from windrow.datastream.streams.program import factory
from windrow.errors import ConfigurationError
from windrow.expressions.logical_types import may_be_null, name_of
from windrow.expressions.nodes import Expression, InputRef
from windrow.operators.table.not_null import NotNullOperator
from windrow.sql.errors import nearest
from windrow.sql.expression_binder import cast_to
from windrow.sql.plan import Column, Project, Relation, upsert_keys
from windrow.table.changelog_mode import ROW_KIND
from windrow.table.schema import Schema
from windrow.table.streams import declared_type
from windrow.table.written_columns import fits


def as_of_schema(relation: Relation, schema: Schema, time_zone: str) -> tuple[Relation, dict[int, str]]:
    """The relation with the columns of a schema, which take its own ones by their places, as ``INSERT INTO`` does.

    Returns:
        It, and by their places the names of the columns that are NOT NULL in the schema alone.

    Raises:
        ConfigurationError: there are more or less of them, values of one would have to be CAST, the primary key names
            what there is not, or the schema has more than columns with types and a primary key.
    """
    computed = [name for name, _, written in schema.columns if written is not None]
    if computed or schema.metadata or schema.watermark is not None:
        beside = computed or list(schema.metadata) or [schema.watermark[0] if schema.watermark else ""]
        msg = (
            "target_schema takes columns that have types, and a primary key; "
            f"{beside[0]!r} is computed, of metadata, or has a watermark: leave that out (Rows have their event time "
            "as timestamp in any case)"
        )
        raise ConfigurationError(msg)
    for name in schema.primary_key:
        known = schema.names or [column.name for column in relation.columns]
        if name not in known:
            msg = f"primary key of target_schema: there is no column {name!r}: {nearest(name, known)}"
            raise ConfigurationError(msg)
    if not schema.columns:
        return relation, {}
    if len(schema.columns) != len(relation.columns):
        msg = (
            f"target_schema has {len(schema.columns)} columns, and the table {len(relation.columns)}: "
            f"{', '.join(schema.names)}; {', '.join(column.name for column in relation.columns)}"
        )
        raise ConfigurationError(msg)
    columns: list[Column] = []
    expressions: list[Expression] = []
    full: dict[int, str] = {}
    for place, ((name, kind, _), column) in enumerate(zip(schema.columns, relation.columns, strict=True)):
        assert kind is not None
        target = declared_type(kind)
        if not fits(column.type, target):
            msg = (
                f"target_schema: column {name!r} is {name_of(target)}, and {column.name!r} of the table "
                f"{name_of(column.type)}: CAST it in a query"
            )
            raise ConfigurationError(msg)
        expression = cast_to(InputRef(place, column.type), target, time_zone=time_zone)
        expressions.append(expression)
        columns.append(Column(name, expression.type, rowtime=column.rowtime))
        if may_be_null(column.type) and not may_be_null(target):
            full[place] = name
    return Project(columns, relation, expressions, changes=relation.changes), full


def check_key(relation: Relation, schema: Schema) -> None:
    """See that a relation's changes take each other's place by the primary key of a schema, if it has one.

    Raises:
        ConfigurationError: they do so by another key, or by none that is known.
    """
    names = schema.names or [column.name for column in relation.columns]
    found = [{names[place] for place in key} for key in upsert_keys(relation)]
    if schema.primary_key and set(schema.primary_key) not in found:
        known = " or ".join(", ".join(name for name in names if name in key) for key in found) or "none"
        msg = (
            f"primary key of target_schema is {', '.join(schema.primary_key)}, and the key of the table's changes is "
            f"{known}: declare that, or take ChangelogMode.all()"
        )
        raise ConfigurationError(msg)


def without_nulls(stream: DataStream, relation: Relation, full: Mapping[int, str]) -> DataStream:
    """The tuples of a relation; NULL is an error in some columns."""
    if not full:
        return stream
    types = [*[column.type for column in relation.columns], *[ROW_KIND] * relation.changes]
    make = factory(NotNullOperator, types, dict(full))
    return stream._transform("NotNull", make, None, stateless=True, convert=False)
