"""Finds partitions and deals them to readers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from windrow.connectors.kafka.admin import BrokersUnreachableError, KafkaAdmin
from windrow.connectors.kafka.errors import KafkaConnectorError
from windrow.connectors.kafka.events import SplitsFinished
from windrow.connectors.kafka.logs import log
from windrow.connectors.kafka.offsets import KafkaOffsetsInitializer
from windrow.connectors.kafka.partitions import KafkaPartitionSplit, KafkaTopicPartition, owner
from windrow.connectors.kafka.settings import ConsumerSettings
from windrow.connectors.kafka.subscriber import KafkaSubscriber
from windrow.connectors.source import Boundedness, SourceEvent, SplitEnumerator, SplitEnumeratorContext


@dataclass(frozen=True)
class KafkaSourceEnumState:
    """The state of an enumerator (Flink's ``KafkaSourceEnumState``).

    Attributes:
        assigned: the partitions that readers have.
        pending: splits that no reader has yet.
        initial_discovery_finished: partitions that are found from now on are new ones, read from their beginning.
    """

    assigned: frozenset[KafkaTopicPartition] = frozenset()
    pending: tuple[KafkaPartitionSplit, ...] = ()
    initial_discovery_finished: bool = False


@dataclass(frozen=True)
class KafkaSubscription:
    """Says what a source reads: which partitions, from where to where."""

    subscriber: KafkaSubscriber
    starting: KafkaOffsetsInitializer
    #: None: nowhere.
    stopping: KafkaOffsetsInitializer | None
    boundedness: Boundedness


class KafkaSourceEnumerator(SplitEnumerator[KafkaPartitionSplit, KafkaSourceEnumState]):
    """Asks the brokers for partitions when the job starts, and from time to time where the source has no end.

    Flink's ``KafkaSourceEnumerator``: a partition that is there when the job first starts begins where the starting
    offsets say, one that is found later at its beginning. Stop offsets are fixed when a partition is found.

    Args:
        subscription: What is read.
        settings: The clients'.
        context: What ``Source.create_enumerator`` was given.
        state: What an earlier run knew.
        new_admin: Makes what asks the brokers.
    """

    def __init__(
        self,
        subscription: KafkaSubscription,
        settings: ConsumerSettings,
        context: SplitEnumeratorContext[KafkaPartitionSplit],
        state: KafkaSourceEnumState | None = None,
        new_admin: Callable[[ConsumerSettings], KafkaAdmin] = KafkaAdmin,
    ) -> None:
        state = state or KafkaSourceEnumState()
        self._subscription = subscription
        self._settings = settings
        self._context = context
        self._new_admin = new_admin
        self._admin: KafkaAdmin | None = None
        self._assigned_partitions = set(state.assigned)
        self._pending = {split.topic_partition: split for split in state.pending}
        self._initial_discovery_finished = state.initial_discovery_finished
        #: Whether this run has heard of the brokers, so that they may be away for a while.
        self._discovered = False
        #: Whether readers get no further splits.
        self._complete = False

    def start(self) -> None:
        """Asks for partitions, now and then every ``partition.discovery.interval.ms``."""
        if self._bounded and self._initial_discovery_finished:
            self._complete = True  # its splits were fixed when the job first started
            return
        interval = 0 if self._bounded else max(self._settings.discovery_interval, 0)
        admin, subscriber = self._asker(), self._subscription.subscriber
        self._context.call_async(lambda: subscriber.subscribed(admin.topics()), self._on_partitions, 0, interval)

    def handle_split_request(self, subtask_id: int, requester_hostname: str | None) -> None:
        """Nothing: partitions go to readers when they are found."""

    def add_splits_back(self, splits: Sequence[KafkaPartitionSplit], subtask_id: int) -> None:
        for split in splits:
            self._assigned_partitions.discard(split.topic_partition)
            self._pending[split.topic_partition] = split
        self._assign()

    def add_reader(self, subtask_id: int) -> None:
        self._assign()
        if self._complete:
            self._context.signal_no_more_splits(subtask_id)

    def snapshot_state(self, checkpoint_id: int) -> KafkaSourceEnumState:
        return KafkaSourceEnumState(
            frozenset(self._assigned_partitions), tuple(self._pending.values()), self._initial_discovery_finished
        )

    def handle_source_event(self, subtask_id: int, source_event: SourceEvent) -> None:
        if not isinstance(source_event, SplitsFinished):
            super().handle_source_event(subtask_id, source_event)
            return
        try:
            self._asker().commit(source_event.offsets)
        except KafkaConnectorError as error:
            log.warning("%s", error)  # positions are in the job's state: those in the group are for others

    def close(self) -> None:
        if self._admin is not None:
            self._admin.close()

    # In the enumerator's turn

    def _on_partitions(self, found: set[KafkaTopicPartition], error: BaseException | None) -> None:
        if error is not None:
            self._raise_unless_away(error)
            return
        self._discovered = True
        new = frozenset(found - self._assigned_partitions - self._pending.keys())
        if not new and self._initial_discovery_finished:
            return
        admin, initial = self._asker(), not self._initial_discovery_finished
        self._context.call_async(lambda: _splits(self._subscription, admin, new, initial=initial), self._on_splits)

    def _on_splits(self, splits: Sequence[KafkaPartitionSplit], error: BaseException | None) -> None:
        if error is not None:
            self._raise_unless_away(error)
            return
        for split in splits:
            if split.topic_partition not in self._assigned_partitions:
                self._pending.setdefault(split.topic_partition, split)
        self._initial_discovery_finished = True
        self._assign()
        if self._bounded:
            self._complete = True
            for subtask in self._context.registered_readers():
                self._context.signal_no_more_splits(subtask)

    def _assign(self) -> None:
        """Give what is pending to the readers that are there."""
        readers, parallelism = self._context.registered_readers(), self._context.current_parallelism()
        assignments: dict[int, list[KafkaPartitionSplit]] = {}
        for partition in sorted(self._pending):
            subtask = owner(partition, parallelism)
            if subtask in readers:
                assignments.setdefault(subtask, []).append(self._pending.pop(partition))
                self._assigned_partitions.add(partition)
        if assignments:
            self._context.assign_splits(assignments)

    def _raise_unless_away(self, error: BaseException) -> None:
        """Brokers that have answered before are waited for: the next discovery asks again."""
        away = isinstance(error, BrokersUnreachableError) and self._discovered and self._initial_discovery_finished
        if not away or self._settings.discovery_interval <= 0:
            raise error
        log.warning("%s; asking again in %d ms", error, self._settings.discovery_interval)

    def _asker(self) -> KafkaAdmin:
        if self._admin is None:
            self._admin = self._new_admin(self._settings)
        return self._admin

    @property
    def _bounded(self) -> bool:
        return self._subscription.boundedness is Boundedness.BOUNDED


def _splits(
    subscription: KafkaSubscription, admin: KafkaAdmin, partitions: frozenset[KafkaTopicPartition], *, initial: bool
) -> list[KafkaPartitionSplit]:
    starting = subscription.starting if initial else KafkaOffsetsInitializer.earliest()
    starts = starting.get_partition_offsets(partitions, admin)
    stops = {} if subscription.stopping is None else subscription.stopping.get_partition_offsets(partitions, admin)
    return [KafkaPartitionSplit(each, starts[each], stops.get(each)) for each in sorted(partitions)]
