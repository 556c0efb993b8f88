"""Errors of bytes that should be a row."""

from __future__ import annotations

from typing import Any

from windrow.errors import WindrowError, shorten


class MalformedRowError(WindrowError, ValueError):
    """Bytes are not the row that a schema says.

    Attributes:
        message: the bytes as text, shortened to 200 characters.
    """

    def __init__(self, schema: str, message: Any, reason: BaseException, *, can_ignore: bool = True) -> None:
        self.message = shorten(message)
        skip = "skip such messages by letting it ignore parse errors, " if can_ignore else ""
        super().__init__(
            f"{schema} cannot read {self.message}: {reason}; mend the schema, {skip}or give the source a dead-letter "
            "side output"
        )


class FieldError(WindrowError, ValueError):
    """A field of a row has a value that is not of its type."""

    def __init__(self, name: str, reason: BaseException | str) -> None:
        super().__init__(f"field {name!r}: {reason}")
