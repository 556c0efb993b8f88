"""Avro's records in Parquet files, laid out as parquet-avro does, which is Flink's."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO

from windrow.common.basic_types import TypeInformation
from windrow.connectors.avro.schema import AvroSchema, avro
from windrow.connectors.avro.schema_mapping import Convert, SchemaMapping
from windrow.connectors.avro.type_info import GenericRecordAvroTypeInfo, plain
from windrow.connectors.files.bulk import BulkWriter, BulkWriterFactory
from windrow.connectors.files.bulk_formats import TableWriter
from windrow.connectors.files.file_format import FileBatch, StreamFormat
from windrow.connectors.files.parquet_format import ParquetFormat
from windrow.connectors.files.split import FileSourceSplit
from windrow.errors import JobExecutionError, TypeConversionError, shorten


class ArrowMapping(SchemaMapping[Any]):
    """Makes Arrow's columns of Avro's records, and records of columns.

    A union of several types is a struct with a member for each, ``member0``, ``member1``..., of which one is not null.

    Args:
        schema: Of records, as fastavro parses it.

    Raises:
        ConfigurationError: a record is within itself.
    """

    _flat = "no column of Parquet can be"

    def __init__(self, schema: Any) -> None:
        import pyarrow as pa

        super().__init__()
        made, self.to_arrow, self.from_arrow = self._mapped(schema)
        self.schema = pa.schema(list(made))

    def _array(self, inner: Any, from_avro: Convert, to_avro: Convert) -> tuple[Any, Convert, Convert]:
        import pyarrow as pa

        return pa.list_(inner), _each(from_avro), _each(to_avro)

    def _map(self, inner: Any, from_avro: Convert, to_avro: Convert) -> tuple[Any, Convert, Convert]:
        import pyarrow as pa

        return (
            pa.map_(pa.string(), inner),
            lambda values: [(key, from_avro(value)) for key, value in values.items()],
            lambda pairs: {key: to_avro(value) for key, value in pairs},
        )

    def _single(self, kind: str, schema: dict[str, Any]) -> tuple[Any, Convert, Convert]:
        return _single(kind, schema), _same, _same

    def _record(self, fields: list[tuple[str, Any, Convert, Convert]]) -> tuple[Any, Convert, Convert]:
        import pyarrow as pa

        def to_arrow(record: Any) -> dict[str, Any]:
            return {name: _optional(write, record.get(name)) for name, _, write, _ in fields}

        def from_arrow(record: Any) -> dict[str, Any]:
            return {name: _optional(read, record[name]) for name, _, _, read in fields}

        return pa.struct([(name, kind) for name, kind, _, _ in fields]), to_arrow, from_arrow

    def _union(self, branches: list[Any]) -> tuple[Any, Convert, Convert]:
        import pyarrow as pa

        others = [branch for branch in branches if branch != "null"]
        if len(others) == 1:
            return self._mapped(others[0])
        members = [(f"member{n}", branch, *self._mapped(branch)) for n, branch in enumerate(others)]
        named = self._named

        def to_arrow(value: Any) -> dict[str, Any]:
            for name, branch, _, write, _ in members:
                kind = named.get(branch, branch) if isinstance(branch, str) else branch
                if avro().validate(value, kind, raise_errors=False):
                    return {name: write(value)}
            msg = f"{shorten(value)} is none of the union's types"
            raise TypeConversionError(msg)

        def from_arrow(struct: Any) -> Any:
            return next((read(struct[name]) for name, _, _, _, read in members if struct[name] is not None), None)

        return pa.struct([(name, kind) for name, _, kind, _, _ in members]), to_arrow, from_arrow


@dataclass(frozen=True)
class AvroParquetFormat(StreamFormat):
    """Records as dicts; made, and described, by ``AvroParquetReaders.for_generic_record``."""

    schema: AvroSchema

    @property
    def produced_type(self) -> TypeInformation:  # type: ignore[override]
        return GenericRecordAvroTypeInfo(self.schema)

    def read(self, split: FileSourceSplit) -> Iterator[FileBatch]:
        mapping = ArrowMapping(self.schema.parsed)
        wanted = mapping.schema.names
        for offset, rows, _ in self._columns.read(split):
            batch = rows.batch  # type: ignore[attr-defined]
            for name in wanted:
                if name not in batch.schema.names:
                    present = ", ".join(batch.schema.names)
                    msg = f"the source is to read the column {name!r} of {split.path}, which has only {present}"
                    raise JobExecutionError(msg)
            yield FileBatch(offset, [mapping.from_arrow(row) for row in batch.select(wanted).to_pylist()])

    def regions(self, path: str, size: int, target: int) -> list[tuple[int, int]]:
        return self._columns.regions(path, size, target)

    def sub_splits(self, split: FileSourceSplit, elements: int) -> list[FileSourceSplit]:
        return self._columns.sub_splits(split, elements)

    @property
    def _columns(self) -> ParquetFormat:
        return ParquetFormat(None, 1 << 14)


@dataclass(frozen=True)
class AvroParquetFactory(BulkWriterFactory):
    """Parquet files of records."""

    schema: AvroSchema

    def create(self, file: BinaryIO) -> BulkWriter:
        import pyarrow.parquet as pq

        mapping = ArrowMapping(self.schema.parsed)
        return TableWriter(_RecordTables(mapping), pq.ParquetWriter(file, mapping.schema))


class _RecordTables:
    def __init__(self, mapping: ArrowMapping) -> None:
        self._mapping = mapping

    def table(self, records: list[Any]) -> Any:
        import pyarrow as pa

        try:
            rows = [self._mapping.to_arrow(plain(record)) for record in records]
            return pa.Table.from_pylist(rows, schema=self._mapping.schema)
        except (pa.ArrowException, AttributeError, TypeError, OverflowError) as error:
            msg = f"{shorten(records)} do not fit the Avro schema: {error}"
            raise TypeConversionError(msg) from error


def _single(kind: str, schema: dict[str, Any]) -> Any:
    import pyarrow as pa

    logical = schema.get("logicalType")
    if logical == "decimal":
        return pa.decimal128(schema["precision"], schema.get("scale", 0))
    by_logical = {
        "date": pa.date32(),
        "time-millis": pa.time32("ms"),
        "time-micros": pa.time64("us"),
        "timestamp-millis": pa.timestamp("ms", "UTC"),
        "timestamp-micros": pa.timestamp("us", "UTC"),
        "local-timestamp-millis": pa.timestamp("ms"),
        "local-timestamp-micros": pa.timestamp("us"),
    }
    if logical in by_logical:
        return by_logical[logical]
    by_kind = {
        "null": pa.null(),
        "boolean": pa.bool_(),
        "int": pa.int32(),
        "long": pa.int64(),
        "float": pa.float32(),
        "double": pa.float64(),
        "bytes": pa.binary(),
        "fixed": pa.binary(schema.get("size", -1)),
    }
    return by_kind.get(kind, pa.string())


def _each(convert: Convert) -> Convert:
    return lambda values: [_optional(convert, value) for value in values]


def _optional(convert: Convert, value: Any) -> Any:
    return None if value is None else convert(value)


def _same(value: Any) -> Any:
    return value
