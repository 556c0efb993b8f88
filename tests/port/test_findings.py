"""What is told of a PyFlink program."""

import pytest

from windrow.absent.methods import METHODS
from windrow.port.findings import DIFFERENCES, Kind, findings

ENVIRONMENT = """from pyflink.datastream import StreamExecutionEnvironment
env = StreamExecutionEnvironment.get_execution_environment()
"""


def told(program):
    return [(each.line, each.kind, each.what) for each in findings(program)]


@pytest.mark.parametrize(
    ("program", "line", "what"),
    [
        ("from pyflink.table import CompiledPlan", 1, "pyflink.table.CompiledPlan"),
        ("import os\nimport pyflink.java_gateway", 2, "pyflink.java_gateway"),
        ("from pyflink.datastream.connectors.pulsar import PulsarSource", 1, "pyflink.datastream.connectors.pulsar"),
        (
            "from pyflink.datastream import (\n  OutputTag,\n  SourceFunction)",
            3,
            "pyflink.datastream.SourceFunction",
        ),
        ("from pyflink.common import Nonsense", 1, "pyflink.common.Nonsense"),
    ],
)
def test_modules_and_names_that_are_absent_are_told_with_their_line(program, line, what):
    """In PyFlink's words, for that is what stands there."""
    assert told(program) == [(line, Kind.ABSENT, what)]


def test_a_finding_has_the_reason_that_the_error_would_have():
    """It is one table for both."""
    (found,) = findings(f"{ENVIRONMENT}env.add_source(None)")
    assert (found.line, found.what) == (3, "StreamExecutionEnvironment.add_source")
    assert found.text == METHODS["StreamExecutionEnvironment"]["add_source"]
    assert str(found).startswith(
        "3: absent: StreamExecutionEnvironment.add_source: from_source takes a source with splits"
    )


def test_a_method_that_no_class_has_is_told_whatever_it_is_called_on():
    """Types of variables are not known; ``get_parallelism`` is absent from streams, and there elsewhere."""
    program = f"{ENVIRONMENT}s = env.from_elements(1)\ns.map(f) \\\n    .iterate()\ns.get_parallelism()"
    assert told(program) == [(5, Kind.ABSENT, "DataStream.iterate")]


def test_a_method_of_the_programs_own_is_not_told():
    """It has the name of one of Flink's by chance."""
    program = f"{ENVIRONMENT}class A:\n    def iterate(self): ...\nA().iterate()"
    assert told(program) == []


def test_what_differs_is_told():
    """Where the program runs and does something else."""
    program = f"{ENVIRONMENT}env.enable_checkpointing(10)\nfor x in env.from_elements(1).execute_and_collect(): pass"
    assert told(program) == [(3, Kind.DIFFERS, "enable_checkpointing"), (4, Kind.DIFFERS, "execute_and_collect")]
    assert told(f"{program}\nenv.set_restart_strategy(None)") == [(4, Kind.DIFFERS, "execute_and_collect")]


def test_what_differs_is_there():
    """What is absent has its reason elsewhere."""
    absent = {method for methods in METHODS.values() for method in methods}
    assert not absent & set(DIFFERENCES)


def test_texts_that_name_modules_are_for_a_person_to_look_at():
    """They may be imported by name, or be anything else; so may the word alone be."""
    program = f"{ENVIRONMENT}import_module('pyflink.common')\nwords = ['pyflink', 'pyflink is fine']"
    assert told(program) == [(3, Kind.LOOK, "'pyflink.common'")]


def test_nothing_is_told_of_a_program_that_does_not_use_pyflink():
    """A folder has other programs, too, and ``iterate`` is a word."""
    assert told("import os\nos.iterate()") == []
