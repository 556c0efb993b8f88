"""Typed options: a name, a type and a default in one object."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Any, Generic, TypeVar

from windrow.common.memory_size import MemorySize
from windrow.common.settings.values import parse_duration, parse_list, parse_map, show_value
from windrow.common.time import Duration
from windrow.errors import ConfigurationError, ConfigurationTypeError

T = TypeVar("T")
E = TypeVar("E", bound=Enum)
_TRUTH = {"true": True, "false": False}
#: How a text becomes one of a type, where the type itself does not say it.
_PARSERS: dict[type, Callable[[Any], Any]] = {
    bool: lambda text: _TRUTH[str(text).lower()],
    str: show_value,
    dict: lambda text: parse_map(str(text)),
    Duration: lambda text: parse_duration(str(text)),
}


class ConfigOption(Generic[T]):
    """A setting's name with its type and default. Make one with :class:`ConfigOptions`."""

    def __init__(
        self, key: str, kind: type[T], default_value: T | None, parse: Callable[[Any], Any] | None = None
    ) -> None:
        self.key = key
        self.default_value = default_value
        self._kind = kind
        self._parse = parse

    def convert(self, value: Any) -> T:
        """The value in the option's type.

        Raises:
            ConfigurationError: it cannot be read so.
        """
        if isinstance(value, self._kind) and not (isinstance(value, bool) and self._kind is not bool):
            return value
        try:
            if value is None or (isinstance(value, bool) and self._kind in (int, float)):
                raise TypeError(value)
            converted: T = (self._parse or _PARSERS.get(self._kind, self._kind))(value)
        except (AttributeError, KeyError, TypeError, ValueError):
            msg = f"option {self.key!r} takes a {self._kind.__name__}; got {value!r} ({type(value).__name__})"
            raise ConfigurationError(msg) from None
        return converted

    def __repr__(self) -> str:
        return f"ConfigOption({self.key!r}, {self._kind.__name__}, default {self.default_value!r})"


class TypedConfigOptionBuilder(Generic[T]):
    """An option that only lacks its default."""

    def __init__(self, key: str, kind: type[T], parse: Callable[[Any], Any] | None = None) -> None:
        self._key = key
        self._kind = kind
        self._parse = parse

    def default_value(self, value: T) -> ConfigOption[T]:
        converted = self.no_default_value().convert(value)
        return ConfigOption(self._key, self._kind, converted, self._parse)

    def no_default_value(self) -> ConfigOption[T]:
        return ConfigOption(self._key, self._kind, None, self._parse)

    def as_list(self) -> TypedConfigOptionBuilder[list[T]]:
        """An option with several values of the type: in YAML's form, or with ``;`` in between."""
        item = self.no_default_value()
        return TypedConfigOptionBuilder(
            self._key, list, lambda text: [item.convert(each) for each in parse_list(str(text))]
        )


class OptionBuilder:
    """An option that still lacks its type."""

    def __init__(self, key: str) -> None:
        self._key = key

    def boolean_type(self) -> TypedConfigOptionBuilder[bool]:
        return TypedConfigOptionBuilder(self._key, bool)

    def int_type(self) -> TypedConfigOptionBuilder[int]:
        return TypedConfigOptionBuilder(self._key, int)

    def long_type(self) -> TypedConfigOptionBuilder[int]:
        return TypedConfigOptionBuilder(self._key, int)

    def float_type(self) -> TypedConfigOptionBuilder[float]:
        return TypedConfigOptionBuilder(self._key, float)

    def double_type(self) -> TypedConfigOptionBuilder[float]:
        return TypedConfigOptionBuilder(self._key, float)

    def string_type(self) -> TypedConfigOptionBuilder[str]:
        return TypedConfigOptionBuilder(self._key, str)

    def duration_type(self) -> TypedConfigOptionBuilder[Duration]:
        """A span of time in words: ``10 s``; a number is one of milliseconds."""
        return TypedConfigOptionBuilder(self._key, Duration)

    def memory_type(self) -> TypedConfigOptionBuilder[MemorySize]:
        """An amount of memory in words: ``64 mb``; a number is one of bytes."""
        return TypedConfigOptionBuilder(self._key, MemorySize, lambda text: MemorySize.parse(str(text)))

    def map_type(self) -> TypedConfigOptionBuilder[dict[str, str]]:
        """Texts by name: ``{a: 1, b: 2}``."""
        return TypedConfigOptionBuilder(self._key, dict)

    def enum_type(self, enum_class: type[E]) -> TypedConfigOptionBuilder[E]:
        """One of the members of an enumeration, by its name in any case."""
        names = {member.name.lower(): member for member in enum_class}
        return TypedConfigOptionBuilder(self._key, enum_class, lambda text: names[text.lower()])


class ConfigOptions:
    """Makes options.

    Example:
        >>> ConfigOptions.key("parallelism.default").int_type().default_value(1)
        ConfigOption('parallelism.default', int, default 1)
    """

    @staticmethod
    def key(key: str) -> OptionBuilder:
        """Start an option of that name."""
        if not isinstance(key, str) or not key:
            msg = f"the key of an option is a non-empty str; got {key!r}"
            raise ConfigurationTypeError(msg)
        return OptionBuilder(key)
