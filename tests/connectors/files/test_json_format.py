"""Files with a JSON value in each line."""

import datetime
import io
import json
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from windrow.common import Row, Types
from windrow.connectors.files.enumerators import whole_file
from windrow.connectors.files.file_format import elements
from windrow.connectors.files.json_format import JsonParser
from windrow.connectors.files.split import FileSourceSplit
from windrow.datastream import OutputTag
from windrow.datastream.formats.json import JsonBulkWriters, JsonReaderFormat
from windrow.errors import MalformedInputError

PAIR = Types.ROW_NAMED(["n", "s"], [Types.LONG(), Types.STRING()])
EVERYTHING = Types.ROW_NAMED(
    ["day", "time", "moment", "price", "tags", "places", "inner"],
    [
        Types.SQL_DATE(),
        Types.SQL_TIME(),
        Types.SQL_TIMESTAMP(),
        Types.BIG_DEC(),
        Types.LIST(Types.SQL_DATE()),
        Types.MAP(Types.STRING(), Types.INT()),
        Types.ROW_NAMED(["day"], [Types.SQL_DATE()]),
    ],
)


def read(file, row_type=None, *splits):
    json_format = JsonReaderFormat.for_row_type(row_type, dead_letter=OutputTag("bad"))
    good, bad = [], []
    for split in splits or [whole_file(str(file))]:
        for _, batch in elements(json_format, split):
            (good if batch.side is None else bad).extend(batch.values)
    return good, [text for _, text in bad]


@pytest.fixture
def file(tmp_path):
    return tmp_path / "a.jsonl"


def test_elements_are_what_the_lines_say(file):
    """Any JSON value, if no row type is given; blank lines are passed over."""
    file.write_text('{"n": 1}\n\n[1, 2.5, null]\r\n"x"\n')
    assert read(file) == ([{"n": 1}, [1, 2.5, None], "x"], [])


def test_a_row_type_makes_rows(file):
    """What is missing is None, and what it does not name is left out."""
    file.write_text('{"s": "a", "x": 0, "n": 1}\n{"n": 2}\n')
    assert read(file, PAIR) == ([Row(n=1, s="a"), Row(n=2, s=None)], [])


def test_malformed_lines_go_to_the_dead_letter(file):
    """Broken JSON, other values than objects, other types than declared, bytes that are no text."""
    file.write_bytes(b'{"n": 1}\n{"n": \n[1]\n{"n": "one"}\n{"n": NaN}\n\xff\n{"n": 2}\n')
    good, bad = read(file, PAIR)
    assert good == [Row(n=1, s=None), Row(n=2, s=None)]
    assert bad == ['{"n": ', "[1]", '{"n": "one"}', '{"n": NaN}', "\\xff"]


def test_values_do_not_run_over_lines(file):
    """Two halves of a value in two lines are two malformed lines."""
    file.write_text("[1\n,2]\n")
    assert read(file) == ([], ["[1", ",2]"])


def test_without_a_dead_letter_a_malformed_line_is_an_error(file):
    """It names file and line."""
    file.write_text('{"n": 1}\n\n{"n"}\n')
    with pytest.raises(MalformedInputError, match="line 3 of"):
        list(JsonReaderFormat.for_row_type().read(whole_file(str(file))))


def test_what_the_sinks_factory_writes_is_read_back(file):
    """Times, decimals, and what is made of them."""
    day = datetime.date(2020, 2, 29)
    moment = datetime.datetime(2020, 1, 1, 2, 3, 4, 5)
    values = [day, datetime.time(1, 2, 3), moment, Decimal("1.50"), [day, None], {"a": 1}, Row(day=day)]
    rows = [EVERYTHING.converter()(values), EVERYTHING.converter()([None] * 7)]
    out = io.BytesIO()
    writer = JsonBulkWriters.for_row_type(EVERYTHING).create(out)
    writer.add_elements(rows)
    writer.finish()
    file.write_bytes(out.getvalue())
    assert read(file, EVERYTHING) == (rows, [])


def test_regions_are_the_file(file):
    """Wherever it is cut."""
    file.write_text("".join(f'{{"n": {number}}}\n' for number in range(5)))
    size = file.stat().st_size
    for cut in range(size + 1):
        regions = [FileSourceSplit(str(file), 0, cut, size), FileSourceSplit(str(file), cut, size - cut, size)]
        assert read(file, PAIR, *regions) == read(file, PAIR)
    sub_splits = JsonReaderFormat.for_row_type().sub_splits(whole_file(str(file)), 2)
    assert [len(read(file, None, split)[0]) for split in sub_splits] == [2, 2, 1]


def refuse(constant):
    raise ValueError(constant)


def one_by_one(row_type, data):
    """What the lines say, by the decoder and the conversion alone; None if one of them is malformed."""
    try:
        lines = data.decode().removesuffix("\n").split("\n") if data else []
        values = list(map(json.JSONDecoder(parse_constant=refuse).decode, lines))
        if row_type is None:
            return values
        if not all(isinstance(value, dict) for value in values):
            return None
        return list(map(row_type.converter(), values))  # numbers and texts need no other form
    except (ValueError, TypeError):
        return None


scalars = st.none() | st.booleans() | st.integers(-(2**64), 2**64) | st.floats(allow_nan=False) | st.text(max_size=3)
good = st.fixed_dictionaries({}, optional={"n": st.none() | st.integers(0, 9), "s": st.none() | st.text(max_size=3)})
lines = (
    good.map(json.dumps)
    | st.dictionaries(st.sampled_from(["n", "s", "x"]), scalars).map(json.dumps)
    | st.sampled_from(
        [" {}", '{"n": 1} ', '{"n": NaN}', '{"n": 1', "[1]", "", "1 2", "null", '{"s": "a"}\r', "\ufeff{}"]
    )
)


@given(st.lists(good.map(json.dumps) | lines, max_size=4), st.sampled_from([None, PAIR]))
def test_the_quick_ways_give_what_the_decoder_gives(texts, row_type):
    """Value by value, and malformed lines are the same."""
    data = "".join(f"{text}\n" for text in texts).encode()
    assert repr(JsonParser(row_type).parse(data)) == repr(one_by_one(row_type, data))
