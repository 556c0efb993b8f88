"""Any interleaving of fetches, polls, splits, pauses, snapshots and restores gives each record once, in order."""

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.connectors.source_reader.numbers import Numbers, NumbersReader, NumbersReaderBase, OneByOne, Together
from windrow.connectors.source import InputStatus
from windrow.connectors.source_reader import (
    FixedSizeSplitFetcherManager,
    OneSplitPerFetcherManager,
    SingleThreadFetcherManager,
)
from windrow.testing import SourceReaderHarness

MANAGERS = [SingleThreadFetcherManager, lambda make: FixedSizeSplitFetcherManager(make, 2), OneSplitPerFetcherManager]
NAMES = "abcd"

splits = st.tuples(
    *(
        st.builds(
            lambda length, portion, name=name: Numbers(name, 0, length, portion), st.integers(0, 25), st.integers(1, 9)
        )
        for name in NAMES
    )
)
names = st.sets(st.sampled_from(NAMES))
steps = st.one_of(
    st.tuples(st.just("add"), st.integers(1, 3)),
    st.tuples(st.just("poll"), st.integers(1, 8)),
    st.tuples(st.just("pause"), names, names),
    st.tuples(st.just("snapshot")),
    st.tuples(st.just("restore")),
)


class Run:
    """A reader through its restarts, with what counts as emitted: what a snapshot, or the end, stands behind."""

    def __init__(self, manager, emitter, at_a_time):
        self.options = {"make_manager": manager, "emitter": emitter()}
        self.at_a_time = at_a_time
        self.committed = {name: [] for name in NAMES}
        self.not_added = []
        self.kept = (None, [])
        self.harness = self.make(None)

    def make(self, snapshot):
        harness = SourceReaderHarness(
            lambda context: NumbersReaderBase(context, make_reader=NumbersReader, **self.options), snapshot=snapshot
        )
        harness.reader.records_per_poll = self.at_a_time
        return harness

    def add(self, count):
        adding, self.not_added = self.not_added[:count], self.not_added[count:]
        self.harness.add_splits(adding)

    def poll(self, count):
        for _ in range(count):
            if self.harness.poll() is InputStatus.NOTHING_AVAILABLE:
                return

    def pause(self, to_pause, to_resume):
        self.harness.pause_or_resume_splits(to_pause, to_resume - to_pause)

    def snapshot(self):
        self.commit()
        self.kept = (self.harness.snapshot(), list(self.not_added))

    def restore(self):
        self.harness.close()
        snapshot, self.not_added = self.kept[0], list(self.kept[1])
        self.harness = self.make(snapshot)

    def commit(self):
        for record in self.harness.records():
            self.committed[record.split_id].append(record.value)
        self.harness.output.clear()

    def finish(self):
        self.harness.pause_or_resume_splits([], NAMES)
        self.add(len(self.not_added))
        self.harness.notify_no_more_splits()
        self.harness.read_to_end()
        self.commit()


@settings(deadline=None, max_examples=150)
@given(
    splits=splits,
    script=st.lists(steps, max_size=25),
    manager=st.sampled_from(MANAGERS),
    emitter=st.sampled_from([OneByOne, Together]),
    at_a_time=st.sampled_from([1, 3, 8192]),
)
def test_each_record_comes_once_in_the_order_of_its_split(splits, script, manager, emitter, at_a_time):
    """What was emitted behind the last snapshot is forgotten by a restore, and nothing else is."""
    run = Run(manager, emitter, at_a_time)
    try:
        run.not_added = list(splits)
        run.kept = (None, list(splits))
        for step, *arguments in script:
            getattr(run, step)(*arguments)
        run.finish()
    finally:
        run.harness.close()
    assert run.committed == {split.name: list(range(split.end)) for split in splits}
