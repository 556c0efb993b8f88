"""How much a batch reads."""

import time
from concurrent.futures import Future

import pyarrow as pa
import pytest

from tests.runtime.sources.running import MONOTONOUS, OneReader, splits_for
from tests.runtime.sources.scripted import Nothing, Script, ScriptedReader, ScriptedSource
from windrow.common import Configuration
from windrow.connectors.source import InputStatus
from windrow.elements.columns import Columns
from windrow.elements.shape import TupleShape
from windrow.errors import ConfigurationError
from windrow.runtime.sources import reading
from windrow.runtime.sources.buffered_reader_output import BufferedReaderOutput
from windrow.runtime.sources.messages import SplitRequest
from windrow.runtime.sources.reading import LiveRead, ReadSettings


def numbers(count, value=None, **changes):
    return Script("numbers", [(at if value is None else value, at) for at in range(count)], **changes)


def size_of(reader, source, *splits, **more):
    return len([event for event in reader.run(*splits_for(source, *splits, **more)) if isinstance(event, tuple)])


def test_settings_come_from_the_configuration():
    """Each has a key, and a range."""
    names = {"records-per-batch": "5", "bytes-per-batch": "6", "wait": "7", "duration": "8"}
    configuration = Configuration.from_dict({f"windrow.source.{name}": value for name, value in names.items()})
    assert ReadSettings.of(configuration) == ReadSettings(5, 6, 7, 8, adapts=False)
    with pytest.raises(ConfigurationError, match=r"windrow\.source\.records-per-batch must be at least 1; got 0"):
        ReadSettings.of(Configuration.from_dict({"windrow.source.records-per-batch": "0"}))


def test_a_batch_has_so_many_records_and_the_rest_of_a_poll():
    """What one poll gives is not cut."""
    source = ScriptedSource([], portion=7)
    assert size_of(OneReader(source, records=20), source, numbers(100)) == 21


def test_a_batch_has_so_many_bytes_also_where_the_first_polls_give_nothing():
    """One element in so many is measured, the first one among them."""
    source = ScriptedSource([])
    script = Script("numbers", [Nothing, Nothing, *numbers(100, "x" * 10_000).steps])
    reader = OneReader(source, bytes=50_000, wait=1000)
    assert 5 <= size_of(reader, source, script) <= 6


class Counted(Columns):
    """Columns that say when they are made rows."""

    made = 0

    def rows(self):
        Counted.made += 1
        return super().rows()


class GivingColumns(ScriptedReader):
    """A thousand elements of two numbers with each poll."""

    def poll_next(self, output):
        batch = pa.record_batch({"f0": pa.array(range(1000)), "f1": pa.array(range(1000))})
        output.collect_batch(Counted(batch, TupleShape(batch.schema.types)), range(1000))
        return InputStatus.MORE_AVAILABLE


def test_columns_are_measured_as_columns():
    """An element takes what its fields take, 16 bytes, and none is made an object for that."""
    read = LiveRead("numbers", GivingColumns(None, None), BufferedReaderOutput(), ReadSettings(bytes=40_000), [])
    assert [len(records.values) for _, records in read.items()] == [1000, 1000, 1000]
    assert Counted.made == 0


def test_a_batch_ends_when_there_is_nothing_for_a_while():
    """The wait begins anew with every element."""
    source = ScriptedSource([], is_bounded=False)
    reader = OneReader(source, wait=50, duration=60_000)
    started = time.monotonic()
    assert size_of(reader, source, numbers(10, ends=False)) == 10
    assert 0.04 < time.monotonic() - started < 10


@pytest.mark.parametrize(("ends", "waits"), [(True, False), (False, True)])
def test_a_reader_without_splits_that_has_asked_for_some_is_not_waited_for(monkeypatch, ends, waits):
    """The answer comes with the next batch; one that has a split may yet find something in it."""
    waited = []
    monkeypatch.setattr(reading, "is_done", lambda future, seconds: waited.append(seconds))
    source = ScriptedSource([], on_request=True, is_bounded=False)
    reader = OneReader(source, wait=50)
    assert size_of(reader, source, numbers(10, ends=ends), more=True) == 10
    assert bool(waited) is waits
    assert [type(message) for message in reader.sent][:1] == [SplitRequest]


class Endless(ScriptedSource):
    def create_reader(self, reader_context):
        return EndlessReader(reader_context, self)


class EndlessReader(ScriptedReader):
    def poll_next(self, output):
        output.collect(1, 1)
        return InputStatus.MORE_AVAILABLE


def test_a_batch_ends_after_a_while_if_records_never_end():
    """However quickly they come."""
    source = Endless([], is_bounded=False)
    started = time.monotonic()
    assert size_of(OneReader(source, MONOTONOUS, duration=30, records=10**9), source, numbers(1)) > 1
    assert time.monotonic() - started < 10


class Promising(ScriptedSource):
    def create_reader(self, reader_context):
        return PromisingReader(reader_context, self)


