"""Watermark alignment of readers, batch by batch."""

import pytest

from tests.runtime.sources.running import MONOTONOUS, OneReader, Shown, environment, executor_of, splits_for
from tests.runtime.sources.scripted import Main, Script, ScriptedSource
from windrow.common.watermark_strategy import WatermarkStrategy
from windrow.errors import ConfigurationError
from windrow.runtime.local.executor import LocalExecutor
from windrow.runtime.sources.messages import MaxWatermark, ReportedWatermark
from windrow.runtime.sources.reader_task import ReaderTask

HOUR = 3_600_000
ALIGNED = MONOTONOUS.with_watermark_alignment("group", 50, 1)


def every(step, count, first=0, **changes):
    """A split with an element every ``step`` milliseconds."""
    name = changes.pop("name", f"{step}")
    return Script(name, [((name, at), at) for at in range(first, first + count * step, step)], **changes)


def timestamps(events, name=None):
    return [event[1] for event in events if isinstance(event, tuple) and (name is None or event[0][0] == name)]


def ready_reader(*splits, limit, source=None, **settings):
    """A reader that has read its first batch, before which there is no limit, and knows the limit now."""
    source = source or ScriptedSource([])
    reader = OneReader(source, ALIGNED, **settings)
    events = reader.run(*splits_for(source, *splits))
    return reader, events, reader.run(MaxWatermark(limit))


def test_a_reader_without_a_limit_stops_when_its_watermark_is_known():
    """How far it may read is known with the next batch."""
    reader = OneReader(ScriptedSource([]), ALIGNED)
    assert timestamps(reader.run(*splits_for(ScriptedSource([]), every(10, 100)))) == [0]
    assert reader.sent == [ReportedWatermark(-1)]
    assert timestamps(reader.run()) == []


def test_a_single_split_is_read_up_to_the_limit_and_one_portion_beyond():
    """The reader is not polled while its watermark is above the limit."""
    reader, first, second = ready_reader(every(10, 100), limit=55)
    assert timestamps(first + second) == [0, 10, 20, 30, 40, 50, 60]
    assert timestamps(reader.run(MaxWatermark(55))) == []
    assert timestamps(reader.run(MaxWatermark(75))) == [70, 80]


def test_within_a_batch_splits_stay_within_the_drift_of_the_slowest():
    """The limit is far away, and still no split is read further than the drift ahead of the other one."""
    reader, first, second = ready_reader(every(1, 300, name="slow"), every(20, 300, name="fast"), limit=10**6)
    seen = {"slow": 0, "fast": 0}
    for (name, at), _ in (event for event in first + second if isinstance(event, tuple)):
        seen[name] = at
        if seen["slow"] < 299:
            assert seen["fast"] <= seen["slow"] + 50 + 20
    assert seen == {"slow": 299, "fast": 5980}
    reader.host.close()


def test_a_replayed_batch_is_the_same_though_nothing_is_paused(tmp_path):
    """Limits come with the batch, and where watermarks were emitted is in its record."""
    source = ScriptedSource([])
    splits = every(1, 60, name="slow"), every(20, 60, name="fast")
    reader = OneReader(source, ALIGNED, tmp_path, records=50)
    messages = splits_for(source, *splits)
    for _ in range(10):
        events = reader.run(*messages)
        assert reader.again(*messages) == events
        messages = [MaxWatermark(10**6)]


def test_a_remade_reader_pauses_what_was_paused():
    """The limit is part of the reader's state."""
    reader, _, second = ready_reader(every(1, 100, name="slow", ends=False), every(20, 100, name="fast"), limit=60)
    assert max(timestamps(second, "fast")) <= 80
    reader.remake()
    assert timestamps(reader.run(), "fast") == []


def test_a_split_without_a_watermark_is_read_while_others_are_ahead():
    """It may be the slowest one: nobody waits for it, and it does not wait for others."""
    silent = Script("silent", [], ends=False)
    reader, first, second = ready_reader(every(10, 100, name="ahead"), silent, limit=35)
    assert timestamps(first + second, "ahead") == [0, 10, 20, 30, 40]
    reader.host.close()


def test_a_reader_that_cannot_pause_splits_is_refused():
    """It has several splits, and one of them is ahead; the option lets it go on."""
    source = ScriptedSource([], pausable=False)
    splits = every(1, 100, name="slow"), every(20, 100, name="fast")
    with pytest.raises(ConfigurationError, match=r"ScriptedReader cannot pause splits.*allow-unaligned-source-splits"):
        ready_reader(*splits, limit=30, source=source)
    allowed = {"pipeline.watermark-alignment.allow-unaligned-source-splits": "true"}
    reader, first, second = ready_reader(*splits, limit=30, source=source, configuration=allowed)
    assert max(timestamps(first + second, "slow")) == 32
    assert timestamps(reader.run()) == []


