"""The harness shows what a reader does: what it emits, of which split, what it asks for, what it would keep."""

from concurrent.futures import Future
from dataclasses import dataclass

import pytest

from windrow.common import Configuration
from windrow.common.watermark import Watermark
from windrow.connectors.source import (
    Boundedness,
    InputStatus,
    SimpleVersionedSerializer,
    Source,
    SourceEvent,
    SourceReader,
    SourceSplit,
    available,
)
from windrow.datastream import OutputTag
from windrow.errors import ConfigurationTypeError
from windrow.testing import Record, SourceMark, SourceReaderHarness, SourceRecord, SplitRelease, StatusOut, WatermarkOut


@dataclass
class Letters(SourceSplit):
    name: str
    letters: str

    def split_id(self):
        return self.name


class Greeting(SourceEvent):
    pass


class LetterReader(SourceReader):
    """A letter of the first split at each poll; a capital one tries all that an output can do."""

    def __init__(self, context):
        self.context = context
        self.calls = []
        self.splits = []
        self.complete = False

    def start(self):
        self.calls.append("start")
        self.context.send_split_request()

    def add_splits(self, splits):
        self.calls.append("add_splits")
        self.splits += [Letters(split.name, split.letters) for split in splits]

    def poll_next(self, output):
        if not self.splits:
            return InputStatus.END_OF_INPUT if self.complete else InputStatus.NOTHING_AVAILABLE
        split = self.splits[0]
        of_split = output.create_output_for_split(split.name)
        letter, split.letters = split.letters[0], split.letters[1:]
        if letter.isupper():
            of_split.emit_watermark(Watermark(7))
            of_split.mark_idle()
            of_split.mark_active()
            of_split.collect_side(OutputTag("capitals"), letter, 3)
            output.collect_batch([letter, letter], [1, 2])
        else:
            of_split.collect(letter)
        if not split.letters:
            output.release_output_for_split(self.splits.pop(0).name)
        return InputStatus.MORE_AVAILABLE

    def snapshot_state(self, checkpoint_id):
        return self.splits

    def is_available(self):
        return available() if self.splits or self.complete else Future()

    def notify_no_more_splits(self):
        self.complete = True

    def handle_source_events(self, source_event):
        self.context.send_source_event_to_coordinator(source_event)

    def notify_checkpoint_complete(self, checkpoint_id):
        self.calls.append(checkpoint_id)

    def pause_or_resume_splits(self, splits_to_pause, splits_to_resume):
        self.calls.append((splits_to_pause, splits_to_resume))

    def close(self):
        self.calls.append("close")


class LettersSerializer(SimpleVersionedSerializer):
    def get_version(self):
        return 4

    def serialize(self, obj):
        return f"{obj.name}={obj.letters}".encode()

    def deserialize(self, version, serialized):
        assert version == 4
        return Letters(*serialized.decode().split("="))


class LetterSource(Source):
    def get_boundedness(self):
        return Boundedness.BOUNDED

    def create_enumerator(self, enum_context):
        raise NotImplementedError

    def restore_enumerator(self, enum_context, checkpoint):
        raise NotImplementedError

    def create_reader(self, reader_context):
        return LetterReader(reader_context)

    def get_split_serializer(self):
        return LettersSerializer()


def test_elements_come_with_their_splits():
    """And the ends of splits, in order."""
    harness = SourceReaderHarness(LetterSource())
    harness.add_splits([Letters("a", "xy"), Letters("b", "z")])
    assert [harness.poll() for _ in range(4)] == [InputStatus.MORE_AVAILABLE] * 3 + [InputStatus.NOTHING_AVAILABLE]
    none = -(2**63)
    assert harness.output == [
        SourceRecord("x", none, "a"),
        SourceRecord("y", none, "a"),
        SplitRelease("a"),
        SourceRecord("z", none, "b"),
        SplitRelease("b"),
    ]
    assert (harness.values(), harness.values("b")) == (["x", "y", "z"], ["z"])


