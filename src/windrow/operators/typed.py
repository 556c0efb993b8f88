"""An operator whose results are converted to the type that was declared for them."""

from __future__ import annotations

import dataclasses
from array import array
from collections.abc import Callable, Sequence
from types import NoneType
from typing import TYPE_CHECKING, Any

from windrow.common.typeinfo import BasicType, BasicTypeInfo, TupleTypeInfo, TypeInformation
from windrow.elements.batch import Batch
from windrow.errors import TypeConversionError
from windrow.operators.base import Operator, OperatorContext, Output, TwoInputOperator
from windrow.operators.column_types import columns_fit, may_fit
from windrow.operators.forecast import Forecast

if TYPE_CHECKING:
    from windrow.elements.shape import Shape

#: Type codes of the ``array`` module, which raises for an integer that does not fit: quicker than looking at bounds.
_INTEGERS = {BasicType.BYTE: "b", BasicType.SHORT: "h", BasicType.INT: "i", BasicType.LONG: "q"}
_CLASSES: dict[BasicType, frozenset[type]] = {
    BasicType.STRING: frozenset({str, NoneType}),
    BasicType.BOOLEAN: frozenset({bool}),
    BasicType.DOUBLE: frozenset({float}),
}


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

    def emit_batch(self, batch: Batch) -> None:
        columns = batch.columns
        if columns_fit(self._declared, columns) if columns is not None else all_fit(self._declared, batch.elements):
            self._output.emit_batch(batch)
            return
        try:
            converted = [self._convert(value) for value in batch.elements]
        except TypeConversionError as error:
            raise self._refused(error) from None
        self._output.emit_batch(batch.with_elements(converted))

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
        self.puts_off = inner.puts_off  # type: ignore[method-assign]
        self.follows_sorted_time = inner.follows_sorted_time  # type: ignore[method-assign]
        self.settle = inner.settle  # type: ignore[method-assign]
        self.process_status = inner.process_status  # type: ignore[method-assign]
        self.takes_columns = inner.takes_columns  # type: ignore[method-assign]
        self.local_aggregate = inner.local_aggregate  # type: ignore[method-assign]
        self.advance_processing_time = inner.advance_processing_time  # type: ignore[method-assign]
        self.next_processing_time = inner.next_processing_time  # type: ignore[method-assign]
        self.waiting = inner.waiting  # type: ignore[method-assign]
        self.store_state = inner.store_state  # type: ignore[method-assign]
        self.end_of_batch = inner.end_of_batch  # type: ignore[method-assign]
        self.end_of_input = inner.end_of_input  # type: ignore[method-assign]
        self.snapshot = inner.snapshot  # type: ignore[method-assign]
        self.restore = inner.restore  # type: ignore[method-assign]
        self.close = inner.close  # type: ignore[method-assign]

    def forecast(self, shape: Shape | None) -> Forecast:
        return self._converted(self.inner.forecast(shape))

    def forecast_by_key(self, shape: Shape | None, key: Shape | None) -> Forecast:
        return self._converted(self.inner.forecast_by_key(shape, key))

    def forecast_of_several(self, shapes: Sequence[Shape]) -> Forecast:
        return self._converted(self.inner.forecast_of_several(shapes))

    def forecast_of(self, first: Shape | None, second: Shape | None) -> Forecast:
        assert isinstance(self.inner, TwoInputOperator), "an operator on one stream is not asked"
        return self._converted(self.inner.forecast_of(first, second))

    def _converted(self, found: Forecast) -> Forecast:
        if found.shape is None or may_fit(self._declared, found.shape):
            return found
        return found._replace(shape=None)

    def open(self, context: OperatorContext) -> None:
        super().open(context)
        output = TypedOutput(context.output, self._declared, context.name)
        self.inner.open(dataclasses.replace(context, output=output))


def all_fit(declared: TypeInformation, values: Sequence[Any]) -> bool:
    """Tell whether all ``values`` are what conversion to ``declared`` would make of them.

    A few steps in C for each field. False where it is not known: then each value has to be converted.

    Example:
        >>> from windrow.common.typeinfo import Types
        >>> pair = Types.TUPLE([Types.STRING(), Types.INT()])
        >>> all_fit(pair, [("a", 1), ("b", 2)]), all_fit(pair, [("a", 1), ["b", 2]]), all_fit(pair, [("a", 2**40)])
        (True, False, False)
    """
    if not len(values):
        return True
    if isinstance(declared, TupleTypeInfo):
        field_types = declared.get_field_types()
        if set(map(type, values)) != {tuple} or set(map(len, values)) != {len(field_types)}:
            return False
        columns = zip(*values, strict=True)
        return all(all_fit(field_type, column) for field_type, column in zip(field_types, columns, strict=True))
    if not isinstance(declared, BasicTypeInfo):
        return not declared.need_conversion()
    basic_type = declared.basic_type
    if basic_type in _INTEGERS:
        return set(map(type, values)) == {int} and _fit_bits(_INTEGERS[basic_type], values)
    return basic_type in _CLASSES and set(map(type, values)) <= _CLASSES[basic_type]


def _fit_bits(type_code: str, values: Sequence[int]) -> bool:
    try:
        array(type_code, values)
    except OverflowError:
        return False
    return True
