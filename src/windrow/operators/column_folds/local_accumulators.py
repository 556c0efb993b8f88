"""The folded fields that elements of an aggregate function come to before they cross an exchange.

A reduce function's accumulators are elements, and cross as such. Those of an aggregate function begin with something
(``create_accumulator``), which is in a window once, however many parts come: so what crosses is without it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from windrow.elements.batch import Batch
from windrow.elements.shape import LONG, Shape
from windrow.errors import UsageError
from windrow.operators.column_folds.listed_fields import listed_fields


class LocalAccumulator(NamedTuple):
    """Some elements of one key, folded field by field, without what an accumulator begins with."""

    fields: tuple[Any, ...]
    shape: LocalAccumulatorShape

    def added_to(self, accumulator: Any) -> Any:
        """The accumulator of these elements as well.

        Raises:
            UsageError: The accumulator is not of the form that the function makes.
        """
        columns = listed_fields(self.shape.accumulator, [accumulator])
        if columns is None:
            msg = f"state has the accumulator {accumulator!r}, expected one of {self.shape.accumulator}: the function "
            msg += "of before made others; begin without the checkpoint"
            raise UsageError(msg)
        found = zip(self.shape.kinds, columns, self.fields, strict=True)
        return self.shape.accumulator.elements([[_combined(kind, held, added)] for kind, (held,), added in found], 1)[0]


@dataclass(frozen=True)
class LocalAccumulatorShape(Shape):
    """The shape of such.

    Args:
        element: What the elements were made of.
        accumulator: What the function's accumulators are made of.
        kinds: What becomes of each field of them: see :class:`~windrow.operators.column_folds.field_fold.FieldFold`.

    Example:
        >>> import pyarrow as pa
        >>> from windrow.elements.shape import TupleShape
        >>> pair = TupleShape((pa.int64(), pa.int64()))
        >>> shape = LocalAccumulatorShape(pair.types, element=LONG, accumulator=pair, kinds=("sum", "max"))
        >>> [local.added_to((10, 1)) for local in shape.rows(pa.record_batch({"f0": [7], "f1": [2]}))]
        [(17, 2)]
    """

    element: Shape = LONG
    accumulator: Shape = LONG
    kinds: tuple[str, ...] = ()

    def elements(self, columns: Sequence[list[Any]], count: int) -> list[Any]:
        return [LocalAccumulator(fields, self) for fields in zip(*columns, strict=True)]


def _combined(kind: str, held: Any, added: Any) -> Any:
    """Give one field of an accumulator with what more elements come to."""
    match kind:
        case "sum" | "count":
            return held + added
        case "min":
            return min(held, added)
        case "max":
            return max(held, added)
    return added if kind == "last" else held


def element_shape(shape: Shape) -> Shape:
    """The shape of elements that were combined; of all others their own.

    Example:
        >>> element_shape(LocalAccumulatorShape((), element=LONG)) == LONG == element_shape(LONG)
        True
    """
    return shape.element if isinstance(shape, LocalAccumulatorShape) else shape


def are_local(batch: Batch) -> bool:
    """Tell whether the elements of a batch are local accumulators."""
    return batch.columns is not None and isinstance(batch.columns.shape, LocalAccumulatorShape)
