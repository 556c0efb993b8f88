"""Rows as lines: what the formats of files and of messages have in common, and how they report what is wrong."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from windrow.table.data_types import DataType

if TYPE_CHECKING:
    import pyarrow as pa


class LineFormat(ABC):
    """Reads and writes a row as a line.

    Args:
        names: What columns are called.
        types: Their types.
        ignore_errors: Whether a line that cannot be read is left out, and a value that cannot be is NULL.
    """

    #: What a value is called in errors.
    part: ClassVar[str] = "column"

    def __init__(self, names: Sequence[str], types: Sequence[DataType], *, ignore_errors: bool = False) -> None:
        self.names = list(names)
        self.types = list(types)
        self.ignore_errors = ignore_errors

    @abstractmethod
    def read(self, line: str) -> tuple[Any, ...] | None:
        """The values of a line; None: there is no row in it.

        Raises:
            ValueError: it cannot be read.
        """

    def read_all(self, lines: Sequence[bytes | None]) -> list[pa.Array] | None:
        """The columns of many lines, each of which has one row; None: they have to be read one by one.

        That is so, too, where one of the lines is none.
        """
        return None

    def value(self, read: Callable[[Any], Any], given: Any, name: str) -> Any:
        """A value of a line.

        Args:
            read: Makes it of what stands in the line.
            given: What stands there.
            name: What its column is called.

        Raises:
            ValueError: it cannot be read, and errors are not ignored.
        """
        try:
            return read(given)
        except (ValueError, TypeError) as error:
            if self.ignore_errors:
                return None
            msg = f"{self.part} {name!r}: {error}"
            raise ValueError(msg) from None

    @abstractmethod
    def write(self, values: Sequence[Any]) -> str:
        """The line of some values."""
