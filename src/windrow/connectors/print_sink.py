"""The sink behind ``print``."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from windrow.common.printing import format_value
from windrow.common.typeinfo import TypeInformation
from windrow.connectors.interfaces import DriverSink
from windrow.operators.user_function import call_each


class PrintSink(DriverSink):
    """Writes a line for each element to standard output or error, as PyFlink prints at parallelism 1.

    Args:
        identifier: What stands before each element, as in ``identifier> element``.
        type_info: The type of the elements, which decides how they look.
        to_error: Write to standard error.
    """

    def __init__(
        self, identifier: str | None = None, type_info: TypeInformation | None = None, *, to_error: bool = False
    ) -> None:
        self._prefix = "" if identifier is None else f"{identifier}> "
        self._type_info = type_info
        self._to_error = to_error

    def deliver(self, values: Sequence[Any], timestamps: Sequence[int]) -> None:
        prefix, type_info = self._prefix, self._type_info
        # Looked up here: whoever redirects standard output while the job runs gets the lines.
        stream = sys.stderr if self._to_error else sys.stdout
        lines = call_each(self.name, lambda value: f"{prefix}{format_value(value, type_info)}\n", values)
        stream.write("".join(lines))
        stream.flush()
