"""Properties as Kafka's Java clients, and so Flink's programs, name them; and as librdkafka does."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from typing import Any, Final

from windrow.common.checks import text
from windrow.common.hidden import speaks_of_secret
from windrow.common.secret import Secret
from windrow.connectors.kafka import java_properties, librdkafka_properties
from windrow.connectors.kafka.java_properties import REPLACED, translated
from windrow.errors import ConfigurationError, ConfigurationTypeError, shorten

#: The connector's own properties, which Flink's has too.
DISCOVERY_INTERVAL: Final = "partition.discovery.interval.ms"
COMMIT_ON_CHECKPOINT: Final = "commit.offsets.on.checkpoint"
CLIENT_ID_PREFIX: Final = "client.id.prefix"
#: How long brokers are waited for; Kafka's Java clients have it, librdkafka asks for it call by call.
API_TIMEOUT: Final = "default.api.timeout.ms"

#: How many records are taken at a time; it, too, is one of Kafka's Java clients alone.
MAX_POLL_RECORDS: Final = "max.poll.records"

#: Whose values are shown nowhere either.
_USER = re.compile(r"user\.?name", re.IGNORECASE)

_OWN = {
    DISCOVERY_INTERVAL,
    COMMIT_ON_CHECKPOINT,
    CLIENT_ID_PREFIX,
    API_TIMEOUT,
    MAX_POLL_RECORDS,
    "register.consumer.metrics",
}


def _is_hidden(name: str) -> bool:
    return speaks_of_secret(name) or _USER.search(name) is not None


class Properties:
    """Properties as a builder was given them."""

    def __init__(self, owner: str) -> None:
        self._owner = owner
        self._values: dict[str, Any] = {}

    def set(self, key: Any, value: Any) -> None:
        """Set one property; that of a password or key may be a :class:`~windrow.common.Secret`.

        Raises:
            ConfigurationTypeError: the key is no text, or the value no text, number or bool.
            ConfigurationError: only Kafka's Java clients know the property.
        """
        name = text(key, f"a property's name in {self._owner}")
        if isinstance(value, bool):
            value = "true" if value else "false"
        if not isinstance(value, str | int | float | Secret):
            shown = "" if _is_hidden(name) else f"{shorten(value)} "
            msg = f"the property {name} of {self._owner} must be a str; got {shown}({type(value).__name__})"
            raise ConfigurationTypeError(msg)
        if isinstance(value, Secret) and not _is_hidden(name):
            msg = f"the property {name} of {self._owner} is no secret, and has to be known: give a str"
            raise ConfigurationTypeError(msg)
        if name in REPLACED:
            msg = f"{self._owner} uses librdkafka, which does not know the property {name}: {REPLACED[name]}"
            raise ConfigurationError(msg)
        self._values[name] = value if isinstance(value, Secret) else str(value)

    def values(self) -> dict[str, Any]:
        """All of them, as they were set."""
        return dict(self._values)


def librdkafka(values: Mapping[str, Any]) -> dict[str, Any]:
    """Without the connector's own properties, and those of Java's clients as librdkafka knows them.

    Raises:
        ConfigurationError: a property has a value that librdkafka cannot be told.
    """
    return translated({name: value for name, value in values.items() if name not in _OWN})


def unknown(name: str) -> str:
    """Say that the client does not know a property, with the nearest that it knows.

    Example:
        >>> unknown("fetch.min.byte")
        'neither librdkafka nor Windrow knows the property fetch.min.byte: is fetch.min.bytes meant?'
    """
    near = difflib.get_close_matches(name, sorted({*_OWN, *java_properties.NAMES, *librdkafka_properties.NAMES}), 1)
    return f"neither librdkafka nor Windrow knows the property {name}{f': is {near[0]} meant?' if near else ''}"


def number(values: Mapping[str, Any], name: str, default: int, what: str = "of milliseconds") -> int:
    """A property that is a number ``what``.

    Raises:
        ConfigurationError: it is something else.
    """
    value = values.get(name)
    try:
        return default if value is None else int(value)
    except ValueError:
        msg = f"the property {name} is a number {what}; got {value!r}"
        raise ConfigurationError(msg) from None


def boolean(values: Mapping[str, Any], name: str, *, default: bool) -> bool:
    """A property that is true or false.

    Raises:
        ConfigurationError: it is something else.
    """
    value = str(values.get(name, default)).lower()
    if value not in ("true", "false"):
        msg = f"the property {name} is 'true' or 'false'; got {values[name]!r}"
        raise ConfigurationError(msg)
    return value == "true"
