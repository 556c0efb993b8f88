"""Find where reading begins and ends, partition by partition."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping
from enum import Enum

from windrow.common.checks import instance_of
from windrow.common.time import to_millis
from windrow.connectors.kafka.errors import KafkaConnectorError
from windrow.connectors.kafka.partitions import KafkaTopicPartition
from windrow.errors import ConfigurationError, ConfigurationTypeError

Offsets = dict[KafkaTopicPartition, int]


class KafkaOffsetResetStrategy(Enum):
    """Says where to begin if an offset is not known, or not there any more (Kafka's ``auto.offset.reset``)."""

    LATEST = 0
    EARLIEST = 1
    #: Nowhere: it is an error.
    NONE = 2


class PartitionOffsetsRetriever(ABC):
    """Asks the brokers for offsets (Flink's ``OffsetsInitializer.PartitionOffsetsRetriever``)."""

    @abstractmethod
    def committed_offsets(self, partitions: Collection[KafkaTopicPartition]) -> Offsets:
        """Ask where the group is; partitions without a committed offset are left out."""

    @abstractmethod
    def beginning_offsets(self, partitions: Collection[KafkaTopicPartition]) -> Offsets:
        """The first offset that is there."""

    @abstractmethod
    def end_offsets(self, partitions: Collection[KafkaTopicPartition]) -> Offsets:
        """The offset behind the last record."""

    @abstractmethod
    def offsets_for_times(self, timestamps: Mapping[KafkaTopicPartition, int]) -> Offsets:
        """The first record at or after a time, in milliseconds; partitions without one are left out."""


class KafkaOffsetsInitializer(ABC):
    """Says at which offset of each partition reading begins, or ends (Flink's ``OffsetsInitializer``).

    Derive from it for a rule of your own; it must pickle.

    Example:
        >>> KafkaOffsetsInitializer.offsets({KafkaTopicPartition("orders", 0): 42})
        KafkaOffsetsInitializer.offsets({orders-0: 42}, EARLIEST)
    """

    @abstractmethod
    def get_partition_offsets(
        self, partitions: Collection[KafkaTopicPartition], retriever: PartitionOffsetsRetriever
    ) -> Offsets:
        """Find an offset for each partition; ``retriever`` asks the broker."""

    def get_auto_offset_reset_strategy(self) -> KafkaOffsetResetStrategy:
        """Say what readers do when an offset is not there any more; NONE, an error, unless it is overridden."""
        return KafkaOffsetResetStrategy.NONE

    def needs_group(self) -> bool:
        """Tell whether it makes no sense without a group id."""
        return False

    @staticmethod
    def committed_offsets(
        offset_reset_strategy: KafkaOffsetResetStrategy = KafkaOffsetResetStrategy.NONE,
    ) -> KafkaOffsetsInitializer:
        """Begin where the group id has committed to; ``set_group_id`` is needed.

        Args:
            offset_reset_strategy: For partitions without a committed offset; NONE makes them an error when the job
                starts.

        Raises:
            ConfigurationTypeError: the strategy is something else.
        """
        return _Offsets("committed_offsets()", {}, _strategy(offset_reset_strategy), group=True)

    @staticmethod
    def timestamp(timestamp: int) -> KafkaOffsetsInitializer:
        """The first record whose timestamp is at or after ``timestamp``, in milliseconds; the end if there is none.

        Raises:
            ConfigurationTypeError: it is no number.
            ConfigurationError: it is negative.
        """
        millis = to_millis(timestamp, "timestamp of KafkaOffsetsInitializer.timestamp")
        if millis < 0:
            msg = f"timestamp of KafkaOffsetsInitializer.timestamp must not be negative; got {timestamp!r}"
            raise ConfigurationError(msg)
        return _Timestamp(millis)

    @staticmethod
    def earliest() -> KafkaOffsetsInitializer:
        """The first record that is there."""
        return _Earliest()

    @staticmethod
    def latest() -> KafkaOffsetsInitializer:
        """Behind the last record that is there when the job starts."""
        return _Latest()

    @staticmethod
    def offsets(
        offsets: Mapping[KafkaTopicPartition, int],
        offset_reset_strategy: KafkaOffsetResetStrategy = KafkaOffsetResetStrategy.EARLIEST,
    ) -> KafkaOffsetsInitializer:
        """These offsets.

        Args:
            offsets: By partition, from 0. Partitions that are not named begin where the group has committed to, if
                there is a group id.
            offset_reset_strategy: For partitions with neither, and for offsets that are not there.

        Raises:
            ConfigurationTypeError: a key, an offset or the strategy is of another type.
            ConfigurationError: an offset is negative.
        """
        instance_of(offsets, Mapping, "offsets of KafkaOffsetsInitializer.offsets")
        for partition, offset in offsets.items():
            instance_of(partition, KafkaTopicPartition, "a key of KafkaOffsetsInitializer.offsets")
            if not isinstance(offset, int) or isinstance(offset, bool):
                msg = f"the offset of {partition} must be an int; got {offset!r} ({type(offset).__name__})"
                raise ConfigurationTypeError(msg)
            if offset < 0:
                msg = f"the offset of {partition} must not be negative; got {offset}"
                raise ConfigurationError(msg)
        named = ", ".join(f"{partition}: {offset}" for partition, offset in offsets.items())
        strategy = _strategy(offset_reset_strategy)
        return _Offsets(f"offsets({{{named}}}, {strategy.name})", dict(offsets), strategy)


class _Earliest(KafkaOffsetsInitializer):
    def get_partition_offsets(
        self, partitions: Collection[KafkaTopicPartition], retriever: PartitionOffsetsRetriever
    ) -> Offsets:
        return retriever.beginning_offsets(partitions)

    def get_auto_offset_reset_strategy(self) -> KafkaOffsetResetStrategy:
        return KafkaOffsetResetStrategy.EARLIEST

    def __repr__(self) -> str:
        return "KafkaOffsetsInitializer.earliest()"


class _Latest(KafkaOffsetsInitializer):
    def get_partition_offsets(
        self, partitions: Collection[KafkaTopicPartition], retriever: PartitionOffsetsRetriever
    ) -> Offsets:
        return retriever.end_offsets(partitions)

    def get_auto_offset_reset_strategy(self) -> KafkaOffsetResetStrategy:
        return KafkaOffsetResetStrategy.LATEST

    def __repr__(self) -> str:
        return "KafkaOffsetsInitializer.latest()"


class _Timestamp(KafkaOffsetsInitializer):
    def __init__(self, timestamp: int) -> None:
        self._timestamp = timestamp

    def get_partition_offsets(
        self, partitions: Collection[KafkaTopicPartition], retriever: PartitionOffsetsRetriever
    ) -> Offsets:
        # The ends first: what comes in between is then found by its time or lies behind the end.
        ends = retriever.end_offsets(partitions)
        return ends | retriever.offsets_for_times(dict.fromkeys(partitions, self._timestamp))

    def __repr__(self) -> str:
        return f"KafkaOffsetsInitializer.timestamp({self._timestamp})"


class _Offsets(KafkaOffsetsInitializer):
    """Known ones, else committed ones, else what the strategy says."""

    def __init__(self, name: str, known: Offsets, strategy: KafkaOffsetResetStrategy, *, group: bool = False) -> None:
        self._name = name
        self._known = known
        self._strategy = strategy
        self._group = group

    def get_partition_offsets(
        self, partitions: Collection[KafkaTopicPartition], retriever: PartitionOffsetsRetriever
    ) -> Offsets:
        offsets = {partition: self._known[partition] for partition in partitions if partition in self._known}
        for ask in (retriever.committed_offsets, self._reset(retriever)):
            missing = [partition for partition in partitions if partition not in offsets]
            if missing:
                offsets |= ask(missing)
        return offsets

    def get_auto_offset_reset_strategy(self) -> KafkaOffsetResetStrategy:
        return self._strategy

    def needs_group(self) -> bool:
        return self._group

    def _reset(self, retriever: PartitionOffsetsRetriever) -> _Ask:
        match self._strategy:
            case KafkaOffsetResetStrategy.EARLIEST:
                return retriever.beginning_offsets
            case KafkaOffsetResetStrategy.LATEST:
                return retriever.end_offsets
        return self._refuse

    def _refuse(self, partitions: Collection[KafkaTopicPartition]) -> Offsets:
        msg = (
            f"{self!r} finds no offset for {', '.join(map(str, partitions))}: name them, or give a "
            "KafkaOffsetResetStrategy that says where to begin instead: EARLIEST or LATEST"
        )
        raise KafkaConnectorError(msg)

    def __repr__(self) -> str:
        return f"KafkaOffsetsInitializer.{self._name}"


_Ask = Callable[[Collection[KafkaTopicPartition]], Offsets]


def _strategy(value: KafkaOffsetResetStrategy) -> KafkaOffsetResetStrategy:
    return instance_of(value, KafkaOffsetResetStrategy, "offset_reset_strategy")
