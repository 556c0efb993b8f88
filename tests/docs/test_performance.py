"""docs/performance.md: what the page says to be traced is, and what it says is not is not."""

import math
import random
import re
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path

import pyarrow as pa

from windrow.common.types import Row
from windrow.elements.shape import RowShape, TupleShape
from windrow.tracing.fold_tracing import trace_reduce
from windrow.tracing.groups import trace_groups
from windrow.tracing.outcome import NotTraceable
from windrow.tracing.tracer import trace

PAGE = Path(__file__).parents[2] / "docs" / "performance.md"
BLOCK = re.compile(r"^```py\n(.*?)^```", re.MULTILINE | re.DOTALL)
TRIPLES = TupleShape((pa.int64(), pa.int64(), pa.string()))
PERSON = RowShape((pa.string(), pa.int64()), field_names=("name", "timestamp"))


@dataclass
class Reading:
    sensor: str
    degrees: float


def scaled(number):
    return number * 3 if number > 0 else 0


NAMES = {
    "math": math,
    "random": random,
    "itemgetter": itemgetter,
    "Row": Row,
    "Reading": Reading,
    "scaled": scaled,
    "seen": [],
    "table": {},
}


def test_functions_of_the_page():
    """Each line of the page's lists is traced, or not, as the page says."""
    maps, reduces, co_group, others = BLOCK.findall(PAGE.read_text())
    for line in maps.splitlines():
        assert not isinstance(trace(eval(line, NAMES), TRIPLES), NotTraceable), line
    for line in reduces.splitlines():
        assert not isinstance(trace_reduce(eval(line, NAMES), TRIPLES), NotTraceable), line
    defined = {}
    exec(compile(co_group, PAGE.name, "exec"), defined)
    assert not isinstance(trace_groups(defined["co_group"], PERSON, PERSON), NotTraceable)
    for line in others.splitlines():
        assert isinstance(trace(eval(line, NAMES), TRIPLES), NotTraceable), line
