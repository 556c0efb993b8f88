"""The environment in which tables are known by name, and statements of SQL are run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from windrow.common.checks import instance_of, text
from windrow.common.configuration import Configuration
from windrow.common.typeinfo import TypeInformation, Types
from windrow.common.types import Row, RowKind
from windrow.datastream.execution_mode import RuntimeExecutionMode
from windrow.datastream.stream_execution_environment import StreamExecutionEnvironment
from windrow.datastream.streams.data_stream import DataStream
from windrow.errors import ConfigurationError, ConfigurationTypeError
from windrow.sql.catalog import Catalog, View, name_of_path
from windrow.sql.plan import Relation
from windrow.sql.plan_text import producer_of_changes
from windrow.sql.user_functions import check_result
from windrow.table.changelog_mode import ChangelogMode
from windrow.table.data_types import DataType, RowField, RowType, row_type_info
from windrow.table.dataframes import schema_of_dataframe
from windrow.table.environment_settings import RUNTIME_MODE, EnvironmentSettings
from windrow.table.explain_detail import ExplainDetail
from windrow.table.expression import Expression
from windrow.table.given_rows import columns_of
from windrow.table.planner.verbs import Verbs
from windrow.table.schema import Schema
from windrow.table.showing import function_names
from windrow.table.statement_set import StatementSet
from windrow.table.statements import Statements, overwriting
from windrow.table.stream_fields import schema_of_fields
from windrow.table.streams import changelog_of_table, relation_of_stream, rows_of_table, without_old_rows
from windrow.table.table import Table
from windrow.table.table_config import TableConfig
from windrow.table.table_descriptor import TableDescriptor, statement_of_descriptor
from windrow.table.table_jobs import TableJobs
from windrow.table.table_result import TableResult
from windrow.table.target_schema import as_of_schema, check_key, without_nulls
from windrow.table.udf import wrapped


class TableEnvironment(TableJobs):
    """Tables and views by name, and statements about them (PyFlink's class of the same name).

    Args:
        environment: Runs the jobs.
        streaming: Whether results are shown as changes.
        own_environment: Whether nobody else describes streams in it.

    Example:
        >>> tables = TableEnvironment.create(EnvironmentSettings.in_streaming_mode())
        >>> _ = tables.execute_sql("CREATE TEMPORARY VIEW v AS SELECT 1 AS n")
        >>> tables.list_views()
        ['v']
    """

    def __init__(
        self, environment: StreamExecutionEnvironment, *, streaming: bool = True, own_environment: bool = False
    ) -> None:
        self._environment = environment
        self._own_environment = own_environment
        self._streaming = streaming
        self._config = TableConfig(
            environment._configuration, streaming=streaming, environment=environment, switch=self._read_as
        )
        self._catalog = Catalog()
        self._unnamed = 0
        #: What the program holds that was planned for the runtime mode.
        self._planned: str | None = None

    @staticmethod
    def create(environment_settings: EnvironmentSettings | Configuration) -> TableEnvironment:
        """Make an environment with a job environment of its own."""
        settings = environment_settings
        if isinstance(settings, Configuration):
            settings = EnvironmentSettings(configuration=settings)
        instance_of(settings, EnvironmentSettings, "environment_settings")
        return StreamTableEnvironment.create(environment_settings=settings)

    def get_config(self) -> TableConfig:
        """The settings."""
        return self._config

    def add_python_file(self, file_path: str) -> None:
        """Let functions import from a Python file, a folder or a package, as the job environment's method does."""
        self._environment.add_python_file(file_path)

    def add_python_archive(self, archive_path: str, target_dir: str | None = None) -> None:
        """Let functions open files of an archive, as the job environment's method does."""
        self._environment.add_python_archive(archive_path, target_dir)

    def set_python_requirements(self, requirements_file_path: str, requirements_cache_dir: str | None = None) -> None:
        """Let functions import the packages of a requirements file, as the job environment's method does."""
        self._environment.set_python_requirements(requirements_file_path, requirements_cache_dir)

    # Tables

    def from_path(self, path: str) -> Table:
        """The table or view of a name.

        Raises:
            SqlError: there is none.
        """
        name = name_of_path(text(path, "path")).replace("`", "``")
        return self.sql_query(f"SELECT * FROM `{name}`")

    def from_descriptor(self, descriptor: TableDescriptor) -> Table:
        """The table that is described, which has no name.

        Raises:
            SqlError: an option is missing or misspelt, or a column cannot be had.
        """
        self._unnamed += 1
        name = f"*anonymous_{instance_of(descriptor, TableDescriptor, 'descriptor').get_options()['connector']}"
        return self.from_path(self._described(f"{name}${self._unnamed}*", descriptor))

    def create_temporary_table(
        self,
        path: str,
        descriptor: TableDescriptor,
        ignoreIfExists: bool | None = False,  # noqa: N803  (PyFlink's name)
    ) -> None:
        """Give a table that is described a name, as ``CREATE TEMPORARY TABLE`` does.

        Args:
            path: The name, perhaps with catalog and database.
            descriptor: The table.
            ignoreIfExists: Whether nothing is done if there is one of that name.

        Raises:
            SqlError: there is one of that name, an option is missing or misspelt, or a column cannot be had.
        """
        if not (ignoreIfExists and name_of_path(path) in self._catalog.names()):
            self._described(path, descriptor, temporary=True)

    def create_table(
        self,
        path: str,
        descriptor: TableDescriptor,
        ignoreIfExists: bool | None = False,  # noqa: N803  (PyFlink's name)
    ) -> None:
        """The same, as ``CREATE TABLE`` does."""
        if not (ignoreIfExists and name_of_path(path) in self._catalog.names()):
            self._described(path, descriptor)

    def from_elements(self, elements: Iterable[Any], schema: Any = None, verify_schema: bool = True) -> Table:
        """A table of rows that are given.

        Args:
            elements: Tuples, Rows or dicts. The columns of dicts are sorted by name, as PyFlink's are.
            schema: ``DataTypes.ROW`` of the columns, or a list of their names; None: the elements' own names, or
                ``_1``, ``_2``, ...
            verify_schema: PyFlink's; what does not fit is an error in any case.

        Raises:
            ConfigurationError: there are no elements and no types, or elements do not fit the names.
            TypeConversionError: an element does not fit a type.
        """
        rows = list(elements)
        if isinstance(schema, RowType):
            stream = self._environment.from_collection(rows, row_type_info(schema))
            return Table(self, relation_of_stream(stream, _schema_of(schema), self._config.get_local_timezone()))
        if not isinstance(schema, list | tuple | None):
            msg = f"schema of from_elements is DataTypes.ROW([...]) or a list of names; got {schema!r}"
            raise ConfigurationTypeError(msg)
        return self.from_pandas(columns_of(rows, schema))

    def from_pandas(self, pdf: Any, schema: Any = None, splits_num: int = 1) -> Table:
        """A table of the rows of a frame of pandas, or of a table of Arrow.

        Args:
            pdf: The rows. Times without a zone are TIMESTAMP, those with one TIMESTAMP_LTZ, with as many digits of a
                second as the frame has, of pandas' nanoseconds six.
            schema: ``DataTypes.ROW`` of the columns, a list of their types, or one of their names; None: the frame's.
            splits_num: As PyFlink's; here a stream is split by the parallelism of what reads it.
        """
        from windrow.connectors.tables import arrow_table
        from windrow.expressions.arrow_types import as_of_sql

        given, found = as_of_sql(arrow_table(pdf))
        stream, zone = self._environment.from_collection(given), self._config.get_local_timezone()
        known = None if found is None else _schema_of(RowType(list(map(RowField, given.column_names, found))))
        table = Table(self, relation_of_stream(stream, known, zone))
        if schema is None:
            return table
        kinds = schema.field_types() if isinstance(schema, RowType) else list(schema)
        are_types = all(isinstance(each, DataType) for each in kinds)
        if are_types:
            pairs = zip(table._relation.columns, kinds, strict=True)
            typed = RowType([RowField(column.name, kind) for column, kind in pairs])
            table = Table(self, relation_of_stream(stream, _schema_of(typed), zone))
        if isinstance(schema, RowType):
            return table.alias(*schema.field_names())
        return table if are_types else table.alias(*kinds)

    def from_dataframe(self, df: Any, schema: Schema | None = None) -> Table:
        """A table of the rows of a Spark DataFrame, streaming or batch.

        Args:
            df: The DataFrame; a ``timestamp`` is a TIMESTAMP_LTZ(6), a ``timestamp_ntz`` a TIMESTAMP(6).
            schema: What there is besides: computed columns, a watermark, a key. With columns that have a type it says
                all of them.

        Raises:
            ConfigurationTypeError: it is no DataFrame.
            ConfigurationError: SQL has no type for a column.
        """
        whole = schema_of_dataframe(df, schema)
        stream = self._environment.from_dataframe(df)
        return Table(self, relation_of_stream(stream, whole, self._config.get_local_timezone(), catalog=self._catalog))

    def create_temporary_view(
        self, view_path: str, table_or_data_stream: Any, *fields_or_schema: Schema | Expression | None
    ) -> None:
        """Give a table or a stream a name.

        Args:
            view_path: The name.
            table_or_data_stream: What it stands for.
            fields_or_schema: Of a stream, its columns, as :meth:`StreamTableEnvironment.from_data_stream` takes them.

        Raises:
            SqlError: there is a table of that name.
        """
        given = table_or_data_stream
        if isinstance(given, DataStream):
            relation = self._table_of_stream(given, fields_or_schema)._relation
        else:
            relation = instance_of(given, Table, "table_or_data_stream")._relation
        name = name_of_path(text(view_path, "view_path"))
        self._catalog.put(name, View(name, relation, temporary=True), exists=False)

    # Functions

    def create_temporary_system_function(self, name: str, function: Any) -> None:
        """Give a function of the program's own a name that comes before Flink's functions.

        Args:
            name: As SQL calls it, in upper or lower case.
            function: What :func:`windrow.table.udf.udf` gives, or a ``ScalarFunction`` or a function of Python whose
                result is annotated.

        Raises:
            ConfigurationError: there is one of that name, or what it gives is not known.
        """
        self._add_function(name, function, system=True)

    def create_temporary_function(self, path: str, function: Any) -> None:
        """The same, behind Flink's functions."""
        self._add_function(path, function, system=False)

    def drop_temporary_system_function(self, name: str) -> bool:
        """Forget what ``create_temporary_system_function`` took; tells whether there was one."""
        return self._catalog.drop_function(text(name, "name"), system=True)

    def drop_temporary_function(self, path: str) -> bool:
        """Forget what ``create_temporary_function`` took; tells whether there was one."""
        return self._catalog.drop_function(text(path, "path"), system=False)

    def list_functions(self) -> list[str]:
        """The names of all functions, Flink's and the program's own."""
        return sorted({*function_names(), *self.list_user_defined_functions()})

    def list_user_defined_functions(self) -> list[str]:
        """The names of the program's own functions."""
        return sorted({name.lower() for name in (*self._catalog.system_functions, *self._catalog.functions)})

    def _add_function(self, name: str, function: Any, *, system: bool) -> None:
        made = wrapped(function, "function")
        check_result(made)  # what is wrong with it is said here
        self._catalog.add_function(text(name, "name"), made, system=system)

    # Statements

    def sql_query(self, query: str) -> Table:
        """The table that a query asks for.

        Raises:
            SqlError: it is no query, or cannot be had; the message shows the place in its text.
        """
        return Table(self, self._statements().query(query))

    def execute_sql(self, stmt: str) -> TableResult:
        """Run one statement: a query, DDL, ``INSERT INTO``, ``SHOW``, ``DESCRIBE``, ``EXPLAIN``, ``SET``.

        Raises:
            SqlError: it cannot be read, or asks for what there is not.
        """
        return self._statements().execute(stmt)

    def explain_sql(self, stmt: str, *extra_details: ExplainDetail) -> str:
        """Show what a query, or the one of an ``INSERT INTO``, is made of, and the operators that do it.

        Args:
            stmt: The statement.
            extra_details: As PyFlink's; what is shown is the same with them.

        Raises:
            SqlError: it is neither, or cannot be had.
        """
        for each in extra_details:
            instance_of(each, ExplainDetail, "extra_details")
        return self._statements().explained(stmt)

    def create_statement_set(self) -> StatementSet:
        """Begin a set of ``INSERT INTO`` that run as one job."""
        return StatementSet(self)

    # What statements do

    def _described(self, path: str, descriptor: TableDescriptor, *, temporary: bool = False) -> str:
        name = name_of_path(text(path, "path"))
        described = instance_of(descriptor, TableDescriptor, "descriptor")
        self.execute_sql(statement_of_descriptor(name, described, temporary=temporary))
        return name

    def _insertion(self, target: str | TableDescriptor, table: Table, *, overwrite: bool) -> tuple[str, Relation, Any]:
        """Make what writes a table's rows to another one, as statements do."""
        if isinstance(target, TableDescriptor):
            self._unnamed += 1
            name = self._described(f"*anonymous_{target.get_options()['connector']}${self._unnamed}*", target)
        else:
            name = name_of_path(text(target, "table_path"))
        return name, instance_of(table, Table, "table")._relation, overwriting(name) if overwrite else None

    def _table_of_stream(self, stream: DataStream, fields: Sequence[Any]) -> Table:
        schema, names = schema_of_fields(stream, fields)
        made = Table(self, relation_of_stream(stream, schema, self._config.get_local_timezone(), catalog=self._catalog))
        return made if names is None else made.alias(*names)

    def _named(self, table: Table) -> str:
        """A name that SQL can call a table by (``UnnamedTable$0``)."""
        name = f"UnnamedTable${self._unnamed}"
        self._unnamed += 1
        self.create_temporary_view(name, table)
        return name

    def _statements(self) -> Statements:
        return Statements(self)

    def _verbs(self) -> Verbs:
        return Verbs(self._statements().binder(""))

    def _read_as(self, streaming: bool) -> None:
        """Read tables as streams, or at once, from now on."""
        views = self._catalog.views()
        made = f"view {views[0]!r}" if views else self._planned
        if made is None and not (self._own_environment or self._environment._program.is_empty):
            made = "a stream of its environment of streams"
        if made is not None:
            now, wanted = ("BATCH", "STREAMING") if streaming else ("STREAMING", "BATCH")
            msg = (
                f"{RUNTIME_MODE} is {now} here, and cannot become {wanted} any more: {made} was planned for it. Say it "
                "before, at the head of the statements, or where the environment is made: "
                f"EnvironmentSettings.in_{wanted.lower()}_mode(), windrow sql{' --batch' * (not streaming)}"
            )
            raise ConfigurationError(msg)
        self._catalog.forget_rows()
        self._streaming = streaming


class StreamTableEnvironment(TableEnvironment):
    """Tables beside streams (PyFlink's class of the same name).

    Example:
        >>> from windrow.common import Types
        >>> env = StreamExecutionEnvironment.create_local_environment(parallelism=1)
        >>> tables = StreamTableEnvironment.create(env)
        >>> word = Types.ROW_NAMED(["word", "n"], [Types.STRING(), Types.INT()])
        >>> words = env.from_collection([("a", 1), ("b", 2)], word)
        >>> tables.create_temporary_view("words", words)
        >>> tables.to_data_stream(tables.sql_query("SELECT word, n * 2 AS m FROM words")).execute_and_collect(limit=9)
        [Row(word='a', m=2), Row(word='b', m=4)]
    """

    @staticmethod
    def create(  # type: ignore[override]
        stream_execution_environment: StreamExecutionEnvironment | None = None,
        environment_settings: EnvironmentSettings | None = None,
    ) -> StreamTableEnvironment:
        """Make an environment whose jobs run in an environment of streams.

        Args:
            stream_execution_environment: That environment; None: a new one.
            environment_settings: Whether tables are read as streams, or at once: then the jobs of that environment run
                in BATCH, where no row is late; if they do not say it, as the environment runs its jobs. Its
                configuration is added to that of the environment, and comes before it.

        Raises:
            ConfigurationError: the environment runs jobs in BATCH, and tables are to be read as streams; or there is a
                setting that asks for what there is not.
        """
        settings, environment = environment_settings, stream_execution_environment
        given = Configuration() if settings is None else Configuration(settings.get_configuration())
        own_environment = environment is None
        if environment is None:
            environment = StreamExecutionEnvironment.get_execution_environment(given)
        instance_of(environment, StreamExecutionEnvironment, "stream_execution_environment")
        runs_batches = environment._runtime_mode is RuntimeExecutionMode.BATCH
        streaming = not runs_batches
        if settings is not None and given.contains_key(RUNTIME_MODE):
            streaming = settings.is_streaming_mode()
        if streaming and runs_batches:
            msg = (
                "the environment runs its jobs in BATCH, and tables are to be read as streams: take "
                "EnvironmentSettings.in_batch_mode(), or another environment"
            )
            raise ConfigurationError(msg)
        if not own_environment:
            given.remove_config(RUNTIME_MODE)
            environment.configure(given)
        if not streaming:
            environment.set_runtime_mode(RuntimeExecutionMode.BATCH)
        return StreamTableEnvironment(environment, streaming=streaming, own_environment=own_environment)

    def from_data_stream(self, data_stream: DataStream, *fields_or_schema: Schema | Expression | None) -> Table:
        """The elements of a stream as rows of a table.

        Args:
            data_stream: A stream with a declared type: Rows, tuples, or single values.
            fields_or_schema: A schema: the columns, with what is computed, and the time of rows:
                ``SOURCE_WATERMARK()`` takes the stream's own watermarks, ``column_by_metadata("t", "TIMESTAMP_LTZ(3)",
                "rowtime")`` its elements' timestamps. Or fields: ``col("a"), col("b").alias("c"), col("t").rowtime``.
                None: the fields of the type.

        Raises:
            ConfigurationError: the stream declares no type, and the schema has none.
        """
        return self._table_of_stream(instance_of(data_stream, DataStream, "data_stream"), fields_or_schema)

    def from_changelog_stream(
        self, data_stream: DataStream, schema: Schema | None = None, changelog_mode: ChangelogMode | None = None
    ) -> Table:
        """Rows that have a kind as the changes of a table.

        Args:
            data_stream: A stream of Rows with a declared type, whose kind says what they are: added, or taken back.
            schema: The columns, and with ``ChangelogMode.upsert()`` the ``primary_key``. None: the fields of the type.
            changelog_mode: Which kinds there are: all, the default, or those that take the place of others by a key.

        Raises:
            ConfigurationError: the stream declares no type, or there is no key where one is needed.

        Example:
            >>> from windrow.common import Row, RowKind, Types
            >>> env = StreamExecutionEnvironment.create_local_environment(parallelism=1)
            >>> tables = StreamTableEnvironment.create(env)
            >>> before, after = Row.of_kind(RowKind.UPDATE_BEFORE, "a", 1), Row.of_kind(RowKind.UPDATE_AFTER, "a", 3)
            >>> row = Types.ROW_NAMED(["k", "n"], [Types.STRING(), Types.INT()])
            >>> stream = env.from_collection([Row("a", 1), before, after], row)
            >>> tables.create_temporary_view("t", tables.from_changelog_stream(stream))
            >>> list(tables.sql_query("SELECT SUM(n) AS total FROM t").to_pandas()["total"])
            [3]
        """
        stream, mode = instance_of(data_stream, DataStream, "data_stream"), changelog_mode or ChangelogMode.all()
        return Table(self, relation_of_stream(stream, schema, self._config.get_local_timezone(), mode, self._catalog))

    def to_append_stream(self, table: Table, type_info: TypeInformation) -> DataStream:
        """The rows of a table as a stream of Rows of a type (PyFlink's older form of :meth:`to_data_stream`)."""
        return self.to_data_stream(table).map(_as_row, output_type=type_info)

    def to_retract_stream(self, table: Table, type_info: TypeInformation) -> DataStream:
        """The changes of a table as pairs: whether a row is added, and the row of a type.

        It is PyFlink's older form of :meth:`to_changelog_stream`.
        """
        pairs = Types.TUPLE([Types.BOOLEAN(), type_info])
        return self.to_changelog_stream(table).map(_with_flag, output_type=pairs)

    def to_data_stream(self, table: Table) -> DataStream:
        """The rows of a table as a stream of Rows; their timestamps are their event time.

        Raises:
            ConfigurationError: the table's rows take back others.
        """
        relation = instance_of(table, Table, "table")._relation
        if relation.changes:
            msg = (
                f"to_data_stream doesn't support consuming {producer_of_changes(relation)}: take to_changelog_stream, "
                "whose Rows have a kind"
            )
            raise ConfigurationError(msg)
        return rows_of_table(self._stream(relation), relation)

    def to_changelog_stream(
        self, table: Table, target_schema: Schema | None = None, changelog_mode: ChangelogMode | None = None
    ) -> DataStream:
        """The rows of a table as a stream of Rows that have a kind: what is added, and what takes others back.

        Args:
            table: The table; where its rows stay all are insertions.
            target_schema: Columns with types, which the table's columns are written to by their places, as ``INSERT
                INTO`` does: names, wider types, NOT NULL; and a ``primary_key``. None: the table's own.
            changelog_mode: Which kinds of rows are wanted: all, the default, or with ``ChangelogMode.upsert()`` no rows
                that say what was there before an update.

        Raises:
            ConfigurationError: there are rows of a kind that is not wanted, the columns do not fit the schema, or rows
                that take the place of others do so by another key than its ``primary_key``.

        Example:
            >>> env = StreamExecutionEnvironment.create_local_environment(parallelism=1)
            >>> tables = StreamTableEnvironment.create(env)
            >>> tables.create_temporary_view("words", tables.from_elements([("a",), ("a",)], ["word"]))
            >>> counts = tables.sql_query("SELECT word, COUNT(*) AS n FROM words GROUP BY word")
            >>> for row in tables.to_changelog_stream(counts).execute_and_collect(limit=9):
            ...     print(row.get_row_kind(), row)
            +I Row(word='a', n=1)
            -U Row(word='a', n=1)
            +U Row(word='a', n=2)
        """
        relation, full = instance_of(table, Table, "table")._relation, dict[int, str]()
        mode = ChangelogMode.all()
        if changelog_mode is not None:
            mode = instance_of(changelog_mode, ChangelogMode, "changelog_mode")
        if target_schema is not None:
            schema = instance_of(target_schema, Schema, "target_schema")
            given = relation
            relation, full = as_of_schema(given, schema, self._config.get_local_timezone())
            if given.changes and not mode.contains(RowKind.UPDATE_BEFORE):
                check_key(given, schema)
        if relation.changes and mode == ChangelogMode.insert_only():
            msg = f"changelog_mode is {mode!r}, and the table gives {producer_of_changes(relation)}"
            raise ConfigurationError(msg)
        stream = without_nulls(self._stream(relation), relation, full)
        if not relation.changes:
            return rows_of_table(stream, relation)
        if not mode.contains(RowKind.UPDATE_BEFORE):
            stream = without_old_rows(stream, relation)
        return changelog_of_table(stream, relation)


def _as_row(row: Row) -> Row:
    return Row(*row)


def _with_flag(row: Row) -> tuple[bool, Row]:
    return row.get_row_kind() in (RowKind.INSERT, RowKind.UPDATE_AFTER), Row(*row)


def _schema_of(row_type: RowType) -> Schema:
    builder = Schema.new_builder()
    for field in row_type.fields:
        builder.column(field.name, field.data_type)
    return builder.build()
