"""What a program gives to sources and sinks, as what raises: data for ``test_user_functions.py``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.connectors.source_reader.numbers import Numbers, NumbersReader, NumbersReaderBase, OneByOne, Until
from tests.trials.failing import Build, as_it_is, failing, nothing, numbers, raising
from windrow.common import WatermarkStrategy
from windrow.common.watermark_generators import WatermarkGenerator
from windrow.connectors.datagen.generator_function import GeneratorFunction
from windrow.connectors.files.buckets import BucketAssigner
from windrow.connectors.files.bulk import BulkWriter, BulkWriterFactory
from windrow.connectors.files.text import TextLineFormat
from windrow.connectors.source import Boundedness, Source
from windrow.connectors.source.serializer import PickleSerializer
from windrow.connectors.source_reader import StaticSplitEnumerator
from windrow.datastream import SinkFunction, StreamExecutionEnvironment
from windrow.datastream.connectors.datagen import DataGeneratorSource
from windrow.datastream.connectors.file_system import FileSink, FileSource


class Asking(NumbersReaderBase):
    """A reader that asks for splits."""

    def start(self) -> None:
        self.context.send_split_request()

    def on_split_finished(self, finished_split_states: Any) -> None:
        self.context.send_split_request()


@dataclass
class NumbersSource(Source[int, Numbers, Any]):
    """Numbers; its parts are given."""

    enumerator: type[Any] = StaticSplitEnumerator
    reader: type[Any] = Asking
    options: Any = None
    serializer: Any = None

    def get_boundedness(self) -> Boundedness:
        return Boundedness.BOUNDED

    def create_enumerator(self, enum_context: Any) -> Any:
        return self.enumerator(enum_context, [Numbers("a", 0, 5), Numbers("b", 5, 9)])

    def restore_enumerator(self, enum_context: Any, checkpoint: Any) -> Any:
        return self.enumerator(enum_context, checkpoint)

    def create_reader(self, reader_context: Any) -> Any:
        return self.reader(reader_context, **self.options or {})

    def get_split_serializer(self) -> Any:
        return self.serializer or PickleSerializer()


def _stream(env: StreamExecutionEnvironment, source: Any) -> Any:
    return env.from_source(source, WatermarkStrategy.no_watermarks(), "source")


def _enumerator(method: str) -> Build:
    def build(env: StreamExecutionEnvironment, error: BaseException, _: Path) -> Any:
        kind = type("Failing", (StaticSplitEnumerator,), {method: raising(error)})
        return _stream(env, NumbersSource(enumerator=kind))

    return build


def _reader(method: str) -> Build:
    def build(env: StreamExecutionEnvironment, error: BaseException, _: Path) -> Any:
        return _stream(env, NumbersSource(reader=type("Failing", (Asking,), {method: raising(error)})))

    return build


def _part(option: str, kind: type[Any], method: str) -> Build:
    def build(env: StreamExecutionEnvironment, error: BaseException, _: Path) -> Any:
        made = type("Failing", (kind,), {method: raising(error)})
        part = made if option == "make_reader" else made(*([3] if kind is Until else []))
        return _stream(env, NumbersSource(options={option: part}))

    return build


def _serializer(method: str) -> Build:
    def build(env: StreamExecutionEnvironment, error: BaseException, _: Path) -> Any:
        return _stream(env, NumbersSource(serializer=failing(PickleSerializer, method, error)))

    return build


class OwnFormat(TextLineFormat):
    """A format of the program's own."""


def _format(env: StreamExecutionEnvironment, error: BaseException, folder: Path) -> Any:
    folder.write_text("a line")
    file_format = type("Failing", (OwnFormat,), {"read": raising(error)})("UTF-8")
    return _stream(env, FileSource.for_record_stream_format(file_format, str(folder)).build())


def _call_async(env: StreamExecutionEnvironment, error: BaseException, _: Path) -> Any:
    def asks(self: Any) -> None:
        def handle(result: Any, raised: BaseException | None) -> None:
            assert raised is error
            raise raised

        self._context.call_async(lambda: raising(error)(None), handle)

    kind = type("Calling", (StaticSplitEnumerator,), {"start": asks, "handle_split_request": nothing})
    return _stream(env, NumbersSource(enumerator=kind))