def test_all_that_a_reader_can_put_out_is_seen():
    """Watermarks and statuses of a split, side outputs, and elements of the reader as a whole."""
    harness = SourceReaderHarness(LetterSource())
    harness.add_splits([Letters("a", "Xy")])
    harness.poll()
    assert harness.output == [
        SourceMark(WatermarkOut(7), "a"),
        SourceMark(StatusOut(idle=True), "a"),
        SourceMark(StatusOut(idle=False), "a"),
        SourceRecord("X", 1, None),
        SourceRecord("X", 2, None),
    ]
    assert harness.side_output("capitals") == harness.side_output(OutputTag("capitals")) == [Record("X", 3)]
    assert harness.side_output("others") == []


def test_reading_goes_on_until_there_are_enough():
    """read gives the new elements only."""
    harness = SourceReaderHarness(LetterSource())
    harness.add_splits([Letters("a", "vwxyz")])
    assert [record.value for record in harness.read(2)] == ["v", "w"]
    assert [record.value for record in harness.read(1)] == ["x"]
    harness.notify_no_more_splits()
    assert [record.value for record in harness.read_to_end()] == ["y", "z"]


def test_a_reader_that_gives_nothing_is_not_waited_for_for_ever():
    """The error says what it has given."""
    harness = SourceReaderHarness(LetterSource())
    harness.add_splits([Letters("a", "x")])
    with pytest.raises(TimeoutError, match=r"LetterReader has had nothing for \d+ ms; it has emitted \['x'\]"):
        harness.read(2, timeout=30)
    harness.notify_no_more_splits()
    with pytest.raises(TimeoutError, match="LetterReader has not come to 2 elements before its end"):
        harness.read(2)


def test_a_snapshot_is_what_a_new_reader_begins_with():
    """It goes through the source's serializer, and stays as it was; its splits come before the start."""
    harness = SourceReaderHarness(LetterSource())
    assert harness.reader.calls == ["start"]
    harness.add_splits([Letters("a", "xyz")])
    harness.read(1)
    snapshot = harness.snapshot()
    harness.read(1)
    restored = SourceReaderHarness(LetterSource(), snapshot=snapshot)
    assert restored.reader.calls == ["add_splits", "start"]
    assert restored.splits() == [Letters("a", "yz")]


def test_a_function_that_makes_a_reader_will_do():
    """Its splits are pickled."""
    harness = SourceReaderHarness(LetterReader)
    harness.add_splits([Letters("a", "xyz")])
    assert SourceReaderHarness(LetterReader, snapshot=harness.snapshot()).splits() == [Letters("a", "xyz")]


def test_the_reader_is_told_what_an_enumerator_and_a_runtime_tell():
    """Events, committed batches, pauses, the end; what it answers is kept."""
    greeting = Greeting()
    with SourceReaderHarness(LetterSource()) as harness:
        harness.send_event(greeting)
        harness.notify_checkpoint_complete(5)
        harness.pause_or_resume_splits(["a"], ["b"])
    assert harness.reader.calls == ["start", 5, (["a"], ["b"]), "close"]
    assert harness.sent_events == [greeting]
    assert harness.split_requests == 1


def test_a_reader_knows_where_it_is():
    """Subtask, parallelism, configuration, metrics."""
    config = Configuration().set_string("key", "value")
    harness = SourceReaderHarness(LetterSource(), subtask=2, parallelism=3, configuration=config)
    context = harness.reader.context
    assert (context.get_index_of_subtask(), context.current_parallelism()) == (2, 3)
    assert context.get_configuration().get_string("key", None) == "value"
    context.metric_group().counter("letters").inc()
    assert [(name, metric.get_count()) for name, metric in harness.metrics.metrics()] == [("letters", 1)]


def test_a_status_is_an_input_status():
    """A poll_next that forgets its return is found out."""

    class Forgetful(LetterReader):
        def poll_next(self, output):
            """Returns None."""

    with pytest.raises(ConfigurationTypeError, match="poll_next of Forgetful must return an InputStatus"):
        SourceReaderHarness(Forgetful).poll()
