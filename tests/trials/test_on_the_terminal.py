"""What a program that ends by an error prints, as a process of its own."""

import os
import subprocess
import sys

import pytest

PROGRAM = """
from windrow.common import Configuration
from windrow.datastream import MapFunction, StreamExecutionEnvironment

class Divides(MapFunction):
    def map(self, value):
        return 1 / value

class Opens(Divides):
    def open(self, runtime_context):
        self.map(0)

local = Configuration().set_string("windrow.runtime", "local")
env = StreamExecutionEnvironment.get_execution_environment(local).set_parallelism(2)
numbers = env.from_collection([1, 0]).rebalance()
{what}
"""
DONE = {
    "execute": "numbers.map(Divides()).name('divides').print(); env.execute()",
    "execute, where open fails": "numbers.map(Opens()).name('divides').print(); env.execute()",
    "execute_and_collect": "list(numbers.map(Divides()).name('divides').execute_and_collect())",
    "execute_async": (
        "numbers.map(Divides()).name('divides').print(); env.execute_async().get_job_execution_result().result()"
    ),
}


def _said(what, **environment):
    """The lines on standard error, but for those that point into the line above with ^^^^."""
    program = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(what=what)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **environment},
    )
    assert program.returncode == 1
    return [line for line in program.stderr.splitlines() if line.strip("^ ")]


@pytest.mark.parametrize("done", DONE)
def test_the_programs_own_lines_are_nearly_all_that_is_shown(done):
    """The call, a line or two behind it, and the function's own traceback, once."""
    lines = _said(DONE[done])
    assert lines[:2] == ["Traceback (most recent call last):", '  File "<string>", line 16, in <module>']
    inner = [line for line in lines if "windrow/" in line or "concurrent/futures" in line]
    assert len(inner) <= 3
    assert lines.count("ZeroDivisionError: division by zero") == 1
    assert sum("in map" in line for line in lines) == 1
    element = "(none: open was called)" if "open" in done else "0"
    assert lines[-1] == f"in operator 'divides' on element {element}"


def test_all_frames_are_shown_on_demand():
    """WINDROW_JAVA_STACK shows what is left out of Java's stack, and of this library's."""
    lines = _said(DONE["execute"], WINDROW_JAVA_STACK="1")
    assert "The above exception was the direct cause of the following exception:" in lines
    assert sum("windrow/" in line for line in lines) > 10
