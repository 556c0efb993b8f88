"""The error of a table that cannot be had, and the part of its statement that says so."""

from __future__ import annotations

from windrow.errors import SqlError


class TableError(SqlError):
    """A table cannot be what its statement says; who has the statement shows the place in it.

    Args:
        message: What is wrong.
        option: The option that it is about; None: none, or one that is missing.
        of_value: Whether it is about the option's value; else about its name.
        column: The column that it is about.
    """

    def __init__(
        self, message: str, *, option: str | None = None, of_value: bool = False, column: str | None = None
    ) -> None:
        super().__init__(message)
        self.option = option
        self.of_value = of_value
        self.column = column
