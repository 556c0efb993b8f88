"""A user's function on columns: it is not called for each element where it can be traced and a batch is columns."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from windrow.common.types import Row

if TYPE_CHECKING:
    import pyarrow as pa

    from windrow.elements.batch import Batch
    from windrow.elements.columns import Columns
    from windrow.elements.shape import Shape
    from windrow.tracing.outcome import NotTraceable
    from windrow.tracing.tracer import Traced

#: So many elements of the first batch are computed both ways.
_CHECKED = 1 << 13

#: Traces a function of arguments of these shapes.
Trace = Callable[..., "Traced | NotTraceable"]


class ColumnFunction:
    """Computes a function on columns, once it is known for a first batch that Python gives the same.

    Args:
        operator: The operator's name, for the warning.
        function: The function, or the method of a function object.
        trace: How its results are meant: the name of a function of :mod:`windrow.tracing.tracer`.
        enabled: Whether the job may compute on columns.
    """

    def __init__(self, operator: str, function: Any, trace: str = "trace", *, enabled: bool = True) -> None:
        self._operator = operator
        self._function = function
        self._trace = trace
        self._traced: dict[tuple[Shape, ...], Traced | None] = {}
        #: What arguments were made of last, and the function on such: to hash a shape takes longer than to compare it.
        self._last: tuple[tuple[Shape, ...], Traced | None] = (), None
        self._is_checked = False
        #: Whether columns have given something else than Python: then they are not asked any more.
        self._is_off = not enabled

    def of(self, batch: Batch, by_rows: Callable[[Batch], Sequence[Any]], *others: Columns) -> Columns | None:
        """Compute the function for a batch, as columns; None: it has to be called for each element.

        Args:
            batch: The elements: its first arguments.
            by_rows: Calls it for each element of a batch of rows, and gives what columns are to be compared with.
            others: Its other arguments.
        """
        columns = None if self._is_off else batch.columns
        found = None if columns is None else self.results(columns, *others)
        if found is None or self._is_checked:
            return found
        first = batch.slice(0, _CHECKED).rows_apart()
        return found if self.check(found.part(0, _CHECKED), by_rows(first)) else None

    def results(self, *arguments: Columns) -> Columns | None:
        """Compute the function for columns; None: it has to be called for each element."""
        if self._is_off:
            return None
        shapes = tuple([argument.shape for argument in arguments])
        if shapes != self._last[0]:
            if shapes not in self._traced:
                self._traced[shapes] = traced(self._function, shapes, self._trace)
            self._last = shapes, self._traced[shapes]
        found = self._last[1]
        if found is None:
            return None
        from windrow.tracing.outcome import NotExact

        try:
            return found.columns(*arguments)
        except NotExact:
            return None

    @property
    def is_checked(self) -> bool:
        """True once a batch was computed both ways: if not, the caller does so, and gives both to :meth:`check`."""
        return self._is_checked

    def check(self, columns: Columns, expected: Sequence[Any]) -> bool:
        """Compare a batch's results with what Python has given; where they differ, columns are off from now on."""
        self._is_checked = True
        from windrow.elements.inference import columns_from

        inferred = columns_from(expected)
        if inferred is not None and inferred.shape == columns.shape and _are_equal(inferred.batch, columns.batch):
            return True
        given = columns.shape.rows(columns.batch)
        if same(given, expected):
            return True
        self._is_off = True
        if len(given) != len(expected):
            warnings.warn(
                f"operator {self._operator!r}: computed on columns its function gives {len(given)} results, called by "
                f"itself {len(expected)}; it is called for each element from now on. Results are right; please report "
                "this",
                RuntimeWarning,
                stacklevel=2,
            )
            return False
        at = next(i for i, pair in enumerate(zip(given, expected, strict=True)) if not _same(*pair))
        warnings.warn(
            f"operator {self._operator!r}: computed on columns its function gives {given[at]!r}, called by itself "
            f"{expected[at]!r}; it is called for each element from now on. Results are right; please report this",
            RuntimeWarning,
            stacklevel=2,
        )
        return False


def traced(function: Any, shapes: Sequence[Shape], trace: str = "trace") -> Traced | None:
    """The function on columns; None if it cannot be traced."""
    from windrow.operators.tagged_shape import untagged
    from windrow.tracing import tracer
    from windrow.tracing.outcome import NotTraceable

    function, shapes = untagged(function, shapes)
    found = getattr(tracer, trace)(function, *shapes)
    return None if isinstance(found, NotTraceable) else found


def fields_given(function: Any, shape: Shape) -> list[int]:
    """The fields of elements of a shape that a function gives as they are.

    Example:
        >>> from windrow.elements.shape import TupleShape
        >>> import pyarrow as pa
        >>> fields_given(lambda pair: pair[1], TupleShape((pa.int64(), pa.int64())))
        [1]
    """
    found = traced(function, [shape])
    return [] if found is None else [number for number in found.passed_on if number is not None]


def _are_equal(some: pa.RecordBatch, others: pa.RecordBatch) -> bool:
    """Tell whether all is equal and no number is 0.0, which would be equal to -0.0."""
    import pyarrow as pa

    floats = [column for column in some.columns if pa.types.is_floating(column.type)]
    return bool(some.equals(others)) and not any((np.asarray(column) == 0).any() for column in floats)


def same(given: Sequence[Any], expected: Sequence[Any]) -> bool:
    """Tell whether values and types are the same, one by one; a NaN is the same as another.

    Example:
        >>> same([1, (float("nan"), "a")], [1, (float("nan"), "a")]), same([1], [1.0]), same([1], [True])
        (True, False, False)
    """
    return len(given) == len(expected) and all(_same(*pair) for pair in zip(given, expected, strict=True))


def _same(given: Any, expected: Any) -> bool:
    if type(given) is not type(expected):
        return False
    if isinstance(given, tuple | list):
        return same(given, expected)
    if isinstance(given, Row):
        return given._fields == expected._fields and same(given._values, expected._values)
    if isinstance(given, float):
        return repr(given) == repr(expected)
    if hasattr(given, "__dataclass_fields__"):
        return same(list(vars(given).values()), list(vars(expected).values()))
    return bool(given == expected)
