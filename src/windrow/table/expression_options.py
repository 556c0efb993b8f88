"""Words that expressions of the Table API take: units of time, and what functions of JSON do where nothing is there."""

from __future__ import annotations

from enum import Enum


class TimeIntervalUnit(Enum):
    """Units for ``extract``, ``floor`` and ``ceil`` (PyFlink's enumeration of the same name)."""

    YEAR = 0
    QUARTER = 2
    MONTH = 3
    WEEK = 4
    DAY = 5
    HOUR = 9
    SECOND = 10
    MINUTE = 13


class TimePointUnit(Enum):
    """Units for ``timestamp_diff`` (PyFlink's enumeration of the same name)."""

    YEAR = 0
    MONTH = 1
    DAY = 2
    HOUR = 3
    MINUTE = 4
    SECOND = 5
    QUARTER = 6
    WEEK = 7
    MILLISECOND = 8
    MICROSECOND = 9


class JsonType(Enum):
    """The kinds of text of JSON (PyFlink's class of the same name)."""

    VALUE = 0
    SCALAR = 1
    ARRAY = 2
    OBJECT = 3


class JsonExistsOnError(Enum):
    """The result of ``json_exists`` where something is wrong (PyFlink's class of the same name)."""

    TRUE = 0
    FALSE = 1
    UNKNOWN = 2
    ERROR = 3


class JsonValueOnEmptyOrError(Enum):
    """The result of ``json_value`` where there is nothing, or something is wrong (PyFlink's class of the same name)."""

    NULL = 0
    ERROR = 1
    DEFAULT = 2


class JsonQueryWrapper(Enum):
    """Says if ``json_query`` gives an array around what it finds (PyFlink's class of the same name)."""

    WITHOUT_ARRAY = 0
    CONDITIONAL_ARRAY = 1
    UNCONDITIONAL_ARRAY = 2


class JsonQueryOnEmptyOrError(Enum):
    """The result of ``json_query`` where there is nothing, or something is wrong (PyFlink's class of the same name)."""

    NULL = 0
    EMPTY_ARRAY = 1
    EMPTY_OBJECT = 2
    ERROR = 3


class JsonOnNull(Enum):
    """Says if JSON that is made has NULL as null, or leaves it out (PyFlink's class of the same name)."""

    NULL = 0
    ABSENT = 1
