"""Typed options: a name, a type and a default in one object."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from windrow.errors import ConfigurationError, ConfigurationTypeError

T = TypeVar("T")
_TRUTH = {"true": True, "false": False}


class ConfigOption(Generic[T]):
    """A setting's name with its type and default. Make one with :class:`ConfigOptions`."""

    def __init__(self, key: str, kind: type[T], default_value: T | None) -> None:
        self.key = key
        self.default_value = default_value
        self._kind = kind

    def convert(self, value: Any) -> T:
        """The value in the option's type.

        Raises:
            ConfigurationError: it cannot be read so.
        """
        if type(value) is self._kind:
            return value
        try:
            convert: Any = (lambda text: _TRUTH[str(text).lower()]) if self._kind is bool else self._kind
            converted: T = convert(value)
        except (KeyError, TypeError, ValueError):
            msg = f"option {self.key!r} takes a {self._kind.__name__}; got {value!r} ({type(value).__name__})"
            raise ConfigurationError(msg) from None
        return converted

    def __repr__(self) -> str:
        return f"ConfigOption({self.key!r}, {self._kind.__name__}, default {self.default_value!r})"


class TypedConfigOptionBuilder(Generic[T]):
    """An option that only lacks its default."""

    def __init__(self, key: str, kind: type[T]) -> None:
        self._key = key
        self._kind = kind

    def default_value(self, value: T) -> ConfigOption[T]:
        return ConfigOption(self._key, self._kind, ConfigOption(self._key, self._kind, None).convert(value))

    def no_default_value(self) -> ConfigOption[T]:
        return ConfigOption(self._key, self._kind, None)


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


class ConfigOptions:
    """Where options are made.

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
