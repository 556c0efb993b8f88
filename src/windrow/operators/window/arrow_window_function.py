"""Window functions that ask for tables: a table of a window's elements, and elements of what they give."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from windrow.common.typeinfo import TypeInformation
from windrow.datastream.functions import ArrowAllWindowFunction, ArrowWindowFunction
from windrow.operators.results import check_results
from windrow.operators.window.window_context import WindowContext


class ArrowWindowCall:
    """Calls one as window operators call any other.

    Args:
        function: The function.
        input_type: The declared type of the elements.
        output_type: The declared type of the results.
    """

    def __init__(
        self,
        function: ArrowWindowFunction[Any, Any] | ArrowAllWindowFunction[Any],
        input_type: TypeInformation | None,
        output_type: TypeInformation | None,
    ) -> None:
        # Here, because they import Arrow.
        from windrow.elements.from_table import as_table, columns_from_table, is_table
        from windrow.elements.to_table import Tables

        self._tables = Tables(input_type)
        self._is_table = is_table
        self._rows_of: Callable[[Any], list[Any]] = lambda table: columns_from_table(
            as_table(table), output_type
        ).rows()
        self._call: Callable[[Any, WindowContext, Any], Any] = (
            function.process
            if isinstance(function, ArrowWindowFunction)
            else lambda _, context, table: function.process(context, table)
        )

    def __call__(self, key: Any, _: Any, context: WindowContext, elements: Any) -> Iterable[Any] | None:
        results = self._call(key, context, self._tables.table(elements))
        if results is None:
            return None
        if self._is_table(results):
            return self._rows_of(results)
        check_results(context.operator_name, results, "window function")
        return self._each(results)

    def _each(self, results: Iterable[Any]) -> Iterator[Any]:
        for result in results:
            if self._is_table(result):
                yield from self._rows_of(result)
            else:
                yield result
