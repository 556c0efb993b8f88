"""Kinds of values that settings have: how each is read, and what is said of a value that cannot be."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from windrow.common.settings.values import parse_duration, parse_list, parse_map, parse_memory
from windrow.common.time import Duration, Time, to_millis
from windrow.errors import ConfigurationError
from windrow.storage.local_path import state_directory


@dataclass(frozen=True)
class Kind:
    """A kind of value."""

    #: What it is, in words.
    words: str
    #: Makes one of what the user wrote; raises ValueError, TypeError or KeyError.
    parse: Callable[[Any], Any]

    def read(self, key: str, value: Any) -> Any:
        """The value of a setting.

        Raises:
            ConfigurationError: it is not of this kind.
        """
        try:
            return self.parse(value)
        except (ValueError, TypeError, KeyError):
            msg = f"setting {key!r} is read as {self.words}; it is {value!r}"
            raise ConfigurationError(msg) from None


class _Directory(Kind):
    """A directory for checkpoints or savepoints."""

    def read(self, key: str, value: Any) -> str:
        return state_directory(value, key)


def one_of(*names: str) -> Kind:
    """One of some names, in any case."""
    by_name = {name.lower(): name for name in names}
    return Kind(f"one of {', '.join(names)}", lambda value: by_name[str(value).lower()])


def whole_number(minimum: int, besides: int | None = None) -> Kind:
    """A whole number that is not below a minimum, or is one other number."""

    def parse(value: Any) -> int:
        number = _whole(value)
        if number < minimum and number != besides:
            raise ValueError(value)
        return number

    return Kind(f"a whole number from {minimum}", parse)


def items(separator: str) -> Kind:
    """Texts, with a separator between them or as a list of YAML."""

    def parse(value: Any) -> list[str]:
        return [str(item) for item in value] if isinstance(value, list | tuple) else parse_list(str(value), separator)

    return Kind(f"a list with {separator!r} between its items, or [a, b]", parse)


def _whole(value: Any) -> int:
    if isinstance(value, bool) or (not isinstance(value, int) and not isinstance(value, str)):
        raise TypeError(value)
    if "_" in str(value):  # Python's own way to write numbers
        raise ValueError(value)
    return int(value)


def _boolean(value: Any) -> bool:
    return value if isinstance(value, bool) else {"true": True, "false": False}[str(value).lower()]


def _number(value: Any) -> float:
    if isinstance(value, bool):
        raise TypeError(value)
    return float(value)


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value:
        raise TypeError(value)
    return value


def _duration(value: Any) -> Duration:
    if isinstance(value, Duration | Time) or (isinstance(value, int) and not isinstance(value, bool)):
        millis = to_millis(value, "value")
        if millis < 0:
            raise ValueError(value)
        return value if isinstance(value, Duration) else Duration.of_millis(millis)
    return parse_duration(_text(value))


def _memory(value: Any) -> int:
    return parse_memory(str(value))


def _map(value: Any) -> dict[str, str]:
    if isinstance(value, Mapping):
        return {str(key): str(each) for key, each in value.items()}
    return parse_map(_text(value))


def _anything(value: Any) -> Any:
    return value


BOOLEAN: Final = Kind("true or false", _boolean)
INTEGER: Final = Kind("a whole number", _whole)
NUMBER: Final = Kind("a number", _number)
TEXT: Final = Kind("a text that is not empty", _text)
DIRECTORY: Final = _Directory("a local path or a file: URI", _text)
DURATION: Final = Kind("a span of time, such as 200 ms, 10 s or 5 min", _duration)
MEMORY: Final = Kind("an amount of memory, such as 64 mb", _memory)
MAP: Final = Kind("a map, such as {a: 1, b: 2} or a:1,b:2", _map)
ANYTHING: Final = Kind("anything", _anything)
