"""Numbers that stand in checkpoints where pickle writes the place of a class, so that code may move.

A checkpoint that named ``windrow.common.types.Row`` could be read for as long as that class stays where it is. The
classes of Windrow that checkpoints hold are listed here instead: a number says which one, and what is beside it how
its objects are made again. Numbers are never given anew; an entry follows its class wherever that moves.

Measured beside the alternatives, microseconds to write and to read a row in a page of 60, and in a pickle of its own:
class paths 1.1 and 1.5, 3.9 and 4.2; a module whose names never move, the same; a number from pickle's registry of
extensions (in which a global takes three bytes and is found without an import) at every object 2.5 and 0.9, 2.8 and
1.5; the same once for each pickle, as here, 1.3 and 1.6, 2.8 and 2.4.
"""

from __future__ import annotations

import copyreg
import pickle
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from importlib import import_module
from typing import Any

from windrow.common.types import Row, RowKind
from windrow.elements import class_records
from windrow.elements.program_classes import place_of, when_classes_change

#: What :func:`restorer` is called in pickles. Of the numbers that Python's registry leaves to anybody.
EXTENSION = 0x5752

Parts = tuple[Any, ...]
Reducer = Callable[[Any], Any]


def _items(value: Any) -> Parts:
    return tuple(value)


def _by_name(value: Any) -> Parts:
    """The fields of an object, by name: later versions may have more."""
    names = [*getattr(value, "__dict__", ()), *copyreg._slotnames(type(value))]  # type: ignore[attr-defined]
    return ({name: getattr(value, name) for name in names},)


def _value_of(value: Any) -> Parts:
    return (value.value,)


def _reduced(value: Any) -> Parts:
    """Give the arguments by which the class's own ``__reduce__`` has an object made again."""
    reduced: tuple[Any, Parts] = value.__reduce__()
    return reduced[1]


def _make(kind: type, *parts: Any) -> Any:
    return kind(*parts)


def _names_and_items(value: Any) -> Parts:
    return (value._asdict(),)


def _make_of_names(kind: type, values: dict[str, Any]) -> Any:
    return kind(**values)


def _of_records(records: Any) -> Parts:
    return list(records.values), records.timestamps


def _make_by_name(kind: type, values: dict[str, Any]) -> Any:
    made: Any = object.__new__(kind)
    if is_dataclass(kind):
        for field in fields(kind):
            if field.name not in values:
                factory = field.default_factory
                values[field.name] = field.default if factory is MISSING else factory()
    for name, value in values.items():
        object.__setattr__(made, name, value)
    return made


def _of_row(row: Row) -> Parts:
    return row._fields, row._values, row.get_row_kind().value


def _make_row(kind: type[Row], names: list[str] | None, values: list[Any], row_kind: int) -> Row:
    row = kind(*values)
    if names is not None:
        row.set_field_names(names)
    if row_kind:
        row.set_row_kind(RowKind(row_kind))
    return row


def _positions(value: Any) -> Parts:
    """The fields of a dataclass of which there are many: a later version with others is another number."""
    return tuple([getattr(value, field.name) for field in fields(value)])


def _nothing(_: object) -> Parts:
    """Of a class with one object."""
    return ()


_NAMED = (_names_and_items, _make_of_names)
_ONLY = (_nothing, _make)
_TUPLE = (_items, _make)
_POSITIONS = (_positions, _make)
_FIELDS = (_by_name, _make_by_name)
_VALUE = (_value_of, _make)
_OWN = (_reduced, _make)

