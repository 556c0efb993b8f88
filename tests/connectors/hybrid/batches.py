"""A source run in batches by hand, with readers that move to other processes and jobs that start again."""

from tests.connectors.source.reading import ScriptedEnumeratorContext, deliver, reader_context
from windrow.connectors.source import InputStatus
from windrow.elements.codec import dumps_with_code, loads
from windrow.runtime.sources.buffered_reader_output import BufferedReaderOutput, Records
from windrow.runtime.sources.messages import EventToEnumerator


def copied(value):
    """The value as it is elsewhere; classes of the test itself travel along."""
    return loads(dumps_with_code(value))


class BatchRun:
    """One source and its readers; ``read`` is what each reader has given."""

    def __init__(self, source, parallelism):
        self.source = source
        self.parallelism = parallelism
        self.states = [[] for _ in range(parallelism)]
        self.no_more = [False] * parallelism
        self.finished = [False] * parallelism
        self.read = [[] for _ in range(parallelism)]
        self.items = [[] for _ in range(parallelism)]
        self.outgoing = [[] for _ in range(parallelism)]
        self.checkpoint = None
        self.start()

    def start(self):
        """Start the job, or start it again from its checkpoint."""
        self.context = ScriptedEnumeratorContext(self.parallelism)
        source = copied(self.source)
        if self.checkpoint is None:
            self.enumerator = source.create_enumerator(self.context)
        else:
            self.enumerator = source.restore_enumerator(self.context, copied(self.checkpoint))
        self.enumerator.start()
        for subtask in range(self.parallelism):
            self.enumerator.add_reader(subtask)
        self.take_checkpoint()
        self.readers = [None] * self.parallelism

    def take_checkpoint(self):
        self.checkpoint = copied(self.enumerator.snapshot_state(1))
        for subtask in range(self.parallelism):
            self.outgoing[subtask] += copied(self.context.take(subtask))

    def all_read(self):
        return [value for read in self.read for value in read]

    def move(self, subtask):
        """The reader goes on in another process, from its state."""
        self.readers[subtask] = None

    def batch(self, polls=1000):
        sent = [self._read(subtask, polls) for subtask in range(self.parallelism) if not self.finished[subtask]]
        for subtask, messages in sent:
            for message in messages:
                assert isinstance(message, EventToEnumerator)
                self.enumerator.handle_source_event(subtask, message.event)
        self.take_checkpoint()

    def _read(self, subtask, polls):
        if self.readers[subtask] is None:
            context, output = reader_context(subtask, self.parallelism), BufferedReaderOutput()
            reader = copied(self.source).create_reader(context)
            if self.states[subtask]:
                reader.add_splits(copied(self.states[subtask]))
            reader.start()
            if self.no_more[subtask]:
                reader.notify_no_more_splits()
            self.readers[subtask] = reader, context, output
        reader, context, output = self.readers[subtask]
        messages, self.outgoing[subtask] = self.outgoing[subtask], []
        self.no_more[subtask] |= "no more" in messages
        deliver(messages, reader)
        status = InputStatus.MORE_AVAILABLE
        while polls and status is InputStatus.MORE_AVAILABLE:
            status, polls = reader.poll_next(output), polls - 1
        self.finished[subtask] = status is InputStatus.END_OF_INPUT
        for split_id, item in output.take():
            self.items[subtask].append((split_id, item))
            if isinstance(item, Records):
                self.read[subtask] += item.values
        self.states[subtask] = copied(reader.snapshot_state(1))
        return subtask, copied(context.take_sent())

    def run(self, batches=200):
        """Until all readers are at their end, in at most so many batches."""
        for _ in range(batches):
            if all(self.finished):
                return self
            self.batch()
        raise AssertionError(self.finished)
