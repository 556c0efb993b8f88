"""Checks of what formats are given."""

from __future__ import annotations

from typing import Any

from windrow.datastream.output_tag import OutputTag
from windrow.errors import ConfigurationError, ConfigurationTypeError


def checked_delimiter(delimiter: Any, call: str) -> str:
    """The delimiter, if it is one ASCII character that can stand between values."""
    if not isinstance(delimiter, str) or len(delimiter.encode()) != 1 or delimiter in '"\r\n':
        msg = f"delimiter of {call} takes one ASCII character, no quote and no line end; got {delimiter!r}"
        raise ConfigurationError(msg)
    return delimiter


def tag_id(dead_letter: Any, call: str) -> str | None:
    """The name of the side output for malformed lines, if there is one."""
    if dead_letter is not None and not isinstance(dead_letter, OutputTag):
        msg = f"dead_letter of {call} takes an OutputTag; got {dead_letter!r} ({type(dead_letter).__name__})"
        raise ConfigurationTypeError(msg)
    return None if dead_letter is None else dead_letter.tag_id
