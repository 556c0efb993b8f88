"""Appends the batches of a query that the user drives to a Delta table, each once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from threading import Lock
from typing import Any, Literal, Self

from windrow.common.checks import instance_of, text
from windrow.errors import ConfigurationError, UsageError

#: What Spark calls the query of the batch in the thread that runs it, and this run of it.
_QUERY, _RUN = "sql.streaming.queryId", "spark.jobGroup.id"
#: Delta's names of what says which batch it is; Spark does not tell upper case from lower.
_TRANSACTION = ("txnappid", "txnversion")
#: The run and the batch that were written last, by application: a query's sink of a table.
_WRITTEN: dict[str, tuple[str, int]] = {}
_WRITING = Lock()


class DeltaSink:
    """Appends each batch of a streaming DataFrame to a table of Delta Lake, once: the function of ``foreachBatch``.

    A batch that Spark runs again, because the program has ended between Delta's commit and Spark's, is passed over.
    Delta keeps, in the commit that adds rows, the id of an application and the number of its last transaction
    (``txnAppId``, ``txnVersion``: idempotent writes in Delta's documentation), and lets no number through twice. The
    application is the query, by the id in its checkpoint, with the name of the sink and the table as it was given, and
    the number is the batch's. So a query with a new checkpoint, whose batches are counted from 0, is another
    application. The first batch of a run, which may be such a one, is computed before it is written.

    Delta's jars are the user's: ``spark.jars.packages``, ``spark.sql.extensions`` and the catalog, as Delta says. Its
    builder's names are those of Delta's connector for Flink.

    Example:
        >>> sink = DeltaSink.for_path("s3a://lake/sums").with_partition_columns("sensor").build()
        >>> sink
        DeltaSink('s3a://lake/sums')

        ``dataframe.writeStream.foreachBatch(sink).option("checkpointLocation", "checkpoint").start()``
    """

    def __init__(
        self,
        kind: Literal["path", "table"],
        place: str,
        name: str,
        columns: Sequence[str],
        options: Mapping[str, str],
    ) -> None:
        self._kind = kind
        self._place = place
        self._name = name
        self._columns = list(columns)
        self._options = dict(options)

    @staticmethod
    def for_path(path: str) -> Builder:
        """Begin with a table by its folder: a path, or a URI that Spark knows."""
        return DeltaSink.Builder("path", text(path, "path"))

    @staticmethod
    def for_table(table: str) -> Builder:
        """Begin with a table by its name in Spark's catalog."""
        return DeltaSink.Builder("table", text(table, "table"))

    def __call__(self, batch: Any, batch_id: int) -> None:
        """Append the rows of a batch, unless they are there already; if that fails it may be called again.

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
        application = f"{query} {self._name} {self._kind} {self._place}"
        with _WRITING:
            written = _WRITTEN.get(application)
            if written == (run, batch_id):
                msg = (
                    f"{self!r} writes to batch {batch_id} twice, and Delta would take the second part for the same "
                    "again: give each sink of one table a name of its own, with_name(...)"
                )
                raise UsageError(msg)
            _WRITTEN[application] = (run, batch_id)
        try:
            if written is None or written[0] != run:
                # It may be there already. Then Delta does not look at its rows, nothing of it is computed, and Spark
                # fails because state was not stored. Later batches of a run are always new.
                batch = batch.localCheckpoint()
            self._append(batch, application, batch_id)
        except BaseException:
            # Whoever tries again may find it there: it is computed first.
            with _WRITING:
                del _WRITTEN[application]
            raise

    def _append(self, batch: Any, application: str, number: int) -> None:
        writer = batch.write.format("delta").mode("append").options(**self._options)
        writer = writer.option("txnAppId", application).option("txnVersion", number)
        if self._columns:
            writer = writer.partitionBy(*self._columns)
        if self._kind == "path":
            writer.save(self._place)
        else:
            writer.saveAsTable(self._place)

    def __repr__(self) -> str:
        return f"DeltaSink({self._place!r})"

    class Builder:
        """Builds a DeltaSink."""

        def __init__(self, kind: Literal["path", "table"], place: str) -> None:
            self._kind: Literal["path", "table"] = kind
            self._place = place
            self._name = "windrow"
            self._columns: Sequence[str] = ()
            self._options: dict[str, str] = {}

        def with_name(self, name: str) -> Self:
            """Tell sinks of one query that write to one table apart.

            It has to stay as long as the checkpoint, and so does the table, spelled as it is.
            """
            self._name = text(name, "name")
            return self

        def with_partition_columns(self, *columns: str) -> Self:
            """Partition the table by these columns, where the sink makes it."""
            self._columns = [text(column, "columns of with_partition_columns") for column in columns]
            return self

        def with_merge_schema(self, merge_schema: bool) -> Self:
            """Let columns that are new be added to the table.

            Raises:
                ConfigurationTypeError: it is no bool.
            """
            given = instance_of(merge_schema, bool, "merge_schema of with_merge_schema")
            self._options["mergeSchema"] = str(given).lower()
            return self

        def with_option(self, key: str, value: str) -> Self:
            """Set an option of Delta's writer.

            Raises:
                ConfigurationError: it is ``txnAppId`` or ``txnVersion``, by which a batch is there once.
            """
            if text(key, "key of with_option").lower() in _TRANSACTION:
                msg = f"key of with_option is {key!r}, which the sink sets for each batch: leave it out"
                raise ConfigurationError(msg)
            self._options[key] = text(value, "value of with_option")
            return self

        def build(self) -> DeltaSink:
            """Make the sink."""
            return DeltaSink(self._kind, self._place, self._name, self._columns, self._options)
