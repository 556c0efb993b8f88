"""The schemas for rows as lines of CSV."""

import datetime
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from windrow import common
from windrow.common import Row, Types
from windrow.common.basic_types import LocalTimeTypeInfo
from windrow.connectors.rows.errors import MalformedRowError
from windrow.datastream.formats.csv import CsvRowDeserializationSchema, CsvRowSerializationSchema
from windrow.errors import ConfigurationError, ConfigurationTypeError, TypeConversionError

PAIR = Types.ROW_NAMED(["n", "s"], [Types.INT(), Types.STRING()])
LOCAL_DATE_TIME = LocalTimeTypeInfo(LocalTimeTypeInfo.TimeType.LOCAL_DATE_TIME)
TEXTS = Types.ROW_NAMED(["a", "b"], [Types.STRING(), Types.STRING()])
SCHEMA = CsvRowDeserializationSchema.Builder(PAIR).build()
IGNORING = CsvRowDeserializationSchema.Builder(PAIR).set_ignore_parse_errors(True).build()


def test_lines_are_rows():
    """With or without an end."""
    assert SCHEMA.deserialize(b"1,\xc3\xa9\n") == Row(n=1, s="é")
    assert SCHEMA.deserialize(b"1,") == Row(n=1, s="")
    assert SCHEMA.get_produced_type() == PAIR


def test_every_option_of_reading_is_heard():
    """One that is not would show."""
    schema = (
        CsvRowDeserializationSchema.Builder(Types.ROW([Types.STRING(), Types.BASIC_ARRAY(Types.INT()), Types.INT()]))
        .set_field_delimiter("|")
        .set_allow_comments(True)
        .set_array_element_delimiter("//")
        .set_quote_character("'")
        .set_escape_character("\\")
        .set_null_literal("-")
        .set_ignore_parse_errors(True)
        .build()
    )
    assert schema.deserialize(b"#x\n'a|\\nb'|1//-|q") == Row(f0="a|\nb", f1=[1, None], f2=None)


def test_every_option_of_writing_is_heard():
    """One that is not would show."""
    row_type = Types.ROW([Types.STRING(), Types.BASIC_ARRAY(Types.INT()), Types.INT()])
    builder = (
        CsvRowSerializationSchema.Builder(row_type)
        .set_field_delimiter("|")
        .set_line_delimiter("\r\n")
        .set_array_element_delimiter("//")
        .set_quote_character("'")
        .set_escape_character("\\")
        .set_null_literal("-")
    )
    assert builder.build().serialize(("a|\\", [1, None], None)) == b"'a|\\\\'|'1//-'|-\r\n"
    assert builder.disable_quote_character().build().serialize(("a|", [1], 2)) == b"a||1|2\r\n"


@pytest.mark.parametrize("message", [b"", b"1", b"1,a,b", b'"1', b"x,a", b"\xff,a", None])
def test_what_is_no_row_is_an_error(message):
    """With the reason."""
    with pytest.raises(MalformedRowError, match="CsvRowDeserializationSchema cannot read"):
        SCHEMA.deserialize(message)


def test_parse_errors_may_be_ignored():
    """Values that cannot be read or are missing are None; other messages are skipped."""
    messages = [b"", b"1", b"1,a,b", b'"1', b"x,a", b"\xff,a", None, b"1,a"]
    expected = [None, Row(n=1, s=None), None, None, Row(n=None, s="a"), None, None, Row(n=1, s="a")]
    assert IGNORING.deserialize_all(messages) == expected
    assert list(map(IGNORING.deserialize, messages)) == expected
    assert IGNORING.deserialize_all([]) == []


@given(
    st.lists(st.tuples(st.text(), st.text()), min_size=1, max_size=3),
    st.sampled_from([None, "\\"]),
    st.sampled_from([(",", '"'), ("\t", "'"), ("|", "é")]),
)
def test_what_is_written_is_read_back(texts, escape, marks):
    """Whatever the texts are, with and without an escape character."""
    texts = [(a, b) for a, b in texts if (a + b).encode("utf-8", "replace").decode() == a + b]
    reading, writing = CsvRowDeserializationSchema.Builder(TEXTS), CsvRowSerializationSchema.Builder(TEXTS)
    for builder in (reading, writing):
        builder.set_field_delimiter(marks[0]).set_quote_character(marks[1])
        if escape is not None:
            builder.set_escape_character(escape)
    schema = writing.build()
    rows = [Row(a=a, b=b) for a, b in texts if not a.startswith("\ufeff")]
    assert reading.build().deserialize_all(list(map(schema.serialize, rows))) == rows


def test_times_and_bytes_are_read_back():
    """In the form in which JDBC writes times."""
    types = [Types.SQL_DATE(), Types.SQL_TIME(), Types.SQL_TIMESTAMP(), LOCAL_DATE_TIME]
    row_type = Types.ROW([*types, Types.PRIMITIVE_ARRAY(Types.BYTE())])
    moment = datetime.datetime(2020, 2, 29, 1, 2, 0, 5)
    row = row_type.to_internal_type([moment.date(), moment.time(), moment, moment, b"\xff"])
    line = CsvRowSerializationSchema.Builder(row_type).build().serialize(row)
    assert line == b'2020-02-29,01:02:00.000005,"2020-02-29 01:02:00.000005","2020-02-29 01:02:00.000005",/w==\n'
    assert CsvRowDeserializationSchema.Builder(row_type).build().deserialize(line) == row


def test_schemas_pickle_whether_they_were_used_or_not():
    """They go to workers."""
    writer = CsvRowSerializationSchema.Builder(PAIR).build()
    for _ in range(2):
        assert pickle.loads(pickle.dumps(SCHEMA)).deserialize(b"1,a") == Row(n=1, s="a")
        assert pickle.loads(pickle.dumps(writer)).serialize((1, "a")) == b"1,a\n"
        writer.serialize((1, "a"))


def test_wrong_use_is_refused_at_the_call():
    """Types, elements."""
    for builder in (CsvRowDeserializationSchema.Builder, CsvRowSerializationSchema.Builder):
        with pytest.raises(ConfigurationTypeError, match="takes a row type"):
            builder(None)
        with pytest.raises(ConfigurationError, match="field 'f0': there is no CSV for"):
            builder(Types.ROW([Types.MAP(Types.INT(), Types.INT())]))
    for element in (None, (1,)):
        with pytest.raises(TypeConversionError):
            CsvRowSerializationSchema.Builder(PAIR).build().serialize(element)


def test_common_has_the_schemas_too():
    """As PyFlink's has."""
    assert common.CsvRowDeserializationSchema is CsvRowDeserializationSchema
    assert common.CsvRowSerializationSchema is CsvRowSerializationSchema
