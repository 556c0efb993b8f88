"""Tables and views of Spark's session as tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from windrow.datastream.streams.data_stream import DataStream
from windrow.datastream.streams.program import factory
from windrow.operators.table.rows import ToTuplesOperator
from windrow.table.connectors.errors import TableError
from windrow.table.connectors.table_connector import TableConnector
from windrow.table.data_types import DataType


class SparkTable(TableConnector):
    """A table or view that Spark knows by its name (``spark``), read once or as a stream."""

    name = "spark"

    def configure(self) -> None:
        self._table = self.options.needed("table-name")
        self._streaming = self.options.flag("scan.streaming")

    def stream(self, environment: Any) -> DataStream:
        from windrow.runtime.submit import spark_table

        frame = spark_table(environment._submit_settings(), self._table, streaming=self._streaming)
        rows: DataStream = environment.from_dataframe(frame.select(*[f"`{name}`" for name in self.names]))
        make = factory(ToTuplesOperator, self.names, self.types, list(range(len(self.names))))
        return rows._transform("To tuples", make, None, stateless=True, convert=False)

    def write(self, stream: DataStream, types: Sequence[DataType]) -> Any:
        """Refuse it: a batch that a job runs again would be appended again.

        Raises:
            TableError: always.
        """
        msg = (
            f"table {self.table.name!r} cannot be written: 'spark' is a connector that reads; Spark writes what "
            f"to_dataframe() gives: query.to_dataframe().write.mode('append').saveAsTable({self._table!r})"
        )
        raise TableError(msg)
