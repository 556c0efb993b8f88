"""Appends the batches of a query that the user drives to a Delta table, each once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from threading import Lock
from typing import Any, Self

from windrow.common.checks import text
from windrow.errors import UsageError

#: What Spark calls the query of the batch in the thread that runs it, and this run of it.
_QUERY, _RUN = "sql.streaming.queryId", "spark.jobGroup.id"
#: The run and the batch that were written last, by table and name.
_WRITTEN: dict[tuple[str, str], tuple[str, int]] = {}
_WRITING = Lock()


class DeltaSink:
    """Appends each batch of a streaming DataFrame to a table of Delta Lake, once: the function of ``foreachBatch``.

    A batch that Spark runs again, because the program has ended between Delta's commit and Spark's, is passed over.
    Delta keeps, in the commit that adds rows, the id of an application and the number of its last transaction
    (``txnAppId``, ``txnVersion``: idempotent writes in Delta's documentation), and lets no number through twice. The
    application is the query, by the id in its checkpoint, with the name of the sink, and the number is the batch's. So
    a query with a new checkpoint, whose batches are counted from 0, is another application. The first batch of a run,
    which may be such a one, is computed before it is written.

    Delta's jars are the user's: ``spark.jars.packages``, ``spark.sql.extensions`` and the catalog, as Delta says. Its
    builder's names are those of Delta's connector for Flink.

    Example:
        >>> sink = DeltaSink.for_path("s3a://lake/sums").with_partition_columns("sensor").build()
        >>> sink
        DeltaSink('s3a://lake/sums')

        ``dataframe.writeStream.foreachBatch(sink).option("checkpointLocation", "checkpoint").start()``
    """

    def __init__(
        self, path: str | None, table: str | None, name: str, columns: Sequence[str], options: Mapping[str, str]
    ) -> None:
        self._path = path
        self._table = table
        self._name = name
        self._columns = list(columns)
        self._options = dict(options)

    @staticmethod
    def for_path(path: str) -> Builder:
        """Begin with a table by its folder: a path, or a URI that Spark knows."""
        return DeltaSink.Builder(text(path, "path"), None)

    @staticmethod
    def for_table(table: str) -> Builder:
        """Begin with a table by its name in Spark's catalog."""
        return DeltaSink.Builder(None, text(table, "table"))

    def __call__(self, batch: Any, batch_id: int) -> None:
        """Append the rows of a batch, unless they are there already.

        Args:
            batch: The rows, or a DataFrame that is made of them.
            batch_id: Spark's number of the batch.

        Raises:
            UsageError: it is not called by ``foreachBatch``, or by another sink of this table and name in this batch.
        """
        context = batch.sparkSession.sparkContext
        query, run = context.getLocalProperty(_QUERY), context.getLocalProperty(_RUN)
        if not query:
            msg = (
                f"{self!r} was called outside of foreachBatch: give it to writeStream.foreachBatch, or call it in the "
                "function that is given to it, in the same thread, with its batch and number"
            )
            raise UsageError(msg)
        with _WRITING:
            written = _WRITTEN.get(self._key)
            if written == (run, batch_id):
                msg = (
                    f"{self!r} writes to batch {batch_id} twice, and Delta would take the second part for the same "
                    "again: give each sink of one table a name of its own, with_name(...)"
                )
                raise UsageError(msg)
            _WRITTEN[self._key] = (run, batch_id)
        if written is None or written[0] != run:
            # It may be there already. Then Delta does not look at its rows, nothing of it is computed, and Spark fails
            # because state was not stored. Later batches of a run are always new.
            batch = batch.localCheckpoint()
        writer = batch.write.format("delta").mode("append").options(**self._options)
        writer = writer.option("txnAppId", f"{query} {self._name}").option("txnVersion", batch_id)
        if self._columns:
            writer = writer.partitionBy(*self._columns)
        if self._path is not None:
            writer.save(self._path)
        else:
            writer.saveAsTable(self._table)

    def __repr__(self) -> str:
        return f"DeltaSink({self._key[0]!r})"

    @property
    def _key(self) -> tuple[str, str]:
        return self._path or self._table or "", self._name

    class Builder:
        """Builds a DeltaSink."""

        def __init__(self, path: str | None, table: str | None) -> None:
            self._path = path
            self._table = table
            self._name = "windrow"
            self._columns: Sequence[str] = ()
            self._options: dict[str, str] = {}

        def with_name(self, name: str) -> Self:
            """Tell sinks of one query that write to one table apart; it has to stay as long as the checkpoint."""
            self._name = text(name, "name")
            return self

        def with_partition_columns(self, *columns: str) -> Self:
            """Partition the table by these columns, where the sink makes it."""
            self._columns = [text(column, "columns of with_partition_columns") for column in columns]
            return self

        def with_merge_schema(self, merge_schema: bool) -> Self:
            """Let columns that are new be added to the table."""
            self._options["mergeSchema"] = str(bool(merge_schema)).lower()
            return self

        def with_option(self, key: str, value: str) -> Self:
            """Set an option of Delta's writer."""
            self._options[text(key, "key of with_option")] = text(value, "value of with_option")
            return self

        def build(self) -> DeltaSink:
            """Build it."""
            return DeltaSink(self._path, self._table, self._name, self._columns, self._options)
