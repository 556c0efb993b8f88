"""Windows and watermarks: what was lost, or came late, without a word."""

import pytest

from tests.runtime.local.window_programs import PROGRAMS, run_changed
from tests.trials.trial import Trial, play, rows
from windrow.common import Configuration
from windrow.datastream import StreamExecutionEnvironment
from windrow.datastream.window import CountEvictor, TumblingEventTimeWindows
from windrow.errors import CheckpointError
from windrow.runtime.spark.checkpoint import Checkpoint


def _lateness_is_added(env, folder):
    elements = [("a", 0, 1), ("a", 3, 10), ("a", 8, 100), ("a", 12, 1000)]
    first, second = run_changed(elements, PROGRAMS["plain"], PROGRAMS["lateness"], 2)
    return first + second


def _evictor_is_added(env, folder):
    for evictor in (None, CountEvictor.of(3)):
        program = StreamExecutionEnvironment.get_execution_environment(Configuration())
        windows = program.from_collection([1]).uid("in").key_by(lambda n: 0).window(TumblingEventTimeWindows.of(5))
        if evictor is not None:
            windows = windows.evictor(evictor)
        windows.reduce(max).uid("highest").print()
        Checkpoint(str(folder), program._plan(program._program.sinks()), 2)


TRIALS = [
    Trial(
        "a restart that adds allowed lateness to a window that is open",
        _lateness_is_added,
        gives=[("a", 0, 10, 111), ("a", 10, 20, 1000)],
        runtimes=("local",),
    ),
    Trial(
        "a restart that adds an evictor to a window that is open",
        _evictor_is_added,
        error=CheckpointError,
        says="checkpoint {tmp}: operator 'highest' has kept reduced values in TimeWindows of event time, and in this "
        "program it keeps elements with timestamps in TimeWindows of event time; what is in the checkpoint cannot "
        "become that: let the operator keep what it kept, or begin anew with another checkpoint directory",
        runtimes=("local",),
    ),
]


@pytest.mark.parametrize(("runtime", "trial"), rows(TRIALS))
def test_nothing_is_lost_in_silence(trial, env, tmp_path):
    """What goes wrong is said, with the operator; what does not gives the right result."""
    play(trial, env, tmp_path)
