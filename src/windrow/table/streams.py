"""Streams as relations, and relations as streams."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from windrow.common.basic_types import BasicType, BasicTypeInfo
from windrow.common.composite_types import RowTypeInfo, TupleTypeInfo
from windrow.common.typeinfo import Types
from windrow.common.types import RowKind
from windrow.datastream.streams.data_stream import DataStream
from windrow.datastream.streams.program import factory
from windrow.errors import ConfigurationError
from windrow.expressions import logical_types as lt
from windrow.expressions.nodes import Expression, InputRef
from windrow.operators.table.calc import CalcOperator
from windrow.operators.table.rows import ToChangesOperator, ToRowsOperator, ToTuplesOperator
from windrow.sql.catalog import Catalog
from windrow.sql.dialect import parse, parse_type
from windrow.sql.errors import nearest
from windrow.sql.expression_binder import ExpressionBinder, cast_to
from windrow.sql.plan import AssignTime, Column, Normalize, Project, Relation, Scan, is_clock
from windrow.sql.scope import Scope
from windrow.sql.table_binder import delay_of
from windrow.sql.type_names import type_of
from windrow.table import data_types as t
from windrow.table.big_decimal_type_info import BigDecimalTypeInfo
from windrow.table.changelog_mode import ROW_KIND, ChangelogMode
from windrow.table.data_types import DataType, RowField, RowType, row_type_info
from windrow.table.schema import Schema

_TYPES: dict[BasicType, DataType] = {
    BasicType.STRING: lt.STRING,
    BasicType.BOOLEAN: t.BooleanType(),
    BasicType.BYTE: t.TinyIntType(),
    BasicType.SHORT: t.SmallIntType(),
    BasicType.INT: t.IntType(),
    BasicType.LONG: t.BigIntType(),
    BasicType.FLOAT: t.FloatType(),
    BasicType.DOUBLE: t.DoubleType(),
    BasicType.BIG_INT: t.DecimalType(38, 0),
    BasicType.BIG_DEC: t.DecimalType(38, 18),
    BasicType.INSTANT: t.LocalZonedTimestampType(6),
    BasicType.CHAR: t.CharType(1),
}


#: What a stream's elements have beside their fields: their timestamps.
ROWTIME = "rowtime"


@dataclass
class StreamSource:
    """A stream's elements as tuples.

    Attributes:
        stamped: Whether the elements' timestamps are one more field behind the others.
        changes: Whether the elements are Rows that have a kind, which is the last field.
    """

    data_stream: DataStream
    names: list[str]
    types: list[DataType]
    places: list[int]
    stamped: bool = False
    changes: bool = False

    def stream(self, _environment: Any) -> DataStream:
        """The tuples."""
        kind = self.data_stream.get_type()
        single = len(self.names) == 1 and getattr(kind, "elem_type", None) is not None
        make_operator = partial(ToTuplesOperator, single=single, stamped=self.stamped, kinds=self.changes)
        make = factory(make_operator, self.names, self.types, self.places)
        return self.data_stream._transform("To tuples", make, None, stateless=True, convert=False)


def relation_of_stream(
    stream: DataStream,
    schema: Schema | None,
    time_zone: str,
    mode: ChangelogMode | None = None,
    catalog: Catalog | None = None,
) -> Relation:
    """A stream as a relation.

    Args:
        stream: The stream.
        schema: The columns; None: the fields of its type.
        time_zone: That of the session.
        mode: Which kinds its Rows have; None: they are all added.
        catalog: Knows the functions that the schema's expressions may call.

    Raises:
        ConfigurationError: its columns are not known, or the schema names what there is not.
        SqlError: an expression of the schema cannot be read.
    """
    fields = fields_of(stream.get_type())
    given = [] if schema is None else schema.columns
    metadata = {} if schema is None else schema.metadata
    physical = [(name, kind) for name, kind, _ in given if kind is not None and name not in metadata]
    if not physical:
        if fields is None:
            msg = (
                f"from_data_stream takes a stream with a declared type, as Types.ROW_NAMED; this one has "
                f"{stream.get_type()}: declare output_type, or give a schema with all columns"
            )
            raise ConfigurationError(msg)
        chosen = list(fields)
        given = [*[(name, kind, None) for name, kind in fields], *given]
    else:
        chosen = [(name, declared_type(kind)) for name, kind in physical]
    known = [name for name, _ in fields or []]
    if fields is not None and isinstance(stream.get_type(), RowTypeInfo):
        for name, _ in chosen:
            if name not in known:
                msg = f"the schema has a column {name!r}, and the stream no such field: {nearest(name, known)}"
                raise ConfigurationError(msg)
    written = " ".join(expression for _, _, expression in given if expression is not None)
    chosen += [(name, kind) for name, kind in fields or [] if _is_asked(name, written, [each[0] for each in given])]
    places = [known.index(name) if name in known else place for place, (name, _) in enumerate(chosen)]
    columns = [Column(name, kind) for name, kind in chosen]
    names, types = [name for name, _ in chosen], [kind for _, kind in chosen]
    if metadata:
        columns.append(Column(_free(ROWTIME, names), lt.TIMESTAMP_LTZ_3))
    changes = mode is not None and mode != ChangelogMode.insert_only()
    source = StreamSource(stream, names, types, places, stamped=bool(metadata), changes=changes)
    relation: Relation = Scan(columns, f"Unregistered_DataStream_{stream.get_id()}", source, changes=changes)
    key: tuple[int, ...] | None = None
    if schema is not None:
        relation = _computed(relation, given, metadata, time_zone, catalog)
        relation = _timed(relation, schema, time_zone)
        key = _key(relation, schema.primary_key)
    if mode is not None and changes and not mode.contains(RowKind.UPDATE_BEFORE):
        if key is None:
            msg = "from_changelog_stream: rows that take the place of others need a primary_key in the schema"
            raise ConfigurationError(msg)
        relation = Normalize(list(relation.columns), relation, list(key), changes=True)
    relation.key = key
    return relation


def _is_asked(name: str, written: str, declared: Sequence[str]) -> bool:
    """Tell whether expressions name a field that is no column."""
    return name not in declared and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", written) is not None


def _free(name: str, taken: Sequence[str]) -> str:
    while name in taken:
        name += "_"
    return name


def fields_of(type_info: Any) -> list[tuple[str, DataType]] | None:
    """The columns of a declared type; None if it says none."""
    if isinstance(type_info, RowTypeInfo):
        pairs = zip(type_info.get_field_names(), type_info.get_field_types(), strict=True)
        made = [(name, sql_type(kind)) for name, kind in pairs]
    elif isinstance(type_info, TupleTypeInfo):
        made = [(f"f{place}", sql_type(kind)) for place, kind in enumerate(type_info.get_field_types())]
    else:
        made = [("f0", sql_type(type_info))]
    known = [(name, kind) for name, kind in made if kind is not None]
    return known if len(known) == len(made) else None


def sql_type(type_info: Any) -> DataType | None:
    """SQL's type for a declared one; None if there is none."""
    if isinstance(type_info, BasicTypeInfo):
        if isinstance(type_info, BigDecimalTypeInfo):
            return t.DecimalType(type_info.precision, type_info.scale)
        return _TYPES.get(type_info.basic_type)
    if type_info == Types.SQL_DATE():
        return t.DateType()
    if type_info == Types.SQL_TIME():
        return t.TimeType(0)
    if type_info == Types.SQL_TIMESTAMP():
        return t.TimestampType(6)
    if isinstance(type_info, RowTypeInfo):
        fields = fields_of(type_info)
        return None if fields is None else RowType([RowField(name, kind) for name, kind in fields])
    element = getattr(type_info, "elem_type", None)
    if element is not None:
        kind = sql_type(element)
        return None if kind is None else t.ArrayType(kind)
    return None


