"""In place of the sink that PyFlink's tests collect results with, which is a Java class."""

from __future__ import annotations

import threading
import uuid
from collections import defaultdict
from typing import Any

from windrow.common.printing import java_string
from windrow.common.watermark_strategy import TimestampAssigner
from windrow.datastream import DataStream
from windrow.datastream.functions import SinkFunction

#: What came to each sink: the local runtime's subtasks run in this process.
_RESULTS: dict[str, list[Any]] = defaultdict(list)
_LOCK = threading.Lock()


class DataStreamTestSinkFunction(SinkFunction):
    """Keeps elements; shows them as Java or as Python does, by the type that their stream declares."""

    def __init__(self) -> None:
        self.key = uuid.uuid4().hex
        self.type_info: Any = None

    def invoke(self, value: Any, context: Any) -> None:
        with _LOCK:
            _RESULTS[self.key].append(value)

    def get_results(self, is_python_object: bool = False, stringify: bool = True) -> list[Any]:
        results = _RESULTS.pop(self.key, [])
        if is_python_object:
            return [str(value) for value in results] if stringify else results
        return [java_string(value, self.type_info) for value in results]

    def clear(self) -> None:
        _RESULTS.pop(self.key, None)


class SecondColumnTimestampAssigner(TimestampAssigner):
    def extract_timestamp(self, value: Any, record_timestamp: int) -> int:
        return int(value[1])


def _add_sink(stream: Any, sink_func: Any) -> Any:
    if isinstance(sink_func, DataStreamTestSinkFunction):
        sink_func.type_info = stream.get_type()
    return _WITHOUT_TYPE(stream, sink_func)


_WITHOUT_TYPE = DataStream.add_sink
DataStream.add_sink = _add_sink  # type: ignore[method-assign]
