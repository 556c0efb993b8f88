"""An operator whose results are converted to the type that was declared for them."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

from windrow.common.typeinfo import TypeInformation
from windrow.errors import TypeConversionError
from windrow.operators.base import Operator, OperatorContext, Output, TwoInputOperator
from windrow.operators.fitting import all_fit


class TypedOutput:
    """Converts what goes to the main output.

    Args:
        output: Where converted elements go.
        declared: Their type.
        name: The operator's name, for error messages.
    """

    def __init__(self, output: Output, declared: TypeInformation, name: str) -> None:
        self._output = output
        self._declared = declared
        self._convert: Callable[[Any], Any] = declared.converter()
        self._name = name
        self.emit_side = output.emit_side
        self.emit_watermark = output.emit_watermark
        self.emit_status = output.emit_status

    def emit(self, value: Any, timestamp: int) -> None:
        try:
            converted = self._convert(value)
        except TypeConversionError as error:
            raise self._refused(error) from None
        self._output.emit(converted, timestamp)

    def emit_batch(self, values: Sequence[Any], timestamps: Sequence[int]) -> None:
        if all_fit(self._declared, values):
            self._output.emit_batch(values, timestamps)
            return
        try:
            converted = [self._convert(value) for value in values]
        except TypeConversionError as error:
            raise self._refused(error) from None
        self._output.emit_batch(converted, timestamps)

    def _refused(self, error: TypeConversionError) -> TypeConversionError:
        return TypeConversionError(f"operator {self._name!r} emitted an element of another type than declared: {error}")


class TypedOperator(TwoInputOperator):
    """Does what ``inner`` does, and converts its results to the type ``declared``."""

    def __init__(self, inner: Operator, declared: TypeInformation) -> None:
        self.inner = inner
        self._declared = declared
        self.forwards_time = inner.forwards_time
        self.process_element = inner.process_element  # type: ignore[method-assign]
        self.process_batch = inner.process_batch  # type: ignore[method-assign]
        if isinstance(inner, TwoInputOperator):
            self.process_element1 = inner.process_element1  # type: ignore[method-assign]
            self.process_element2 = inner.process_element2  # type: ignore[method-assign]
            self.process_batch1 = inner.process_batch1  # type: ignore[method-assign]
            self.process_batch2 = inner.process_batch2  # type: ignore[method-assign]
        self.process_watermark = inner.process_watermark  # type: ignore[method-assign]
        self.process_status = inner.process_status  # type: ignore[method-assign]
        self.advance_processing_time = inner.advance_processing_time  # type: ignore[method-assign]
        self.store_state = inner.store_state  # type: ignore[method-assign]
        self.end_of_batch = inner.end_of_batch  # type: ignore[method-assign]
        self.end_of_input = inner.end_of_input  # type: ignore[method-assign]
        self.snapshot = inner.snapshot  # type: ignore[method-assign]
        self.restore = inner.restore  # type: ignore[method-assign]
        self.close = inner.close  # type: ignore[method-assign]

    def open(self, context: OperatorContext) -> None:
        super().open(context)
        output = TypedOutput(context.output, self._declared, context.name)
        self.inner.open(dataclasses.replace(context, output=output))
