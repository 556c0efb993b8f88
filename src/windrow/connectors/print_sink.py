"""The sink behind ``print``."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from windrow.common.printing import format_value
from windrow.common.typeinfo import TypeInformation
from windrow.connectors.interfaces import DriverSink


class PrintSink(DriverSink):
    """Writes a line for each element to standard output, as PyFlink prints at parallelism 1.

    Args:
        identifier: What stands before each element, as in ``identifier> element``.
        type_info: The type of the elements, which decides how they look.
    """

    def __init__(self, identifier: str | None = None, type_info: TypeInformation | None = None) -> None:
        self._prefix = "" if identifier is None else f"{identifier}> "
        self._type_info = type_info

    def deliver(self, values: Sequence[Any], timestamps: Sequence[int]) -> None:
        prefix, type_info = self._prefix, self._type_info
        # Looked up here: whoever redirects standard output while the job runs gets the lines.
        sys.stdout.write("".join([f"{prefix}{format_value(value, type_info)}\n" for value in values]))
        sys.stdout.flush()
