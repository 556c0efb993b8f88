"""A source whose readers ask for splits one by one, and hear events, as sources that hybrid ones are made of may."""

from dataclasses import dataclass, replace

from windrow.connectors.source import (
    Boundedness,
    InputStatus,
    Source,
    SourceEvent,
    SourceReader,
    SourceSplit,
    available,
)
from windrow.connectors.source_reader import StaticSplitEnumerator


@dataclass(frozen=True)
class Numbers(SourceSplit):
    name: str
    values: tuple[int, ...]

    def split_id(self):
        return self.name


@dataclass(frozen=True)
class Greeting(SourceEvent):
    text: str


class Enumerator(StaticSplitEnumerator):
    def __init__(self, context, splits, greeted=0):
        super().__init__(context, splits)
        self._enumerator_context = context
        self.greeted = greeted
        self.closed = False

    def handle_source_event(self, subtask_id, source_event):
        self.greeted += 1
        self._enumerator_context.send_event_to_source_reader(subtask_id, Greeting("hello to you"))

    def snapshot_state(self, checkpoint_id):
        return super().snapshot_state(checkpoint_id), self.greeted

    def close(self):
        self.closed = True


class Reader(SourceReader):
    def __init__(self, context, *, own_outputs):
        self._context = context
        self._own_outputs = own_outputs
        self._splits = []
        self._asked = self._no_more = self.closed = False
        self.heard = []

    def start(self):
        self._context.send_source_event_to_coordinator(Greeting("hello"))

    def poll_next(self, output):
        if not self._splits:
            if self._no_more:
                return InputStatus.END_OF_INPUT
            if not self._asked:
                self._asked = True
                self._context.send_split_request()
            return InputStatus.NOTHING_AVAILABLE
        split = self._splits[0]
        target = output.create_output_for_split(split.name) if self._own_outputs else output
        if split.values:
            target.collect(split.values[0], split.values[0])
            self._splits[0] = replace(split, values=split.values[1:])
        else:
            self._splits.pop(0)
            self._asked = False
            if self._own_outputs:
                output.release_output_for_split(split.name)
        return InputStatus.MORE_AVAILABLE

    def snapshot_state(self, checkpoint_id):
        return list(self._splits)

    def is_available(self):
        return available()

    def add_splits(self, splits):
        self._splits.extend(splits)

    def notify_no_more_splits(self):
        self._no_more = True

    def handle_source_events(self, source_event):
        self.heard.append(source_event.text)

    def close(self):
        self.closed = True


class AskingSource(Source):
    """Splits of numbers, each of which a reader asks for; without own outputs all goes to the reader's main output."""

    def __init__(self, *splits, bounded=True, own_outputs=True):
        self._splits = [Numbers(f"split {number}", tuple(values)) for number, values in enumerate(splits)]
        self._bounded = bounded
        self._own_outputs = own_outputs

    def get_boundedness(self):
        return Boundedness.BOUNDED if self._bounded else Boundedness.CONTINUOUS_UNBOUNDED

    def create_enumerator(self, enum_context):
        return Enumerator(enum_context, self._splits)

    def restore_enumerator(self, enum_context, checkpoint):
        return Enumerator(enum_context, *checkpoint)

    def create_reader(self, reader_context):
        return Reader(reader_context, own_outputs=self._own_outputs)
