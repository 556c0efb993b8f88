"""Elements as lines of text."""

from dataclasses import dataclass
from typing import NamedTuple

import pytest

from windrow.common import Row
from windrow.datastream.streams.text_table import text_table


@dataclass
class Reading:
    sensor: str
    degrees: float


class Pair(NamedTuple):
    first: int
    second: str


@pytest.mark.parametrize(
    ("elements", "lines"),
    [
        ([], []),
        ([1, 20], ["element", "      1", "     20"]),
        (["a", (1, 2)], ["element", "a", "(1, 2)"]),
        ([Row(name="a", n=1)], ["name  n", "a     1"]),
        ([Row(1, 2)], ["f0  f1", " 1   2"]),
        ([Reading("s", 2.5)], ["sensor  degrees", "s           2.5"]),
        ([Pair(1, "x")], ["first  second", "    1  x"]),
        ([{"k": "v"}, {"k": None}], ["k", "v", "None"]),
        ([{"k": 1}, {"l": 1}], ["element", "{'k': 1}", "{'l': 1}"]),
        (["two\nlines"], ["element", "two\\nlines"]),
    ],
)
def test_lines(elements, lines):
    """Fields are columns where all elements have the same; numbers stand to the right."""
    assert text_table(elements) == lines


def test_long_values_are_cut():
    """A long value does not push the others away."""
    (_, line) = text_table([("x" * 100, 1)])
    assert len(line) < 50
    assert "..." in line
