"""In which form an operator will work, as far as its functions and the form of its input say it before a job runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from windrow.elements.shape import Shape

ROWS_IN = "its input is rows"
ONE_BY_ONE = "it takes its elements one by one"
SEVERAL_FORMS = "its inputs are columns of several forms"


class Forecast(NamedTuple):
    """Columns or rows.

    Attributes:
        columns: Whether the operator works on columns.
        reason: Why it does not, or why its results are rows in spite of that.
        shape: What its results are made of, where they are columns; None: they are rows.
    """

    columns: bool
    reason: str = ""
    shape: Shape | None = None

    def __str__(self) -> str:
        if not self.columns:
            return f"rows: {self.reason}"
        return f"columns, its results rows: {self.reason}" if self.reason else "columns"


def forecast(function: Any, shapes: Sequence[Shape | None], trace: str = "trace") -> Forecast:
    """The forecast for a function that is called with elements of these shapes.

    Example:
        >>> from windrow.elements.shape import LONG
        >>> print(forecast(lambda x: 2 * x, [LONG]), "-", forecast(print, [LONG]))
        columns - rows: its function uses print (builtin_function_or_method)
    """
    from windrow.operators.tagged_shape import untagged
    from windrow.tracing import tracer
    from windrow.tracing.outcome import NotTraceable

    known = [shape for shape in shapes if shape is not None]
    if len(known) < len(shapes):
        return Forecast(False, ROWS_IN)
    function, of_arguments = untagged(function, known)
    found = getattr(tracer, trace)(function, *of_arguments)
    if isinstance(found, NotTraceable):
        return Forecast(False, f"its function {found.reason}")
    return Forecast(True, shape=found.shape)


def passing_on(found: Forecast, shape: Shape | None) -> Forecast:
    """The forecast for an operator that hands on its elements, of this shape, when its function has looked at them.

    What a function sees as rows stays columns, if nobody can change it.
    """
    stays = shape is not None and (found.columns or shape.never_changes)
    return found._replace(shape=shape if stays else None)
