"""Lines of files as tuples."""

import pytest

from windrow.errors import WindrowError
from windrow.operators.table.decoding import UNREADABLE_LINES, DecodeOperator
from windrow.operators.table.json_lines import JsonLines
from windrow.table import DataTypes
from windrow.testing import OperatorHarness


def test_lines_that_are_left_out_are_counted():
    """A field that cannot be read is NULL, and its line stays."""
    lines = JsonLines(["n"], [DataTypes.INT()], ignore_errors=True)
    harness = OperatorHarness(DecodeOperator(lines))
    for line in ('{"n": 1}', "{", '{"n": "x"}', ""):
        harness.process_element(line, 0)
    assert harness.values() == [(1,), (None,)]
    assert harness.counters[UNREADABLE_LINES] == 1


def test_objects_in_too_many_others_cannot_be_read():
    """They are left out like what is no JSON, or fail the job with their operator and line."""
    nested = "[" * 100_000
    ignoring = OperatorHarness(DecodeOperator(JsonLines(["n"], [DataTypes.INT()], ignore_errors=True)))
    ignoring.process_element(nested, 0)
    assert (ignoring.values(), ignoring.counters[UNREADABLE_LINES]) == ([], 1)
    with pytest.raises(WindrowError, match=r"\[\[\["):
        OperatorHarness(DecodeOperator(JsonLines(["n"], [DataTypes.INT()]))).process_element(nested, 0)
