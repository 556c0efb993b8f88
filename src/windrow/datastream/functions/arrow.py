"""Functions of many elements at once, as a ``pyarrow.Table``.

What those return that give elements is a table as well: a ``pyarrow.Table`` or ``RecordBatch``, a frame of pandas or
Polars or anything else that has Arrow's interface (``__arrow_c_stream__`` or ``__arrow_c_array__``), or a dict of a
list or array for each name.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, TypeVar

from windrow.datastream.functions.base import Function
from windrow.datastream.functions.simple import AggregateFunction
from windrow.datastream.functions.window import ProcessAllWindowFunction, ProcessWindowFunction

if TYPE_CHECKING:
    import pyarrow as pa

KEY = TypeVar("KEY")
W = TypeVar("W")


class MapBatchFunction(Function):
    """Makes a table of new elements of a table of elements.

    Example:
        >>> import pyarrow as pa
        >>> import pyarrow.compute as pc
        >>> class Fahrenheit(MapBatchFunction):
        ...     def map_batch(self, table):
        ...         warmer = pc.add(pc.multiply(table["celsius"], 1.8), 32.0)
        ...         return table.append_column("fahrenheit", warmer)
        >>> Fahrenheit().map_batch(pa.table({"celsius": [20.0]})).to_pydict()
        {'celsius': [20.0], 'fahrenheit': [68.0]}
    """

    @abstractmethod
    def map_batch(self, table: pa.Table) -> Any:
        """Make the table of the new elements."""


class ArrowWindowFunction(ProcessWindowFunction[Any, Any, KEY, W]):
    """Sees the elements of a keyed window as a ``pyarrow.Table`` when it fires, with the current times and state.

    Its context is that of :class:`~windrow.datastream.functions.ProcessWindowFunction`. It returns a table, whose rows
    are emitted, or yields tables, other elements and ``(OutputTag, value)`` for side outputs; None is nothing.

    Example:
        >>> import pyarrow.compute as pc
        >>> class Median(ArrowWindowFunction):
        ...     def process(self, key, context, table):
        ...         yield key, pc.quantile(table["degrees"], 0.5)[0].as_py()
    """

    @abstractmethod
    def process(self, key: KEY, context: ProcessWindowFunction.Context[W], table: pa.Table) -> Iterable[Any] | Any:
        """Give what to emit for the window."""


class ArrowAllWindowFunction(ProcessAllWindowFunction[Any, Any, W]):
    """Sees the elements of a window over the whole stream as a ``pyarrow.Table`` when it fires.

    It is to :class:`~windrow.datastream.functions.ProcessAllWindowFunction` what :class:`ArrowWindowFunction` is to
    ``ProcessWindowFunction``.
    """

    @abstractmethod
    def process(self, context: ProcessAllWindowFunction.Context[W], table: pa.Table) -> Iterable[Any] | Any:
        """Give what to emit for the window."""


class ArrowAggregateFunction(AggregateFunction):
    """Folds tables of elements into an accumulator and makes the result from it.

    It goes wherever an :class:`~windrow.datastream.functions.AggregateFunction` goes on windows. The accumulator is any
    value that can be pickled, and the result is one element.

    Example:
        >>> import pyarrow as pa
        >>> class Hottest(ArrowAggregateFunction):
        ...     def create_accumulator(self):
        ...         return []
        ...     def add(self, table, accumulator):
        ...         return sorted([*accumulator, *table["degrees"].to_pylist()])[-3:]
        ...     def get_result(self, accumulator):
        ...         return accumulator
        ...     def merge(self, acc_a, acc_b):
        ...         return sorted([*acc_a, *acc_b])[-3:]
        >>> Hottest().add(pa.table({"degrees": [20.0, 22.0, 21.0, 19.0]}), [20.5])
        [20.5, 21.0, 22.0]
    """

    @abstractmethod
    def add(self, table: pa.Table, accumulator: Any) -> Any:
        """Add the elements of ``table``; the result may be the same accumulator, changed.

        They are one or more elements of one key and window, in the order in which they came. How many come together is
        not promised, so a result must not depend on it. The accumulator should keep values and not the table, which may
        be a slice of many more elements.
        """
