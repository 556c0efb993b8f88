"""Types of Arrow as types of SQL."""

import pyarrow as pa

from windrow.expressions.arrow_types import as_of_sql, type_of_arrow
from windrow.expressions.logical_types import arrow_of, name_of


def test_types_have_their_like():
    """Units of time say how many digits a second has; what is within lists and rows counts as well."""
    known = {
        pa.int16(): "SMALLINT",
        pa.large_string(): "STRING",
        pa.timestamp("s"): "TIMESTAMP(0)",
        pa.timestamp("ns"): "TIMESTAMP(6)",
        pa.timestamp("ms", "Asia/Tokyo"): "TIMESTAMP_LTZ(3)",
        pa.time32("s"): "TIME(0)",
        pa.time64("us"): "TIME(3)",
        pa.decimal128(10, 2): "DECIMAL(10, 2)",
        pa.dictionary(pa.int8(), pa.string()): "STRING",
        pa.list_(pa.timestamp("ms")): "ARRAY<TIMESTAMP(3)>",
        pa.struct([("a", pa.int32())]): "ROW<`a` INT>",
    }
    assert {kind: name_of(type_of_arrow(kind)) for kind in known} == known
    assert [type_of_arrow(each) for each in (pa.duration("s"), pa.list_(pa.duration("s")), pa.null())] == [None] * 3


def test_a_table_gets_the_forms_of_sql():
    """A column of a type that SQL has not leaves the table as it is."""
    table = pa.table({"t": pa.array([1], pa.timestamp("ns")), "s": pa.array(["a"]).dictionary_encode()})
    made, kinds = as_of_sql(table)
    assert made.schema.types == [arrow_of(kind) for kind in kinds]
    other = table.append_column("d", pa.array([1], pa.duration("s")))
    assert as_of_sql(other) == (other, None)
