"""librdkafka's Python client: imported when it is first used, and made from properties."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import Any

from windrow.common.secret import revealed
from windrow.connectors.kafka.errors import KafkaConnectorError, MissingKafkaClientError
from windrow.connectors.kafka.logs import ClientLogger, plain
from windrow.connectors.kafka.properties import unknown
from windrow.connectors.kafka.stores import with_files
from windrow.errors import ConfigurationError

_LOGGER = ClientLogger()
_UNKNOWN = re.compile(r'No such configuration property: "(.*)"')


def client() -> ModuleType:
    """The client's package.

    Raises:
        MissingKafkaClientError: it is not installed.
    """
    try:
        package = importlib.import_module("confluent_kafka")
    except ImportError as error:
        raise MissingKafkaClientError from error
    return package


def new_consumer(
    settings: Mapping[str, str],
    on_error: Callable[[Any], None],
    on_commit: Callable[[Any, Sequence[Any]], None] | None = None,
) -> Any:
    """A consumer.

    Args:
        settings: librdkafka's.
        on_error: Gets what is wrong with no partition in particular, such as a broken connection.
        on_commit: Gets an error, or None, and the partitions, when offsets were committed.
    """
    callbacks = {} if on_commit is None else {"on_commit": on_commit}
    return _made(client().Consumer, {**settings, **callbacks}, on_error)


def new_producer(settings: Mapping[str, str], on_error: Callable[[Any], None]) -> Any:
    """A producer that reports failed records alone; ``on_error`` gets what is wrong with no record in particular."""
    return _made(client().Producer, {**settings, "delivery.report.only.error": True}, on_error)


def new_admin(settings: Mapping[str, str], on_error: Callable[[Any], None]) -> Any:
    """A client for questions about topics and groups."""
    client()
    from confluent_kafka.admin import AdminClient

    return _made(AdminClient, settings, on_error)


def _made(kind: Callable[..., Any], settings: Mapping[str, Any], on_error: Callable[[Any], None]) -> Any:
    try:
        with with_files({name: revealed(value) for name, value in settings.items()}) as known:
            return kind({**known, "error_cb": on_error}, logger=_LOGGER)
    except client().KafkaException as error:
        said = reason(error)
        name = _UNKNOWN.search(said)
        msg = f"the Kafka client refuses the properties: {unknown(name[1]) if name else said}"
        raise ConfigurationError(msg) from None


def check_consumer_properties(settings: Mapping[str, str]) -> None:
    """Refuse properties that the client does not know, or whose values it cannot work with.

    Raises:
        ConfigurationError: there is one; the message names it.
    """
    offline = {name: value for name, value in settings.items() if name != "bootstrap.servers"}
    new_consumer({**offline, "log_level": "0"}, _pass).close()


def check_producer_properties(settings: Mapping[str, str]) -> None:
    """Refuse properties that the client does not know, or whose values it cannot work with.

    Raises:
        ConfigurationError: there is one; the message names it.
    """
    offline = {name: value for name, value in settings.items() if name != "bootstrap.servers"}
    new_producer({**offline, "log_level": "0"}, _pass)


def _pass(error: Any) -> None:
    """Nothing was asked of a broker."""


def kafka_error(error: BaseException) -> Any:
    """The client's ``KafkaError`` inside an exception of the client's; None if there is none."""
    inside = error.args[0] if error.args else None
    return inside if isinstance(inside, client().KafkaError) else None


def reason(error: BaseException) -> str:
    """Say what the client says about an exception, without its braces and numbers."""
    inside = kafka_error(error)
    return str(error) if inside is None else f"{plain(inside.str())} ({inside.name()})"


def connector_error(what: str, error: Any, advice: str, before: str | None = None) -> KafkaConnectorError:
    """An error of ours, from one of the client's.

    Args:
        what: What was being done, where: the error message begins with it.
        error: The client's ``KafkaError``.
        advice: What to do about it, where its kind does not say more.
        before: What went wrong before it, where that tells more.
    """
    said = f"{plain(error.str())} ({error.name()}){'' if before is None else f', after {before}'}"
    return KafkaConnectorError(f"{what}: {said}; {_ADVICE.get(error.name(), advice)}")


_CREDENTIALS = (
    "check the properties security.protocol, sasl.mechanism, sasl.username and sasl.password, and ssl.ca.location"
)
_ADVICE = {
    "_AUTO_OFFSET_RESET": (
        "the records from there on are gone, or never were: give set_starting_offsets a KafkaOffsetResetStrategy that "
        "says where to begin instead, or have the topic keep its records for longer"
    ),
    "_AUTHENTICATION": _CREDENTIALS,
    "SASL_AUTHENTICATION_FAILED": _CREDENTIALS,
    "_SSL": _CREDENTIALS,
    "TOPIC_AUTHORIZATION_FAILED": "the broker's ACLs must allow this user DESCRIBE, and READ or WRITE, on the topic",
    "GROUP_AUTHORIZATION_FAILED": "the broker's ACLs must allow this user READ on the consumer group",
    "CLUSTER_AUTHORIZATION_FAILED": "the broker's ACLs must allow this user to use the cluster",
    "UNKNOWN_TOPIC_OR_PART": "check the topic's name, or create the topic first",
    "_UNKNOWN_TOPIC": "check the topic's name, or create the topic first",
    "_UNKNOWN_PARTITION": "check the topic's number of partitions",
    "_FENCED": (
        "another attempt at the batch has taken over; or another job or sink uses the same transactional id prefix: "
        "give each its own with set_transactional_id_prefix; or sending took longer than transaction.timeout.ms"
    ),
    "INVALID_TRANSACTION_TIMEOUT": (
        "lower the properties transaction.timeout.ms and delivery.timeout.ms, or raise transaction.max.timeout.ms of "
        "the brokers"
    ),
    "TRANSACTIONAL_ID_AUTHORIZATION_FAILED": (
        "the broker's ACLs must allow this user DESCRIBE and WRITE on transactional ids with the sink's prefix"
    ),
    "MSG_SIZE_TOO_LARGE": "raise message.max.bytes of the producer and max.message.bytes of the topic",
}
#: They are not to be waited for: they will not get better by themselves.
FATAL = frozenset(_ADVICE)
