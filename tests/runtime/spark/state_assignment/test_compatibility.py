"""What keeps a program from beginning with a savepoint is said before anything is read."""

import dataclasses

import pytest

from tests.datastream.streams.restarts import ListSink, local_env
from tests.runtime.sources.test_programs import TIMES
from tests.runtime.spark.state_assignment.locally import before_of
from windrow.connectors.interfaces import Source
from windrow.datastream.connectors.datagen import DataGeneratorSource
from windrow.datastream.window import GlobalWindows, TumblingEventTimeWindows, TumblingProcessingTimeWindows
from windrow.errors import CheckpointError
from windrow.runtime.local.executor import LocalExecutor
from windrow.runtime.spark.layout import VERSION, layout_of
from windrow.runtime.spark.state_assignment.compatibility import check_compatibility
from windrow.runtime.spark.state_assignment.dealing import deal_out


class OfSpark(Source):
    def channels(self, parallelism):
        return parallelism


def job_of(program, parallelism=2, max_parallelism=8):
    env = local_env(parallelism)
    env.set_max_parallelism(max_parallelism)
    program(env).sink_to(ListSink())
    return env._take_job(None)


def left_by(program):
    """An executor of a program behind its second batch."""
    executor = LocalExecutor(job_of(program), 3, clock=lambda: 0)
    with executor:
        assert executor.run_batch()
        assert executor.run_batch()
    return executor


def check(left, program, *, begun=VERSION, ignore_unclaimed=False, **settings):
    job = job_of(program, **settings)
    before = before_of(left, job)
    before.layout["begun"] = begun
    check_compatibility(job, layout_of(job, job.partitions), before, "/a", ignore_unclaimed=ignore_unclaimed)


def dealt_out(left, job):
    dealt, _ = deal_out(job, job.partitions, before_of(left, job))
    return dealt


def numbers(env):
    return env.from_collection(range(20)).uid("numbers")


def least(stream, uid="least"):
    reduced = stream.key_by(lambda value: value % 3).reduce(min)
    return reduced if uid is None else reduced.uid(uid)


def test_state_that_nobody_claims_is_named_and_lost_if_that_is_wanted():
    """Operators without state, and those that are new, are no matter."""
    left = left_by(lambda env: least(numbers(env).map(lambda value: value)))
    check(left, lambda env: least(numbers(env)))
    check(left, lambda env: least(least(numbers(env)), "again"))
    with pytest.raises(
        CheckpointError, match=r"savepoint /a does not fit .* operator 'least' is gone, .*\.uid\('least'\)"
    ):
        check(left, lambda env: least(numbers(env), "lowest"))
    check(left, lambda env: least(numbers(env), "lowest"), ignore_unclaimed=True)
    with pytest.raises(CheckpointError, match=r"operator 'numbers' is gone"):
        check(left, lambda env: least(env.from_collection([1]).uid("others")))


def test_an_operator_with_state_and_without_a_uid_is_not_looked_for_in_a_changed_program():
    """Its number may be another operator's by now; with another parallelism it is where it was."""
    left = left_by(lambda env: least(numbers(env), None))
    check(left, lambda env: least(numbers(env), None), parallelism=5)
    with pytest.raises(CheckpointError, match=r"operator 'Keyed Reduce' \(without a uid\) (is gone|has state)"):
        check(left, lambda env: least(numbers(env).map(lambda value: value), None))
    check(left, lambda env: least(numbers(env).map(lambda value: value), "3-OneInputTransformation"))