def rows_of_table(stream: DataStream, relation: Relation) -> DataStream:
    """Tuples of a relation as a stream of Rows."""
    types = [column.type for column in relation.columns]
    info = row_type_info(RowType([RowField(column.name, column.type) for column in relation.columns]))
    time = next((InputRef(place, c.type) for place, c in enumerate(relation.columns) if c.rowtime), None)
    if time is not None:
        every = [InputRef(place, kind) for place, kind in enumerate(types)]
        make_time = factory(CalcOperator, types, every, None, time)
        stream = stream._transform("Row time", make_time, None, stateless=True, convert=False)
    make = factory(ToRowsOperator, types, info)
    return stream._transform("To rows", make, info, stateless=True, convert=False)


def without_old_rows(stream: DataStream, relation: Relation) -> DataStream:
    """Tuples of a relation without those that say what was there before an update."""
    from windrow.expressions.nodes import Call, Literal

    fields = [*[column.type for column in relation.columns], ROW_KIND]
    every: list[Expression] = [InputRef(place, kind) for place, kind in enumerate(fields)]
    is_old = Literal(RowKind.UPDATE_BEFORE.value, ROW_KIND)
    condition = Call("<>", (every[-1], is_old), lt.BOOLEAN.not_null())
    make = factory(CalcOperator, fields, every, condition, None)
    return stream._transform("Drop Update Before", make, None, stateless=True, convert=False)