def test_a_split_that_is_held_back_does_not_look_idle():
    """Its clock stands still until it may be read again; one that is silent by itself becomes idle."""
    strategy = ALIGNED.with_idleness(1000)
    source = ScriptedSource([], is_bounded=False)
    reader = OneReader(source, strategy)
    reader.run(*splits_for(source, every(10, 100, name="held")), now=0)
    reader.run(MaxWatermark(20), now=1)
    for now in (5000, 10_000, 15_000):
        assert "idle" not in reader.run(now=now)
    assert reader.sent == [ReportedWatermark(29)]
    silent = OneReader(source, strategy)
    silent.run(*splits_for(source, every(10, 1, name="silent", ends=False)), now=0)
    assert [("idle" in silent.run(MaxWatermark(20), now=now)) for now in (1, 5000, 10_000)].count(True) == 1


def test_the_main_output_does_not_wait_for_its_splits():
    """A reader reports, and waits by, the greater of both watermarks: here that of what comes from no split."""
    source = ScriptedSource([])
    both = Script(
        "both", [step for at in range(0, 100, 10) for step in ((("both", at), at), Main(("main", at), at + 500))]
    )
    reader = OneReader(source, ALIGNED)
    reader.run(*splits_for(source, both))
    assert reader.sent == [ReportedWatermark(-1)]
    reader.run(MaxWatermark(490))
    assert reader.sent == [ReportedWatermark(499)]
    assert timestamps(reader.run(MaxWatermark(490))) == []
    assert timestamps(reader.run(MaxWatermark(509)), "main") == [510, 520]


@pytest.mark.parametrize("parallelism", [1, 2])
def test_with_one_split_an_hour_ahead_nothing_is_buffered(parallelism, monkeypatch):
    """In every batch what was read is within the drift and one portion, and what is kept stays small."""
    kept = []
    detach = ReaderTask._detach

    def measured(task, state, store):
        detach(task, state, store)
        kept.append(sum(map(len, store.pages.values())))
        assert state.waiting == []

    monkeypatch.setattr(ReaderTask, "_detach", measured)
    slow = Slow("slow", 600)
    ahead = every(1000, 4000, first=HOUR, name="ahead")
    source = ScriptedSource([slow, ahead], portion=3)
    executor, shown = executor_of(source, ALIGNED, batch_size=40, parallelism=parallelism)
    with executor:
        while executor.run_batch():
            at = {name: max(timestamps(shown.events, name), default=None) for name in ("slow", "ahead")}
            if at["ahead"] is not None and at["slow"] is not None and at["slow"] < slow.last:
                assert at["ahead"] <= max(at["slow"] + 50, HOUR) + 3 * 1000
    assert len(shown.values) == 600 + 4000
    assert max(kept) < 500_000


class Slow(Script):
    """An element every 10 ms, which are many batches."""

    def __init__(self, name, count):
        super().__init__(name, [((name, at), at) for at in range(0, count * 10, 10)])
        self.last = (count - 1) * 10


def test_sources_of_one_group_wait_for_each_other():
    """Two sources in a job, one of them an hour ahead: it waits, and goes on when the other one has ended."""
    env, shown = environment(1), Shown()
    behind = env.from_source(ScriptedSource([every(10, 300, name="behind")]), ALIGNED, "behind")
    ahead = env.from_source(ScriptedSource([every(10, 300, first=HOUR, name="ahead")]), ALIGNED, "ahead")
    behind.union(ahead).sink_to(shown)
    executor = LocalExecutor(env._plan(env._program.sinks()), batch_size=50)
    with executor:
        while executor.run_batch():
            if len(timestamps(shown.events, "behind")) < 300:
                assert timestamps(shown.events, "ahead") in ([], [HOUR])
    assert len(timestamps(shown.events)) == 600


def test_sources_of_other_groups_do_not_wait():
    """A group is those that have its name."""
    env, shown = environment(1), Shown()
    other = WatermarkStrategy.for_monotonous_timestamps().with_watermark_alignment("other", 50, 1)
    behind = env.from_source(ScriptedSource([every(10, 300, name="behind")]), ALIGNED, "behind")
    ahead = env.from_source(ScriptedSource([every(10, 300, first=HOUR, name="ahead")]), other, "ahead")
    behind.union(ahead).sink_to(shown)
    executor = LocalExecutor(env._plan(env._program.sinks()), batch_size=50)
    with executor:
        for _ in range(4):
            executor.run_batch()
        assert len(timestamps(shown.events, "ahead")) > 5
