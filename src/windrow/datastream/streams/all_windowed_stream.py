"""Windows of a whole stream."""

from __future__ import annotations

from windrow.common.typeinfo import DeclaredType
from windrow.datastream.streams.data_stream import DataStream
from windrow.datastream.streams.windows import WindowsBase
from windrow.graph.partitioners import SingleKeyPartitioner


class AllWindowedStream(WindowsBase):
    """Windows of a whole stream, computed by a single subtask (Flink's ``AllWindowedStream``).

    ``apply`` takes an ``AllWindowFunction``, ``process`` a ``ProcessAllWindowFunction``; either may follow ``reduce``
    or ``aggregate``.
    """

    _all_windows = True

    def _partitioned(self) -> DataStream:
        stream = DataStream(self._stream.get_execution_environment(), self._stream._values())
        return stream._partitioned("Single key", SingleKeyPartitioner())

    def _apply(
        self, incremental: object, function: object, output_type: DeclaredType, *, convert: bool = True
    ) -> DataStream:
        return super()._apply(incremental, function, output_type, convert=convert).force_non_parallel()
