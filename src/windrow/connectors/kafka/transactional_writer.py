"""Writes the records of one partition of one batch, in one transaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from windrow.connectors.interfaces import SinkWriter, WriterContext
from windrow.connectors.kafka.errors import KafkaConnectorError
from windrow.connectors.kafka.marks import Marks
from windrow.connectors.kafka.sender import records_of
from windrow.connectors.kafka.serialization import ProducerRecord
from windrow.connectors.kafka.transactional_producer import TransactionalProducer
from windrow.connectors.spool import Contents, Spool, Values, Written

if TYPE_CHECKING:
    from windrow.connectors.kafka.sink import KafkaSink

#: So many records are read from the spool at a time.
_BATCH_SIZE = 10_000


class TransactionalWriter(SinkWriter):
    """Keeps records until the batch ends, and sends them in one transaction with the number of the batch.

    So the transaction is open only while they are sent, however long the batch takes; and a batch that is run again
    finds its number.
    """

    def __init__(self, sink: KafkaSink, prefix: str, context: WriterContext) -> None:
        self._sink = sink
        self._context = context
        self._id = f"{prefix}-{context.partition}"
        #: The group whose offsets say what is written; None: no batch is run again.
        self._group = None if context.job is None else f"{prefix}-{context.job}-{context.partition}"
        self._spool = Spool(checks=self._group is not None)
        self._topics: set[str] = set()

    def write(self, values: Sequence[Any], timestamps: Sequence[int]) -> None:
        records = [_plain(each) for each in records_of(self._sink.serializer, self._context.sink, values, timestamps)]
        self._topics.update(record[0] for record in records)
        self._spool.add(records)

    def prepare_commit(self) -> str | None:
        """Write the records; what is returned is to be said in the program's process."""
        try:
            return self._transfer() if self._spool.rows else None
        finally:
            self._spool.close()

    def abort(self) -> None:
        self._spool.close()

    def _transfer(self) -> str | None:
        settings, timeout = self._sink.settings, self._sink.timeout
        producer = TransactionalProducer(settings, self._id, timeout)
        mark = Written(self._context.batch, self._spool.contents)
        marks = None if self._group is None else Marks(settings, self._group, timeout)
        # Nobody else can write any more: what is written is final.
        written = None if marks is None else marks.read(self._topics)
        if written is not None and written.batch >= mark.batch:
            return self._passed_over(written, mark.contents)
        with producer.transaction() as sender:
            for records in self._spool.batches(_BATCH_SIZE):
                for record in records:
                    sender.send(ProducerRecord(*record))
                sender.poll()
            sender.flush()
            if marks is not None:
                producer.add_offsets(marks.offsets(self._topics, mark), marks.group_metadata)
        producer.commit()
        return None

    def _passed_over(self, written: Written, contents: Contents) -> str | None:
        context, name = self._context, f"KafkaSink {self._context.sink!r}"
        if written.batch > context.batch:
            msg = (
                f"{name} is to write batch {context.batch}, and batch {written.batch} of the same checkpoint is "
                f"in {', '.join(sorted(self._topics))} already: the checkpoint is older than the topic; go on from the "
                f"checkpoint that wrote there last, or delete the consumer group {self._group!r} to have the batches "
                "written again"
            )
            raise KafkaConnectorError(msg)
        return written.differing(name, context, contents, "records")


def _plain(record: ProducerRecord) -> Values:
    """The parts of a record, its headers as a list, which pickles and says what it is."""
    headers = record.headers
    return tuple(record._replace(headers=list(headers.items() if isinstance(headers, Mapping) else headers)))
