"""Writers of Parquet, CSV and JSON lines."""

import datetime
import io
import json
from decimal import Decimal

import numpy as np
import pyarrow.parquet as pq
import pytest

from windrow.common import Row, Types
from windrow.connectors.files import bulk_formats
from windrow.connectors.files.bulk_formats import CsvFactory, JsonFactory, ParquetFactory, arrow_row_type_of
from windrow.errors import ConfigurationError, ConfigurationTypeError, TypeConversionError

ROW = Types.ROW_NAMED(["word", "n"], [Types.STRING(), Types.LONG()])


def written(factory, *batches) -> bytes:
    file = io.BytesIO()
    writer = factory.create(file)
    for batch in batches:
        writer.add_elements(batch)
    writer.finish()
    return file.getvalue()


def test_parquet_keeps_names_and_types():
    """As the row type declares them."""
    table = pq.read_table(io.BytesIO(written(ParquetFactory(ROW, "zstd"), [("a", 1)], [Row("b", None)])))
    assert table.to_pylist() == [{"word": "a", "n": 1}, {"word": "b", "n": None}]
    assert str(table.schema.field("n").type) == "int64"


def test_rows_are_written_many_at_a_time(monkeypatch):
    """However they come, a row group has a fixed number of rows, and memory holds no more."""
    monkeypatch.setattr(bulk_formats, "ROWS_PER_TABLE", 10)
    rows = [("a", number) for number in range(37)]
    file = pq.ParquetFile(io.BytesIO(written(ParquetFactory(ROW, "none"), rows[:4], rows[4:36], rows[36:])))
    assert [file.metadata.row_group(index).num_rows for index in range(file.num_row_groups)] == [10, 10, 10, 7]
    assert file.read().column("n").to_pylist() == list(range(37))


def test_csv_quotes_strings():
    """None is nothing, an empty string a pair of quotes."""
    rows = [("a", 1), ('say "hi", x', 2), ("", None), (None, 3)]
    assert written(CsvFactory(ROW, True, ","), rows).decode() == ('"word","n"\n"a",1\n"say ""hi"", x",2\n"",\n,3\n')
    assert written(CsvFactory(ROW, False, ";"), rows[:1]) == b'"a";1\n'


def test_json_writes_elements_as_they_are():
    """Rows with names and dicts are objects, tuples and rows without names arrays; times are ISO 8601."""
    elements = [
        Row(a=1, b=Row(c="ä")),
        {"a": [1, (2,)]},
        Row(1, None),
        {"t": datetime.datetime(2024, 1, 1, tzinfo=datetime.UTC), "d": Decimal("0.10"), "n": np.int64(3)},
        "plain",
    ]
    lines = written(JsonFactory(None), elements[:2], elements[2:]).decode().splitlines()
    assert lines[0] == '{"a":1,"b":{"c":"ä"}}'
    assert [json.loads(line) for line in lines[1:]] == [
        {"a": [1, [2]]},
        [1, None],
        {"t": "2024-01-01T00:00:00+00:00", "d": "0.10", "n": 3},
        "plain",
    ]


def test_json_of_a_row_type_names_the_fields():
    """Tuples become objects."""
    assert written(JsonFactory(ROW), [("a", 1)]) == b'{"word":"a","n":1}\n'


@pytest.mark.parametrize("element", [{"a": object()}, {"a": float("nan")}, {"a": b"bytes"}])
def test_what_json_does_not_have_is_an_error(element):
    """The error shows the element."""
    with pytest.raises(TypeConversionError, match="cannot be written as JSON"):
        written(JsonFactory(None), [element])


def test_a_row_type_is_needed_that_can_be_written():
    """Checked at the user's call."""
    with pytest.raises(ConfigurationTypeError, match=r"for_row_type takes a row type such as"):
        arrow_row_type_of(Types.INT(), "for_row_type")
    nested = Types.ROW_NAMED(["a"], [Types.LIST(Types.INT())])
    assert arrow_row_type_of(nested, "for_row_type") is nested
    with pytest.raises(ConfigurationError, match=r"field 'a' is list<.*> *, and CSV has only single values"):
        arrow_row_type_of(nested, "for_schema", flat=True)
