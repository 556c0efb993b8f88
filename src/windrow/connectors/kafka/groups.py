"""Removes the consumer groups whose offsets say which batches a sink has written."""

from __future__ import annotations

from collections.abc import Mapping

from windrow.connectors.kafka.client import client, new_admin, reason
from windrow.connectors.kafka.logs import log

#: Seconds that the brokers have; nothing depends on their answer.
_TIMEOUT = 10.0


def delete_groups(settings: Mapping[str, str], prefix: str) -> None:
    """Delete all groups whose names begin so; that it was not possible is logged, since they also go by themselves."""
    try:
        admin = new_admin({**settings, "enable.idempotence": "false", "log_level": "3"}, lambda _: None)
        listed = admin.list_consumer_groups(request_timeout=_TIMEOUT).result()
        if listed.errors:
            raise client().KafkaException(listed.errors[0])
        names = [group.group_id for group in listed.valid if group.group_id.startswith(prefix)]
        for deleted in admin.delete_consumer_groups(names, request_timeout=_TIMEOUT).values() if names else ():
            deleted.result()
    except client().KafkaException as error:
        log.warning("KafkaSink could not delete the consumer groups %s*: %s", prefix, reason(error))