class PromisingReader(ScriptedReader):
    polls = 0

    def poll_next(self, output):
        PromisingReader.polls += 1
        return InputStatus.NOTHING_AVAILABLE

    def is_available(self):
        future = Future()
        future.set_result(None)
        return future


def test_a_reader_that_promises_and_gives_nothing_does_not_hold_a_batch_up():
    """It is polled now and then, until the wait is over."""
    source = Promising([], is_bounded=False)
    assert size_of(OneReader(source, wait=30, duration=60_000), source) == 0
    assert 1 < PromisingReader.polls < 60


class Trickling(ScriptedSource):
    def create_reader(self, reader_context):
        return TricklingReader(reader_context, self)


class TricklingReader(PromisingReader):
    """Gives an element every three milliseconds, and has nothing more each time."""

    last = 0.0

    def poll_next(self, output):
        if time.monotonic() > self.last + 0.003:
            self.last = time.monotonic()
            output.collect(1, 1)
        return InputStatus.NOTHING_AVAILABLE


def read_for(reader, begun, **settings):
    """What a read gives of a batch that was begun so many seconds ago, and the seconds that it takes."""
    started = time.monotonic()
    live = LiveRead("source", reader, BufferedReaderOutput(), ReadSettings(wait=60_000, **settings), [], begun=begun)
    return sum(1 for _ in live.items()), time.monotonic() - started


@pytest.mark.parametrize("begun", [0.2, 0.0, -5])
def test_a_reader_that_is_not_behind_reads_shorter_than_it_may(begun):
    """As short as fits what the batch costs besides; what it has read is waited for. Clocks may differ."""
    count, seconds = read_for(TricklingReader(None, Trickling([])), begun, duration=120_000)
    assert count > 0
    assert seconds < 60


class Late(TricklingReader):
    """Has nothing for a while."""

    begins = 0.0

    def poll_next(self, output):
        self.begins = self.begins or time.monotonic() + 0.15
        return super().poll_next(output) if time.monotonic() > self.begins else InputStatus.NOTHING_AVAILABLE


def test_until_something_comes_a_reader_is_waited_for():
    """As long as is said, and not as short as the batch would be: a client that has just begun needs its time."""
    count, seconds = read_for(Late(None, Trickling([])), 0.01, duration=120_000)
    assert count > 0
    assert seconds < 60


@pytest.mark.parametrize(
    ("configured", "adapts"),
    [
        ({}, True),
        ({"windrow.source.wait": "50"}, True),
        ({"windrow.source.duration": "1000"}, False),
        ({"windrow.trigger.interval": "5000"}, False),
        ({"windrow.trigger.interval": "0"}, True),
    ],
)
def test_who_says_how_long_or_how_seldom_gets_it(configured, adapts):
    """Then the length of a batch does not follow the load."""
    assert ReadSettings.of(Configuration.from_dict(configured)).adapts == adapts


def test_a_reader_that_is_behind_reads_as_long_as_it_may():
    """Larger batches cost less for each element."""
    _, seconds = read_for(EndlessReader(None, Endless([])), 0.001, duration=200)
    assert seconds >= 0.2


@pytest.mark.parametrize(("adapts", "begun"), [(False, 0.001), (True, 10)])
def test_a_reader_reads_no_longer_than_it_may(adapts, begun):
    """However long ago the batch was begun; and as long as that where its length is not to follow the load."""
    _, seconds = read_for(TricklingReader(None, Trickling([])), begun, duration=200, adapts=adapts)
    assert 0.2 <= seconds < 60


def test_the_batchs_time_says_when_it_was_begun():
    """The same in all processes that a reader may be in."""
    source = Trickling([], is_bounded=False)
    reader = OneReader(source, duration=30_000, wait=60_000)
    started = time.monotonic()
    assert len(list(reader.run(now=int(time.time() * 1000)))) > 0
    assert time.monotonic() - started < 25


class Slow(ScriptedSource):
    """Each poll takes ten milliseconds, and gives something or nothing."""

    def __init__(self, **changes):
        super().__init__([], **changes)

    def create_reader(self, reader_context):
        return SlowReader(reader_context, self)


class SlowReader(ScriptedReader):
    def poll_next(self, output):
        time.sleep(0.01)
        return super().poll_next(output)


def test_time_in_which_elements_come_does_not_count_where_the_source_ends():
    """A batch of a source without end is over after the duration; that of one with an end reads on."""
    ending, endless = Slow(portion=1), Slow(portion=1, is_bounded=False)
    assert size_of(OneReader(ending, duration=50), ending, numbers(20)) == 20
    assert size_of(OneReader(endless, duration=50), endless, numbers(20, ends=False)) < 20


def test_time_in_which_polls_give_nothing_counts_where_the_source_ends():
    """Else a reader that has nothing for long would never be told of new splits."""
    source = Slow(portion=1)
    script = Script("numbers", [(0, 0), *[Nothing] * 50, (1, 1)])
    assert size_of(OneReader(source, duration=100, wait=10_000), source, script) == 1
