"""Sources whose splits are known when the job starts."""

import pickle
from dataclasses import replace

import numpy as np
import pytest

from tests.connectors.source.reading import ScriptedEnumeratorContext, deliver, polled, reader_context, values
from tests.runtime.sources.running import executor_of
from windrow.connectors.collection import CollectionSource
from windrow.connectors.iterator_source import IteratorSource, IteratorSourceReader, Parts, SourceBatch, SplitPart
from windrow.connectors.iterator_source.reader import ELEMENTS_PER_POLL
from windrow.connectors.number_sequence import NumberSequenceSource
from windrow.connectors.source import InputStatus
from windrow.datastream import OutputTag
from windrow.errors import UsageError
from windrow.runtime.sources.buffered_reader_output import BufferedReaderOutput


class Batches(SplitPart):
    def __init__(self, *batches):
        self._batches = batches

    def read(self):
        return iter(self._batches)


class Planned(IteratorSource):
    def __init__(self, *channels):
        self._channels = [list(splits) for splits in channels]

    def plan(self, parallelism):
        return self._channels


def readers_of(source, parallelism=1):
    """A started reader for each subtask, with its splits."""
    context = ScriptedEnumeratorContext(parallelism)
    enumerator = source.create_enumerator(context)
    enumerator.start()
    readers = []
    for subtask in range(parallelism):
        enumerator.add_reader(subtask)
        readers.append(source.create_reader(reader_context(subtask, parallelism)))
        readers[-1].start()
        deliver(context.take(subtask), readers[-1])
    return readers


def read_on(reader):
    """A new reader from the position of another one, with pickling in between."""
    splits = pickle.loads(pickle.dumps(reader.snapshot_state(1)))
    (again,) = readers_of(Planned())
    again.add_splits(splits)
    return again


def test_channels_are_dealt_to_readers_and_read_in_their_order():
    """What a channel gives in a plan it gives here: the numbers of each reader, in order, then the end."""
    for parallelism, expected in [(1, [list(range(1, 6))]), (2, [[1, 2, 3], [4, 5]])]:
        read = []
        for reader in readers_of(NumberSequenceSource(1, 5), parallelism):
            output = BufferedReaderOutput()
            assert polled(reader, output) is InputStatus.END_OF_INPUT
            read.append(values(output))
        assert read == expected


def test_a_channel_is_a_split_with_an_output_of_its_own():
    """Its output lasts through all of the split's parts, and is released at its end."""
    (reader,) = readers_of(Planned([Batches(SourceBatch([1])), Batches(SourceBatch([2]))], [Batches(SourceBatch([3]))]))
    output = BufferedReaderOutput()
    polled(reader, output)
    items = [(split, item if item == "release" else list(item.values)) for split, item in output.take()]
    assert [item for split, item in items if split == "channel 0"] == [[1], [2], "release"]
    assert [item for split, item in items if split == "channel 1"] == [[3], "release"]


@pytest.mark.parametrize("polls", range(12))
def test_the_position_is_exact_after_every_poll(polls):
    """What a reader has given and what its snapshot gives are the whole channel, marks between elements included."""
    many = np.arange(2 * ELEMENTS_PER_POLL + 7)
    source = Planned(
        [
            Batches(
                SourceBatch(range(3), [7, 8, 9]), SourceBatch((), watermark=5), SourceBatch(many, many, watermark=9)
            ),
            Batches(),
            Batches(SourceBatch(["bad"], side="late"), SourceBatch(range(2), watermark=11)),
        ]
    )

    def flat(output):
        for split, item in output.take():
            if hasattr(item, "values"):
                stamps = [None] * len(item.values) if item.timestamps is None else list(item.timestamps)
                yield from ((split, value, stamp) for value, stamp in zip(item.values, stamps, strict=True))
            else:
                yield split, item

    whole, first, second = (BufferedReaderOutput() for _ in range(3))
    assert polled(readers_of(source)[0], whole) is InputStatus.END_OF_INPUT
    (reader,) = readers_of(source)
    polled(reader, first, polls)
    assert polled(read_on(reader), second) is InputStatus.END_OF_INPUT
    assert [*flat(first), *flat(second)] == list(flat(whole))


def test_a_reader_waits_for_splits_until_it_hears_that_none_come():
    """Without splits there is nothing now; the future is done when some have come."""
    reader = CollectionSource([1]).create_reader(reader_context())
    output = BufferedReaderOutput()
    assert reader.poll_next(output) is InputStatus.NOTHING_AVAILABLE
    waiting = reader.is_available()
    assert not waiting.done()
    reader.notify_no_more_splits()
    assert waiting.done()
    assert reader.poll_next(output) is InputStatus.END_OF_INPUT
    assert reader.is_available().done()


def test_a_restored_enumerator_plans_nothing_anew():
    """The plan is made once: files that come later are not in it, and what was assigned is not assigned again."""
    context = ScriptedEnumeratorContext(2)
    enumerator = NumberSequenceSource(1, 4).create_enumerator(context)
    enumerator.add_reader(0)
    again = ScriptedEnumeratorContext(2)
    restored = NumberSequenceSource(1, 100).restore_enumerator(
        again, pickle.loads(pickle.dumps(enumerator.snapshot_state(1)))
    )
    for subtask in (0, 1):
        restored.add_reader(subtask)
    assert again.sent[0] == ["no more"]
    (splits, _) = again.sent[1]
    assert [list(batch.values) for part in splits[0].splits for batch in part.read()] == [[3, 4]]


def test_side_outputs_keep_their_names():
    """Elements of a side output go to the tag of that name."""
    (reader,) = readers_of(Planned([Batches(SourceBatch(["bad"], side="malformed"))]))
    output = BufferedReaderOutput()
    polled(reader, output)
    side = output.take()[0][1]
    assert (side.tag_id, side.value) == (OutputTag("malformed").tag_id, "bad")


def test_processing_time_is_for_jobs_of_their_own():
    """Within another source nobody hears of it, so it is refused."""
    (reader,) = readers_of(Planned([Batches(SourceBatch([1], processing_time=5))]))
    with pytest.raises(UsageError, match="sets processing time"):
        reader.poll_next(BufferedReaderOutput())


class Doubling(NumberSequenceSource):
    """Its reader gives each number twice as large."""

    def create_reader(self, reader_context):
        return DoublingReader()


class DoublingReader(IteratorSourceReader):
    def add_splits(self, splits):
        super().add_splits([replace(split, splits=tuple(map(Doubled, split.splits))) for split in splits])


class Doubled(SplitPart):
    def __init__(self, part):
        self._part = part

    def read(self):
        return (batch._replace(values=[2 * value for value in batch.values]) for batch in self._part.read())


@pytest.mark.parametrize("batch_size", [None, 3])
def test_a_job_reads_a_source_with_the_reader_that_it_makes(batch_size):
    """The runtime deals parts, all at once or batch by batch, and reads none of them itself."""
    executor, shown = executor_of(Doubling(1, 10), batch_size=batch_size)
    executor.run()
    assert shown.values == list(range(2, 21, 2))


def test_workers_get_a_source_without_what_it_reads():
    """Its parts come with the batches that read them; a source with a reader of its own is needed for that."""
    assert isinstance(CollectionSource([1]).for_readers(), Parts)
    doubling = Doubling(1, 2)
    assert doubling.for_readers() is doubling