#: By number: where the class is now, how its objects are taken apart, and how they are made again.
CLASSES: dict[int, tuple[str, tuple[Callable[[Any], Parts], Callable[..., Any]]]] = {
    1: ("windrow.common.types:Row", (_of_row, _make_row)),
    2: ("windrow.common.types:RowKind", _VALUE),
    3: ("windrow.datastream.window.windows:TimeWindow", _TUPLE),
    4: ("windrow.datastream.window.windows:CountWindow", _TUPLE),
    5: ("windrow.datastream.window.windows:GlobalWindow", _ONLY),
    6: ("windrow.state.keys:ComparableKey", _OWN),
    7: ("windrow.state.ttl:_WithTtl", _ONLY),
    8: ("windrow.operators.interval_join.buffer:LeafKey", _POSITIONS),
    9: ("windrow.operators.interval_join.buffer:LeafIndex", _POSITIONS),
    10: ("windrow.operators.tagged_union:One", _VALUE),
    11: ("windrow.operators.tagged_union:Two", _VALUE),
    12: ("windrow.datastream.window.evictors:TimestampedValue", _TUPLE),
    13: ("windrow.common.time:Time", _FIELDS),
    14: ("windrow.common.time:Duration", _FIELDS),
    15: ("windrow.common.time:Instant", _FIELDS),
    # State of tasks, readers and enumerators, and what is counted.
    20: ("windrow.runtime.stage.task:TaskState", _NAMED),
    25: ("windrow.runtime.stage.task:OperatorState", _NAMED),
    21: ("windrow.runtime.stage.input_gate:ChannelStatus", _POSITIONS),
    22: ("windrow.runtime.stage.totals:Totals", _FIELDS),
    23: ("windrow.runtime.stage.totals:AccumulatorTotal", _FIELDS),
    24: ("windrow.metrics.metricbase:DistributionSummary", _FIELDS),
    30: ("windrow.runtime.sources.reader_task:ReaderState", _FIELDS),
    31: ("windrow.runtime.sources.buffered_reader_output:Records", (_of_records, _make)),
    32: ("windrow.runtime.sources.buffered_reader_output:Side", _TUPLE),
    33: ("windrow.runtime.sources.read_record:ReadRecord", _FIELDS),
    34: ("windrow.runtime.sources.read_record:Run", _TUPLE),
    35: ("windrow.runtime.sources.coordinator_log:LogEntry", _FIELDS),
    36: ("windrow.runtime.sources.messages:AddSplits", _FIELDS),
    37: ("windrow.runtime.sources.messages:NoMoreSplits", _FIELDS),
    38: ("windrow.runtime.sources.messages:EventToReader", _FIELDS),
    39: ("windrow.runtime.sources.messages:MaxWatermark", _FIELDS),
    40: ("windrow.runtime.sources.messages:SplitRequest", _FIELDS),
    41: ("windrow.runtime.sources.messages:EventToEnumerator", _FIELDS),
    42: ("windrow.runtime.sources.messages:ReaderFinished", _FIELDS),
    43: ("windrow.runtime.sources.messages:ReportedWatermark", _FIELDS),
    44: ("windrow.runtime.spark.source_plan:SourcePlan", _FIELDS),
    45: ("windrow.runtime.spark.source_plan:ChannelPlan", _FIELDS),
    46: ("windrow.runtime.spark.source_plan:ReaderPlan", _FIELDS),
    # Splits, what enumerators keep, and what they and readers send.
    60: ("windrow.connectors.iterator_source.split:IteratorSourceSplit", _FIELDS),
    61: ("windrow.connectors.collection:CollectionSplit", _FIELDS),
    62: ("windrow.connectors.number_sequence:NumberSequenceSplit", _FIELDS),
    63: ("windrow.connectors.datagen.reader:NumberRange", _FIELDS),
    64: ("windrow.connectors.socket.source:SocketSplit", _FIELDS),
    65: ("windrow.connectors.files.planned:PlannedFileSplit", _FIELDS),
    66: ("windrow.connectors.files.split:FileSourceSplit", _FIELDS),
    67: ("windrow.connectors.files.split:FilePosition", _TUPLE),
    68: ("windrow.connectors.files.monitored:PendingSplitsCheckpoint", _FIELDS),
    70: ("windrow.connectors.kafka.partitions:KafkaTopicPartition", _FIELDS),
    71: ("windrow.connectors.kafka.partitions:KafkaPartitionSplit", _FIELDS),
    72: ("windrow.connectors.kafka.enumerator:KafkaSourceEnumState", _FIELDS),
    73: ("windrow.connectors.kafka.events:SplitsFinished", _FIELDS),
    74: ("windrow.connectors.kafka.record:ConsumerRecord", _TUPLE),
    80: ("windrow.connectors.hybrid.messages:HybridSourceSplit", _FIELDS),
    81: ("windrow.connectors.hybrid.messages:SwitchSourceEvent", _FIELDS),
    82: ("windrow.connectors.hybrid.messages:NoMoreSplitsEvent", _FIELDS),
    83: ("windrow.connectors.hybrid.messages:UnderlyingEvent", _FIELDS),
    84: ("windrow.connectors.hybrid.messages:SplitRequestEvent", _FIELDS),
    85: ("windrow.connectors.hybrid.messages:UnderlyingReaderEvent", _FIELDS),
    86: ("windrow.connectors.hybrid.messages:SourceReaderFinishedEvent", _FIELDS),
    87: ("windrow.connectors.hybrid.enumerator:HybridSourceEnumeratorState", _FIELDS),
    # Accumulators.
    100: ("windrow.common.accumulators.counters:IntCounter", _FIELDS),
    101: ("windrow.common.accumulators.counters:LongCounter", _FIELDS),
    102: ("windrow.common.accumulators.counters:DoubleCounter", _FIELDS),
    103: ("windrow.common.accumulators.extremes:IntMinimum", _FIELDS),
    104: ("windrow.common.accumulators.extremes:IntMaximum", _FIELDS),
    105: ("windrow.common.accumulators.extremes:LongMinimum", _FIELDS),
    106: ("windrow.common.accumulators.extremes:LongMaximum", _FIELDS),
    107: ("windrow.common.accumulators.extremes:DoubleMinimum", _FIELDS),
    108: ("windrow.common.accumulators.extremes:DoubleMaximum", _FIELDS),
    109: ("windrow.common.accumulators.average:AverageAccumulator", _FIELDS),
    110: ("windrow.common.accumulators.histogram:Histogram", _FIELDS),
    111: ("windrow.common.accumulators.list_accumulator:ListAccumulator", _FIELDS),
}


