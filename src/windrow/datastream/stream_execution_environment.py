"""The beginning of a program: its sources, its settings, and the execution of what it describes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from html import escape
from typing import Any

from windrow.common.checks import instance_of, text
from windrow.common.configuration import Configuration
from windrow.common.html import html_table, without_secrets
from windrow.common.job_client import JobClient
from windrow.common.job_execution_result import JobExecutionResult
from windrow.common.spark_connect import refuse_spark_connect
from windrow.common.typeinfo import TypeInformation
from windrow.common.watermark_strategy import WatermarkStrategy, watches_clock
from windrow.connectors.collect import CollectSink
from windrow.connectors.dataframe import DataFrameSink
from windrow.connectors.interfaces import Source
from windrow.connectors.iterator_source import IteratorSource
from windrow.connectors.source import Source as SplitSource
from windrow.datastream.environment.dataframe_schema import spark_schema
from windrow.datastream.environment.execution_plan import execution_plan
from windrow.datastream.environment.graph_html import graph_html
from windrow.datastream.environment.sources import EnvironmentSources
from windrow.datastream.execution_mode import RuntimeExecutionMode
from windrow.datastream.streams.closeable_iterator import CloseableIterator
from windrow.datastream.streams.data_stream import DataStream
from windrow.datastream.streams.data_stream_source import DataStreamSource
from windrow.datastream.streams.program import OperatorFactory, ancestors, factory, sources
from windrow.datastream.streams.timestamps import does_nothing, timestamps_and_watermarks
from windrow.datastream.time_characteristic import TimeCharacteristic
from windrow.errors import ConfigurationError, ConfigurationTypeError, UsageError, WindrowError
from windrow.graph.column_plan import describe
from windrow.graph.job_graph import JobGraph
from windrow.graph.planner import JobSettings, Planner
from windrow.graph.transformations import (
    OneInputTransformation,
    OperatorTransformation,
    SinkTransformation,
    SourceTransformation,
    Transformation,
)
from windrow.operators.ingestion_time import IngestionTimeOperator
from windrow.operators.simple import MapOperator
from windrow.runtime.monitor.ui_settings import UiSettings
from windrow.runtime.submit import RUNTIME, JobView, SubmitSettings, run, submit, to_dataframe
from windrow.storage.local_path import state_directory

_DEFAULT_JOB_NAME = "Flink Streaming Job"
_NO_OPERATORS = "No operators defined in streaming topology. Cannot execute."


class StreamExecutionEnvironment(EnvironmentSources):
    """The context of a program, from :meth:`get_execution_environment`: each call of it gives a new one.

    Example:
        >>> local = Configuration().set_string("windrow.runtime", "local")
        >>> env = StreamExecutionEnvironment.get_execution_environment(local)
        >>> sink = env.from_collection([1, 2]).print()
        >>> result = env.execute("numbers")
        1
        2
    """

    def __init__(self, configuration: Configuration, spark_session: Any = None) -> None:
        super().__init__(configuration)
        self._spark_session = spark_session

    @staticmethod
    def get_execution_environment(
        configuration: Configuration | None = None, spark_session: Any = None
    ) -> StreamExecutionEnvironment:
        """Make a new environment.

        Args:
            configuration: Its settings. An existing ``SparkSession`` may stand here too.
            spark_session: The ``SparkSession`` to run jobs on; None takes the active one, or starts one.

        Raises:
            ConfigurationError: the session is of Spark Connect.
        """
        for given in (configuration, spark_session):
            refuse_spark_connect(given, "the session of get_execution_environment")
        if configuration is not None and not isinstance(configuration, Configuration):
            if spark_session is not None or not hasattr(configuration, "sparkContext"):
                msg = f"configuration must be a Configuration; got {configuration!r} ({type(configuration).__name__})"
                raise ConfigurationTypeError(msg)
            configuration, spark_session = None, configuration
        return StreamExecutionEnvironment(configuration or Configuration(), spark_session)

    @staticmethod
    def create_local_environment(
        parallelism: int | None = None, configuration: Configuration | None = None
    ) -> StreamExecutionEnvironment:
        """Make a new environment that runs jobs in this process, without Spark.

        Args:
            parallelism: That of operators that do not say themselves; None takes the configuration's.
            configuration: Further settings.

        Example:
            >>> env = StreamExecutionEnvironment.create_local_environment(parallelism=1)
            >>> env.from_elements(1, 2, 3).execute_and_collect(limit=9)
            [1, 2, 3]
        """
        local = Configuration(configuration).set_string(RUNTIME, "local")
        environment = StreamExecutionEnvironment.get_execution_environment(local)
        return environment if parallelism is None else environment.set_parallelism(parallelism)

    # Execution

    def execute(self, job_name: str | None = None) -> JobExecutionResult:
        """Run what leads to the sinks added since the last execution, and wait for its end.

        Raises:
            UsageError: there are none.
            UserFunctionError: a function of the program raised.
        """
        return run(self._take_job(job_name), self._submit_settings())

    def execute_async(self, job_name: str = _DEFAULT_JOB_NAME) -> JobClient:
        """Start what leads to the sinks added since the last execution, and return at once."""
        return JobClient(submit(self._take_job(job_name), self._submit_settings()))

    def get_execution_plan(self) -> str:
        """Show the graph that :meth:`execute` would run, as JSON in Flink's form; ``form`` is columns or rows, and why.

        Sources, operators and sinks are nodes, with the parallelism they run with. Keys, unions, partitioners and side
        outputs show in their predecessors, as ship strategies: FORWARD, HASH, REBALANCE, RESCALE, SHUFFLE, BROADCAST,
        GLOBAL, CUSTOM.

        Raises:
            UsageError: there are no sinks.
        """
        sinks = self._program.sinks()
        if not sinks:
            raise UsageError(_NO_OPERATORS)
        return execution_plan(self._plan(sinks), ancestors(sinks))

    def explain(self) -> str:
        """Show the job that :meth:`execute` would run, and which operators work on columns.

        A line for each source, operator, exchange and sink, level by level. Columns are computed as a whole; where an
        operator works on rows, one by one, the line says why. What a source gives is known before the job runs where
        its type says it; rows of a plain form may become columns all the same, in front of a window.

        Raises:
            UsageError: there are no sinks.

        Example:
            >>> from windrow.datastream import StreamExecutionEnvironment
            >>> env = StreamExecutionEnvironment.get_execution_environment()
            >>> numbers = env.from_collection(range(1000)).map(lambda x: (x % 2, x))
            >>> _ = numbers.key_by(lambda e: e[0]).map(lambda e: str(e)).print()
            >>> print(env.set_parallelism(1).explain())
            level 0, 1 subtask
              Source: Collection Source: columns (f0 int64)
              Map: columns (f0 int64, f1 int64)
              -> HASH to Map, keys as columns (f0 int64)
            level 1, 1 subtask
              Map: rows: its function does __repr__ with int
              -> sink Sink: Print to Std. Out
        """
        sinks = self._program.sinks()
        if not sinks:
            raise UsageError(_NO_OPERATORS)
        return describe(self._plan(sinks))

    def to_dataframe(self, streams: Mapping[str, Any]) -> Any:
        """Several streams as one Spark DataFrame, computed in one pass.

        Args:
            streams: Streams by name, each a stream with a declared type, or a pair of a stream and its schema.
        """
        instance_of(streams, Mapping, "streams")
        if not streams:
            msg = "to_dataframe takes at least one stream by its name; got none"
            raise ConfigurationError(msg)
        pairs = {}
        for name, given in streams.items():
            stream, schema = given if isinstance(given, tuple) else (given, None)
            instance_of(stream, DataStream, f"stream {name!r}")
            if stream.get_execution_environment() is not self:
                msg = f"to_dataframe takes streams of its own environment; stream {name!r} is of another"
                raise ConfigurationError(msg)
            needed = spark_schema(stream.get_type(), f"stream {name!r} of to_dataframe") if schema is None else schema
            pairs[text(name, "a stream's name")] = (stream, needed)
        return self._to_dataframe(pairs)

    def __repr__(self) -> str:
        sinks = len(self._program.sinks())
        return f"<StreamExecutionEnvironment with {sinks} sink{'' if sinks == 1 else 's'} to execute>"

    def _repr_html_(self) -> str:
        """Show a notebook the settings, and the graph that :meth:`execute` would run."""
        fields = {
            "parallelism": str(self.get_parallelism()),
            "mode": self._runtime_mode.name,
            "settings": without_secrets(self._configuration.to_dict()),
        }
        table, sinks = html_table("StreamExecutionEnvironment", fields), self._program.sinks()
        if not sinks:
            return f"{table}<div>nothing to execute yet: no sink was added</div>"
        try:
            return table + self._graph_html(sinks)
        except WindrowError as error:
            return f"{table}<div>{escape(str(error))}</div>"

    def close(self) -> None:
        """End the use of this environment: whatever is called on it or its streams afterwards is an error."""
        self.__class__ = _ClosedEnvironment

    # How it is built

    def _source(
        self,
        source: Source,
        name: str,
        type_info: TypeInformation,
        strategy: WatermarkStrategy,
        convert: TypeInformation | None = None,
    ) -> DataStream:
        # Readers run the strategy for each split; where a channel is one split, an operator does.
        by_split = isinstance(source, SplitSource) and not isinstance(source, IteratorSource)
        first = SourceTransformation(
            self._program.next_id(),
            f"Source: {name}",
            [],
            type_info,
            source=source,
            strategy=strategy if by_split else None,
        )
        last: Transformation = first
        if convert is not None:
            last = self._behind(last, "Convert", factory(MapOperator, convert.converter()))
        if self._time_characteristic is TimeCharacteristic.IngestionTime:
            batch = partial(IngestionTimeOperator, emit_progressive=False)
            last = self._behind(last, "Ingestion time", IngestionTimeOperator, batch, asks_clock=True)
        if not by_split and not does_nothing(strategy):
            made = timestamps_and_watermarks(strategy, self._config)
            last = self._behind(last, "Timestamps/Watermarks", *made, asks_clock=watches_clock(strategy))
        return DataStreamSource(self, first, last)

    def _behind(
        self,
        last: Transformation,
        name: str,
        make: OperatorFactory,
        batch: OperatorFactory | None = None,
        *,
        asks_clock: bool = False,
    ) -> Transformation:
        return OneInputTransformation(
            self._program.next_id(),
            name,
            [last],
            last.output_type,
            factory=make,
            stateless=False,
            batch_factory=batch,
            makes_watermarks=True,
            asks_clock=asks_clock,
            belongs_to_input=True,
        )

    def _take_job(self, job_name: str | None) -> JobGraph:
        sinks = self._program.sinks()
        if not sinks:
            raise UsageError(_NO_OPERATORS)
        job = self._plan(sinks, job_name)
        self._program.take_sinks()
        return job

    def _plan(self, sinks: list[SinkTransformation], job_name: str | None = None) -> JobGraph:
        """The job graph of what leads to the sinks."""
        name = job_name or self._configuration.get_string("pipeline.name", None) or _DEFAULT_JOB_NAME
        parallelism = self.get_parallelism()
        max_parallelism = self.get_max_parallelism()
        if max_parallelism < 0:
            max_parallelism = min(max(128, 1 << (parallelism + parallelism // 2 - 1).bit_length()), 1 << 15)
        if parallelism > max_parallelism:
            msg = f"the parallelism must not exceed the max parallelism of {max_parallelism}; it is {parallelism}"
            raise ConfigurationError(msg)
        if not self._config.has_auto_generated_uids_enabled():
            _check_uids(sinks)
        job_parameters = self._config.get_global_job_parameters()
        settings = JobSettings(
            text(name, "job_name"),
            parallelism,
            max_parallelism,
            self._is_batch(sinks),
            job_parameters,
            self._configuration,
            self._config.get_auto_watermark_interval(),
            self._config.is_object_reuse_enabled(),
        )
        return Planner(settings).plan(sinks)

    def _is_batch(self, sinks: list[SinkTransformation]) -> bool:
        unbounded = [source.name for source in sources(sinks) if not source.source.bounded]
        if self._runtime_mode is RuntimeExecutionMode.BATCH and unbounded:
            msg = f"runtime mode BATCH needs sources that end, and {unbounded[0]!r} does not; STREAMING runs it"
            raise ConfigurationError(msg)
        return self._runtime_mode is not RuntimeExecutionMode.STREAMING and not unbounded

    def _submit_settings(self) -> SubmitSettings:
        configuration = Configuration(self._configuration)
        interval = self._config.get_auto_watermark_interval()
        if interval > 0:  # set in the configuration, maybe in words, or by the program: runtimes tick as often
            configuration.set_integer("pipeline.auto-watermark-interval", interval)
        savepoints = self.get_default_savepoint_directory()
        if savepoints is not None:
            savepoints = state_directory(savepoints, "set_default_savepoint_directory")
        ui = UiSettings.of(configuration)
        settings = SubmitSettings(
            configuration,
            None,
            self._spark_session,
            savepoints,
            self.get_restart_strategy(),
            self._checkpoint_config.is_checkpointing_enabled(),
            view=_view(ui),
            ui=ui,
        )
        directory = self._checkpoint_directory(local=settings.runtime == "local")
        return replace(settings, checkpoint_dir=directory, warnings=tuple(self._notices.told()))

    def _graph_html(self, sinks: list[SinkTransformation], *, with_sinks: bool = True) -> str:
        return graph_html(self._plan(sinks), sinks, with_sinks=with_sinks)

    def _collect(self, stream: DataStream, job_name: str | None) -> CloseableIterator:
        sink = CollectSink()
        stream._add_sink("Collect", sink)
        return CloseableIterator(sink, submit(self._take_job(job_name), self._submit_settings()))

    def _to_dataframe(self, streams: Mapping[str, tuple[DataStream, Any]]) -> Any:
        sinks = [
            SinkTransformation(
                self._program.next_id(), name, [stream._values()], stream.get_type(), sink=DataFrameSink(name, schema)
            )
            for name, (stream, schema) in streams.items()
        ]
        return self._dataframe_of(self._plan(sinks))

    def _dataframe_of(self, job: JobGraph) -> Any:
        return to_dataframe(job, self._submit_settings())


def _view(settings: UiSettings) -> JobView | None:
    """Make the view that shows jobs to a person; None: nobody is to see them."""
    if not settings.enabled:
        return None
    from windrow.ui.job_ui import JobUi

    return JobUi(settings)


def _check_uids(sinks: list[SinkTransformation]) -> None:
    """Refuse what has state and no uid, as Flink does where uids are not to be made up."""
    for each in ancestors(sinks):
        has_state = isinstance(each, SourceTransformation | SinkTransformation | OperatorTransformation)
        if isinstance(each, OneInputTransformation):
            has_state = not (each.stateless or each.belongs_to_input)
        if has_state and each.uid is None:
            msg = f"auto-generated uids are disabled, and {each.name!r} has none; give it one with uid(...)"
            raise ConfigurationError(msg)


class _ClosedEnvironment(StreamExecutionEnvironment):
    """An environment after ``close``."""

    def __repr__(self) -> str:
        return "<StreamExecutionEnvironment, closed>"

    def __getattribute__(self, name: str) -> Any:
        if name == "close" or name.startswith("__"):
            return super().__getattribute__(name)
        msg = "the environment was closed; get a new one from StreamExecutionEnvironment.get_execution_environment()"
        raise UsageError(msg)
