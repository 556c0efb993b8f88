"""Rows of the keyed state of an operator in a checkpoint, as a DataFrame: pages are read where Spark reads them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

import pyarrow as pa

from windrow.elements.codec import loads
from windrow.elements.program_classes import dumps_with_classes, use_classes
from windrow.runtime.spark.dataframes import columns_of_rows, struct_of
from windrow.runtime.spark.failures import shipping_errors
from windrow.runtime.spark.session import query_session
from windrow.runtime.spark.spark_half import SparkHalf
from windrow.runtime.spark.stored_pages import keyed_owner, operator_of, owner_of, pages_of_operator
from windrow.runtime.stage.chain import tag_of_owner

#: So many rows of a page's keys make a batch of Arrow's at least.
_ROWS = 4096


class Rows(NamedTuple):
    """Makes rows of pages; goes to the workers."""

    #: Called once in each task, before and behind all others.
    open: Callable[[], None]
    close: Callable[[], None]
    #: Of a page of keys.
    of_page: Callable[[bytes], Iterable[Any]]
    #: Of an operator in a subtask: what the names of its pages begin with, all of them by name, and its watermark.
    of_subtask: Callable[[str, Mapping[str, bytes], int], Iterable[Any]]
    #: Classes of the program that no function here uses.
    classes: tuple[type, ...] = ()


class KeyedStateOf(NamedTuple):
    """The keyed state of an operator in a checkpoint.

    Args:
        half: Spark's half of the checkpoint.
        partitions: How many partitions its query has.
        state_format: That of its state files.
        batch: The batch behind which it is looked at, which is committed.
        uid: The operator's.
        level: How many exchanges are in front of it.
        levels: How many the job has.
        with_columns: The watermarks of the subtasks that keep tables of columns, by their grouping keys.
    """

    half: SparkHalf
    partitions: int
    state_format: int
    batch: int
    uid: str
    level: int
    levels: int
    with_columns: Mapping[int, int]

    def frame(self, spark: Any, rows: Rows, schema: Any) -> Any:
        """A DataFrame of rows, which is read when Spark is asked for it.

        Args:
            spark: The user's session.
            rows: Makes them.
            schema: A ``StructType``, or its text.
        """
        from pyspark.sql.pandas.types import to_arrow_schema

        session = query_session(spark, self.partitions, self.state_format, local_files=self.half.is_local)
        struct = struct_of(schema, "read_keyed_state")
        columns = to_arrow_schema(struct)
        shipped = dumps_with_classes((rows, rows.classes))
        operator = operator_of(self.level, self.levels)
        pages = pages_of_operator(session, self.half.location, operator, self.batch)
        pages = pages.where(pages.page.startswith(f"{self.uid}."))
        of_pages = _OfPages(shipped, self.uid, frozenset(self.with_columns), columns)
        frame = pages.mapInArrow(of_pages, struct)
        if self.with_columns:
            of_subtasks = pages.where(pages.place.isin(list(self.with_columns))).groupBy("place")
            frame = frame.unionByName(of_subtasks.applyInArrow(_of_subtasks(self, shipped, columns), struct))
        return frame


class _OfPages:
    """Given to ``mapInArrow``."""

    def __init__(self, shipped: bytes, uid: str, others: frozenset[int], schema: pa.Schema) -> None:
        self._shipped = shipped
        self._uid = uid
        self._others = others
        self._schema = schema

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return shipping_errors(self._run)(batches)

    def _run(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        with _arrived(self._shipped) as rows:
            gathered: list[Any] = []
            for batch in batches:
                for place, name, data in zip(*(column.to_pylist() for column in batch.columns), strict=True):
                    owner = None if place in self._others else keyed_owner(name)
                    if owner is not None and tag_of_owner(owner) == self._uid:
                        gathered += rows.of_page(data)
                    if len(gathered) >= _ROWS:
                        yield _batch(gathered, self._schema)
                        gathered = []
            yield _batch(gathered, self._schema)


def _of_subtasks(of: KeyedStateOf, shipped: bytes, schema: pa.Schema) -> Callable[[pa.Table], pa.Table]:
    uid, watermarks = of.uid, dict(of.with_columns)

    def made(tables: Iterable[pa.Table]) -> Iterator[pa.Table]:
        for table in tables:
            place = table.column("place")[0].as_py()
            names, contents = (table.column(name).to_pylist() for name in ("page", "data"))
            pages = {
                name: data for name, data in zip(names, contents, strict=True) if tag_of_owner(owner_of(name)) == uid
            }
            with _arrived(shipped) as rows:
                found = list(rows.of_subtask(owner_of(next(iter(pages))), pages, watermarks[place]))
            yield pa.Table.from_batches([_batch(found, schema)])

    # A function, for PySpark looks for the types in its signature.
    def of_subtask(table: pa.Table) -> pa.Table:
        return next(shipping_errors(made)([table]))

    return of_subtask


@contextmanager
def _arrived(shipped: bytes) -> Iterator[Rows]:
    (rows, named), met = loads(shipped)
    use_classes([*met, *named])
    rows.open()
    try:
        yield rows
    finally:
        rows.close()


def _batch(rows: list[Any], schema: pa.Schema) -> pa.RecordBatch:
    return pa.RecordBatch.from_arrays(columns_of_rows("read_keyed_state", schema, rows), schema=schema)
