"""Properties of Kafka's Java clients: which librdkafka has under another name, and which it does not have."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from windrow.common.secret import Secret, known, revealed
from windrow.connectors.kafka.jaas import credentials
from windrow.connectors.kafka.stores import key_store, trust_store
from windrow.errors import ConfigurationError

#: They have no meaning here, or change no result: schemas make bytes of elements, librdkafka counts by itself.
PASSED_OVER: Final = frozenset(
    {
        "auto.include.jmx.reporter",
        "key.deserializer",
        "key.serializer",
        "metrics.num.samples",
        "metrics.recording.level",
        "metrics.sample.window.ms",
        "sasl.login.connect.timeout.ms",
        "sasl.login.read.timeout.ms",
        "sasl.login.refresh.buffer.seconds",
        "sasl.login.refresh.min.period.seconds",
        "sasl.login.refresh.window.factor",
        "sasl.login.refresh.window.jitter",
        "sasl.login.retry.backoff.max.ms",
        "sasl.login.retry.backoff.ms",
        "ssl.keymanager.algorithm",
        "ssl.secure.random.implementation",
        "ssl.trustmanager.algorithm",
        "value.deserializer",
        "value.serializer",
    }
)
#: librdkafka has them under another name.
RENAMED: Final = {
    "fetch.max.wait.ms": "fetch.wait.max.ms",
    "max.request.size": "message.max.bytes",
    "receive.buffer.bytes": "socket.receive.buffer.bytes",
    "request.timeout.ms": "socket.timeout.ms",
    "send.buffer.bytes": "socket.send.buffer.bytes",
    "ssl.keystore.certificate.chain": "ssl.certificate.pem",
    "ssl.keystore.key": "ssl.key.pem",
    "ssl.truststore.certificates": "ssl.ca.pem",
}
_JAVA_CLASS = "it names a Java class"
#: What is to be done instead.
REPLACED: Final = {
    "exclude.internal.topics": "set_topics and set_topic_pattern say which topics are read",
    "interceptor.classes": _JAVA_CLASS,
    "max.block.ms": "set delivery.timeout.ms",
    "metric.reporters": f"{_JAVA_CLASS}; metrics are in the job's result and its client",
    "partitioner.class": "set partitioner; murmur2_random, the default, places keys as Kafka's Java clients do",
    "sasl.client.callback.handler.class": _JAVA_CLASS,
    "sasl.login.callback.handler.class": _JAVA_CLASS,
    "sasl.login.class": _JAVA_CLASS,
    "security.providers": f"{_JAVA_CLASS}; OpenSSL's providers are ssl.providers",
    "ssl.engine.factory.class": _JAVA_CLASS,
    "ssl.provider": "it names a provider of Java's; OpenSSL's providers are ssl.providers",
}


def translated(values: Mapping[str, Any]) -> dict[str, Any]:
    """Properties as librdkafka knows them, from what Java's clients and librdkafka itself take.

    A :class:`~windrow.common.Secret` that has to be read for it (of a JKS file, or ``sasl.jaas.config``) is asked for
    here, and what it gives stays one.

    Raises:
        ConfigurationError: one has a value that cannot be said to librdkafka, or two say the same.
    """
    result = {name: value for name, value in values.items() if name not in PASSED_OVER}
    for names, translate in _TRANSLATED.items():
        given = {name: result.pop(name) for name in names if name in result}
        if given:
            has_secrets = any(isinstance(value, Secret) for value in given.values())
            said = translate({name: revealed(value) for name, value in given.items()})
            for name, value in {name: known(each) if has_secrets else each for name, each in said.items()}.items():
                if name in result and revealed(result[name]) != revealed(value):
                    msg = f"the properties {' and '.join(given)} say what {name} says: leave one of them out"
                    raise ConfigurationError(msg)
                result[name] = value
    return {RENAMED.get(name, name): value for name, value in result.items()}


def _host_names(given: Mapping[str, str]) -> dict[str, str]:
    (value,) = given.values()
    return {"ssl.endpoint.identification.algorithm": value.lower() or "none"}


def _memory(given: Mapping[str, str]) -> dict[str, str]:
    (value,) = given.values()
    try:
        return {"queue.buffering.max.kbytes": str(max(int(value) // 1024, 1))}
    except ValueError:
        msg = f"the property buffer.memory is a number of bytes; got {value!r}"
        raise ConfigurationError(msg) from None


def _protocols(given: Mapping[str, str]) -> dict[str, str]:
    """OpenSSL's newest will do where it is allowed; nothing else can be promised."""
    for name, value in given.items():
        wanted = {each.strip() for each in value.split(",")}
        if not wanted & ({"TLSv1.3", "TLS"} if name == "ssl.protocol" else {"TLSv1.3"}):
            msg = (
                f"the property {name} is {value!r}: librdkafka takes the newest version of TLS that both sides have; "
                "leave the property out, or limit the versions at the brokers"
            )
            raise ConfigurationError(msg)
    return {}


def _ciphers(given: Mapping[str, str]) -> dict[str, str]:
    (value,) = given.values()
    if "TLS_" in value:
        msg = f"the property ssl.cipher.suites has OpenSSL's names here (ECDHE-RSA-AES256-GCM-SHA384); got {value!r}"
        raise ConfigurationError(msg)
    return {"ssl.cipher.suites": ":".join(each.strip() for each in value.split(","))}


#: Properties that are said to librdkafka together, and how.
_TRANSLATED: Final[Mapping[tuple[str, ...], Callable[[Mapping[str, str]], dict[str, str]]]] = {
    ("buffer.memory",): _memory,
    ("sasl.jaas.config",): credentials,
    ("ssl.cipher.suites",): _ciphers,
    ("ssl.enabled.protocols", "ssl.protocol"): _protocols,
    ("ssl.endpoint.identification.algorithm",): _host_names,
    ("ssl.keystore.location", "ssl.keystore.password", "ssl.keystore.type", "ssl.key.password"): key_store,
    ("ssl.truststore.location", "ssl.truststore.password", "ssl.truststore.type"): trust_store,
}
#: All names above.
NAMES: Final = frozenset({*PASSED_OVER, *RENAMED, *REPLACED, *(name for names in _TRANSLATED for name in names)})
