"""How much of a source is still to be read, for those who look at the job."""

from __future__ import annotations

import pytest

from tests.runtime.sources.scripted import Script, ScriptedReader, ScriptedSource
from windrow.common import WatermarkStrategy
from windrow.connectors.discarding import DiscardingSink
from windrow.datastream import StreamExecutionEnvironment
from windrow.errors import UserFunctionError
from windrow.runtime.local.executor import LocalExecutor
from windrow.runtime.monitor.measures import measures_of


class CountingReader(ScriptedReader):
    """Knows what is left of all splits but of one; notes that it was asked."""

    def pending_records(self):
        self.source.asked.append(self.context.get_index_of_subtask())
        return {each.name: len(each.steps) - each.position for each in self.splits if each.name != "unknown"}


class CountingSource(ScriptedSource):
    def __init__(self, splits, **settings):
        super().__init__(splits, **settings)
        self.asked = []

    def create_reader(self, reader_context):
        return CountingReader(reader_context, self)


def executed(source, *, look=True, batches=1):
    """So many batches of at most ten records."""
    env = StreamExecutionEnvironment.create_local_environment(1)
    env.from_source(source, WatermarkStrategy.no_watermarks(), "counted").sink_to(DiscardingSink())
    job = env._take_job("counted")
    job.monitored = look
    executor = LocalExecutor(job, 10)
    try:
        for _ in range(batches):
            executor.run_batch()
        return executor, next((each for each in measures_of(executor.totals).values() if "splits" in each), {})
    finally:
        executor.close()


def script(name, count):
    return Script(name, [(number, number) for number in range(count)])


def test_a_reader_is_asked_once_per_batch_how_much_is_left():
    """By split; of one of which it does not know it nothing is said."""
    source = CountingSource([script("a", 30), script("unknown", 30)], is_bounded=False)
    _, measures = executed(source, batches=2)
    left = measures["pending"]["0"]
    assert set(left) == {"a"}
    assert left["a"] == 30 - measures["records_by_split"]["a"]
    assert 0 < left["a"] < 30
    assert source.asked == [0, 0]


def test_what_is_read_to_its_end_has_nothing_left():
    """What was said before does not stand for ever."""
    _, measures = executed(CountingSource([script("a", 30)]), batches=5)
    assert measures["pending"] == {"0": {}}


def test_a_reader_that_does_not_know_says_nothing():
    """Most do not."""
    _, measures = executed(ScriptedSource([script("a", 30)], is_bounded=False))
    assert "pending" not in measures


def test_nobody_is_asked_where_nobody_looks():
    """Neither readers nor enumerators."""
    source = CountingSource([script("a", 30)], is_bounded=False)
    executor, measures = executed(source, look=False)
    assert (source.asked, measures, executor.progress()) == ([], {}, {})


def test_an_error_of_a_reader_that_is_asked_names_its_source():
    """It is the reader's own code."""

    class Failing(CountingSource):
        @property
        def asked(self):
            raise ZeroDivisionError("it cannot count")

        @asked.setter
        def asked(self, value):
            pass

    with pytest.raises(
        UserFunctionError, match=r"it cannot count\nin operator 'Source: counted' on element .none: pending_rec"
    ):
        executed(Failing([script("a", 30)]))
