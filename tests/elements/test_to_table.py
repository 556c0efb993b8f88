import datetime
from dataclasses import dataclass

import pyarrow as pa
import pytest

from windrow.common import Row, RowKind, Types
from windrow.elements.inference import columns_from
from windrow.elements.to_table import Tables
from windrow.errors import ElementError


@dataclass
class Reading:
    sensor: str
    degrees: float


@pytest.mark.parametrize(
    ("elements", "expected"),
    [
        ([1, 2], {"f0": [1, 2]}),
        ([(1, "a"), (2, None)], {"f0": [1, 2], "f1": ["a", None]}),
        ([Row(n=1), Row(n=2)], {"n": [1, 2]}),
        ([Row(1, True)], {"f0": [1], "f1": [True]}),
        ([Reading("s", 1.5)], {"sensor": ["s"], "degrees": [1.5]}),
        ([datetime.date(2024, 1, 1)], {"f0": [datetime.date(2024, 1, 1)]}),
        ([(1, [1, 2]), (2, [])], {"f0": [1, 2], "f1": [[1, 2], []]}),
    ],
)
def test_a_column_for_each_field(elements, expected):
    """Fields are columns by their names, f0 and so on without names; as rows and as columns."""
    assert Tables().table(elements).to_pydict() == expected
    columns = columns_from(elements)
    assert columns is None or Tables().table(columns).to_pydict() == expected


def test_a_declared_type_decides():
    """What is declared has its type, also where values alone would not say it, and where columns have another."""
    tables = Tables(Types.ROW_NAMED(["n", "x"], [Types.INT(), Types.DOUBLE()]))
    schema = pa.schema([("n", pa.int32()), ("x", pa.float64())])

    assert tables.table([Row(n=1, x=None)]).schema == schema
    assert tables.table(columns_from([Row(n=1, x=0.5)])).schema == schema
    assert tables.table([]).schema == schema
    assert tables.names == ["n", "x"]


def test_a_type_that_arrow_does_not_know_is_found_from_the_values():
    """A field of any Python object does not keep the others from being columns."""
    tables = Tables(Types.TUPLE([Types.INT(), Types.PICKLED_BYTE_ARRAY()]))

    assert tables.table([(1, "a")]).to_pydict() == {"f0": [1], "f1": ["a"]}


@pytest.mark.parametrize(
    ("elements", "named"),
    [
        ([(1, 2), (3, "b")], r"column 'f1' has int and, in \(3, 'b'\), str"),
        ([1, None, 2.5], "'f0' has int and, in 2.5, float"),
        ([(1, 2), (3,)], r"\(1, 2\) and \(3,\) do not"),
        ([(1,), Row(1)], r"\(1,\) and <Row\(1\)> do not"),
        ([Row(a=1), Row(b=1)], r"Row\(a=1\) and Row\(b=1\) do not"),
        ([object()], "no column for 'f0'"),
        ([2**70], "no column for 'f0'"),
    ],
)
def test_what_is_no_column_is_named(elements, named):
    """Values of several types, elements of several forms and what Arrow does not know are errors, with advice."""
    with pytest.raises(ElementError, match=f"{named}.*(output_type|map)"):
        Tables().table(elements)


def test_values_that_do_not_fit_what_is_declared():
    """A value that is not of the declared type of its column is an error that names both."""
    with pytest.raises(ElementError, match="column 'f0' is declared to be int32"):
        Tables(Types.INT()).table([2**40])


def test_the_kind_of_a_row_is_not_lost_unseen():
    """A table has no place for a Row's kind, so one that is no insertion is an error."""
    row = Row(n=1)
    row.set_row_kind(RowKind.DELETE)

    with pytest.raises(ElementError, match="RowKind"):
        Tables().table([row])