def test_other_kinds_are_refused():
    """Of windows, of sources, of state that has no keys any more; and another max parallelism."""
    windows, other = TumblingProcessingTimeWindows.of(5), TumblingEventTimeWindows.of(5)
    left = left_by(lambda env: numbers(env).key_by(lambda v: v).window(windows).reduce(min).uid("least"))
    with pytest.raises(CheckpointError, match=r"operator .least. has kept reduced values in TimeWindows of processing"):
        check(left, lambda env: numbers(env).map(str).key_by(len).window(other).reduce(min).uid("least"))
    left = left_by(lambda env: least(numbers(env)))
    with pytest.raises(CheckpointError, match="operator 'numbers' was a source, and is an operator"):
        check(left, lambda env: least(env.from_collection([1]).uid("other").map(lambda v: v).uid("numbers")))
    with pytest.raises(CheckpointError, match=r"operator 'least' has state of keys, and has none in this program"):
        check(left, lambda env: numbers(env).map(lambda value: value).uid("least"))
    read = DataGeneratorSource(lambda number: number, 9)
    with pytest.raises(CheckpointError, match=r"has read parts that are known .*, and in this program it reads splits"):
        check(left, lambda env: least(env.from_source(read, TIMES, "read").uid("numbers"), "least"))
    with pytest.raises(CheckpointError, match=r"max parallelism was 8 and is 16: set_max_parallelism\(8\)"):
        check(left, lambda env: least(numbers(env)), max_parallelism=16, ignore_unclaimed=True)


def test_what_an_earlier_version_has_begun_is_refused():
    """It has parts of keys in other key groups."""
    left = left_by(lambda env: least(numbers(env)))
    with pytest.raises(CheckpointError, match="begun by a version of Windrow that did not keep all of a key"):
        check(left, lambda env: least(numbers(env)), begun=8, parallelism=5)


def test_channels_that_were_dealt_out_do_not_become_fewer():
    """It is said how they are kept; there may be more."""
    left = left_by(lambda env: env.from_sequence(1, 100).uid("numbers").map(lambda value: value))
    more = job_of(lambda env: env.from_sequence(1, 100).uid("numbers").map(lambda value: value), parallelism=3)
    assert [channel.ended for channel in dealt_out(left, more)["numbers"].channels] == [False, False, True]
    fewer = job_of(lambda env: env.from_sequence(1, 100).uid("numbers").map(lambda value: value), parallelism=1)
    with pytest.raises(CheckpointError, match=r"dealt out to 2 channels .* cannot have 1: set_parallelism\(2\) on the"):
        dealt_out(left, fewer)


def test_an_operator_that_waits_does_not_lose_what_goes_on():
    """All inputs that are left have ended before: it would never come to its own end."""

    def both(env):
        return least(env.from_collection(range(3)).uid("short").union(numbers(env)))

    left, job = left_by(both), job_of(lambda env: least(env.from_collection(range(3)).uid("short")))
    assert any(task.ended for task in before_of(left, job).chains["short"].tasks.values())
    with pytest.raises(CheckpointError, match="operator 'Keyed Reduce' has not come to the end of its input, and all"):
        dealt_out(left, job)


def test_what_has_no_uid_is_new_in_a_changed_program():
    """The number of its call may have been another operator's; alone with another parallelism it is its own."""
    left = left_by(lambda env: least(numbers(env).rebalance().map(lambda value: value)))
    same = job_of(lambda env: least(numbers(env).rebalance().map(lambda value: value)), parallelism=3)
    assert "3-OneInputTransformation" in before_of(left, same).operators
    changed = job_of(lambda env: least(numbers(env).map(lambda v: v).rebalance().map(lambda value: value)))
    before = before_of(left, changed)
    assert "3-OneInputTransformation" not in before.operators
    assert [edge.head for edge in before.chains["least"].edges] == [""]


def test_a_source_of_sparks_and_gathered_input_are_refused():
    """How far the one was read nobody tells; the other belongs to the keys of many groups."""
    left = left_by(lambda env: least(numbers(env)))
    job = job_of(lambda env: least(numbers(env)), parallelism=3)
    job.levels[0][0] = dataclasses.replace(job.levels[0][0], source=OfSpark())
    with pytest.raises(CheckpointError, match=r"source .* is a DataFrame: how far it was read is known to Spark alone"):
        dealt_out(left, job)

    def gathers(env):
        windows = GlobalWindows.create_with_end_of_stream_trigger()
        return numbers(env).key_by(lambda value: value % 3).window(windows).reduce(min).uid("least")

    with pytest.raises(
        CheckpointError, match="gathers its input until it has ended, and has gathered some with parall"
    ):
        dealt_out(left_by(gathers), job_of(gathers, parallelism=3))