#: Of these there is one object for the whole process: who only looks into a pickle does not get it into their hands.
_SHARED = frozenset({2, 5, 7})


class _Restorer:
    """Makes objects of registered classes: what stands in a pickle in place of their classes, once."""

    __slots__ = ("_makers",)

    def __setstate__(self, _: Any) -> None:
        msg = "a pickle may not change what reads it"
        raise pickle.UnpicklingError(msg)

    def __init__(self) -> None:
        self._makers: dict[int, tuple[Callable[..., Any], type]] = {}

    def __call__(self, number: Any, *parts: Any) -> Any:
        """Make an object; what is called with no number is one of a user's, and gets its fields."""
        if type(number) is not int:
            return class_records.fill(number, parts[0])
        maker = self._makers.get(number)
        if maker is None:
            if number not in CLASSES:
                return class_records.make(number, *parts)
            path, (_, make) = CLASSES[number]
            if number in _SHARED:
                instead = class_records.INSTEAD.get()
                return make(_found(path), *parts) if instead is None else instead(path)
            maker = self._makers[number] = make, _found(path)
        return maker[0](maker[1], *parts)


_RESTORER = _Restorer()


class _Giver:
    """Gives what makes objects of registered classes; found by its name, as a function is."""

    __slots__ = ()
    __name__ = __qualname__ = "restorer"

    def __call__(self) -> _Restorer:
        return _RESTORER

    def __reduce__(self) -> str:
        return self.__name__

    __setstate__ = _Restorer.__setstate__


restorer = _Giver()


copyreg.add_extension(__name__, restorer.__name__, EXTENSION)


def _of_restorer(_: object) -> Any:
    return restorer, ()


class Reducers(dict[type, Reducer]):
    """A pickler's ``dispatch_table``: registered classes by number, all others as ``others`` has them.

    Args:
        others: The table that knows other classes, and may know them later; None: pickle's own.
    """

    def __init__(self, others: Mapping[type, Reducer] | None = None) -> None:
        super().__init__()
        self._others = copyreg.dispatch_table if others is None else others
        self._forget()
        when_classes_change(self._forget)

    def _forget(self) -> None:
        """Find out anew how each class is taken apart."""
        self.clear()
        self[_Restorer] = _of_restorer

    def __missing__(self, kind: type) -> Reducer:
        reducer = _registered(kind) or self._others.get(kind) or class_records.reducer_of(kind, _RESTORER)
        reducer = self[kind] = reducer or _ordinary(kind)
        return reducer


def class_by_place(kind: type) -> Any:
    """Give the pickled form of a class that only the program has, where it is a value itself; None for any other."""
    place = place_of(kind)
    return None if place is None else (_RESTORER, (class_records.CLASS, place))


def _registered(kind: type) -> Reducer | None:
    number = _NUMBERS.get(f"{kind.__module__}:{kind.__qualname__}")
    if number is None or _found(CLASSES[number][0]) is not kind:
        return None
    parts_of = CLASSES[number][1][0]
    return lambda value: (_RESTORER, (number, *parts_of(value)))


def _ordinary(kind: type) -> Reducer:
    """Give the function by which the pickler itself takes objects apart that no table knows."""
    return (lambda value: value.__qualname__) if issubclass(kind, type) else (lambda value: value.__reduce_ex__(5))


def _found(path: str) -> Any:
    module, _, name = path.partition(":")
    return getattr(import_module(module), name)


_NUMBERS = {path: number for number, (path, _) in CLASSES.items()}
