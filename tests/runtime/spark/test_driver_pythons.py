"""Pythons that Spark starts beside the program read what is of Windrow where they do not find it."""

import subprocess
import sys

import pytest
from pyspark import cloudpickle

from windrow.runtime.spark.driver_pythons import MISSING
from windrow.runtime.spark.job_source import job_source
from windrow.runtime.spark.level_work import LevelWork
from windrow.runtime.spark.processor import LevelProcessor
from windrow.runtime.spark.shipping import ShippedJob
from windrow.runtime.spark.source_plan import SourcePlan

#: Reads what it is given, in a Python that does not find Windrow: of whatever has it on the path nothing is left.
READS = """
import os, pickle, sys
sys.path[:] = [place for place in sys.path if not os.path.isdir(os.path.join(place, "windrow"))]
sys.meta_path[:] = [finder for finder in sys.meta_path if "editable" not in repr(finder).lower()]
try:
    import windrow
except ImportError:
    pass
else:
    sys.exit("it is there")
data = sys.stdin.buffer.read()
if {task}:
    from pyspark import TaskContext
    TaskContext._setTaskContext(TaskContext())
print(type(pickle.loads(data)).__name__)
"""


def objects():
    processor = LevelProcessor(LevelWork(ShippedJob("run", b"", 1), 0))
    source = job_source("windrow-1", SourcePlan([], [], 1, 1, bounded=True), None)({})
    return [processor, source]


@pytest.mark.parametrize("number", range(2), ids=["what is asked for state", "what plans batches"])
def test_it_is_found_where_the_program_has_it(number):
    """Spark brings archives to workers, and not to these."""
    done = read_elsewhere(objects()[number], task=False)
    assert (done.stdout.decode().strip(), done.returncode) == (type(objects()[number]).__name__, 0), done.stderr


def test_a_worker_does_not_look_there():
    """What is at the same place on its machine may be another Windrow: it fails, and the job says what to do."""
    done = read_elsewhere(objects()[0], task=True)
    assert done.returncode != 0
    assert MISSING in done.stderr.decode()


def read_elsewhere(given, *, task):
    return subprocess.run(
        [sys.executable, "-c", READS.format(task=task)],
        input=cloudpickle.dumps(given),
        capture_output=True,
        check=False,
    )


def test_what_is_read_is_what_was_there():
    """Where Windrow is found nothing is looked for."""
    processor, source = objects()
    path = list(sys.path)
    read = cloudpickle.loads(cloudpickle.dumps(processor)), cloudpickle.loads(cloudpickle.dumps(source))
    assert vars(read[0]) == vars(processor)
    assert (read[1].options, read[1].name(), read[1].schema()) == (source.options, source.name(), source.schema())
    assert sys.path == path
