"""A stream of elements without keys."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, overload

from windrow.common.checks import instance_of, positive, text
from windrow.common.typeinfo import (
    DeclaredType,
    PickledBytesTypeInfo,
    RowTypeInfo,
    TupleTypeInfo,
    TypeInformation,
    as_type_information,
)
from windrow.common.watermark_strategy import WatermarkStrategy, watches_clock
from windrow.connectors.discarding import DiscardingSink
from windrow.connectors.interfaces import Sink
from windrow.connectors.print_sink import PrintSink
from windrow.datastream.functions import (
    FilterFunction,
    FlatMapFunction,
    KeyedProcessFunction,
    KeySelector,
    MapBatchFunction,
    MapFunction,
    OutputSelector,
    ProcessFunction,
    SinkFunction,
)
from windrow.datastream.functions.checks import function_of, object_of
from windrow.datastream.output_tag import OutputTag
from windrow.datastream.streams.checks import same_environment
from windrow.datastream.streams.closeable_iterator import CloseableIterator
from windrow.datastream.streams.data_stream_sink import DataStreamSink
from windrow.datastream.streams.inspection import Inspection
from windrow.datastream.streams.keys import Key, field_index, has_lifecycle
from windrow.datastream.streams.partitioning import Partitioning
from windrow.datastream.streams.program import OperatorFactory, factory, typed
from windrow.datastream.streams.settings import TransformationSettings
from windrow.datastream.streams.timestamps import timestamps_and_watermarks
from windrow.datastream.window import WindowAssigner
from windrow.errors import ConfigurationError, ConfigurationTypeError
from windrow.graph.partitioners import KeyGroupPartitioner, Partitioner
from windrow.graph.transformations import (
    OneInputTransformation,
    PartitionTransformation,
    SideOutputTransformation,
    SinkTransformation,
    Transformation,
    UnionTransformation,
)
from windrow.operators.key_selection import KeySelectorOperator, SharedKeySelector
from windrow.operators.map_batch import MapBatchOperator
from windrow.operators.process import ProcessOperator
from windrow.operators.simple import FilterOperator, FlatMapOperator, MapOperator, ProjectOperator
from windrow.operators.sink_function import SinkFunctionOperator

if TYPE_CHECKING:
    from windrow.datastream.stream_execution_environment import StreamExecutionEnvironment
    from windrow.datastream.streams.broadcast_connected_stream import BroadcastConnectedStream
    from windrow.datastream.streams.broadcast_stream import BroadcastStream
    from windrow.datastream.streams.co_grouped_streams import CoGroupedStreams
    from windrow.datastream.streams.connected_streams import ConnectedStreams
    from windrow.datastream.streams.joined_streams import JoinedStreams
    from windrow.datastream.streams.keyed_stream import KeyedStream
    from windrow.datastream.streams.split_stream import SplitStream
    from windrow.datastream.streams.windowed_stream import AllWindowedStream
    from windrow.operators.window.spec import WindowSpec


class DataStream(TransformationSettings, Partitioning, Inspection):
    """A stream of elements (Flink's ``DataStream``).

    Its methods describe what is to be done; nothing runs before the environment's ``execute``, or
    :meth:`execute_and_collect`.

    ``output_type`` declares the type of an operator's results: they are converted to it, and an element that does not
    fit ends the job. None is any Python object.

    Example:
        >>> from windrow.common import Configuration
        >>> from windrow.datastream import StreamExecutionEnvironment
        >>> local = Configuration().set_string("windrow.runtime", "local")
        >>> env = StreamExecutionEnvironment.get_execution_environment(local)
        >>> env.from_collection([1, 2, 3]).map(lambda n: n * n).filter(lambda n: n > 1).execute_and_collect(limit=9)
        [4, 9]
    """

    def __init__(self, environment: StreamExecutionEnvironment, transformation: Transformation) -> None:
        self._environment = environment
        self._transformation = transformation
        self._notices = environment._notices

    # What it is

    def get_type(self) -> TypeInformation:
        """The declared type of the elements."""
        type_info: TypeInformation = self._transformation.output_type
        return type_info

    def get_id(self) -> int:
        """The number of its operator, as execution plans show it."""
        return self._transformation.id

    def get_execution_environment(self) -> StreamExecutionEnvironment:
        """The environment it belongs to."""
        return self._environment

    def get_execution_config(self) -> Any:
        """The environment's ``ExecutionConfig``."""
        return self._environment.get_config()

    # Operators

    def map(self, func: MapFunction | Callable[[Any], Any], output_type: DeclaredType = None) -> DataStream:
        """Make one element of each element.

        Args:
            func: A ``MapFunction`` or a function of an element.
            output_type: The type of the results.
        """
        func = function_of(func, MapFunction, "map")
        return self._transform("Map", factory(MapOperator, func), output_type, stateless=not has_lifecycle(func))

    def map_batch(
        self,
        func: MapBatchFunction | Callable[[Any], Any],
        output_type: DeclaredType = None,
        timestamps: str | None = None,
    ) -> DataStream:
        """Make a table of new elements of a table of elements (Spark's ``mapInArrow``; Flink has it in its Table API).

        ``func`` is called with a ``pyarrow.Table`` of elements that happen to be together: how many is not promised,
        and results must not depend on it. It has a column for each field of the elements, by its name, or ``f0``,
        ``f1``, ... It gives a table: Arrow's, a frame of pandas or Polars, or a dict of columns by name.

        Args:
            func: A ``MapBatchFunction`` or a function of a table.
            output_type: The type of the results; by default they are Rows with the names of the table's columns.
                A tuple's fields are the columns in their order; a type of single values takes a table of one column.
            timestamps: The name of a column with the elements' timestamps in milliseconds, null for none, that the
                table then has as well, and the result has to have: rows may be left out, repeated and made. By
                default the result has a row for each element, with its timestamp.

        Raises:
            ConfigurationError: elements have a field with the name ``timestamps``.

        Example:
            >>> import pyarrow.compute as pc
            >>> from windrow.common import Configuration, Types
            >>> from windrow.datastream import StreamExecutionEnvironment
            >>> local = Configuration().set_string("windrow.runtime", "local")
            >>> env = StreamExecutionEnvironment.get_execution_environment(local)
            >>> numbers = env.from_collection([1, 2, 3], Types.LONG())
            >>> doubled = numbers.map_batch(lambda table: {"n": table["f0"], "twice": pc.multiply(table["f0"], 2)})
            >>> doubled.execute_and_collect(limit=9)
            [Row(n=1, twice=2), Row(n=2, twice=4), Row(n=3, twice=6)]
        """
        func = function_of(func, MapBatchFunction, "map_batch")
        element_type, type_info = self.get_type(), as_type_information(output_type, "output_type of map_batch")
        if timestamps is not None:
            fields = element_type.get_field_names() if isinstance(element_type, RowTypeInfo) else []
            if text(timestamps, "timestamps") in fields:
                msg = f"timestamps names a column beside those of the elements, which have {fields}; got {timestamps!r}"
                raise ConfigurationError(msg)
        make = factory(MapBatchOperator, func, element_type, type_info, timestamps)
        return self._transform("Map Batch", make, type_info, stateless=not has_lifecycle(func))

    def flat_map(
        self, func: FlatMapFunction | Callable[[Any], Iterable[Any] | None], output_type: DeclaredType = None
    ) -> DataStream:
        """Any number of elements for each element: ``func`` returns an iterable, or is a generator; None is none.

        An ``(OutputTag, value)`` among them goes to that side output.
        """
        func = function_of(func, FlatMapFunction, "flat_map")
        make = factory(FlatMapOperator, func)
        return self._transform("Flat Map", make, output_type, stateless=not has_lifecycle(func))

    def filter(self, func: FilterFunction | Callable[[Any], bool]) -> DataStream:
        """Keep the elements for which ``func`` is true."""
        func = function_of(func, FilterFunction, "filter")
        make, stateless = factory(FilterOperator, func), not has_lifecycle(func)
        return self._transform("Filter", make, self.get_type(), stateless=stateless, convert=False)

    def process(self, func: Any, output_type: DeclaredType = None) -> DataStream:
        """Give each element and its timestamp to a ``ProcessFunction``.

        Raises:
            ConfigurationTypeError: ``func`` is another kind of function.
        """
        hint = "call key_by before process" if isinstance(func, KeyedProcessFunction) else ""
        object_of(func, ProcessFunction, "the function given to process on a stream without keys", hint)
        return self._transform("Process", factory(ProcessOperator, func), output_type, stateless=False)

    def project(self, *field_indexes: int) -> DataStream:
        """Tuples of some fields of tuples, lists or rows.

        Raises:
            ConfigurationError: no field, or one that the declared type does not have.
        """
        for index in field_indexes:
            if isinstance(index, bool) or not isinstance(index, int):
                msg = f"project takes field indexes; got {index!r} ({type(index).__name__})"
                raise ConfigurationTypeError(msg)
        if not field_indexes or min(field_indexes) < 0:
            msg = f"project takes at least one field index, from 0 on; got {field_indexes!r}"
            raise ConfigurationError(msg)
        element_type, output_type = self.get_type(), None
        if isinstance(element_type, TupleTypeInfo | RowTypeInfo):
            types = element_type.get_field_types()
            output_type = TupleTypeInfo([types[field_index(index, element_type, "project")] for index in field_indexes])
        make = factory(ProjectOperator, field_indexes)
        return self._transform("Projection", make, output_type, stateless=True, convert=False)

    def assign_timestamps_and_watermarks(self, watermark_strategy: WatermarkStrategy) -> DataStream:
        """Give elements timestamps and the stream watermarks, in place of those it has."""
        strategy = instance_of(watermark_strategy, WatermarkStrategy, "watermark_strategy")
        stream = DataStream(self._environment, self._values())
        streaming, batch = timestamps_and_watermarks(strategy, self._environment.get_config())
        return stream._transform(
            "Timestamps/Watermarks",
            streaming,
            self.get_type(),
            stateless=False,
            batch=batch,
            convert=False,
            makes_watermarks=True,
            asks_clock=watches_clock(strategy),
        )

    def union(self, *streams: DataStream) -> DataStream:
        """Unite this stream and the others; equal types stay, others become any Python object."""
        all_streams = [self, *streams]
        for stream in streams:
            same_environment(self, instance_of(stream, DataStream, "a stream given to union"), "union")
        types = {stream.get_type() for stream in all_streams}
        output_type = types.pop() if len(types) == 1 else PickledBytesTypeInfo()
        inputs = [stream._values() for stream in all_streams]
        transformation = UnionTransformation(self._environment._program.next_id(), "Union", inputs, output_type)
        return DataStream(self._environment, transformation)

    def join(self, other_stream: DataStream) -> JoinedStreams:
        """Join with another stream by key and window: see :class:`~windrow.datastream.streams.joined_streams`."""
        from windrow.datastream.streams.joined_streams import JoinedStreams

        return JoinedStreams(self, other_stream)

    def co_group(self, other_stream: DataStream) -> CoGroupedStreams:
        """Bring together with another stream by key and window, where only one of them has elements too."""
        from windrow.datastream.streams.co_grouped_streams import CoGroupedStreams

        return CoGroupedStreams(self, other_stream)

    @overload
    def connect(self, ds: DataStream) -> ConnectedStreams: ...

    @overload
    def connect(self, ds: BroadcastStream) -> BroadcastConnectedStream: ...

    def connect(self, ds: DataStream | BroadcastStream) -> ConnectedStreams | BroadcastConnectedStream:
        """This stream and another one, for a function that keeps them apart; they may have different types.

        Args:
            ds: The other stream; or one that was broadcast with its states, which every subtask then holds.

        Raises:
            ConfigurationTypeError: it is something else.
            ConfigurationError: it belongs to another environment.
        """
        from windrow.datastream.streams.broadcast_connected_stream import BroadcastConnectedStream
        from windrow.datastream.streams.broadcast_stream import BroadcastStream
        from windrow.datastream.streams.connected_streams import ConnectedStreams

        if isinstance(ds, BroadcastStream):
            same_environment(self, ds.input_stream, "connect")
            return BroadcastConnectedStream(self, ds)
        same_environment(self, instance_of(ds, DataStream, "the stream given to connect"), "connect")
        return ConnectedStreams(self, ds)

    def split(self, output_selector: OutputSelector | Callable[[Any], Iterable[str] | None]) -> SplitStream:
        """Give each element names of outputs, of which ``select`` takes some (as in Flink 1.x).

        Args:
            output_selector: An ``OutputSelector`` or a function of an element that gives its names.
        """
        from windrow.datastream.streams.split_stream import SplitStream

        return SplitStream(self, output_selector)

    def get_side_output(self, output_tag: OutputTag) -> DataStream:
        """Take what this stream's operator sends to a side output."""
        tag = instance_of(output_tag, OutputTag, "output_tag")
        transformation = SideOutputTransformation(
            self._environment._program.next_id(),
            f"Side output {tag.tag_id}",
            [self._producer()],
            tag.type_info,
            tag_id=tag.tag_id,
        )
        stream = DataStream(self._environment, transformation)
        if not tag.type_info.need_conversion():
            return stream
        make = factory(MapOperator, _same)
        return stream._transform(transformation.name, make, tag.type_info, stateless=True, belongs_to_input=True)

    # Keys and windows

    def key_by(
        self,
        key_selector: KeySelector | Callable[[Any], Any] | int | str | list[int] | list[str],
        *more: Any,
        key_type: DeclaredType = None,
    ) -> KeyedStream:
        """Give elements keys: all elements of a key are processed in order, with state of their own.

        Args:
            key_selector: A function of an element, a ``KeySelector``, a field's index or name, or several in a list.
            more: More fields, whose key is a tuple; or, as in PyFlink, the key's type.
            key_type: The key's type.
        """
        from windrow.datastream.streams.keyed_stream import KeyedStream

        if len(more) == 1 and key_type is None and isinstance(more[0], TypeInformation):
            key = Key.of((key_selector,), self.get_type(), more[0])
        else:
            key = Key.of((key_selector, *more), self.get_type(), key_type)
        values = DataStream(self._environment, self._values())
        partitioned = values._partitioned("Key By", KeyGroupPartitioner(key.selector), opened=(key_selector,))
        return KeyedStream(values, partitioned._transformation, key.type_info)

    def window_all(self, window_assigner: WindowAssigner[Any, Any]) -> AllWindowedStream:
        """Put the elements of the whole stream into windows, which a single subtask computes."""
        from windrow.datastream.streams.windowed_stream import AllWindowedStream

        return AllWindowedStream(self, window_assigner)

    def time_window_all(self, size: Any, slide: Any = None) -> AllWindowedStream:
        """Tumbling, or with ``slide`` sliding, windows over the whole stream.

        The environment's time characteristic says whether they are windows of processing time or of event time.
        """
        from windrow.datastream.streams.windows import time_windows

        return self.window_all(time_windows(self._environment, size, slide))

    def count_window_all(self, size: int, slide: int | None = None) -> AllWindowedStream:
        """Make windows of ``size`` elements of the whole stream; with ``slide``, one every ``slide`` elements."""
        from windrow.datastream.streams.windows import count_window

        return count_window(self.window_all, size, slide)

    # Where it ends

    def sink_to(self, sink: Sink) -> DataStreamSink:
        """Send the elements to a sink."""
        return self._add_sink("Writer", instance_of(sink, Sink, "sink").for_type(self.get_type()))

    def add_sink(self, sink_func: SinkFunction | Callable[[Any], Any] | Sink) -> DataStreamSink:
        """Hand each element to a ``SinkFunction``, or a function of an element, that writes it somewhere.

        On a keyed stream it may have keyed state. After a failure elements are handed to it again: at least once.
        A sink, such as PyFlink's ``JdbcSink``, is taken as by :meth:`sink_to`.

        Raises:
            ConfigurationTypeError: ``sink_func`` is another kind of function.
        """
        if isinstance(sink_func, Sink):
            return self.sink_to(sink_func)
        make = factory(SinkFunctionOperator, function_of(sink_func, SinkFunction, "add_sink"))
        written = self._transform("Unnamed", make, None, stateless=False)
        written._add_sink("Unnamed", DiscardingSink(), belongs_to_input=True)
        return DataStreamSink(written._transformation, self._notices)

    def print(self, sink_identifier: str | None = None) -> DataStreamSink:
        """Print each element on a line of standard output, behind ``sink_identifier`` if there is one."""
        if sink_identifier is not None:
            instance_of(sink_identifier, str, "sink_identifier")
        return self._add_sink("Print to Std. Out", PrintSink(sink_identifier, self.get_type()))

    def print_to_err(self, sink_identifier: str | None = None) -> DataStreamSink:
        """Print each element on a line of standard error, as :meth:`print` does on standard output."""
        if sink_identifier is not None:
            instance_of(sink_identifier, str, "sink_identifier")
        return self._add_sink("Print to Std. Err", PrintSink(sink_identifier, self.get_type(), to_error=True))

    def execute_and_collect(
        self, job_execution_name: str | None = None, limit: int | None = None
    ) -> CloseableIterator | list[Any]:
        """Execute the job and give the elements of this stream; its other sinks are executed too.

        Args:
            job_execution_name: The job's name.
            limit: Give a list of so many elements at most, and stop the job then.

        Returns:
            An iterator that should be closed; with ``limit`` a list.
        """
        if limit is None:
            return self._environment._collect(self, job_execution_name)
        positive(limit, "limit")
        elements: list[Any] = []
        with self._environment._collect(self, job_execution_name) as iterator:
            for element in iterator:
                elements.append(element)
                if len(elements) == limit:
                    break
        return elements

    def to_dataframe(self, schema: Any) -> Any:
        """Give the stream as a Spark DataFrame: streaming if one of its sources is, else batch.

        Args:
            schema: The columns, as a DDL text (``"word string, n int"``) or a Spark ``StructType``; elements are
                tuples, rows or dicts of them, or single values for a single column.
        """
        return self._environment._to_dataframe({"": (self, schema)})

    # How it is built

    def _input(self) -> Transformation:
        """Give what an operator behind this stream takes."""
        return self._transformation

    def _values(self) -> Transformation:
        """Give what takes the elements without their keys: a sink, a union."""
        return self._input()

    def _producer(self) -> Transformation:
        """Give the transformation that has the side outputs."""
        return self._transformation

    def _transform(
        self,
        name: str,
        make: OperatorFactory,
        output_type: DeclaredType,
        *,
        stateless: bool,
        batch: OperatorFactory | None = None,
        convert: bool = True,
        uses_processing_time: bool = False,
        makes_watermarks: bool = False,
        asks_clock: bool = False,
        belongs_to_input: bool = False,
        state_kind: str | None = None,
        only_at_end: bool = False,
        operation: WindowSpec | None = None,
    ) -> DataStream:
        """An operator behind this stream; with ``convert`` its results are made ``output_type``."""
        type_info = as_type_information(output_type, f"output_type of {name}")
        transformation = OneInputTransformation(
            self._environment._program.next_id(),
            name,
            [self._input()],
            type_info,
            factory=typed(make, type_info) if convert else make,
            stateless=stateless,
            uses_processing_time=uses_processing_time,
            batch_factory=batch,
            makes_watermarks=makes_watermarks,
            asks_clock=asks_clock,
            belongs_to_input=belongs_to_input,
            state_kind=state_kind,
            only_at_end=only_at_end,
            operation=operation,
        )
        return DataStream(self._environment, transformation)

    def _with_opened(self, selector: Any) -> DataStream:
        """The same elements, behind an operator that opens and closes the key selector of the exchange that follows."""
        make = factory(KeySelectorOperator, SharedKeySelector(selector))
        before = self._input()
        while isinstance(before, PartitionTransformation):  # the exchange that follows is instead of it
            (before,) = before.inputs
        return DataStream(self._environment, before)._transform(
            before.name, make, self.get_type(), stateless=True, convert=False, belongs_to_input=True
        )

    def _partitioned(self, name: str, partitioner: Partitioner, opened: Iterable[Any] = ()) -> DataStream:
        stream = self
        for given in filter(has_lifecycle, opened):
            stream = stream._with_opened(given)
        number = self._environment._program.next_id()
        inputs = [stream._input()]
        transformation = PartitionTransformation(number, name, inputs, self.get_type(), partitioner=partitioner)
        return DataStream(self._environment, transformation)

    def _add_sink(self, name: str, sink: Sink, *, belongs_to_input: bool = False) -> DataStreamSink:
        program = self._environment._program
        transformation = SinkTransformation(
            program.next_id(),
            name,
            [self._values()],
            self.get_type(),
            sink=sink,
            belongs_to_input=belongs_to_input,
        )
        program.add_sink(transformation)
        return DataStreamSink(transformation, self._notices)


def _same(value: Any) -> Any:
    return value