def _row_sink(env: StreamExecutionEnvironment, error: BaseException, folder: Path) -> Any:
    encoder = type("Encoder", (), {"encode": raising(error)})()
    return numbers(env).sink_to(FileSink.for_row_format(str(folder), encoder).build())


def _bucket_sink(env: StreamExecutionEnvironment, error: BaseException, folder: Path) -> Any:
    encoder = type("Encoder", (), {"encode": lambda self, element: b"x"})()
    assigner = failing(BucketAssigner, "bucket", error)
    return numbers(env).sink_to(FileSink.for_row_format(str(folder), encoder).with_bucket_assigner(assigner).build())


def _bulk_sink(method: str) -> Build:
    def build(env: StreamExecutionEnvironment, error: BaseException, folder: Path) -> Any:
        def create(self: Any, file: Any) -> Any:
            return failing(BulkWriter, method, error, add_elements=nothing, finish=nothing)

        factory = type("Factory", (BulkWriterFactory,), {"create": raising(error) if method == "create" else create})()
        return numbers(env).sink_to(FileSink.for_bulk_format(str(folder), factory).build())

    return build


def _printed(env: StreamExecutionEnvironment, error: BaseException, _: Path) -> Any:
    kind = type("Element", (), {"__str__": raising(error)})
    return numbers(env).map(lambda _: kind()).print()


def _generator(method: str) -> Build:
    def build(env: StreamExecutionEnvironment, error: BaseException, _: Path) -> Any:
        others = {"on_event": nothing, "on_periodic_emit": nothing}
        strategy = WatermarkStrategy.for_generator(lambda: failing(WatermarkGenerator, method, error, **others))
        return env.from_source(NumbersSource(), strategy, "source")

    return build


_ENUMERATOR = ("start", "add_reader", "handle_split_request", "snapshot_state", "close")
_READER = ("start", "poll_next", "is_available", "add_splits", "notify_no_more_splits", "on_split_finished", "close")

KINDS: dict[str, Build] = {
    **{f"{method} of an enumerator": _enumerator(method) for method in _ENUMERATOR},
    "handler of call_async": _call_async,
    "StreamFormat": _format,
    **{f"{method} of a source's reader": _reader(method) for method in _READER},
    "fetch of a SplitReader": _part("make_reader", NumbersReader, "fetch"),
    "handle_splits_changes of a SplitReader": _part("make_reader", NumbersReader, "handle_splits_changes"),
    "RecordEmitter": _part("emitter", OneByOne, "emit_record"),
    "RecordEvaluator": _part("evaluator", Until, "is_end_of_stream"),
    "serialize of splits": _serializer("serialize"),
    "deserialize of splits": _serializer("deserialize"),
    "get_split_serializer": lambda env, error, _: _stream(
        env, type("Failing", (NumbersSource,), {"get_split_serializer": raising(error)})()
    ),
    "create_reader": lambda env, error, _: _stream(
        env, type("Failing", (NumbersSource,), {"create_reader": raising(error)})()
    ),
    "create_enumerator": lambda env, error, _: _stream(
        env, type("Failing", (NumbersSource,), {"create_enumerator": raising(error)})()
    ),
    "maker of a source's generators": lambda env, error, _: env.from_source(
        NumbersSource(), WatermarkStrategy.for_generator(raising(error)), "source"
    ),
    **{f"{method} of a source's generator": _generator(method) for method in ("on_event", "on_periodic_emit")},
    "function of a DataGeneratorSource": lambda env, error, _: _stream(env, DataGeneratorSource(raising(error), 5)),
    "GeneratorFunction": lambda env, error, _: _stream(
        env, DataGeneratorSource(failing(GeneratorFunction, "map", error), 5)
    ),
    "open of a GeneratorFunction": lambda env, error, _: _stream(
        env, DataGeneratorSource(failing(GeneratorFunction, "open", error, map=as_it_is), 5)
    ),
    "SinkFunction": lambda env, error, _: numbers(env).add_sink(failing(SinkFunction, "invoke", error)),
    "function of add_sink": lambda env, error, _: numbers(env).add_sink(raising(error)),
    "encoder of a FileSink": _row_sink,
    "bucket assigner of a FileSink": _bucket_sink,
    **{f"{method} of a bulk writer": _bulk_sink(method) for method in ("create", "add_elements", "finish")},
    "what is printed": _printed,
}
