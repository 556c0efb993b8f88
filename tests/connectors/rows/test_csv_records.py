"""Lines of CSV taken apart; what they are was read off Flink 2.3."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from windrow.connectors.rows.csv_dialect import CsvDialect
from windrow.connectors.rows.csv_records import CsvRecords

PLAIN = CsvRecords(CsvDialect())
ESCAPED = CsvRecords(CsvDialect(escape="\\"))
COMMENTED = CsvRecords(CsvDialect(comments=True))


@pytest.mark.parametrize(
    ("records", "text", "values"),
    [
        (PLAIN, "a,b\r\nc,d", ["a", "b"]),
        (PLAIN, ",", ["", ""]),
        (PLAIN, "\n", [""]),
        (PLAIN, " a ,b ", [" a ", "b "]),
        (PLAIN, '"a,""x",b', ['a,"x', "b"]),
        (PLAIN, 'a"x, "b"', ['a"x', ' "b"']),
        (PLAIN, '"a" ,"b"\t\n', ["a", "b"]),
        (PLAIN, '"a\nb",c', ["a\nb", "c"]),
        (PLAIN, "#x,a\\,b", ["#x", "a\\", "b"]),
        (PLAIN, "\ufeffa\u2028,\x0b", ["a\u2028", "\x0b"]),
        (ESCAPED, "a\\,x,b", ["a,x", "b"]),
        (ESCAPED, "a\\nx\\0\\t\\r\\x,b", ["a\nx\0\t\rx", "b"]),
        (ESCAPED, '"a\\"x""",b', ['a"x"', "b"]),
        (ESCAPED, '"a\\\\",b\\\nc', ["a\\", "b\nc"]),
        (COMMENTED, "#x\n\n  #y\n a,b#c", ["a", "b#c"]),
        (COMMENTED, '"#a",b', ["#a", "b"]),
        (CsvRecords(CsvDialect(field_delimiter="\t", quote="'")), "'a\t''x'\tb,\"c\"", ["a\t'x", 'b,"c"']),
        (CsvRecords(CsvDialect(field_delimiter="\t", comments=True)), "\tb", ["", "b"]),
    ],
)
def test_the_first_record_is_taken_apart(records, text, values):
    """Quotes, escapes, comments and line ends as Jackson reads them."""
    assert records.split_all([text]) == [values]


@pytest.mark.parametrize(
    ("records", "text"),
    [
        (PLAIN, ""),
        (PLAIN, '"a"x,b'),
        (PLAIN, '""a,b'),
        (PLAIN, '"a,b'),
        (PLAIN, 'a,"b" "c"'),
        (PLAIN, '"a\\"x",b'),
        (ESCAPED, "a\\"),
        (COMMENTED, "#x"),
        (COMMENTED, " \n"),
    ],
)
def test_what_is_no_record_is_an_error(records, text):
    """Nothing at all, quotes that are not closed or not at the end, half an escape."""
    with pytest.raises(ValueError, match=r"nothing|value"):
        records.split_all([text])


def outcome(split, texts):
    try:
        return split(texts)
    except ValueError as error:
        return str(error)


@given(st.lists(st.text(alphabet=',"ab \n\r\t\0', max_size=8), max_size=4))
def test_pythons_parser_finds_the_same(texts):
    """The parser in C is used where each text is one record for it; one by one is the measure."""
    assert outcome(PLAIN.split_all, texts) == outcome(lambda all_: list(map(PLAIN._split, all_)), texts)


@given(st.lists(st.lists(st.text(alphabet=',"\\ab\n', max_size=5), min_size=1, max_size=3), min_size=1, max_size=3))
def test_a_record_does_not_run_into_the_next_message(records):
    """Whatever is in its quotes."""
    texts = [",".join('"' + value.replace('"', '""') + '"' for value in values) for values in records]
    assert PLAIN.split_all(texts) == records
    assert PLAIN.split_all([*texts, "a,b"]) == [*records, ["a", "b"]]


def test_nothing_is_told_from_an_empty_text_in_quotes():
    """Where a reader wants to know; a quote within another value is a character."""
    assert PLAIN.split_nothing_apart(',"",a"b, \r\n') == [None, "", 'a"b', " "]
    with pytest.raises(ValueError, match="value 2 has a quote that is not closed"):
        PLAIN.split_nothing_apart('1,"a')
