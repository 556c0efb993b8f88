"""The reader of partitions, one in each subtask."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from windrow.connectors.kafka.batch_split_reader import RecordBatchSplitReader
from windrow.connectors.kafka.deserialization import KafkaRecordDeserializationSchema
from windrow.connectors.kafka.emitter import KafkaPartitionSplitState, KafkaRecordEmitter
from windrow.connectors.kafka.events import SplitsFinished
from windrow.connectors.kafka.fetch_settings import FetchSettings
from windrow.connectors.kafka.logs import log
from windrow.connectors.kafka.partitions import KafkaPartitionSplit, KafkaTopicPartition
from windrow.connectors.kafka.record import ConsumerRecord
from windrow.connectors.kafka.settings import ConsumerSettings
from windrow.connectors.kafka.split_reader import KafkaPartitionSplitReader
from windrow.connectors.source import SourceReaderContext
from windrow.connectors.source_reader import SingleThreadMultiplexSourceReaderBase
from windrow.datastream.output_tag import OutputTag

_KafkaSplitReader = KafkaPartitionSplitReader | RecordBatchSplitReader


class KafkaSourceReader(
    SingleThreadMultiplexSourceReaderBase[ConsumerRecord, Any, KafkaPartitionSplit, KafkaPartitionSplitState]
):
    """Reads the partitions that the enumerator has assigned (Flink's ``KafkaSourceReader``).

    Positions are in the job's state. If there is a group id, they are committed to the group too when a batch is
    committed, for those who watch it and for later jobs.

    Metrics: ``numRecordsInErrors`` (records sent to the dead-letter side output), and in the group
    ``KafkaSourceReader`` ``commitsSucceeded`` and ``commitsFailed``.
    """

    def __init__(
        self,
        settings: ConsumerSettings,
        deserializer: KafkaRecordDeserializationSchema,
        dead_letter: OutputTag | None,
        context: SourceReaderContext,
    ) -> None:
        metrics = context.metric_group()
        own = metrics.add_group("KafkaSourceReader")
        self._commits_succeeded = own.counter("commitsSucceeded")
        self._commits_failed = own.counter("commitsFailed")
        self._settings = settings
        #: By checkpoint, what is to be committed to the group when it is complete.
        self._to_commit: dict[int, dict[KafkaTopicPartition, int]] = {}
        errors = metrics.counter("numRecordsInErrors")
        emitter = KafkaRecordEmitter(deserializer, dead_letter, errors, context.source_name)
        self._split_readers: list[_KafkaSplitReader] = []
        self.records_per_poll = settings.max_batched_records
        super().__init__(self._new_split_reader, emitter, context)

    def on_split_finished(self, finished_split_states: Mapping[str, KafkaPartitionSplitState]) -> None:
        # The enumerator commits them: a reader that is at its end hears of no further checkpoint.
        if self._settings.commits_on_checkpoint:
            offsets = {state.topic_partition: state.current_offset for state in finished_split_states.values()}
            self.context.send_source_event_to_coordinator(SplitsFinished(offsets))

    def initialized_state(self, split: KafkaPartitionSplit) -> KafkaPartitionSplitState:
        return KafkaPartitionSplitState(split)

    def to_split_type(self, split_id: str, split_state: KafkaPartitionSplitState) -> KafkaPartitionSplit:
        return split_state.to_split()

    def snapshot_state(self, checkpoint_id: int) -> list[KafkaPartitionSplit]:
        splits = super().snapshot_state(checkpoint_id)
        if self._settings.commits_on_checkpoint:
            self._to_commit[checkpoint_id] = {split.topic_partition: split.starting_offset for split in splits}
        return splits

    def notify_checkpoint_complete(self, checkpoint_id: int) -> None:
        offsets = self._to_commit.get(checkpoint_id)
        self._to_commit = {later: offsets for later, offsets in self._to_commit.items() if later > checkpoint_id}
        if offsets:
            fetcher = self.split_fetcher_manager.get_or_create_fetcher(0)
            fetcher.enqueue_task(lambda: self._split_readers[-1].commit(offsets))

    def pending_records(self) -> dict[str, int]:
        """Count the offsets from each partition's position to its end; marks of transactions count as records do.

        The client knows the ends from what it fetches. It is asked in its own thread, for the next batch.
        """
        fetcher = self.split_fetcher_manager.fetchers.get(0)
        if fetcher is None or not self._splits:
            return {}
        split_reader = self._split_readers[-1]
        fetcher.enqueue_task(split_reader.look_for_ends)
        return {
            split_id: max(split_reader.ends[split_id] - split.state.current_offset, 0)
            for split_id, split in self._splits.items()
            if split_id in split_reader.ends
        }

    def _new_split_reader(self) -> _KafkaSplitReader:
        settings = self._settings.for_reader(self.context.get_index_of_subtask())

        def librdkafka() -> KafkaPartitionSplitReader:
            return KafkaPartitionSplitReader(
                settings,
                has_group=self._settings.group_id is not None,
                timeout=self._settings.timeout,
                max_records=self._settings.max_poll_records,
                on_commit=self._on_commit,
            )

        fetching = FetchSettings.of(settings)
        reader: _KafkaSplitReader
        if fetching is None:
            reader = librdkafka()
        else:
            reader = RecordBatchSplitReader(fetching, librdkafka, self._settings.max_batched_records)
        self._split_readers = [reader]
        return reader

    def _on_commit(self, error: Any, partitions: Sequence[Any]) -> None:
        if error is None:
            self._commits_succeeded.inc()
        else:
            self._commits_failed.inc()
            log.warning("offsets were not committed to group %s: %s", self._settings.group_id, error)