def changelog_of_table(stream: DataStream, relation: Relation) -> DataStream:
    """Tuples of a relation, with their kind, as a stream of Rows that have it."""
    types = [column.type for column in relation.columns]
    info = row_type_info(RowType([RowField(column.name, column.type) for column in relation.columns]))
    make = factory(ToChangesOperator, types, info)
    return stream._transform("To changes", make, info, stateless=True, convert=False)


def declared_type(kind: DataType | str) -> DataType:
    """The type of a column of a schema, which may be what SQL calls it."""
    return kind if isinstance(kind, DataType) else type_of(parse_type(kind), kind)


def _computed(
    relation: Relation,
    given: Sequence[tuple[str, DataType | str | None, str | None]],
    metadata: Mapping[str, tuple[str, bool]],
    time_zone: str,
    catalog: Catalog | None,
) -> Relation:
    """The columns that a schema gives, of those that are read: behind the fields there are the elements' timestamps."""
    names = [column.name for column in relation.columns]
    if [name for name, _, _ in given] == names and all(expression is None for _, _, expression in given):
        return relation
    expressions: list[Expression] = []
    columns: list[Column] = []
    for name, kind, written in given:
        if name in metadata:
            expression = _timestamp(relation, name, kind, metadata[name][0], time_zone)
            columns.append(Column(name, expression.type))
            expressions.append(expression)
            continue
        if written is None:
            place = names.index(name)
            columns.append(relation.columns[place])
            expressions.append(InputRef(place, relation.columns[place].type))
            continue
        expression = _bound(relation.columns, written, time_zone, catalog)
        columns.append(Column(name, expression.type, proctime=is_clock(expression)))
        expressions.append(expression)
    return Project(columns, relation, expressions, changes=relation.changes)


def _timestamp(relation: Relation, name: str, kind: Any, key: str, time_zone: str) -> Expression:
    if key != ROWTIME:
        msg = f"column {name!r}: a stream's elements have the metadata {ROWTIME!r}, their timestamps; got {key!r}"
        raise ConfigurationError(msg)
    target, place = declared_type(kind), len(relation.columns) - 1
    if not lt.is_timestamp(target):
        msg = f"column {name!r}: the metadata {ROWTIME!r} is a TIMESTAMP_LTZ(3); it cannot be {lt.name_of(target)}"
        raise ConfigurationError(msg)
    return cast_to(InputRef(place, relation.columns[place].type), target, time_zone=time_zone)


def _timed(relation: Relation, schema: Schema, time_zone: str) -> Relation:
    if schema.watermark is None:
        return relation
    name, written = schema.watermark
    names = [column.name for column in relation.columns]
    if name not in names:
        msg = f"watermark of the schema: there is no column {name!r}: {nearest(name, names)}"
        raise ConfigurationError(msg)
    place = names.index(name)
    column = relation.columns[place]
    if column.proctime:
        msg = f"watermark of the schema: column {name!r} is processing time, which needs none"
        raise ConfigurationError(msg)
    if not lt.is_timestamp(column.type):
        msg = f"watermark of the schema: column {name!r} has to be a TIMESTAMP(3); it is {lt.name_of(column.type)}"
        raise ConfigurationError(msg)
    columns = [replace(each, rowtime=True) if each is column else each for each in relation.columns]
    if written.replace(" ", "").upper() == "SOURCE_WATERMARK()":
        every: list[Expression] = [InputRef(place, each.type) for place, each in enumerate(relation.columns)]
        return Project(columns, relation, every, changes=relation.changes)
    expression = _bound(relation.columns, written, time_zone)
    delay = delay_of(expression, place)
    if delay is None:
        msg = f"watermark of {name!r} takes {name}, or {name} - INTERVAL '...' of days to seconds; got {written!r}"
        raise ConfigurationError(msg)
    return AssignTime(columns, relation, place, delay, changes=relation.changes)


def _key(relation: Relation, primary_key: Sequence[str]) -> tuple[int, ...] | None:
    names = [column.name for column in relation.columns]
    for name in primary_key:
        if name not in names:
            msg = f"primary key of the schema: there is no column {name!r}: {nearest(name, names)}"
            raise ConfigurationError(msg)
    return tuple([names.index(name) for name in primary_key]) or None


def _bound(columns: Sequence[Column], written: str, time_zone: str, catalog: Catalog | None = None) -> Expression:
    statement = f"SELECT {written}"
    node = parse(statement)[0].expressions[0]
    return ExpressionBinder(Scope(columns, [None] * len(columns), statement), time_zone, catalog=catalog).bind(node)
