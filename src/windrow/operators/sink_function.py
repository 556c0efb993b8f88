"""The operator of a sink function: it has no output."""

from __future__ import annotations

from typing import Any

from windrow.common.limits import NO_TIMESTAMP
from windrow.datastream.functions import SinkFunction
from windrow.errors import user_function_error
from windrow.operators.base import OperatorContext
from windrow.operators.results import check_value
from windrow.operators.user_function import UserFunctionOperator


class SinkContext(SinkFunction.Context):
    """The context of an element; the operator sets ``current_timestamp`` before each call."""

    def __init__(self, context: OperatorContext) -> None:
        self.current_timestamp = NO_TIMESTAMP
        self._time = context.time

    def current_processing_time(self) -> int:
        return self._time.processing_time

    def current_watermark(self) -> int:
        return self._time.watermark

    def timestamp(self) -> int:
        return self.current_timestamp


class SinkFunctionOperator(UserFunctionOperator):
    """A :class:`SinkFunction`, or a function of an element (Flink's ``StreamSink``)."""

    def __init__(self, function: Any) -> None:
        super().__init__(function, "invoke")

    def open(self, context: OperatorContext) -> None:
        super().open(context)
        self._context = SinkContext(context)

    def process_element(self, value: Any, timestamp: int) -> None:
        self._context.current_timestamp = timestamp
        try:
            given = self._call(value, self._context) if self._is_object else self._call(value)
            if given is not None:
                check_value(given, "sink")
        except BaseException as error:
            raise user_function_error(self.context.name, value, error) from error
