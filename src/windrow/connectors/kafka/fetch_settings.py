"""Makes settings of aiokafka's client out of librdkafka's."""

from __future__ import annotations

import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from windrow.common.secret import revealed

#: What is passed on; see :meth:`FetchSettings.of`.
_KNOWN = frozenset(
    {
        "bootstrap.servers", "check.crcs", "client.id", "fetch.max.bytes", "fetch.message.max.bytes",
        "fetch.min.bytes", "fetch.wait.max.ms", "isolation.level", "max.partition.fetch.bytes", "sasl.mechanism",
        "sasl.mechanisms", "sasl.password", "sasl.username", "security.protocol", "ssl.ca.location", "ssl.ca.pem",
        "ssl.certificate.location", "ssl.endpoint.identification.algorithm", "ssl.key.location", "ssl.key.password",
    }
)  # fmt: skip
#: What makes no difference to who fetches record batches: groups, and how librdkafka goes about things.
_OTHERS = frozenset(
    {
        "auto.offset.reset", "enable.auto.commit", "enable.auto.offset.store", "enable.partition.eof",
        "fetch.error.backoff.ms", "fetch.queue.backoff.ms", "group.id", "heartbeat.interval.ms",
        "max.poll.interval.ms", "reconnect.backoff.max.ms", "reconnect.backoff.ms", "retry.backoff.ms",
        "session.timeout.ms",
    }
)  # fmt: skip
_PLAIN, _SCRAM = "PLAIN", ("SCRAM-SHA-256", "SCRAM-SHA-512")
#: As those of Kafka's Java clients.
_PARTITION_BYTES = 1 << 20
_MAX_BYTES = 50 << 20
_MAX_WAIT = 500


#: As librdkafka reads them, whatever their case, and with its defaults.
_ISOLATION = {"read_committed": True, "read_uncommitted": False}
_BOOLEAN = {"true": True, "t": True, "1": True, "false": False, "f": False, "0": False}


@dataclass(frozen=True)
class FetchSettings:
    """The settings by which record batches are asked for.

    Attributes:
        connection: what ``AIOKafkaClient`` takes.
        read_committed: whether transactions that have not ended, or came to nothing, are left out.
        check: whether checksums are looked at.
        min_bytes: a broker waits until it has so many,
        max_wait: or until so many milliseconds have passed.
        max_bytes: at most so many come at a time,
        partition_bytes: and so many of one partition.
    """

    connection: Mapping[str, Any]
    read_committed: bool
    check: bool
    min_bytes: int
    max_wait: int
    max_bytes: int
    partition_bytes: int

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> Self | None:
        """From a consumer's; None: only librdkafka does what they say, or there is no compiled decoder of aiokafka's.

        Example:
            >>> FetchSettings.of({"bootstrap.servers": "localhost:9092", "client.rack": "a"}) is None
            True
        """
        if not settings.keys() <= _KNOWN | _OTHERS or not _has_decoder():
            return None
        try:
            return cls._of({name: revealed(settings[name]) for name in settings.keys() & _KNOWN})
        except (OSError, ValueError):  # of a file or a certificate: librdkafka will say what is wrong
            return None

    @classmethod
    def _of(cls, given: Mapping[str, str]) -> Self | None:
        protocol = given.get("security.protocol", "plaintext").upper()
        sasl = _sasl(given) if protocol.startswith("SASL") else {}
        if sasl is None:
            return None
        connection = {
            "bootstrap_servers": [each.strip() for each in given["bootstrap.servers"].split(",") if each.strip()],
            "client_id": given.get("client.id", "windrow"),
            "security_protocol": protocol,
            **sasl,
        }
        if protocol.endswith("SSL"):
            connection["ssl_context"] = _context(given)
        partition_bytes = given.get("max.partition.fetch.bytes", given.get("fetch.message.max.bytes"))
        return cls(
            connection,
            read_committed=_one_of(_ISOLATION, given.get("isolation.level", "read_committed")),
            check=_one_of(_BOOLEAN, given.get("check.crcs", "false")),
            min_bytes=int(given.get("fetch.min.bytes", 1)),
            max_wait=int(given.get("fetch.wait.max.ms", _MAX_WAIT)),
            max_bytes=int(given.get("fetch.max.bytes", _MAX_BYTES)),
            partition_bytes=int(partition_bytes or _PARTITION_BYTES),
        )


def _has_decoder() -> bool:
    """Tell whether aiokafka is installed, and compiled for this platform: its Python is slower than librdkafka."""
    try:
        from aiokafka.record.default_records import DefaultRecordBatch
    except ImportError:
        return False
    return "._crecords." in DefaultRecordBatch.__module__


def _one_of(values: Mapping[str, bool], value: str) -> bool:
    if value.lower() not in values:
        raise ValueError(value)
    return values[value.lower()]


def _sasl(given: Mapping[str, str]) -> dict[str, Any] | None:
    mechanism = given.get("sasl.mechanism", given.get("sasl.mechanisms", ""))
    if mechanism not in (_PLAIN, *_SCRAM) or not {"sasl.username", "sasl.password"} <= given.keys():
        return None
    return {
        "sasl_mechanism": mechanism,
        "sasl_plain_username": given["sasl.username"],
        "sasl_plain_password": given["sasl.password"],
    }


def _context(given: Mapping[str, str]) -> ssl.SSLContext:
    context = ssl.create_default_context(cafile=given.get("ssl.ca.location"), cadata=given.get("ssl.ca.pem"))
    context.check_hostname = given.get("ssl.endpoint.identification.algorithm", "https") != "none"
    certificate = given.get("ssl.certificate.location")
    if certificate is not None:
        # Without a password OpenSSL would ask the terminal for that of an encrypted key.
        context.load_cert_chain(certificate, given.get("ssl.key.location"), given.get("ssl.key.password", ""))
    return context
