"""The jobs that queries and inserts become."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from functools import partial
from typing import Any

from windrow.common.job_client import JobClient
from windrow.connectors.discarding import DiscardingSink
from windrow.datastream.execution_mode import RuntimeExecutionMode
from windrow.datastream.stream_execution_environment import StreamExecutionEnvironment
from windrow.datastream.streams.closeable_iterator import CloseableIterator
from windrow.datastream.streams.data_stream import DataStream
from windrow.datastream.streams.program import sources
from windrow.graph.column_plan import describe as describe_job
from windrow.graph.transformations import SinkTransformation
from windrow.sql.plan import Column, Relation
from windrow.sql.plan_text import describe
from windrow.table.data_types import BigIntType
from windrow.table.dataframes import spark_schema
from windrow.table.named_tables import NamedTables
from windrow.table.planner.lowering import Lowering
from windrow.table.statements import Statements
from windrow.table.table_config import MAX_COLUMN_WIDTH, TableConfig
from windrow.table.table_result import TableResult
from windrow.table.values import left_of

#: Of how many rows an INSERT INTO writes, which nobody knows: -1.
_WRITTEN = BigIntType()


class TableJobs(NamedTables):
    """The part of a table environment that deals with relations: it runs them, or shows what would run."""

    _environment: StreamExecutionEnvironment
    _config: TableConfig
    _streaming: bool

    @abstractmethod
    def _statements(self) -> Statements:
        """The object that runs statements here."""

    def _stream(self, relation: Relation) -> DataStream:
        return self._lowering([relation]).stream(relation)

    def _lowering(self, roots: Sequence[Relation]) -> Lowering:
        idle_timeout = self._config.idle_timeout()
        return Lowering(self._environment, roots, streaming=self._streaming, idle_timeout=idle_timeout)

    def _execute(self, relation: Relation) -> TableResult:
        widest = int(self._config.get(MAX_COLUMN_WIDTH, "30"))
        stream = self._stream(relation)
        return TableResult(
            relation.columns,
            start=partial(self._collected, stream, self._environment._runtime_mode),
            streaming=self._streaming,
            widest=widest,
            time_zone=self._config.get_local_timezone(),
            changes=relation.changes,
            ends=all(source.source.bounded for source in sources([stream._transformation])),
        )

    def _collected(self, stream: DataStream, mode: RuntimeExecutionMode) -> CloseableIterator:
        """Start the job of a query in the mode in which it was planned."""
        environment = self._environment
        now, environment._runtime_mode = environment._runtime_mode, mode
        try:
            return environment._collect(stream, None)
        finally:
            environment._runtime_mode = now

    def _dataframe(self, relation: Relation) -> Any:
        schema = spark_schema(relation)
        return self._stream(relation).to_dataframe(schema)

    def _arrow(self, relation: Relation) -> Any:
        import pyarrow as pa

        from windrow.expressions.logical_types import arrow_of

        with self._environment._collect(self._stream(relation), None) as rows:
            columns = list(zip(*(left_of(rows) if relation.changes else rows), strict=True))
        kinds = [arrow_of(column.type) for column in relation.columns]
        values = columns or [()] * len(kinds)
        arrays = [pa.array(each, kind) for each, kind in zip(values, kinds, strict=True)]
        return pa.Table.from_arrays(arrays, names=[column.name for column in relation.columns])

    def _attach(self, inserts: Sequence[tuple[str, Relation, Any]], statement: str) -> None:
        lowering = self._lowering([relation for _, relation, _ in inserts])
        for name, relation, node in inserts:
            self._statements().write(name, relation, lowering.stream(relation), statement, node)

    def _insert(self, inserts: Sequence[tuple[str, Relation, Any]], statement: str) -> TableResult:
        """Run one job that writes relations to tables, and wait for it if ``table.dml-sync`` says so."""
        return self._ended(self._begun(inserts, statement))

    def _begun(self, inserts: Sequence[tuple[str, Relation, Any]], statement: str) -> TableResult:
        """Start one job that writes relations to tables."""
        self._attach(inserts, statement)
        client: JobClient = self._environment.execute_async("insert-into_" + "_".join(name for name, _, _ in inserts))
        columns = [Column(f"default_catalog.default_database.{name}", _WRITTEN) for name, _, _ in inserts]
        return TableResult(columns, lines=[[-1] * len(columns)], job=client, streaming=self._streaming)

    def _ended(self, result: TableResult) -> TableResult:
        if self._config.waits_for_inserts():
            result.wait_or_cancel()
        return result

    def _explained(self, relations: Sequence[tuple[str, Relation]]) -> str:
        """Show what relations are made of, and the operators of the one job that has a sink of a name for each."""
        environment, lowering = self._environment, self._lowering([relation for _, relation in relations])
        sinks = []
        for name, relation in relations:
            stream, number = lowering.stream(relation), environment._program.next_id()
            # It is not added to the program, whose own sinks have still to be run.
            sinks.append(SinkTransformation(number, name, [stream._values()], stream.get_type(), sink=DiscardingSink()))
        plan = describe_job(environment._plan(sinks))
        shown = "\n\n".join(describe(relation) for _, relation in relations)
        return f"== Relations ==\n{shown}\n\n== Operators ==\n{plan}"
