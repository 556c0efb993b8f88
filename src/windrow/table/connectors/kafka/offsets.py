"""The offsets at which reading begins and ends, by the options of a table."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from windrow.connectors.kafka.errors import KafkaConnectorError
from windrow.connectors.kafka.offsets import (
    KafkaOffsetResetStrategy,
    KafkaOffsetsInitializer,
    Offsets,
    PartitionOffsetsRetriever,
)
from windrow.connectors.kafka.partitions import KafkaTopicPartition
from windrow.table.connectors.options import Options

_PAIR = re.compile(r"\s*partition\s*:\s*(\d+)\s*,\s*offset\s*:\s*(\d+)\s*")
_RESETS = {each.name.lower(): each for each in KafkaOffsetResetStrategy}
RESET = "properties.auto.offset.reset"

STARTS = ("earliest-offset", "latest-offset", "group-offsets", "timestamp", "specific-offsets")
ENDS = ("unbounded", "latest-offset", "group-offsets", "timestamp", "specific-offsets")

_OF_MODES = ("mode", "timestamp-millis", "specific-offsets")


class FromGroup(KafkaOffsetsInitializer):
    """The offsets at which the group is (``scan.startup.mode`` = ``group-offsets``)."""

    def __init__(self, table: str, reset: KafkaOffsetResetStrategy) -> None:
        self._table = table
        self._offsets = KafkaOffsetsInitializer.committed_offsets(reset)

    def get_partition_offsets(
        self, partitions: Collection[KafkaTopicPartition], retriever: PartitionOffsetsRetriever
    ) -> Offsets:
        try:
            return self._offsets.get_partition_offsets(partitions, retriever)
        except KafkaConnectorError as error:
            msg = (
                f"table {self._table!r} begins where its group is ('scan.startup.mode' is 'group-offsets'): {error}. "
                f"In SQL, say '{RESET}' = 'earliest', or 'scan.startup.mode' = 'earliest-offset'"
            )
            raise KafkaConnectorError(msg) from error

    def get_auto_offset_reset_strategy(self) -> KafkaOffsetResetStrategy:
        return self._offsets.get_auto_offset_reset_strategy()

    def needs_group(self) -> bool:
        return True

    def __repr__(self) -> str:
        return repr(self._offsets)


def offsets_of(
    options: Options, kind: str, default: str, modes: Sequence[str], table: str, topics: Sequence[str]
) -> KafkaOffsetsInitializer | None:
    """Find where reading begins (``kind`` is ``startup``) or ends (``bounded``); None: it does not.

    Raises:
        SqlError: an option is missing, or does not fit.
    """
    mode_key, time_key, offsets_key = (f"scan.{kind}.{each}" for each in _OF_MODES)
    mode = options.choice(mode_key, dict(zip(modes, modes, strict=True)), default)
    time, pairs = options.number(time_key), options.get(offsets_key)
    for key, value, of_mode in ((time_key, time, "timestamp"), (offsets_key, pairs, "specific-offsets")):
        if value is None and mode == of_mode:
            options.refuse(mode_key, f"= '{of_mode}' needs the option '{key}'")
        if value is not None and mode != of_mode:
            options.refuse(key, f"is for '{mode_key}' = '{of_mode}'; it is '{mode}'")
    match mode:
        case "unbounded":
            return None
        case "earliest-offset":
            return KafkaOffsetsInitializer.earliest()
        case "latest-offset":
            return KafkaOffsetsInitializer.latest()
        case "group-offsets":
            return FromGroup(table, options.choice(RESET, _RESETS, "none"))
        case "timestamp":
            return KafkaOffsetsInitializer.timestamp(time or 0)
    if len(topics) != 1:
        options.refuse(mode_key, "= 'specific-offsets' takes a table of one topic")
    found = specific_offsets(options, offsets_key, str(pairs))
    return KafkaOffsetsInitializer.offsets(
        {KafkaTopicPartition(topics[0], partition): offset for partition, offset in found.items()}
    )


def specific_offsets(options: Options, key: str, written: str) -> Mapping[int, int]:
    """The offsets by partition, as ``partition:0,offset:42;partition:1,offset:300`` writes them.

    Raises:
        SqlError: they are written otherwise.
    """
    found = {}
    for part in written.strip().removesuffix(";").split(";"):
        pair = _PAIR.fullmatch(part)
        if pair is None:
            options.refuse(key, f"is written 'partition:0,offset:42;partition:1,offset:300'; got {written!r}")
        found[int(pair[1])] = int(pair[2])
    return found
