"""Streams as Spark DataFrames: how a Spark user takes results out and drives the query with ``writeStream``."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, cast

import pyarrow as pa

from windrow.common.configuration import Configuration
from windrow.common.types import Row
from windrow.connectors.dataframe import DataFrameSink
from windrow.errors import ConfigurationTypeError, TypeConversionError, shorten
from windrow.graph.job_graph import SINK_LEVEL, JobGraph
from windrow.runtime.spark.batch import batch_rows
from windrow.runtime.spark.dependencies import ship
from windrow.runtime.spark.failures import shipping_errors
from windrow.runtime.spark.print_receiver import prints_path
from windrow.runtime.spark.rows import decode, from_batches
from windrow.runtime.spark.session import use_for_query
from windrow.runtime.spark.shipping import ShippedJob
from windrow.runtime.spark.stream_settings import StreamSettings
from windrow.runtime.spark.streaming import plan_source, streaming_rows

#: The column that says which output a row belongs to, where there are several.
OUTPUT_COLUMN = "output"


def to_dataframe(spark: Any, job: JobGraph, configuration: Configuration) -> Any:
    """The outputs of a job, all of whose sinks are DataFrame sinks, as one DataFrame.

    With one output its columns are the schema's. With several there is a column ``output`` with the output's name and
    a struct column for each output, null in the rows of the others.

    The DataFrame is streaming if one of the sources has no end, else batch. The session's state store provider and
    number of shuffle partitions are set to what the query needs, and stay so.
    """
    from pyspark.sql.pandas.types import to_arrow_schema
    from pyspark.sql.types import StringType, StructField, StructType

    outputs = {entry.tag: entry.sink for entry in job.sinks}
    schemas = {tag: struct_of(cast("DataFrameSink", sink).schema, "to_dataframe") for tag, sink in outputs.items()}
    edges = {edge.id: entry.tag for entry in job.sinks for edge in entry.edges}
    run = uuid.uuid4().hex[:12]
    shipped = ShippedJob.of(job, run, job.partitions, needed=ship(spark, configuration), prints=prints_path(spark))
    use_for_query(spark, shipped.partitions)
    if all(source.bounded for _, source in job.sources()):
        frame = batch_rows(spark, job, shipped)
    else:
        # Nobody says the end here: whoever drives the query decides how long it runs.
        plan = plan_source(job, shipped, StreamSettings.of(configuration), bounded=False)
        frame = streaming_rows(spark, job, shipped, plan)
    if len(outputs) == 1:
        ((tag, struct),) = schemas.items()
        return frame.mapInArrow(UnpackStage(shipped, edges, {tag: (None, to_arrow_schema(struct))}), struct)
    names = {tag: sink.name for tag, sink in outputs.items() if isinstance(sink, DataFrameSink)}
    whole = StructType(
        [StructField(OUTPUT_COLUMN, StringType()), *(StructField(names[tag], schemas[tag]) for tag in schemas)]
    )
    columns = {tag: (names[tag], to_arrow_schema(schema)) for tag, schema in schemas.items()}
    return frame.mapInArrow(UnpackStage(shipped, edges, columns), whole)


def arrow_schema(df: Any) -> pa.Schema:
    """The columns of a DataFrame as Arrow has them."""
    from pyspark.sql.pandas.types import to_arrow_schema

    return to_arrow_schema(df.schema)


def struct_of(schema: Any, where: str) -> Any:
    """A schema as Spark's ``StructType``.

    Raises:
        ConfigurationTypeError: it is neither that nor a text.
    """
    from pyspark.sql.types import StructType

    if isinstance(schema, StructType):
        return schema
    if isinstance(schema, str):
        return StructType.fromDDL(schema)
    msg = (
        f"the schema of {where} must be a DDL text such as 'word string, n int' or a StructType; got "
        f"{schema!r} ({type(schema).__name__})"
    )
    raise ConfigurationTypeError(msg)


class UnpackStage:
    """Given to ``mapInArrow`` behind the last level: chunks become columns."""

    def __init__(
        self, shipped: ShippedJob, edges: Mapping[int, str], outputs: Mapping[str, tuple[str | None, pa.Schema]]
    ) -> None:
        self._shipped = shipped
        self._edges = edges
        self._outputs = outputs

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return shipping_errors(self._run)(batches)

    def _run(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        with self._shipped.at_work():
            self._shipped.use_classes()
            for row in from_batches(batches):
                if row.level == SINK_LEVEL:
                    values = decode(row).chunk.batch.elements
                    if len(values):
                        yield self._batch(self._edges[row.edge], values)

    def _batch(self, tag: str, values: Sequence[Any]) -> pa.RecordBatch:
        name, schema = self._outputs[tag]
        arrays = columns_of_rows("to_dataframe" if name is None else f"to_dataframe output {name!r}", schema, values)
        if name is None:
            return pa.RecordBatch.from_arrays(arrays, schema=schema)
        columns: list[pa.Array] = [pa.array([name] * len(values), pa.string())]
        fields = [pa.field(OUTPUT_COLUMN, pa.string())]
        for other, other_schema in self._outputs.values():
            struct = pa.struct(list(other_schema))
            filled = pa.StructArray.from_arrays(arrays, fields=list(schema)) if other == name else None
            columns.append(pa.nulls(len(values), struct) if filled is None else filled)
            fields.append(pa.field(other, struct))
        return pa.RecordBatch.from_arrays(columns, schema=pa.schema(fields))


def columns_of_rows(where: str, schema: pa.Schema, values: Sequence[Any]) -> list[pa.Array]:
    """The columns of a schema, of rows: dicts by name, tuples, lists and Rows in order, others as the only column.

    Raises:
        TypeConversionError: a row has other fields, or a value does not fit its column.
    """
    rows = [_fields(where, value, schema.names) for value in values]
    arrays = []
    for index, field in enumerate(schema):
        column = [row[index] for row in rows]
        try:
            arrays.append(pa.array(column, field.type))
        except (pa.ArrowException, TypeError, OverflowError) as error:
            msg = f"{where}: column {field.name!r} is {field.type}, and {shorten(column)} does not fit ({error})"
            raise TypeConversionError(msg) from error
    return arrays


def _fields(where: str, value: Any, names: list[str]) -> Sequence[Any]:
    """The columns of an element: of a dict by name, of a tuple, list or Row in order, of anything else itself."""
    if isinstance(value, dict):
        return [value.get(name) for name in names]
    fields = list(value) if isinstance(value, tuple | list | Row) else [value]
    if len(fields) != len(names):
        msg = f"{where}: element {shorten(value)} has {len(fields)} fields, and the schema {len(names)} ({names})"
        raise TypeConversionError(msg)
    return fields
