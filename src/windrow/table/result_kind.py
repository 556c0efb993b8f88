"""The kinds of results: with rows, and without."""

from __future__ import annotations

from enum import Enum


class ResultKind(Enum):
    """PyFlink's enumeration of the same name.

    Example:
        >>> ResultKind.SUCCESS.name
        'SUCCESS'
    """

    SUCCESS = 0
    SUCCESS_WITH_CONTENT = 1
