"""What is said of a worker process that died."""

import pytest

from windrow.datastream import StreamExecutionEnvironment
from windrow.runtime.spark.lost_workers import worker_died

EXITED = "Python worker exited unexpectedly (crashed)"
ABORTED = "Job aborted due to stage failure: Task 1 in stage 7.0 failed 1 times, most recent failure: "
TASK = f"{ABORTED}Lost task 1.0 in stage 7.0 (TID 5) (host executor driver): org.apache.spark.SparkException: "


class List:
    """A list as Scala gives it to Python."""

    def __init__(self, items):
        self._items = items

    def size(self):
        return len(self._items)

    def apply(self, index):
        return self._items[index]


class Spark:
    """A session whose jobs had these stages."""

    def __init__(self, *jobs):
        self._jobs = jobs
        self.sparkContext = self._jsc = self

    def sc(self):
        return self

    def statusStore(self):
        return self

    def jobsList(self, statuses):
        return List([Job(List(stages)) for stages in self._jobs])


class Job:
    def __init__(self, stages):
        self.stageIds = lambda: stages


def job():
    """Two levels: three sources' subtasks, and an operator of four subtasks."""
    env = StreamExecutionEnvironment.create_local_environment(4)
    numbers = env.from_collection([1, 2]).map(str).name("to text")
    numbers.key_by(lambda text: text).map(str).name("keyed").print()
    return env._plan(env._program.sinks(), "job")


@pytest.mark.parametrize(
    ("stages", "partitions", "where"),
    [
        ([7, 6, 5], 4, " that ran subtask 1 of operator 'keyed'"),
        ([7, 6, 5], 2, " that ran subtasks 1, 3 of operator 'keyed'"),
        ([6, 7, 8, 9], 4, " of partition 1"),
        ([1, 2], 4, " of partition 1"),
    ],
)
def test_the_operators_and_the_subtask_are_named(stages, partitions, where):
    """By the stage's place in its job and the partition; a stage that is none of the levels has no operators."""
    said = worker_died(f"{TASK}{EXITED}. Consider setting", Spark([1, 2, 3], stages), job(), partitions)
    assert said.startswith(f"the Python worker{where} died: {EXITED}: ")


def test_a_lost_executor_is_told_with_sparks_reason():
    """On a cluster the whole executor goes, mostly for its memory."""
    reason = "ExecutorLostFailure (executor 1 exited caused by one of the running tasks) Reason: exit code 137"
    said = worker_died(f"{ABORTED}Lost task 1.0 in stage 7.0 (TID 5): {reason}\n\tat x", Spark([7, 6]), job(), 4)
    assert said.startswith(f"the Python worker that ran subtask 1 of operator 'keyed' died: {reason}")


def test_the_line_of_a_crash_is_told():
    """Python says which one it was; lines of Windrow and Spark are left out."""
    frames = (
        "Fatal Python error: Segmentation fault\n\nCurrent thread 0x0 (most recent call first):\n"
        '  File "/app/fast.py", line 3 in sum\n  File "/x/windrow/operators/simple.py", line 9 in call\n'
        '  File "/x/pyspark/worker.py", line 1 in f'
    )
    said = worker_died(f"{TASK}{EXITED}: {frames}", Spark([7]), job(), 4)
    assert said.splitlines()[1:] == ['  File "/app/fast.py", line 3, in sum']


def test_a_session_that_is_gone_gives_the_partition():
    """What the session would have known is left out."""
    assert "of partition 1 died" in worker_died(TASK + EXITED, object(), job(), 4)


def test_other_failures_are_no_dead_workers():
    """Spark's own words for them."""
    assert worker_died(f"{ABORTED} something else", Spark([7]), job(), 4) is None
