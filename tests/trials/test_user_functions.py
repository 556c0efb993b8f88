"""Functions of the program that raise what is easily taken for something else."""

import signal
import subprocess
import sys

import pytest

from tests.trials import user_functions, user_sources
from tests.trials.failing import NAME
from windrow.datastream import DataStream
from windrow.errors import UserFunctionError

KINDS = {**user_functions.KINDS, **user_sources.KINDS}
RAISED = [StopIteration, GeneratorExit, SystemExit, KeyboardInterrupt, ValueError]


def _run(built, env):
    """Name what was built, and run it to its end."""
    if isinstance(built, DataStream):
        if built.get_name() != "Split":
            built.name(NAME)
        return list(built.execute_and_collect())
    built.name(NAME)
    return env.execute()


#: On Spark one of each way that errors come back: from operators and sinks in workers, and from the program's process.
ON_SPARK = [
    ("map", StopIteration),
    ("KeySelector", StopIteration),
    ("filter", GeneratorExit),
    ("ProcessWindowFunction", SystemExit),
    ("encoder of a FileSink", KeyboardInterrupt),
    ("what is printed", SystemExit),
]


@pytest.mark.parametrize(
    ("runtime", "kind", "raised"),
    [
        *(pytest.param("local", kind, raised) for kind in KINDS for raised in RAISED),
        *(pytest.param("spark", kind, raised, marks=pytest.mark.spark) for kind, raised in ON_SPARK),
    ],
)
def test_what_a_function_raises_is_an_error_that_names_its_operator(runtime, kind, raised, env, tmp_path):
    """Nothing that a function raises is the end of the input, or of the program; Ctrl-C stays what it is."""
    name = user_functions.OTHER_NAMES.get(kind, NAME)
    with pytest.raises((UserFunctionError, KeyboardInterrupt)) as caught:
        _run(KINDS[kind](env, raised(), tmp_path / "files"), env)
    failure = caught.value
    if isinstance(failure, KeyboardInterrupt):
        assert (raised, runtime) == (KeyboardInterrupt, "local")
        assert name in failure.__notes__[0]
        return
    *lines, last = str(failure).splitlines()
    assert raised.__name__ in lines
    assert "src/windrow" not in str(failure)
    assert name in failure.operator
    assert last == f"in operator {failure.operator!r} on element {failure.element}"


PROGRAM = """
import signal, sys, threading
from windrow.common import Configuration
from windrow.datastream import StreamExecutionEnvironment

def waits(value):
    print("waiting", flush=True)
    threading.Event().wait()

signal.signal(signal.SIGTERM, lambda *_: sys.exit(7))
configuration = Configuration().set_string("windrow.runtime", "local")
env = StreamExecutionEnvironment.get_execution_environment(configuration)
env.from_collection([17]).map(waits).name("waits").print()
env.execute()
"""


@pytest.mark.parametrize(
    ("sent", "code", "last"),
    [
        (signal.SIGINT, -signal.SIGINT, ["KeyboardInterrupt", "in operator 'waits' on element 17"]),
        (signal.SIGTERM, 7, []),
    ],
)
def test_signals_end_the_program_as_they_do_any_other(sent, code, last):
    """Ctrl-C by the signal itself, so that shells see it; a handler that exits, with its code."""
    program = subprocess.Popen(
        [sys.executable, "-c", PROGRAM], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert program.stdout.readline() == "waiting\n"
    program.send_signal(sent)
    _, said = program.communicate()
    assert program.returncode == code
    assert said.splitlines()[-2:] == last
