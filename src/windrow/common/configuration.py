"""Key-value configuration of a job or environment."""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import Any, TypeVar

from windrow.common.config_options import ConfigOption
from windrow.common.hidden import shown_setting
from windrow.common.settings.values import parse_list, show_value
from windrow.errors import ConfigurationError, ConfigurationTypeError

T = TypeVar("T")


class Configuration:
    """Settings by name; each is kept as it was set and converted when it is read, and is shown as Flink writes it.

    Args:
        other: a configuration to start from; it is copied.

    Example:
        >>> config = Configuration().set_string("parallelism.default", "4")
        >>> config.get_integer("parallelism.default", 1)
        4
        >>> print(config.set_float("jitter", 0.5).set_boolean("reuse", True))
        {parallelism.default=4, jitter=0.5, reuse=true}
    """

    def __init__(self, other: Configuration | None = None) -> None:
        self._values: dict[str, Any] = {} if other is None else dict(other._values)

    @classmethod
    def from_dict(cls, map: Mapping[str, Any]) -> Configuration:  # noqa: A002  (PyFlink's name)
        """A configuration of the given settings: texts, or numbers, truth values, lists, maps, spans of time.

        Raises:
            ConfigurationTypeError: a name is no str, or a value is None.
        """
        config = cls()
        for key, value in map.items():
            if value is None:
                msg = f"setting {key!r} is None; leave it out"
                raise ConfigurationTypeError(msg)
            config._set(key, value, object)
        return config

    @staticmethod
    def parse_list_value(value: str | None) -> list[str]:
        """The items of a list, in YAML's form or with ``;`` in between; none of None.

        Example:
            >>> Configuration.parse_list_value("[a.jar, b.jar]") == Configuration.parse_list_value("a.jar;b.jar")
            True
        """
        return parse_list(value) if value else []

    def get_string(self, key: str, default_value: str | None) -> str | None:
        value = self._values.get(key)
        return default_value if value is None else show_value(value)

    def set_string(self, key: str, value: str) -> Configuration:
        return self._set(key, value, str)

    def get_integer(self, key: str, default_value: int) -> int:
        """The value as an int.

        Raises:
            ConfigurationError: it is not the text of one.
        """
        value = self._values.get(key)
        return default_value if value is None else _as_number(key, value, int)

    def set_integer(self, key: str, value: int) -> Configuration:
        return self._set(key, value, int)

    def get_boolean(self, key: str, default_value: bool) -> bool:
        """The value as a bool.

        Raises:
            ConfigurationError: it is neither ``true`` nor ``false``.
        """
        value = self._values.get(key)
        if value is None or isinstance(value, bool):
            return default_value if value is None else value
        if str(value).lower() not in ("true", "false"):
            msg = f"setting {key!r} is read as a boolean, true or false; it is {value!r}"
            raise ConfigurationError(msg)
        return str(value).lower() == "true"

    def set_boolean(self, key: str, value: bool) -> Configuration:
        return self._set(key, value, bool)

    def get_float(self, key: str, default_value: float) -> float:
        """The value as a float.

        Raises:
            ConfigurationError: it is not the text of a number.
        """
        value = self._values.get(key)
        return float(default_value) if value is None else _as_number(key, value, float)

    def set_float(self, key: str, value: float) -> Configuration:
        self._set(key, value, (int, float))
        self._values[key] = float(value)
        return self

    def get_bytearray(self, key: str, default_value: bytearray) -> bytearray:
        value = self._values.get(key)
        return bytearray(default_value if value is None else value)

    def set_bytearray(self, key: str, value: bytearray) -> Configuration:
        self._set(key, value, (bytes, bytearray))
        self._values[key] = bytes(value)
        return self

    def get(self, option: ConfigOption[T]) -> T | None:
        """The value of an option, or the option's default."""
        value = self._values.get(option.key)
        if value is None:
            return option.default_value
        return option.convert(value)

    def set(self, option: ConfigOption[T], value: T) -> Configuration:
        """Set an option."""
        self._values[option.key] = option.convert(value)
        return self

    def key_set(self) -> Set[str]:
        """The names of all settings."""
        return frozenset(self._values)

    def add_all_to_dict(self, target_dict: dict[str, Any]) -> None:
        """Copy all settings into a dictionary, each as it was set."""
        target_dict.update(self._values)

    def add_all(self, other: Configuration, prefix: str | None = None) -> Configuration:
        """Copy all settings of another configuration into this one, with ``prefix`` before their names."""
        self._values.update({(prefix or "") + key: value for key, value in other._values.items()})
        return self

    def contains_key(self, key: str) -> bool:
        return key in self._values

    def to_dict(self) -> dict[str, str]:
        """All settings as text: lists and maps in YAML's form, spans of time in words, numbers as in Java."""
        return {key: show_value(value) for key, value in self._values.items()}

    def remove_config(self, key: str) -> bool:
        """Remove a setting; says whether it was there."""
        return self._values.pop(key, None) is not None

    def __deepcopy__(self, memo: dict[int, Any]) -> Configuration:
        return Configuration(self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Configuration) and self._values == other._values

    def __hash__(self) -> int:
        return hash(frozenset(self.to_dict().items()))

    def __str__(self) -> str:
        """As Java shows it, in the order in which settings were made; passwords and keys are stars."""
        return "{" + ", ".join(f"{key}={value}" for key, value in self._shown().items()) + "}"

    def __repr__(self) -> str:
        return f"Configuration({self._shown()})"

    def _shown(self) -> dict[str, str]:
        return {key: shown_setting(key, value) for key, value in self.to_dict().items()}

    def _set(self, key: str, value: Any, kind: type | tuple[type, ...]) -> Configuration:
        if not isinstance(key, str):
            msg = f"the name of a setting is a str; got {key!r} ({type(key).__name__})"
            raise ConfigurationTypeError(msg)
        is_bool = isinstance(value, bool) and kind not in (bool, object)
        if is_bool or not isinstance(value, kind):
            kinds = kind if isinstance(kind, tuple) else (kind,)
            names = " or ".join(each.__name__ for each in kinds)
            msg = f"setting {key!r} takes a {names} here; got {value!r} ({type(value).__name__})"
            raise ConfigurationTypeError(msg)
        self._values[key] = value
        return self


N = TypeVar("N", int, float)


def _as_number(key: str, value: Any, kind: type[N]) -> N:
    try:
        if isinstance(value, bool) or (kind is int and isinstance(value, float)) or "_" in str(value):
            raise TypeError(value)
        return kind(value)
    except (TypeError, ValueError):
        msg = f"setting {key!r} is read as {kind.__name__}; it is {value!r}"
        raise ConfigurationError(msg) from None
