"""Where the records of CSV files end."""

import pytest

from windrow.connectors.files.csv_lines import RecordLines
from windrow.connectors.rows.csv_dialect import CsvDialect


@pytest.mark.parametrize(
    ("data", "within", "over"),
    [
        (b"", [], []),
        (b"a\nb\r\nc\rd", [b"a\n", b"b\r\n", b"c\r", b"d"], [b"a\n", b"b\r\n", b"c\r", b"d"]),
        (b'1,"a\nb"\n2\n', [b'1,"a\n', b'b"\n', b"2\n"], [b'1,"a\nb"\n', b"2\n"]),
        (b'1,a"b\n2,c"\n', [b'1,a"b\n', b'2,c"\n'], [b'1,a"b\n', b'2,c"\n']),
        (b'1,"a\n2\n', [b'1,"a\n', b"2\n"], [b'1,"a\n', b"2\n"]),
    ],
)
def test_records_with_their_ends(data, within, over):
    """A quote that opens a value, and is closed, takes line ends into it where they may be; no other quote does."""
    assert RecordLines(CsvDialect(), quoted_newlines=False).lines(data) == within
    assert RecordLines(CsvDialect(), quoted_newlines=True).lines(data) == over


def test_a_block_ends_behind_a_record():
    """Not within a value in quotes, nor behind a record whose end has not come yet."""
    ends = RecordLines(CsvDialect(), quoted_newlines=True)
    assert ends.behind_last_record(b'1,a\n2,"b\nc') == 4
    assert ends.behind_last_record(b'1,a"\n2,b\n3') == 9
    assert ends.behind_last_record(b"1,a\n2") == 4
